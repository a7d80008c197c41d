// How the outlets of one loop reach receivers, each by itself or all through a load balancer: their addresses checked
// and resolved, TLS, and what every request's head says. Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/result.h"
#include "broker/net/socket.h"
#include "broker/tls/tls.h"
#include "workers/bus/bus.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/address.h"
#include "workers/bus/stream/gate.h"
#include "workers/bus/stream/tls_choice.h"

namespace n2nq::bus {

// One receiver, as a sender reaches it, or the load balancer in front of them.
struct Reach {
  uint32_t receiver = 0;  // 0: the load balancer
  Address address;
  std::string host;  // whose certificate it must be
  net::Endpoint endpoint;
  bool balancer() const { return receiver == 0; }
  std::string name() const;
};

class Approach {
 public:
  // `scheme`: that addresses must have.
  Approach(const BusOptions& options, TlsChoice tls, std::string scheme);

  // Before any is reached: loads what TLS needs, once.
  Result<void> prepare();
  Result<std::vector<Reach>> find(const std::vector<ForeignOutlet::Peer>& peers);
  bool balanced() const { return choice_.balanced; }
  Gate& gate() { return gate_; }
  int64_t last_welcome_ns = 0;  // of any outlet; theirs
  const tls::Client* tls() const { return tls_ ? &*tls_ : nullptr; }
  // From the version on: Host and the run's token.
  std::string head_of(const Reach& reach) const;

 private:
  Result<Reach> find_one(const ForeignOutlet::Peer& peer);

  std::string token_;
  std::optional<Reach> balancer_;
  TlsChoice choice_;
  std::string scheme_;
  std::optional<tls::Client> tls_;
  Gate gate_;
  std::map<std::string, net::Endpoint> resolved_;  // by authority
};

}  // namespace n2nq::bus
