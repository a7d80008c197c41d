// A bus that is broken on purpose: it passes frames between the workers and a real broker and spoils one DATA frame on
// its way to a receiver. The harness must notice; a harness that cannot fail proves nothing.
//
//   n2nq-broken-bus UPSTREAM_PORT none|drop|duplicate|corrupt|swap|miscount NTH
//
// Prints {"type":"ready","port":N}; runs until it is killed.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "tests/helpers/foreign_client.h"

namespace {

using n2nq::test::Frame;

struct Breakage {
  std::string kind;
  int nth = 1;
  int seen = 0;
};

struct Direction {
  int from = -1, to = -1;
  std::string buffer{};
  bool over = false;
};

struct Link {
  Direction up, down;
  bool receiver = false;
  std::string held{};  // the frame that waits for another to overtake it
};

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

std::string spoiled(std::string frame, Link& link, Breakage& breakage) {
  Frame view{frame};
  if (view.type() == n2nq::test::kEnd && breakage.kind == "miscount") {
    n2nq::test::put(frame, 8, view.u64(8) + 1, 8);
  }
  if (view.type() == n2nq::test::kEnd) return std::exchange(link.held, "") + frame;
  if (view.type() != n2nq::test::kData) return frame;
  if (!link.held.empty()) {
    if (Frame{link.held}.u32(8) != view.u32(8)) return frame;
    return frame + std::exchange(link.held, "");
  }
  if (++breakage.seen != breakage.nth) return frame;
  if (breakage.kind == "drop") return "";
  if (breakage.kind == "duplicate") return frame + frame;
  if (breakage.kind == "corrupt") frame.back() = frame.back() == 'x' ? 'y' : 'x';
  if (breakage.kind == "swap") {
    link.held = frame;
    return "";
  }
  return frame;
}

void pass(Link& link, Direction& direction, Breakage& breakage) {
  char bytes[65536];
  ssize_t n = ::recv(direction.from, bytes, sizeof bytes, 0);
  if (n <= 0) {
    direction.over = true;
    ::shutdown(direction.to, SHUT_WR);
    return;
  }
  direction.buffer.append(bytes, static_cast<size_t>(n));
  while (direction.buffer.size() >= 8) {
    size_t length = Frame{direction.buffer}.u32(0);
    if (length < 8 || direction.buffer.size() < length) break;
    std::string frame = direction.buffer.substr(0, length);
    direction.buffer.erase(0, length);
    if (&direction == &link.up && Frame{frame}.type() == n2nq::test::kHello) link.receiver = Frame{frame}.u8(14) == 2;
    if (&direction == &link.down && link.receiver) frame = spoiled(std::move(frame), link, breakage);
    write_all(direction.to, frame);
  }
}

void admit(int listener, uint16_t upstream, std::list<Link>& links) {
  int client = ::accept(listener, nullptr, nullptr);
  int broker = ::socket(AF_INET, SOCK_STREAM, 0), on = 1;
  sockaddr_in address = loopback(upstream);
  if (client < 0 || ::connect(broker, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(client);
    ::close(broker);
    return;
  }
  ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(broker, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  links.push_back({.up = {.from = client, .to = broker}, .down = {.from = broker, .to = client}});
}

void serve(int listener, uint16_t upstream, Breakage breakage) {
  std::list<Link> links;
  for (;;) {
    std::vector<pollfd> fds{{listener, POLLIN, 0}};
    for (const Link& link : links) {
      fds.push_back({link.up.over ? -1 : link.up.from, POLLIN, 0});
      fds.push_back({link.down.over ? -1 : link.down.from, POLLIN, 0});
    }
    if (::poll(fds.data(), fds.size(), -1) < 0) return;
    size_t at = 1;
    for (Link& link : links) {
      if (fds[at++].revents) pass(link, link.up, breakage);
      if (fds[at++].revents) pass(link, link.down, breakage);
    }
    links.remove_if([](const Link& link) {
      if (!link.up.over || !link.down.over) return false;
      ::close(link.up.from);
      ::close(link.up.to);
      return true;
    });
    if (fds[0].revents) admit(listener, upstream, links);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener, 64) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return 3;
  }
  std::printf("{\"type\":\"ready\",\"port\":%u}\n", ntohs(address.sin_port));
  std::fflush(stdout);
  serve(listener, static_cast<uint16_t>(std::atoi(argv[1])), {.kind = argv[2], .nth = std::atoi(argv[3])});
}
