// floor_relay: the yardstick. A two-hop relay on bare epoll that does nothing a message bus could leave out: one
// thread, edge-triggered, frames copied from the senders' sockets into one log (broadcaster) or one outbox a receiver
// (load balancer, round-robin), one write a receiver and loop turn. No retention, no accounts, no checks, no filters,
// no time-outs: it speaks just as much of docs/protocol.md as bench_clients needs.
//
// It is started and it reports like n2nq-broker: the first line on stdout is {"type":"ready",...,"port":N}, the last a
// {"type":"summary",...,"cpu_ns":N}.
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "broker/base/assert.h"
#include "broker/base/fd.h"
#include "broker/net/resolve.h"
#include "broker/net/socket.h"
#include "broker/wire/frames.h"

namespace n2nq::bench {
namespace {

constexpr size_t kReadBytes = 256 * 1024;
constexpr size_t kLargestFrame = 2 * 1024 * 1024;
constexpr size_t kBacklogBytes = 64 * 1024 * 1024;  // unsent bytes above which no sender is read
constexpr unsigned kDeadAfterMs = 10'000;

struct Options {
  std::string listen = "127.0.0.1:0";
  std::string mode = "broadcaster";
  uint32_t senders = 1;
  uint32_t receivers = 1;
};

// Bytes for one receiver of the load balancer; empty again after almost every turn.
struct Outbox {
  std::vector<uint8_t> bytes;
  size_t begin = 0;
  size_t end = 0;

  void append(const uint8_t* from, size_t count) {
    if (end + count > bytes.size()) bytes.resize(std::max(end + count, bytes.size() * 2));
    std::memcpy(bytes.data() + end, from, count);
    end += count;
  }
};

struct Peer {
  Fd fd;
  wire::Role role = wire::Role::clock;  // until HELLO
  bool readable = false;
  bool writable = true;
  bool gone = false;
  uint64_t messages = 0;         // sender: taken; receiver of the load balancer: given
  size_t cursor = 0;             // receiver of the broadcaster: how far into the log it is
  Outbox outbox;                 // receiver of the load balancer
  std::vector<uint8_t> partial;  // the begin of a frame whose rest is still under way
};

class Relay {
 public:
  Relay(Fd listener, const Options& options)
      : listener_(std::move(listener)),
        options_(options),
        broadcaster_(options.mode == "broadcaster"),
        inbox_(std::make_unique_for_overwrite<uint8_t[]>(kLargestFrame + kReadBytes + kBacklogBytes)),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    watch(listener_.get(), EPOLLIN | EPOLLET, nullptr);
  }

  void run() {
    epoll_event ready[256];
    while (!(begun_ && peers_.empty())) {
      const int n = ::epoll_wait(epoll_.get(), ready, 256, unread_.empty() || backlogged() ? -1 : 0);
      wait_calls_++;
      for (int i = 0; i < n; i++) notice(ready[i]);
      read_turn();
      write_turn();
      if (anybody_gone_) bury();
    }
  }

  nlohmann::ordered_json summary() const {
    timespec cpu{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {{"type", "summary"},
            {"role", "floor"},
            {"services", options_.senders + options_.receivers},
            {"accepted", accepted_},
            {"delivered", broadcaster_ ? accepted_ * options_.receivers : accepted_},
            {"reads", read_calls_},
            {"writes", write_calls_},
            {"wakeups", wait_calls_},
            {"cpu_ns", cpu.tv_sec * 1'000'000'000 + cpu.tv_nsec},
            {"peak_rss_bytes", usage.ru_maxrss * 1024}};
  }

 private:
  void watch(int fd, uint32_t events, void* what) {
    epoll_event event{.events = events, .data = {.ptr = what}};
    N2NQ_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0);
  }

  void notice(const epoll_event& event) {
    if (event.data.ptr == nullptr) return accept_all();
    Peer& peer = *static_cast<Peer*>(event.data.ptr);
    if ((event.events & EPOLLOUT) != 0) peer.writable = true;
    if ((event.events & ~static_cast<uint32_t>(EPOLLOUT)) != 0 && !peer.readable) {
      peer.readable = true;
      unread_.push_back(&peer);
    }
  }

  void accept_all() {
    for (;;) {
      Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!fd.valid()) return;
      net::prepare_stream(fd.get(), kDeadAfterMs);
      peers_.push_back(std::make_unique<Peer>());
      peers_.back()->fd = std::move(fd);
      watch(peers_.back()->fd.get(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, peers_.back().get());
    }
  }

  bool backlogged() const { return broadcaster_ ? log_end_ > kBacklogBytes : outbox_bytes_ > kBacklogBytes; }

  // One read of each peer that has bytes; who filled the buffer has its turn again.
  void read_turn() {
    size_t left = 0;
    for (size_t i = 0; i < unread_.size(); i++) {
      Peer& peer = *unread_[i];
      if (!backlogged()) read(peer);
      if (peer.readable && !peer.gone) unread_[left++] = &peer;
    }
    unread_.resize(left);
  }

  void read(Peer& peer) {
    uint8_t* const at = inbox_.get() + log_end_;
    const size_t kept = peer.partial.size();
    if (kept > 0) std::memcpy(at, peer.partial.data(), kept);
    const ssize_t n = ::recv(peer.fd.get(), at + kept, kReadBytes, 0);
    read_calls_++;
    if (n < static_cast<ssize_t>(kReadBytes)) peer.readable = false;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return lose(peer);
    size_t end = kept + static_cast<size_t>(n);
    const size_t whole = walk(peer, at, end);
    peer.partial.assign(at + whole, at + end);
    if (broadcaster_) log_end_ += whole;
    if (!ended_ && begun_ && done_ == options_.senders) end_run();
  }

  // Passes on the whole frames among `end` bytes, takes out those meant for us, and says where the last one ends.
  size_t walk(Peer& peer, uint8_t* bytes, size_t& end) {
    size_t at = 0;
    while (end - at >= wire::kHeaderBytes) {
      const uint32_t length = wire::get<uint32_t>(bytes + at);
      if (length < wire::kHeaderBytes || length > kLargestFrame) {
        lose(peer);
        end = at;
        break;
      }
      if (end - at < length) break;
      if (bytes[at + 4] == static_cast<uint8_t>(wire::Type::data)) {
        peer.messages++;
        if (!broadcaster_) deal(bytes + at, length);
        at += length;
      } else {
        control(peer, {bytes + at, length});
        end -= length;
        std::memmove(bytes + at, bytes + at + length, end - at);
      }
    }
    return at;
  }

  void deal(const uint8_t* frame, uint32_t length) {
    if (receivers_.empty()) return;
    Peer& receiver = *receivers_[next_receiver_];
    next_receiver_ = next_receiver_ + 1 == receivers_.size() ? 0 : next_receiver_ + 1;
    if (receiver.outbox.begin == receiver.outbox.end) outboxes_.push_back(&receiver);
    receiver.outbox.append(frame, length);
    receiver.messages++;
    outbox_bytes_ += length;
  }

  void control(Peer& peer, wire::Frame frame) {
    switch (wire::read_header(frame.data()).type) {
      case wire::Type::hello:
        return welcome(peer, frame);
      case wire::Type::done:
        accepted_ += peer.messages;
        done_++;
        return tell(peer, wire::Accepted{.count = peer.messages});
      case wire::Type::bye:
        return lose(peer);
      default:
        return;
    }
  }

  void welcome(Peer& peer, wire::Frame frame) {
    auto hello = wire::decode_hello(frame);
    if (!hello) return lose(peer);
    peer.role = hello->role;
    if (peer.role == wire::Role::receiver) receivers_.push_back(&peer);
    if (peer.role == wire::Role::sender) senders_++;
    tell(peer, wire::Welcome{.mode = broadcaster_ ? wire::Mode::broadcaster : wire::Mode::load_balancer,
                             .max_payload = static_cast<uint32_t>(kLargestFrame - wire::kDataHeaderBytes),
                             .run_id = 1});
    if (begun_ || senders_ < options_.senders || receivers_.size() < options_.receivers) return;
    begun_ = true;
    for (auto& other : peers_) tell(*other, wire::Begin{.senders = options_.senders, .receivers = options_.receivers});
  }

  template <class Frame>
  void tell(Peer& peer, const Frame& frame) {
    small_.clear();
    wire::append(small_, frame);
    if (::send(peer.fd.get(), small_.data(), small_.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(small_.size()))
      lose(peer);
  }

  // END goes out behind the last message.
  void end_run() {
    ended_ = true;
    for (Peer* receiver : receivers_) {
      const uint64_t given = broadcaster_ ? accepted_ : receiver->messages;
      small_.clear();
      wire::append(small_, wire::End{.expected = given, .delivered = given});
      if (!broadcaster_) {
        if (receiver->outbox.begin == receiver->outbox.end) outboxes_.push_back(receiver);
        receiver->outbox.append(small_.data(), small_.size());
        outbox_bytes_ += small_.size();
      }
    }
    if (!broadcaster_) return;
    std::memcpy(inbox_.get() + log_end_, small_.data(), small_.size());
    log_end_ += small_.size();
  }

  void write_turn() {
    if (broadcaster_)
      write_log();
    else
      write_outboxes();
  }

  void write_log() {
    if (log_end_ == 0) return;
    size_t slowest = log_end_;
    for (Peer* receiver : receivers_) {
      if (receiver->writable && receiver->cursor < log_end_)
        receiver->cursor += write(*receiver, inbox_.get() + receiver->cursor, log_end_ - receiver->cursor);
      slowest = std::min(slowest, receiver->cursor);
    }
    // Start at the front again, where the log is cache-warm: when everybody has everything (almost always), or when
    // what is left is little beside what is through.
    if (log_end_ - slowest > slowest / 4) return;
    std::memmove(inbox_.get(), inbox_.get() + slowest, log_end_ - slowest);
    log_end_ -= slowest;
    for (Peer* receiver : receivers_) receiver->cursor -= slowest;
  }

  void write_outboxes() {
    size_t left = 0;
    for (size_t i = 0; i < outboxes_.size(); i++) {
      Peer& receiver = *outboxes_[i];
      Outbox& outbox = receiver.outbox;
      if (receiver.writable) {
        const size_t written = write(receiver, outbox.bytes.data() + outbox.begin, outbox.end - outbox.begin);
        outbox.begin += written;
        outbox_bytes_ -= written;
      }
      if (outbox.begin < outbox.end)
        outboxes_[left++] = &receiver;
      else
        outbox.begin = outbox.end = 0;
    }
    outboxes_.resize(left);
  }

  size_t write(Peer& receiver, const uint8_t* from, size_t count) {
    if (receiver.gone) return count;
    const ssize_t n = ::send(receiver.fd.get(), from, count, MSG_NOSIGNAL);
    write_calls_++;
    if (n < 0 && errno != EAGAIN) {
      lose(receiver);
      return count;
    }
    const size_t written = n < 0 ? 0 : static_cast<size_t>(n);
    receiver.writable = written == count;
    return written;
  }

  void lose(Peer& peer) {
    peer.gone = true;
    anybody_gone_ = true;
  }

  void bury() {
    std::erase_if(unread_, [](Peer* peer) { return peer->gone; });
    std::erase_if(outboxes_, [](Peer* peer) { return peer->gone; });
    std::erase_if(receivers_, [](Peer* peer) { return peer->gone; });
    std::erase_if(peers_, [](const auto& peer) { return peer->gone; });
    anybody_gone_ = false;
    next_receiver_ = 0;
  }

  Fd listener_;
  const Options options_;
  const bool broadcaster_;
  std::unique_ptr<uint8_t[]> inbox_;  // broadcaster: the log, read into at log_end_; load balancer: the last read
  size_t log_end_ = 0;
  Fd epoll_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::vector<Peer*> receivers_;
  std::vector<Peer*> unread_;
  std::vector<Peer*> outboxes_;  // receivers with something in their outbox
  size_t outbox_bytes_ = 0;
  size_t next_receiver_ = 0;
  wire::Bytes small_;
  uint32_t senders_ = 0;
  uint32_t done_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  bool anybody_gone_ = false;
  uint64_t accepted_ = 0;
  uint64_t read_calls_ = 0;
  uint64_t write_calls_ = 0;
  uint64_t wait_calls_ = 0;
};

Result<void> relay(const Options& options) {
  auto endpoint = net::resolve(options.listen);
  if (!endpoint) return std::unexpected(endpoint.error());
  auto listener = net::listen_tcp(*endpoint);
  if (!listener) return std::unexpected(listener.error());
  auto local = net::local_endpoint(listener->get());
  if (!local) return std::unexpected(local.error());
  std::printf("%s\n",
              nlohmann::ordered_json{{"type", "ready"}, {"role", "floor"}, {"port", local->port()}}.dump().c_str());
  std::fflush(stdout);
  Relay relay(std::move(*listener), options);
  relay.run();
  std::printf("%s\n", relay.summary().dump().c_str());
  return {};
}

}  // namespace
}  // namespace n2nq::bench

int main(int argc, char** argv) {
  n2nq::bench::Options options;
  CLI::App app("the floor: a relay that only copies frames");
  app.add_option("--listen", options.listen);
  app.add_option("--mode", options.mode)->check(CLI::IsMember({"broadcaster", "load-balancer"}));
  app.add_option("--expect-senders", options.senders);
  app.add_option("--expect-receivers", options.receivers);
  CLI11_PARSE(app, argc, argv);
  n2nq::net::raise_descriptor_limit(options.senders + options.receivers + 64);
  if (auto ran = n2nq::bench::relay(options); !ran) {
    std::fprintf(stderr, "floor_relay: %s\n", ran.error().text.c_str());
    return 3;
  }
  return 0;
}
