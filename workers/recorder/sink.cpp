#include "workers/recorder/sink.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/base/clock.h"
#include "broker/net/socket.h"
#include "workers/control/line_writer.h"
#include "workers/recorder/fill_bounds.h"

namespace n2nq::recorder {
namespace {

constexpr uint32_t kWhileReadable = EPOLLIN | EPOLLRDHUP;

// All addresses where this host does not have that one, as behind a router that passes it on, or it is a name.
std::vector<net::Endpoint> places_of(const std::string& address) {
  std::vector<net::Endpoint> places;
  net::Endpoint place;
  auto& v4 = reinterpret_cast<sockaddr_in&>(place.address);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(place.address);
  const auto add = [&places, &place](sa_family_t family, size_t length) {
    place.address.ss_family = family;
    place.length = static_cast<socklen_t>(length);
    places.push_back(place);
    place = {};
  };
  if (::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1)
    add(AF_INET, sizeof(sockaddr_in));
  else if (::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1)
    add(AF_INET6, sizeof(sockaddr_in6));
  add(AF_INET6, sizeof(sockaddr_in6));
  add(AF_INET, sizeof(sockaddr_in));
  return places;
}

Result<Fd> listen_at(net::Endpoint place, const PortRange& ports) {
  if (ports.any()) return net::listen_tcp(place);
  Result<Fd> door = fail("");
  for (uint32_t port = ports.first; port <= ports.last; port++) {
    place.set_port(static_cast<uint16_t>(port));
    door = net::listen_tcp(place);
    if (door || door.error().error_number != EADDRINUSE) return door;
  }
  return door;
}

}  // namespace

Sink::Sink(net::EventLoop& loop, control::SinkCommand wish, control::Token word, Say say)
    : loop_(loop), wish_(std::move(wish)), word_(std::move(word)), say_(std::move(say)), deadline_(loop, [this] {
        finish(taken_ == nullptr ? "nobody connected" : "the connection did not end when the load was to end");
      }) {}

Sink::~Sink() {
  close();
}

Result<void> Sink::start() {
  const auto ports = wish_.ports.empty() ? PortRange() : parse_ports(wish_.ports).value_or(PortRange());
  Result<Fd> door = fail("");
  for (const net::Endpoint& place : places_of(wish_.listen)) {
    door = listen_at(place, ports);
    if (door || door.error().error_number == EADDRINUSE) break;
  }
  const auto listens = door ? net::local_endpoint(door->get()) : std::unexpected(door.error());
  if (!listens) {
    over_ = true;
    return std::unexpected(listens.error());
  }
  door_ = std::move(*door);
  loop_.add(door_.get(), EPOLLIN, this);  // as long as somebody is there
  deadline_.arm_at(now_ns() + kPatienceNs);
  say_(control::to_line(control::Sinking{.id = wish_.id, .port = listens->port()}));
  return {};
}

void Sink::stop() {
  if (!over_) finish(std::string(control::kToldToEnd));
}

void Sink::on_events(uint32_t) {
  for (size_t i = 0; i < kMostGuests && door_.valid(); i++) {
    Fd fd(::accept4(door_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd.valid()) return;
    if (guests_.size() == kMostGuests) drop(*guests_.front());
    guests_.push_back(std::make_unique<Guest>(*this, std::move(fd)));
    loop_.add(guests_.back()->fd.get(), kWhileReadable, guests_.back().get());
  }
}

void Sink::on_guest(Guest& guest) {
  if (&guest == taken_)
    take();
  else
    hear(guest);
}

void Sink::hear(Guest& guest) {
  char letters[control::kMaxTokenBytes];
  const ssize_t count = ::read(guest.fd.get(), letters, word_.reveal().size() - guest.heard.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return drop(guest);
  guest.heard.append(letters, static_cast<size_t>(count));
  if (guest.heard.size() < word_.reveal().size()) return;
  if (!word_.matches(guest.heard)) return drop(guest);
  welcome(guest);
}

void Sink::welcome(Guest& guest) {
  taken_ = &guest;
  loop_.remove(door_.get(), this);
  door_.reset();
  while (guests_.size() > 1) drop(guests_.front().get() == taken_ ? *guests_.back() : *guests_.front());
  buffer_.resize(kPieceBytes);
  began_ns_ = last_ns_ = now_ns();
  deadline_.arm_at(began_ns_ + wish_.for_ns + kGraceNs);
  say_(control::to_line(control::Flowing{.id = wish_.id}));
}

void Sink::take() {
  for (int piece = 0; piece < kPiecesATurn; piece++) {
    const ssize_t count = ::read(taken_->fd.get(), buffer_.data(), buffer_.size());
    if (count == 0) return finish("");
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) return finish(std::string("the connection was lost: ") + std::strerror(errno));
    bytes_ += static_cast<uint64_t>(count);
    last_ns_ = now_ns();
  }
}

void Sink::drop(const Guest& guest) {
  const auto found = std::ranges::find(guests_, &guest, &std::unique_ptr<Guest>::get);
  loop_.remove(guest.fd.get(), found->get());
  guests_.erase(found);
}

void Sink::close() {
  if (door_.valid()) loop_.remove(door_.get(), this);
  door_.reset();
  while (!guests_.empty()) drop(*guests_.front());
  taken_ = nullptr;
}

void Sink::finish(const std::string& trouble) {
  over_ = true;
  deadline_.disarm();
  close();
  say_(control::to_line(
      control::Sunk{.id = wish_.id, .bytes = bytes_, .duration_ns = last_ns_ - began_ns_, .trouble = trouble}));
}

}  // namespace n2nq::recorder
