#include "workers/bus/stream/approach.h"

#include <utility>

#include "broker/net/resolve.h"
#include "workers/bus/bus_table.h"

namespace n2nq::bus {
namespace {

// Clients leave out the port that goes with the scheme, and so balancers may know a name only without it.
std::string authority_at(const NamedServer& server, const std::string& name, const std::string& scheme) {
  const std::string port = server.address.substr(server.address.rfind(':'));
  const bool secure = scheme == "https" || scheme == "wss";
  const bool usual = port == (secure ? ":443" : ":80");
  if (name.empty()) return usual ? server.address.substr(0, server.address.rfind(':')) : server.address;
  return usual ? name : name + port;
}

}  // namespace

std::string Reach::name() const {
  if (balancer()) return "the load balancer at " + address.authority;
  return "receiver " + std::to_string(receiver) + " at " + address.authority;
}

Approach::Approach(const BusOptions& options, TlsChoice tls, std::string scheme)
    : token_(options.token), choice_(std::move(tls)), scheme_(std::move(scheme)) {
  if (!choice_.balanced || options.servers.empty()) return;
  const NamedServer& server = options.servers.front();
  const std::string name = value_of(*find_bus(options.kind), options.settings, "host_name");
  balancer_ = Reach{.address = {.scheme = scheme_,
                                .authority = authority_at(server, name, scheme_),
                                .path = std::string(kPathOfAny),
                                .fingerprint = {}},
                    .host = name.empty() ? server.host() : name,
                    .endpoint = server.endpoint};
}

Result<void> Approach::prepare() {
  if (!choice_.on || tls_) return {};
  if (choice_.by_fingerprint()) {
    tls_ = tls::Client::for_run();
    return {};
  }
  auto made =
      choice_.balanced ? tls::Client::for_server(choice_.authorities) : tls::Client::for_given(choice_.authorities);
  if (!made) return std::unexpected(made.error());
  tls_ = std::move(*made);
  return {};
}

Result<std::vector<Reach>> Approach::find(const std::vector<ForeignOutlet::Peer>& peers) {
  if (balancer_) return std::vector{*balancer_};
  std::vector<Reach> all;
  for (const ForeignOutlet::Peer& peer : peers) {
    auto reach = find_one(peer);
    if (!reach) return std::unexpected(reach.error());
    all.push_back(std::move(*reach));
  }
  return all;
}

Result<Reach> Approach::find_one(const ForeignOutlet::Peer& peer) {
  auto address = parse_address(peer.address);
  if (!address) return std::unexpected(address.error());
  const std::string who = "receiver " + std::to_string(peer.receiver);
  if (address->scheme != scheme_)
    return fail(who + " is reached at " + peer.address + ", and this sender only reaches " + scheme_ +
                "; give senders and receivers the same --bus and --bus-set");
  if (choice_.on && address->fingerprint.empty() && choice_.certificate_file.empty())
    return fail("the address of " + who + " lacks the fingerprint of its certificate: " + peer.address +
                "; give senders and receivers the same --bus-set");
  if (choice_.on && !address->fingerprint.empty() && !choice_.certificate_file.empty())
    return fail(who + " has a certificate that was made for the run, and this sender was given bus.tls_certificate: " +
                peer.address + "; give senders and receivers the same --bus-set");
  auto found = resolved_.find(address->authority);
  if (found == resolved_.end()) {
    auto endpoint = net::resolve(address->authority);
    if (!endpoint) return std::unexpected(endpoint.error());
    found = resolved_.emplace(address->authority, *endpoint).first;
  }
  Reach reach{.receiver = peer.receiver, .address = std::move(*address), .host = {}, .endpoint = found->second};
  reach.host = reach.address.host();
  return reach;
}

std::string Approach::head_of(const Reach& reach) const {
  return " HTTP/1.1\r\nHost: " + reach.address.authority + "\r\nAuthorization: Bearer " + token_ + "\r\n";
}

}  // namespace n2nq::bus
