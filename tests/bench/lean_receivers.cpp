#include "tests/bench/lean_receivers.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "broker/base/assert.h"

namespace n2nq::bench {
namespace {

constexpr size_t kReadBytes = 256 * 1024;
constexpr size_t kLargestPartial = 2 * 1024 * 1024;

class Receivers {
 public:
  Receivers(const Plan& plan, std::vector<Link> links, Shared& shared)
      : plan_(plan),
        links_(std::move(links)),
        shared_(shared),
        buffer_(kLargestPartial + kReadBytes),
        counts_(links_.size()) {
    if (plan_.saturated()) return;
    const uint64_t copies = plan_.mode == wire::Mode::broadcaster ? plan_.receivers : 1;
    tally_.latencies_ns.reserve(plan_.messages_per_sender() * plan_.senders * copies);
    last_index_.resize(static_cast<size_t>(plan_.receivers) * (plan_.senders + 1));
  }

  Result<ReceiverTally> run() {
    watch_all();
    open_ = links_.size();
    epoll_event ready[256];
    while (open_ > 0) {
      const int n = ::epoll_wait(epoll_.get(), ready, 256, 500);
      if (n <= 0 && shared_.given_up(plan_)) return fail(std::to_string(open_) + " receivers had no END in time");
      for (int i = 0; i < n; i++)
        if (auto done = drain(ready[i].data.u32); !done) return std::unexpected(done.error());
      publish();
    }
    return std::move(tally_);
  }

 private:
  void watch_all() {
    epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
    for (uint32_t i = 0; i < links_.size(); i++) {
      epoll_event event{.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data = {.u32 = i}};
      N2NQ_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, links_[i].fd.get(), &event) == 0);
    }
  }

  Result<void> drain(uint32_t which) {
    Link& link = links_[which];
    while (link.fd.valid()) {
      const size_t kept = link.partial.size();
      if (kept > 0) std::memcpy(buffer_.data(), link.partial.data(), kept);
      const ssize_t n = ::recv(link.fd.get(), buffer_.data() + kept, kReadBytes, 0);
      if (n < 0 && errno == EAGAIN) return {};
      if (n <= 0) return fail("receiver " + std::to_string(link.number) + " lost the broker");
      const int64_t read_ns = plan_.saturated() ? 0 : now_ns();
      if (auto walked = walk(which, kept + static_cast<size_t>(n), read_ns); !walked) return walked;
      if (n < static_cast<ssize_t>(kReadBytes)) return {};
      if (plan_.saturated()) publish();
    }
    return {};
  }

  Result<void> walk(uint32_t which, size_t end, int64_t read_ns) {
    size_t at = 0;
    uint64_t messages = 0;
    while (end - at >= wire::kHeaderBytes) {
      const uint8_t* frame = buffer_.data() + at;
      const uint32_t length = wire::get<uint32_t>(frame);
      if (length < wire::kHeaderBytes || length > kLargestPartial) return fail("a frame of impossible length arrived");
      if (end - at < length) break;
      if (frame[4] == static_cast<uint8_t>(wire::Type::data)) {
        messages++;
        if (!plan_.saturated()) record(which, frame, read_ns);
      } else if (auto done = control(which, {frame, length}, messages); !done) {
        return done;
      }
      at += length;
    }
    counts_[which] += messages;
    tally_.received += messages;
    links_[which].partial.assign(buffer_.data() + at, buffer_.data() + end);
    return {};
  }

  void record(uint32_t which, const uint8_t* frame, int64_t read_ns) {
    const wire::DataHeader header = wire::read_data_header(frame);
    if (header.index > plan_.warmup_messages()) tally_.latencies_ns.push_back(read_ns - header.sent_ns);
    if (plan_.mode != wire::Mode::broadcaster || header.sender > plan_.senders) return;
    uint64_t& last = last_index_[static_cast<size_t>(which) * (plan_.senders + 1) + header.sender];
    if (header.index != last + 1) tally_.out_of_order++;
    last = header.index;
  }

  Result<void> control(uint32_t which, wire::Frame frame, uint64_t uncounted) {
    const wire::Type type = wire::read_header(frame.data()).type;
    if (type == wire::Type::error) return std::unexpected(refusal(frame));
    if (type != wire::Type::end) return {};
    auto end = wire::decode_end(frame);
    if (!end) return std::unexpected(end.error());
    tally_.expected += end->expected;
    wire::Bytes bye;
    wire::append(bye, wire::Bye{.count = counts_[which] + uncounted});
    if (auto sent = send_whole(links_[which], bye); !sent) return sent;
    links_[which].fd.reset();
    open_--;
    return {};
  }

  void publish() {
    const bool all_count = plan_.mode == wire::Mode::load_balancer || counts_.size() == 1;
    shared_.publish(tally_.received, all_count ? tally_.received : *std::ranges::min_element(counts_));
  }

  const Plan& plan_;
  std::vector<Link> links_;
  Shared& shared_;
  Fd epoll_;
  size_t open_ = 0;
  std::vector<uint8_t> buffer_;  // what was left of the last read, then the next read
  std::vector<uint64_t> counts_;
  std::vector<uint64_t> last_index_;  // by receiver and sender
  ReceiverTally tally_;
};

}  // namespace

Result<ReceiverTally> run_receivers(const Plan& plan, std::vector<Link> links, Shared& shared) {
  auto tally = Receivers(plan, std::move(links), shared).run();
  if (!tally) shared.failed.store(true);
  return tally;
}

}  // namespace n2nq::bench
