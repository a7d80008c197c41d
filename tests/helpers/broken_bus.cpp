// A bus with somebody on the line: it passes frames between the workers and a real broker. Either it spoils one DATA
// frame on its way to a receiver, which the harness must notice (a harness that cannot fail proves nothing), or it is a
// witness that shares nothing with the product.
//
//   n2nq-broken-bus UPSTREAM_PORT none|drop|duplicate|corrupt|swap|miscount NTH
//   n2nq-broken-bus UPSTREAM_PORT tap                    tells of each connection what its sockets carried
//   n2nq-broken-bus UPSTREAM_PORT slow UP_MS DOWN_MS     holds everything for so long on its way to and from the
//   broker,
//                                                        and lets no two clocks pass for the same one
//
// Prints {"type":"ready","port":N}, with `tap` for each sender's or receiver's connection that is over a line
// {"type":"link","role":R,"number":N,"data":[[sender,index],...],"accepted":N,"confirmed":N,"answered":N}; runs until
// it is killed.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "tests/helpers/foreign_client.h"

namespace {

using n2nq::test::Frame;
using Clock = std::chrono::steady_clock;

struct Meddling {
  std::string kind;
  int nth = 1;
  std::chrono::milliseconds up_delay{0}, down_delay{0};
  int seen = 0;
};

// What waits for its time; empty: the end.
struct Late {
  Clock::time_point at;
  std::string bytes;
};

struct Direction {
  int from = -1, to = -1;
  std::chrono::milliseconds delay{0};
  std::string buffer{};
  std::deque<Late> late{};
  bool ended = false;  // nothing more will be read
  bool over = false;   // and what was read is passed on
};

// As the sockets carried it.
struct Seen {
  std::vector<n2nq::test::MessageId> data{};  // of a sender: to the broker; of a receiver: from there
  uint64_t accepted = 0, confirmed = 0, answered = 0;
};

struct Link {
  Direction up, down;
  uint8_t role = 0;
  uint32_t number = 0;
  std::string held{};  // the frame that waits for another to overtake it
  Seen seen{};
  bool receiver() const { return role == 2; }
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

std::string spoiled(std::string frame, Link& link, Meddling& meddling) {
  Frame view{frame};
  if (view.type() == n2nq::test::kEnd && meddling.kind == "miscount") {
    n2nq::test::put(frame, 8, view.u64(8) + 1, 8);
  }
  if (view.type() == n2nq::test::kEnd) return std::exchange(link.held, "") + frame;
  if (view.type() != n2nq::test::kData) return frame;
  if (!link.held.empty()) {
    if (Frame{link.held}.u32(8) != view.u32(8)) return frame;
    return frame + std::exchange(link.held, "");
  }
  if (++meddling.seen != meddling.nth) return frame;
  if (meddling.kind == "drop") return "";
  if (meddling.kind == "duplicate") return frame + frame;
  if (meddling.kind == "corrupt") frame.back() = frame.back() == 'x' ? 'y' : 'x';
  if (meddling.kind == "swap") {
    link.held = frame;
    return "";
  }
  return frame;
}

void note(Seen& seen, const Frame& frame) {
  if (frame.type() == n2nq::test::kData) seen.data.emplace_back(frame.u32(8), frame.u64(16));
  if (frame.type() == n2nq::test::kAccepted) seen.accepted = frame.u64(8);
  if (frame.type() != n2nq::test::kResponse) return;
  for (size_t item = 0; item < frame.u32(8); ++item) {
    ++seen.answered;
    if (frame.u8(28 + 16 * item) == 0) ++seen.confirmed;
  }
}

void tell(const Link& link) {
  std::string data;
  for (const auto& [sender, index] : link.seen.data)
    data += (data.empty() ? "[" : ",[") + std::to_string(sender) + "," + std::to_string(index) + "]";
  std::printf(
      "{\"type\":\"link\",\"role\":%u,\"number\":%u,\"data\":[%s],\"accepted\":%llu,\"confirmed\":%llu,\"answered\":%"
      "llu}\n",
      link.role, link.number, data.c_str(), static_cast<unsigned long long>(link.seen.accepted),
      static_cast<unsigned long long>(link.seen.confirmed), static_cast<unsigned long long>(link.seen.answered));
  std::fflush(stdout);
}

std::string changed(std::string frame, Link& link, bool is_up, Meddling& meddling) {
  const Frame view{frame};
  if (is_up && view.type() == n2nq::test::kHello) {
    link.role = view.u8(14);
    link.number = view.u32(16);
    if (meddling.kind == "slow") n2nq::test::put(frame, 32, view.u64(32) + 1, 8);
  }
  if (!is_up && link.receiver()) frame = spoiled(std::move(frame), link, meddling);
  note(link.seen, view);
  return frame;
}

void end_of(Direction& direction) {
  direction.over = true;
  ::shutdown(direction.to, SHUT_WR);
}

void hand_on(Direction& direction, std::string bytes) {
  if (direction.delay.count() > 0) {
    direction.late.push_back({Clock::now() + direction.delay, std::move(bytes)});
  } else if (bytes.empty()) {
    end_of(direction);
  } else {
    write_all(direction.to, bytes);
  }
}

void pass(Link& link, Direction& direction, Meddling& meddling) {
  char bytes[65536];
  ssize_t n = ::recv(direction.from, bytes, sizeof bytes, 0);
  if (n <= 0) {
    direction.ended = true;
    hand_on(direction, "");
    return;
  }
  direction.buffer.append(bytes, static_cast<size_t>(n));
  while (direction.buffer.size() >= 8) {
    size_t length = Frame{direction.buffer}.u32(0);
    if (length < 8 || direction.buffer.size() < length) break;
    std::string frame = direction.buffer.substr(0, length);
    direction.buffer.erase(0, length);
    frame = changed(std::move(frame), link, &direction == &link.up, meddling);
    if (!frame.empty()) hand_on(direction, std::move(frame));
  }
}

void pass_late(Direction& direction) {
  for (; !direction.late.empty() && direction.late.front().at <= Clock::now(); direction.late.pop_front()) {
    if (direction.late.front().bytes.empty())
      end_of(direction);
    else
      write_all(direction.to, direction.late.front().bytes);
  }
}

void admit(int listener, uint16_t upstream, const Meddling& meddling, std::list<Link>& links) {
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
  links.push_back({.up = {.from = client, .to = broker, .delay = meddling.up_delay},
                   .down = {.from = broker, .to = client, .delay = meddling.down_delay}});
}

// Until the next of what waits may go; nothing waits: for ever.
bool wait_for_work(std::vector<pollfd>& fds, const std::list<Link>& links) {
  Clock::time_point next = Clock::time_point::max();
  for (const Link& link : links)
    for (const Direction* direction : {&link.up, &link.down})
      if (!direction->late.empty()) next = std::min(next, direction->late.front().at);
  const auto left = std::max(Clock::duration(0), next - Clock::now());
  const timespec wait{std::chrono::duration_cast<std::chrono::seconds>(left).count(),
                      (left % std::chrono::seconds(1)).count()};
  return ::ppoll(fds.data(), fds.size(), next == Clock::time_point::max() ? nullptr : &wait, nullptr) >= 0;
}

void serve(int listener, uint16_t upstream, Meddling meddling) {
  std::list<Link> links;
  for (;;) {
    std::vector<pollfd> fds{{listener, POLLIN, 0}};
    for (const Link& link : links) {
      fds.push_back({link.up.ended ? -1 : link.up.from, POLLIN, 0});
      fds.push_back({link.down.ended ? -1 : link.down.from, POLLIN, 0});
    }
    if (!wait_for_work(fds, links)) return;
    size_t at = 1;
    for (Link& link : links) {
      for (Direction* direction : {&link.up, &link.down}) {
        if (fds[at++].revents) pass(link, *direction, meddling);
        pass_late(*direction);
      }
    }
    links.remove_if([&](const Link& link) {
      if (!link.up.over || !link.down.over) return false;
      if (meddling.kind == "tap" && (link.role == 1 || link.role == 2)) tell(link);
      ::close(link.up.from);
      ::close(link.up.to);
      return true;
    });
    if (fds[0].revents) admit(listener, upstream, meddling, links);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  Meddling meddling{.kind = argv[2]};
  const bool slow = meddling.kind == "slow", tap = meddling.kind == "tap";
  if (argc != (slow ? 5 : tap ? 3 : 4)) return 2;
  if (slow) {
    meddling.up_delay = std::chrono::milliseconds(std::atoi(argv[3]));
    meddling.down_delay = std::chrono::milliseconds(std::atoi(argv[4]));
  } else if (!tap) {
    meddling.nth = std::atoi(argv[3]);
  }
  int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener, 64) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return 3;
  }
  std::printf("{\"type\":\"ready\",\"port\":%u}\n", ntohs(address.sin_port));
  std::fflush(stdout);
  serve(listener, static_cast<uint16_t>(std::atoi(argv[1])), std::move(meddling));
}
