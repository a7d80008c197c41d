#include "workers/bus/stream/entrance.h"

#include <openssl/crypto.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "broker/base/assert.h"
#include "broker/base/units.h"
#include "broker/net/resolve.h"
#include "broker/net/socket.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/stream/address.h"
#include "workers/bus/stream/listed_inlet.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kAcceptAgainNs = 100'000'000;

struct ListenPlace {
  std::string host;  // as it stands in addresses
  std::string port;  // "0": the kernel chooses
};

ListenPlace listen_place(const std::string& text) {
  const auto colons = std::ranges::count(text, ':');
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    const bool port = end != std::string::npos && end + 1 < text.size();
    return {.host = text.substr(0, port ? end + 1 : text.size()), .port = port ? text.substr(end + 2) : "0"};
  }
  if (colons > 1) return {.host = "[" + text + "]", .port = "0"};
  if (colons == 0) return {.host = text, .port = "0"};
  return {.host = text.substr(0, text.find(':')), .port = text.substr(text.find(':') + 1)};
}

uint16_t port_of(const BusOptions& options, uint32_t loop) {
  const auto first = parse_whole(value_of(*find_bus(options.kind), options.settings, kReceiverPortKey));
  return first && *first > 0 ? static_cast<uint16_t>(*first + loop) : uint16_t{0};
}

bool is_any_address(const net::Endpoint& endpoint) {
  if (endpoint.address.ss_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(endpoint.address).sin_addr.s_addr == INADDR_ANY;
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(endpoint.address);
  return IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr);
}

}  // namespace

Entrance::Entrance(StreamLoop& loop, const BusOptions& options, TlsChoice tls, std::string scheme, MakeGuest make_guest,
                   EntranceLimits limits)
    : loop_(loop),
      listen_(options.listen),
      expected_("Bearer " + options.token),
      tls_(std::move(tls)),
      scheme_(std::move(scheme)),
      make_guest_(std::move(make_guest)),
      limits_(limits),
      port_(port_of(options, loop.number())),
      again_(loop, [this] { let_in(); }) {
  // Whoever says nothing leaves room for those that do.
  limits_.unproven = std::min<size_t>(limits_.unproven, std::max<uint64_t>(1, net::descriptor_limit() / 4));
}

Entrance::~Entrance() {
  if (listening_.valid()) loop_.events().remove(listening_.get(), this);
}

Result<void> Entrance::open() {
  if (listening_.valid()) return {};
  if (tls_.at_receivers()) {
    auto server = tls_.certificate_file.empty() ? tls::Server::made_for_run()
                                                : tls::Server::given(tls_.certificate_file, tls_.key_file);
    if (!server) return std::unexpected(server.error());
    server_ = std::move(*server);
  }
  ListenPlace place = listen_place(listen_);
  if (port_ != 0) place.port = std::to_string(port_);
  const bool any_port = place.port == "0";
  auto endpoint = net::resolve(place.host + ":" + (any_port ? "1" : place.port));
  if (!endpoint) return std::unexpected(endpoint.error());
  if (any_port) endpoint->set_port(0);
  if (is_any_address(*endpoint) && !balanced())
    return fail("receivers cannot be reached at " + listen_ +
                ", which is no address of this host in particular; give --bus-listen one that senders can reach");
  auto fd = net::listen_tcp(*endpoint, loop_.sockets());
  if (!fd && port_ != 0) return fail("bus.receiver_port: " + fd.error().text);
  if (!fd && fd.error().error_number == EADDRINUSE)
    return fail(fd.error().text + "; if it is another of this program's --loops, give --bus-listen without a port");
  if (!fd) return std::unexpected(fd.error());
  const auto local = net::local_endpoint(fd->get());
  if (!local) return std::unexpected(local.error());
  listening_ = std::move(*fd);
  authority_ = place.host + ":" + std::to_string(local->port());
  loop_.events().add(listening_.get(), net::EventLoop::kRead, this);
  return {};
}

std::string Entrance::address_of(uint32_t number) const {
  return Address{.scheme = scheme_,
                 .authority = authority_,
                 .path = path_of_receiver(number),
                 .fingerprint = server_ ? server_->fingerprint() : std::string()}
      .text();
}

void Entrance::enroll(ListedInlet& inlet) {
  inlets_[inlet.number()] = &inlet;
}

void Entrance::strike(const ListedInlet& inlet) {
  const auto found = inlets_.find(inlet.number());
  if (found != inlets_.end() && found->second == &inlet) inlets_.erase(found);
}

ListedInlet* Entrance::next_in_turn() {
  ListedInlet* first = nullptr;
  for (size_t tried = 0; tried < inlets_.size(); tried++) {
    auto next = inlets_.upper_bound(turn_);
    if (next == inlets_.end()) next = inlets_.begin();
    turn_ = next->first;
    if (next->second->events().wants_bytes()) return next->second;
    if (first == nullptr) first = next->second;
  }
  return first;
}

ListedInlet* Entrance::find(std::string_view path) {
  if (balanced() && is_path_of_any(path)) return next_in_turn();
  const auto found = inlets_.find(receiver_of_path(path));
  return found == inlets_.end() ? nullptr : found->second;
}

bool Entrance::admits(std::string_view authorization) const {
  return authorization.size() == expected_.size() &&
         CRYPTO_memcmp(authorization.data(), expected_.data(), expected_.size()) == 0;
}

void Entrance::tell_once(const std::string& kind, const std::string& text) {
  if (inlets_.empty() || !told_.insert(kind).second) return;
  inlets_.begin()->second->events().on_told("at " + authority_ + ": " + text +
                                            "; if it happens again, that is not told again");
}

void Entrance::on_events(uint32_t) {
  let_in();
}

void Entrance::let_in() {
  waiting_ = false;
  while (true) {
    if (unproven_ >= limits_.unproven) {
      waiting_ = true;
      return;
    }
    Fd fd(::accept4(listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd.valid()) {
      const int error = errno;
      if (error == EAGAIN) return;
      if (error == EINTR || error == ECONNABORTED) continue;
      tell_once("accept", std::string("no connection can be let in: ") + std::strerror(error) +
                              (error == EMFILE || error == ENFILE ? "; raise the limit with 'ulimit -n'" : ""));
      return again_.set_in(kAcceptAgainNs);
    }
    auto guest = make_guest_(*this);
    Guest& entered = *guest;
    guests_.emplace(&entered, std::move(guest));
    unproven_++;
    entered.accept(std::move(fd));
  }
}

void Entrance::one_less_unproven() {
  N2NQ_ASSERT(unproven_ > 0);
  unproven_--;
  if (waiting_) again_.set_soon();
}

void Entrance::proven() {
  one_less_unproven();
}

void Entrance::leave(Guest& guest) {
  if (!guest.proven()) one_less_unproven();
  auto found = guests_.find(&guest);
  N2NQ_ASSERT(found != guests_.end());
  loop_.bury(std::move(found->second));
  guests_.erase(found);
}

}  // namespace n2nq::bus
