#include "tests/bench/lean_session.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "broker/base/assert.h"
#include "broker/base/random.h"
#include "broker/net/socket.h"

namespace n2nq::bench {
namespace {

constexpr unsigned kDeadAfterMs = 10'000;

void signal_eventfd(int fd) {
  const uint64_t one = 1;
  N2NQ_ASSERT(::write(fd, &one, sizeof one) == sizeof one);
}

Result<void> receive_exactly(int fd, uint8_t* to, size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = ::recv(fd, to, bytes, 0);
    if (n <= 0) return fail(n == 0 ? "the broker closed the connection" : std::strerror(errno), errno);
    to += n;
    bytes -= static_cast<size_t>(n);
  }
  return {};
}

Result<void> await_welcome(int fd) {
  wire::Bytes frame(wire::kHeaderBytes);
  if (auto got = receive_exactly(fd, frame.data(), frame.size()); !got) return got;
  const wire::Header header = wire::read_header(frame.data());
  if (header.length < wire::kHeaderBytes || header.length > wire::kMaxControlFrame)
    return fail("the broker answered HELLO with nonsense");
  frame.resize(header.length);
  if (auto got = receive_exactly(fd, frame.data() + wire::kHeaderBytes, header.length - wire::kHeaderBytes); !got)
    return got;
  if (header.type == wire::Type::error) return std::unexpected(refusal(frame));
  auto welcome = wire::decode_welcome(frame);
  if (!welcome) return std::unexpected(welcome.error());
  return {};
}

Result<Link> join(const Plan& plan, const wire::Hello& hello) {
  Link link{.fd = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), .number = hello.number, .partial = {}};
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(plan.port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(link.fd.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    return fail("cannot connect to port " + std::to_string(plan.port) + ": " + std::strerror(errno), errno);
  net::prepare_stream(link.fd.get(), kDeadAfterMs);
  wire::Bytes bytes;
  wire::append(bytes, hello);
  if (auto sent = send_whole(link, bytes); !sent) return std::unexpected(sent.error());
  if (auto welcome = await_welcome(link.fd.get()); !welcome) return std::unexpected(welcome.error());
  ::fcntl(link.fd.get(), F_SETFL, ::fcntl(link.fd.get(), F_GETFL) | O_NONBLOCK);
  return link;
}

}  // namespace

Shared::Shared() : wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  N2NQ_ASSERT(wake.valid());
}

void Shared::publish(uint64_t all, uint64_t slowest) {
  delivered.store(all, std::memory_order_relaxed);
  // Sequentially consistent with the sender's `wake_at` store and `collected` load: one of the two sees the other.
  collected.store(slowest);
  const uint64_t wanted = wake_at.load();
  if (slowest < wanted || wanted == kAwake) return;
  wake_at.store(kAwake);
  signal_eventfd(wake.get());
}

void Shared::end_span() {
  span_over.store(true);
  signal_eventfd(wake.get());
}

Result<std::vector<Link>> join_all(const Plan& plan, wire::Role role) {
  const uint32_t count = role == wire::Role::sender ? plan.senders : plan.receivers;
  const uint64_t fleet = mix64(static_cast<uint64_t>(now_ns()) + static_cast<uint64_t>(role)) | 1;
  std::vector<Link> links;
  for (uint32_t number = 1; number <= count; number++) {
    auto link =
        join(plan, {.role = role, .number = number, .fleet_size = count, .fleet = fleet, .token = {}, .filter = {}});
    if (!link) return std::unexpected(link.error());
    links.push_back(std::move(*link));
  }
  return links;
}

Result<void> send_whole(const Link& link, const wire::Bytes& bytes) {
  if (::send(link.fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
    return fail(std::string("a small frame did not leave: ") + std::strerror(errno), errno);
  return {};
}

Error refusal(wire::Frame frame) {
  auto error = wire::decode_error(frame);
  return {.text = "the broker says: " + (error ? error->text : std::string("an ERROR that cannot be read"))};
}

}  // namespace n2nq::bench
