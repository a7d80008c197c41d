#include "tests/helpers/fake_server.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace n2nq::test {
namespace {

constexpr int kLookMs = 20;

}  // namespace

void FakeServer::start() {
  listener_.listen();
  thread_ = std::thread([this] { run(); });
}

void FakeServer::stop() {
  stopped_ = true;
  thread_.join();
  for (const auto& [fd, client] : clients_) ::close(fd);
}

void FakeServer::run() {
  while (!stopped_) {
    std::vector<pollfd> all{{.fd = listener_.fd(), .events = POLLIN, .revents = 0}};
    for (const auto& [fd, client] : clients_)
      all.push_back(
          {.fd = fd, .events = static_cast<short>(client.out.empty() ? POLLIN : POLLIN | POLLOUT), .revents = 0});
    ::poll(all.data(), all.size(), kLookMs);
    if (all[0].revents != 0) {
      const int fd = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (fd >= 0) {
        clients_[fd].fd = fd;
        on_client(clients_[fd]);
      }
    }
    for (size_t i = 1; i < all.size(); i++)
      if (all[i].revents != 0) read(clients_.at(all[i].fd));
    for (auto each = clients_.begin(); each != clients_.end();) {
      const bool over = is_over() && each->second.out.empty();
      if (write(each->second) && !over) {
        each++;
        continue;
      }
      ::close(each->first);
      each = clients_.erase(each);
    }
  }
}

// write() tells that it has ended.
void FakeServer::end(Client& client) {
  ::shutdown(client.fd, SHUT_RDWR);
}

void FakeServer::read(Client& client) {
  char bytes[65536];
  const ssize_t n = ::recv(client.fd, bytes, sizeof bytes, 0);
  if (n == 0) end(client);
  if (n <= 0) return;
  client.in.append(bytes, static_cast<size_t>(n));
  on_bytes(client);
}

// False: the connection has ended.
bool FakeServer::write(Client& client) {
  char byte = 0;
  if (::recv(client.fd, &byte, 1, MSG_PEEK) == 0) return false;
  if (client.out.empty()) return true;
  const ssize_t n = ::send(client.fd, client.out.data(), client.out.size(), MSG_NOSIGNAL);
  if (n > 0) client.out.erase(0, static_cast<size_t>(n));
  return n > 0 || errno == EAGAIN;
}

}  // namespace n2nq::test
