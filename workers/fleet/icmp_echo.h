// Echo requests (ping) to one address, over the kernel's ping sockets, which need no privileges where
// net.ipv4.ping_group_range lets the process' group in. One thread; nothing blocks.
#pragma once

#include <cstdint>
#include <optional>

#include "broker/base/fd.h"
#include "broker/net/socket.h"

namespace n2nq::fleet {

class IcmpEcho {
 public:
  struct Answer {
    uint16_t sequence = 0;
    int64_t arrived_ns = 0;  // the kernel's stamp, CLOCK_REALTIME
  };

  // The port of `to` means nothing here. An error: this process may not ping.
  static Result<IcmpEcho> open(const net::Endpoint& to);

  int fd() const { return fd_.get(); }
  bool send(uint16_t sequence);
  // Whatever has come next; nothing: no more for now, or `reads` is 0 now, from which each read is taken. Errors that
  // routers report are passed over.
  std::optional<Answer> receive(int& reads);

 private:
  IcmpEcho(Fd fd, bool v6) : fd_(std::move(fd)), v6_(v6) {}

  Fd fd_;
  bool v6_;
};

}  // namespace n2nq::fleet
