// A bus whose loop runs on a thread of its own, services that note what their links say, and a client without manners.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "broker/net/event_loop.h"
#include "broker/wire/checksum.h"
#include "tests/helpers/deadline.h"
#include "workers/bus/bus.h"

namespace n2nq::bus::test {

using namespace n2nq::test;

inline const std::string kToken = "the-token-of-the-run";

inline std::vector<uint8_t> bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

// One DATA frame.
inline std::vector<uint8_t> message_frame(uint32_t sender, uint64_t index, std::string_view payload) {
  std::vector<uint8_t> frame(wire::kDataHeaderBytes);
  const auto content = bytes_of(payload);
  wire::write_data_header(frame.data(), {.length = static_cast<uint32_t>(frame.size() + content.size()),
                                         .sender = sender,
                                         .checksum = wire::crc32c(content),
                                         .index = index,
                                         .intended_ns = 5,
                                         .sent_ns = 6});
  frame.insert(frame.end(), content.begin(), content.end());
  return frame;
}
inline std::vector<uint8_t> reply_frame(uint32_t requester, uint64_t index, uint32_t replier,
                                        std::string_view payload) {
  std::vector<uint8_t> frame(wire::kReplyHeaderBytes);
  const auto content = bytes_of(payload);
  wire::write_reply_header(frame.data(), {.length = static_cast<uint32_t>(frame.size() + content.size()),
                                          .requester = requester,
                                          .checksum = wire::crc32c(content),
                                          .index = index,
                                          .read_ns = 7,
                                          .sent_ns = 8,
                                          .replier = replier});
  frame.insert(frame.end(), content.begin(), content.end());
  return frame;
}

// What links have said; guarded by the rig's mutex.
struct Heard {
  bool ready = false;
  bool closed = false;
  std::vector<std::vector<uint8_t>> frames;
  std::vector<std::string> told;
  std::vector<Loss> lost;
  uint64_t accepted = 0;
  int64_t accepted_ns = 0;  // when the last of these was
  int refused = 0;
  uint64_t unanswered = 0;
  std::vector<uint64_t> answered;  // messages, by index
  int writable = 0;
};

class BusRig;

class Service final : public LinkEvents {
 public:
  explicit Service(BusRig& rig) : rig_(rig) {}
  Heard heard;
  bool wants = true;                                           // the loop's
  std::function<void(std::span<const uint8_t>)> on_message{};  // the loop's

 private:
  void on_link_ready() override;
  void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override;
  bool wants_bytes() override { return wants; }
  void on_writable() override;
  void on_accepted(uint64_t count, int64_t answered_ns) override;
  void on_refused() override;
  void on_unanswered(uint64_t count) override;
  void on_answered(const wire::DataHeader& message) override;
  void on_told(const std::string& text) override;
  void on_link_closed() override;
  void on_link_lost(const Loss& loss) override;

  BusRig& rig_;
};

class BusRig {
 public:
  explicit BusRig(BusOptions options);
  ~BusRig();

  net::EventLoop& events() { return events_; }
  LoopParts parts() { return {.events = events_, .clock = {}, .sockets = options_.sockets}; }
  // On the loop's thread; returns when it is done.
  void call(const std::function<void()>& task);
  // Until it is so; looked at whenever a link has said something.
  bool wait(const std::function<bool()>& is_so, Deadline deadline = 10s);
  void note(const std::function<void()>& what);
  Heard heard(const Service& service);  // so far

  // Each is started, and ready. `wants`: bytes, from the start.
  Service& receiver(uint32_t number, bool wants = true);
  Service& joining_receiver(uint32_t number, bool wants = true);  // not waited for
  // Not waited for.
  Service& sender(uint32_t number, std::vector<ForeignOutlet::Peer> peers);
  std::vector<ForeignOutlet::Peer> peers();
  std::string address(uint32_t receiver);
  ForeignInlet& inlet(uint32_t number) { return *inlets_.at(number); }
  ForeignOutlet& outlet(uint32_t number) { return *outlets_.at(number); }
  // Hands the payloads over, as messages 1, 2, …; how many were taken.
  size_t send(uint32_t sender, const std::vector<std::string>& payloads);
  LinkCounters counters(Link& link);
  std::string server();  // of the bus, as it says

 private:
  BusOptions options_;
  net::EventLoop events_;
  std::unique_ptr<Bus> bus_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Service>> services_;
  std::map<uint32_t, std::unique_ptr<ForeignInlet>> inlets_;
  std::map<uint32_t, std::unique_ptr<ForeignOutlet>> outlets_;
  std::map<uint32_t, uint64_t> indices_;
  std::thread thread_;
};

// Senders, and then receivers, leave, which nobody has anything to say about.
void finish_all(BusRig& rig, const std::vector<Service*>& services, const std::vector<uint32_t>& senders,
                const std::vector<uint32_t>& receivers);
// Of the messages, or replies, that it has had.
std::vector<std::string> payloads_of(const Heard& heard);
// Why a sender does not become ready, as it is told.
std::string loss_of(const BusOptions& options);

// A plain TCP connection to an address, or a listener that others come to.
class RawClient {
 public:
  explicit RawClient(const std::string& address);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  void send(std::string_view bytes);
  // Until the other side closes, or so much is there.
  std::string read(size_t most = SIZE_MAX);
  bool reads_end();  // reads to the end of the stream, and whether it came in time

 private:
  int fd_ = -1;
};

// The head of a request to a receiver of the rig.
std::string post_head(uint32_t receiver, size_t body_bytes, const std::string& token = kToken);
std::string handshake(uint32_t receiver, uint32_t sender, const std::string& token = kToken);

}  // namespace n2nq::bus::test
