// How the outlets of one loop reach receivers: their addresses checked and resolved, TLS, and what every request's head
// says. Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "broker/base/result.h"
#include "broker/net/socket.h"
#include "workers/bus/bus.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/address.h"
#include "workers/bus/stream/gate.h"
#include "workers/bus/stream/tls.h"
#include "workers/bus/stream/tls_choice.h"

namespace n2nq::bus {

// One receiver, as a sender reaches it.
struct Reach {
  uint32_t receiver = 0;
  Address address;
  std::string host;  // whose certificate it must be
  net::Endpoint endpoint;
};

class Approach {
 public:
  // `scheme`: that addresses must have.
  Approach(const BusOptions& options, TlsChoice tls, std::string scheme)
      : token_(options.token), choice_(std::move(tls)), scheme_(std::move(scheme)) {}

  // Before any is reached: loads what TLS needs, once.
  Result<void> prepare();
  Result<Reach> find(const ForeignOutlet::Peer& peer);
  Gate& gate() { return gate_; }
  int64_t last_welcome_ns = 0;  // of any outlet; theirs
  const TlsClient* tls() const { return tls_ ? &*tls_ : nullptr; }
  // From the version on: Host and the run's token.
  std::string head_of(const Reach& reach) const;

 private:
  std::string token_;
  TlsChoice choice_;
  std::string scheme_;
  std::optional<TlsClient> tls_;
  Gate gate_;
  std::map<std::string, net::Endpoint> resolved_;  // by authority
};

}  // namespace n2nq::bus
