#include "workers/bus/stream/approach.h"

#include "broker/net/resolve.h"

namespace n2nq::bus {

Result<void> Approach::prepare() {
  if (!choice_.on || tls_) return {};
  if (choice_.certificate_file.empty()) {
    tls_ = TlsClient::for_run();
    return {};
  }
  auto made = TlsClient::for_given(choice_.authorities);
  if (!made) return std::unexpected(made.error());
  tls_ = std::move(*made);
  return {};
}

Result<Reach> Approach::find(const ForeignOutlet::Peer& peer) {
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
