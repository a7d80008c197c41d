// A free TCP port that nobody else is given while this lives, though a broker may listen on it: bound, not listening.
// Senders and receivers can so be started before the broker. Any thread.
#pragma once

#include "broker/base/fd.h"
#include "broker/base/result.h"
#include "broker/net/socket.h"

namespace n2nq::launch {

class PortReservation {
 public:
  // Takes the endpoint's port, or a free one where that is 0.
  static Result<PortReservation> make(const net::Endpoint& wanted);
  const net::Endpoint& endpoint() const { return endpoint_; }

 private:
  PortReservation(Fd fd, const net::Endpoint& endpoint) : fd_(std::move(fd)), endpoint_(endpoint) {}

  Fd fd_;
  net::Endpoint endpoint_;
};

}  // namespace n2nq::launch
