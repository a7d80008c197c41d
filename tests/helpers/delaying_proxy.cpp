#include "tests/helpers/delaying_proxy.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace n2nq::test {
namespace {

sockaddr_in loopback(uint16_t port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(port);
  return at;
}

void set_no_delay(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

DelayingProxy::DelayingProxy(uint16_t to, std::chrono::milliseconds each_way) : each_way_(each_way), to_(to) {
  listener_.listen();
  thread_ = std::thread([this] { run(); });
}

DelayingProxy::~DelayingProxy() {
  stopped_ = true;
  thread_.join();
  for (const auto& way : ways_) ::close(way->from);  // each is one way's source
}

void DelayingProxy::run() {
  while (!stopped_) {
    std::vector<pollfd> all{{.fd = listener_.fd(), .events = POLLIN, .revents = 0}};
    for (const auto& way : ways_) all.push_back({.fd = way->over ? -1 : way->from, .events = POLLIN, .revents = 0});
    ::poll(all.data(), all.size(), 1);
    for (size_t i = 1; i < all.size(); i++) {
      if (all[i].revents == 0) continue;
      Way& way = *ways_[i - 1];
      std::string bytes(65536, '\0');
      const ssize_t n = ::recv(way.from, bytes.data(), bytes.size(), MSG_DONTWAIT);
      bytes.resize(n > 0 ? static_cast<size_t>(n) : 0);  // none: the end, which takes as long
      way.bytes += bytes.size();
      way.over = n <= 0;
      if (listens_in_) {
        const std::scoped_lock lock(mutex_);
        heard_ += bytes;
      }
      way.under_way.push_back({.due = Clock::now() + each_way_, .bytes = std::move(bytes)});
    }
    if (to_cut_ > 0 && cut_busiest(to_cut_)) to_cut_ = 0;
    for (const auto& way : ways_) pass_on(*way);
    if (all[0].revents != 0) admit();
  }
}

// Ways from servers are the second of each two.
bool DelayingProxy::cut_busiest(size_t under_way) {
  size_t busiest = 0;
  for (size_t i = 1; i < ways_.size(); i += 2)
    if (!ways_[i]->over && (busiest == 0 || ways_[i]->bytes > ways_[busiest]->bytes)) busiest = i;
  size_t bytes = 0;
  if (busiest > 0)
    for (const Late& late : ways_[busiest]->under_way) bytes += late.bytes.size();
  if (bytes < under_way) return false;
  for (Way* way : {ways_[busiest - 1].get(), ways_[busiest].get()}) {
    way->under_way.clear();
    way->over = true;
    ::shutdown(way->from, SHUT_RDWR);
  }
  return true;
}

void DelayingProxy::admit() {
  const int client = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC);
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in at = loopback(to_);
  if (client < 0 || ::connect(server, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
    ::close(client);
    ::close(server);
    return;
  }
  for (const int fd : {client, server}) set_no_delay(fd);
  ways_.push_back(std::make_unique<Way>(Way{.from = client, .to = server}));
  ways_.push_back(std::make_unique<Way>(Way{.from = server, .to = client}));
}

void DelayingProxy::pass_on(Way& way) {
  while (!way.under_way.empty() && way.under_way.front().due <= Clock::now()) {
    const std::string& bytes = way.under_way.front().bytes;
    if (bytes.empty()) ::shutdown(way.to, SHUT_WR);
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(way.to, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) break;
      at += static_cast<size_t>(n);
    }
    way.under_way.pop_front();
  }
}

}  // namespace n2nq::test
