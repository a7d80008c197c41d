#include "tests/bench/lean_senders.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "broker/base/assert.h"
#include "broker/wire/checksum.h"

namespace n2nq::bench {
namespace {

constexpr size_t kWriteBytes = 16 * 1024;
constexpr int64_t kLeadNs = 5'000'000;  // between BEGIN and the first message
constexpr int kTurnsBetweenPolls = 16;  // saturated: writes between two looks at what the broker says

struct Sender {
  Link link;
  std::vector<uint8_t> frames;  // a batch of valid frames; index and stamps are patched before each write
  size_t unsent_at = 0;         // the part of `frames` the kernel has not taken
  size_t unsent_end = 0;
  uint64_t sent = 0;
  uint64_t accepted = 0;
  bool begun = false;
  bool done = false;

  bool blocked() const { return unsent_at < unsent_end; }
};

class Senders {
 public:
  Senders(const Plan& plan, std::vector<Link> links, Shared& shared)
      : plan_(plan), shared_(shared), batch_(std::max<size_t>(1, kWriteBytes / plan.frame_bytes())) {
    const std::vector<uint8_t> payload(plan_.payload_bytes, 'n');
    const uint32_t checksum = wire::crc32c(payload);
    for (auto& link : links) {
      Sender sender{.link = std::move(link), .frames = std::vector<uint8_t>(batch_ * plan_.frame_bytes())};
      for (size_t i = 0; i < batch_; i++) {
        uint8_t* frame = sender.frames.data() + i * plan_.frame_bytes();
        wire::write_data_header(frame,
                                {.length = plan_.frame_bytes(), .sender = sender.link.number, .checksum = checksum});
        std::copy(payload.begin(), payload.end(), frame + wire::kDataHeaderBytes);
      }
      senders_.push_back(std::move(sender));
    }
    if (!plan_.saturated()) tally_.lateness_ns.reserve(plan_.messages_per_sender() * plan_.senders);
  }

  Result<SenderTally> run() {
    watch_all();
    if (auto begun = until([&] { return begun_ == senders_.size(); }); !begun) return std::unexpected(begun.error());
    start_ns_ = now_ns() + kLeadNs;
    shared_.started.set_value(start_ns_);
    if (auto sent = plan_.saturated() ? saturate() : pace(); !sent) return std::unexpected(sent.error());
    if (auto done = until([&] { return closed_ == senders_.size(); }); !done) return std::unexpected(done.error());
    return std::move(tally_);
  }

 private:
  static constexpr uint32_t kTimer = ~0u;
  static constexpr uint32_t kWake = ~0u - 1;

  void watch(int fd, uint32_t events, uint32_t what) {
    epoll_event event{.events = events, .data = {.u32 = what}};
    N2NQ_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0);
  }

  void watch_all() {
    epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
    timer_ = Fd(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
    watch(timer_.get(), EPOLLIN | EPOLLET, kTimer);
    watch(shared_.wake.get(), EPOLLIN | EPOLLET, kWake);
    for (uint32_t i = 0; i < senders_.size(); i++)
      watch(senders_[i].link.fd.get(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, i);
  }

  template <class Condition>
  Result<void> until(Condition met) {
    while (!met())
      if (auto turned = turn(500); !turned) return turned;
    return {};
  }

  Result<void> turn(int timeout_ms) {
    epoll_event ready[256];
    const int n = ::epoll_wait(epoll_.get(), ready, 256, timeout_ms);
    if (n <= 0 && timeout_ms > 0 && shared_.given_up(plan_)) return fail("the senders did not get through in time");
    for (int i = 0; i < n; i++) {
      if (ready[i].data.u32 == kTimer) {
        uint64_t expirations = 0;  // a periodic timer goes on only once it was read
        N2NQ_ASSERT(::read(timer_.get(), &expirations, sizeof expirations) > 0 || errno == EAGAIN);
      }
      if (ready[i].data.u32 >= kWake) continue;
      Sender& sender = senders_[ready[i].data.u32];
      if (!sender.link.fd.valid()) continue;
      if (auto read = listen(sender); !read) return read;
      if (sender.link.fd.valid() && sender.blocked())
        if (auto moved = push(sender); !moved) return moved;
    }
    return {};
  }

  // What the broker says to this sender: BEGIN, ACCEPTED, END, ERROR.
  Result<void> listen(Sender& sender) {
    uint8_t bytes[4096];
    auto& partial = sender.link.partial;
    ssize_t n = 0;
    while ((n = ::recv(sender.link.fd.get(), bytes, sizeof bytes, 0)) > 0) {
      partial.insert(partial.end(), bytes, bytes + n);
      if (n < static_cast<ssize_t>(sizeof bytes)) break;
    }
    if (n == 0 || (n < 0 && errno != EAGAIN))
      return fail("sender " + std::to_string(sender.link.number) + " lost the broker");
    size_t at = 0;
    while (sender.link.fd.valid() && partial.size() - at >= wire::kHeaderBytes) {
      const uint32_t length = wire::get<uint32_t>(partial.data() + at);
      if (length < wire::kHeaderBytes || length > wire::kMaxControlFrame) return fail("a sender was told nonsense");
      if (partial.size() - at < length) break;
      if (auto heard = hear(sender, {partial.data() + at, length}); !heard) return heard;
      at += length;
    }
    partial.erase(partial.begin(), partial.begin() + static_cast<ptrdiff_t>(at));
    return {};
  }

  Result<void> hear(Sender& sender, wire::Frame frame) {
    switch (wire::read_header(frame.data()).type) {
      case wire::Type::begin:
        if (!std::exchange(sender.begun, true)) begun_++;
        break;
      case wire::Type::accepted: {
        auto accepted = wire::decode_accepted(frame);
        if (!accepted) return std::unexpected(accepted.error());
        sender.accepted = accepted->count;
        if (sender.done && sender.accepted == sender.sent) return leave(sender);
        break;
      }
      case wire::Type::end:
        return fail("the broker ended the run before the senders did");
      case wire::Type::error:
        return std::unexpected(refusal(frame));
      default:
        return fail("a sender got a frame that is not for senders");
    }
    return {};
  }

  Result<void> leave(Sender& sender) {
    wire::Bytes bye;
    wire::append(bye, wire::Bye{.count = sender.sent});
    if (auto sent = send_whole(sender.link, bye); !sent) return sent;
    ::shutdown(sender.link.fd.get(), SHUT_WR);
    sender.link.fd.reset();
    tally_.sent += sender.sent;
    tally_.accepted += sender.accepted;
    closed_++;
    return {};
  }

  // Stamps `count` messages and writes them at once.
  Result<int64_t> write_messages(Sender& sender, size_t count, int64_t intended_ns) {
    const size_t frame_bytes = plan_.frame_bytes();
    const int64_t stamp = now_ns();
    uint8_t* frame = sender.frames.data();
    for (size_t i = 0; i < count; i++, frame += frame_bytes) {
      wire::put<uint64_t>(frame + 16, ++sender.sent);
      wire::put<int64_t>(frame + 24, intended_ns);
      wire::put<int64_t>(frame + 32, stamp);
    }
    sender.unsent_at = 0;
    sender.unsent_end = count * frame_bytes;
    if (auto pushed = push(sender); !pushed) return std::unexpected(pushed.error());
    return stamp;
  }

  Result<void> push(Sender& sender) {
    const size_t offered = sender.unsent_end - sender.unsent_at;
    const ssize_t n = ::send(sender.link.fd.get(), sender.frames.data() + sender.unsent_at, offered, MSG_NOSIGNAL);
    tally_.write_calls++;
    if (n < 0 && errno != EAGAIN) return fail(std::string("a sender cannot write: ") + std::strerror(errno), errno);
    if (n > 0) sender.unsent_at += static_cast<size_t>(n);
    if (sender.blocked()) tally_.blocked_writes++;
    return {};
  }

  Result<void> finish(Sender& sender) {
    if (auto emptied = until([&] { return !sender.blocked(); }); !emptied) return emptied;
    sender.done = true;
    wire::Bytes done;
    wire::append(done, wire::Done{.count = sender.sent});
    return send_whole(sender.link, done);
  }

  Result<void> finish_all() {
    for (Sender& sender : senders_)
      if (auto finished = finish(sender); !finished) return finished;
    return {};
  }

  // Message g of the measurement belongs to sender g mod n and is due g periods after the start.
  Result<void> pace() {
    const int64_t period = plan_.delay_ns / plan_.senders;
    const uint64_t total = plan_.messages_per_sender() * plan_.senders;
    const itimerspec spec{.it_interval = {.tv_sec = period / 1'000'000'000, .tv_nsec = period % 1'000'000'000},
                          .it_value = {.tv_sec = start_ns_ / 1'000'000'000, .tv_nsec = start_ns_ % 1'000'000'000}};
    N2NQ_ASSERT(::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &spec, nullptr) == 0);
    uint64_t next = 0;
    while (next < total) {
      while (next < total && start_ns_ + static_cast<int64_t>(next) * period <= now_ns()) {
        Sender& sender = senders_[next % senders_.size()];
        if (sender.blocked()) break;
        const int64_t due = start_ns_ + static_cast<int64_t>(next) * period;
        auto stamp = write_messages(sender, 1, due);
        if (!stamp) return std::unexpected(stamp.error());
        if (sender.sent > plan_.warmup_messages()) tally_.lateness_ns.push_back(*stamp - due);
        next++;
      }
      if (next == total) break;
      if (auto turned = turn(500); !turned) return turned;
    }
    const itimerspec off{};
    N2NQ_ASSERT(::timerfd_settime(timer_.get(), 0, &off, nullptr) == 0);
    if (auto over = until([&] { return shared_.span_over.load(); }); !over) return over;
    return finish_all();
  }

  uint64_t room() const {
    const uint64_t under_way = written_ - shared_.collected.load(std::memory_order_acquire);
    return under_way >= plan_.window ? 0 : plan_.window - under_way;
  }

  Result<void> saturate() {
    const uint64_t enough = std::min<uint64_t>(batch_, plan_.window);
    for (int turns = 0; !shared_.span_over.load(std::memory_order_relaxed); turns++) {
      bool wrote = false;
      for (Sender& sender : senders_) {
        if (sender.blocked() || room() < enough) continue;
        auto written = write_messages(sender, batch_, wire::kNoSchedule);
        if (!written) return std::unexpected(written.error());
        written_ += batch_;
        wrote = true;
      }
      if (!wrote) {
        if (auto rested = rest(enough); !rested) return rested;
      } else if (turns % kTurnsBetweenPolls == 0) {
        if (auto turned = turn(0); !turned) return turned;
      }
    }
    return finish_all();
  }

  // Nothing can be written: sleep until half the window is free, or the kernel takes bytes again.
  Result<void> rest(uint64_t enough) {
    const bool window_full = room() < enough;
    if (window_full) {
      shared_.wake_at.store(written_ - plan_.window + std::max(enough, plan_.window / 2));
      if (room() >= std::max(enough, plan_.window / 2)) {
        shared_.wake_at.store(Shared::kAwake);
        return {};
      }
    }
    auto turned = turn(500);
    shared_.wake_at.store(Shared::kAwake);
    return turned;
  }

  const Plan& plan_;
  Shared& shared_;
  const size_t batch_;
  std::vector<Sender> senders_;
  Fd epoll_;
  Fd timer_;
  int64_t start_ns_ = 0;
  uint64_t written_ = 0;  // saturated: messages handed to all sockets
  size_t begun_ = 0;
  size_t closed_ = 0;
  SenderTally tally_;
};

}  // namespace

Result<SenderTally> run_senders(const Plan& plan, std::vector<Link> links, Shared& shared) {
  auto tally = Senders(plan, std::move(links), shared).run();
  if (!tally) shared.failed.store(true);
  return tally;
}

}  // namespace n2nq::bench
