// A client written by hand from docs/protocol.md: its own encoder, decoder and checksum, offsets spelled out, nothing
// shared with the product. Blocking, one thread. Whatever does not come in time is an exception, and so a failed test.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/helpers/deadline.h"

namespace n2nq::test {

inline constexpr uint64_t kAllMessages = UINT64_MAX;

// The frame types of the table in docs/protocol.md.
enum FrameType : uint8_t {
  kHello = 1,
  kWelcome = 2,
  kError = 3,
  kReady = 4,
  kBegin = 5,
  kData = 6,
  kAccepted = 7,
  kDone = 8,
  kAgain = 9,
  kSkip = 10,
  kRequest = 11,
  kResponse = 12,
  kClock = 13,
  kProbe = 14,
  kFill = 19,
  kEcho = 15,
  kEnd = 16,
  kBye = 17,
  kLeave = 18,
  kReply = 20,
  kAddress = 21,
  kShare = 22,
  kTally = 23,
};

enum Wish : uint8_t { kHold = 1, kResponses = 2, kRequests = 4, kReplies = 8, kElsewhere = 16 };

uint32_t crc32c(std::string_view bytes);

struct Frame {
  std::string bytes;  // the whole frame

  uint8_t type() const { return u8(4); }
  uint8_t u8(size_t offset) const;
  uint16_t u16(size_t offset) const;
  uint32_t u32(size_t offset) const;
  uint64_t u64(size_t offset) const;
  int64_t i64(size_t offset) const { return static_cast<int64_t>(u64(offset)); }
  std::string text() const { return bytes.substr(12); }  // of an ERROR
};

// One frame of the given length, zero but for its header.
std::string blank_frame(uint8_t type, size_t length, uint8_t flags = 0);
void put(std::string& frame, size_t offset, uint64_t value, size_t width);

struct ForeignFilter {
  std::optional<std::vector<std::pair<uint32_t, uint32_t>>> senders{};
  std::optional<std::pair<uint32_t, uint32_t>> size{};
  std::optional<std::pair<uint64_t, uint64_t>> index{};
  std::string bytes() const;
};

struct Hello {
  uint8_t role = 1;
  uint32_t number = 1;
  uint8_t wishes = 0;
  uint32_t fleet_size = 1;
  uint64_t fleet = 0;  // 0: one of its own
  uint64_t clock_id = 0;
  std::string token{};
  std::optional<ForeignFilter> filter{};
  std::string magic = "N2NQ";
  uint16_t version = 1;
};
std::string hello_frame(const Hello& hello);
std::string ready_frame(uint64_t fleet);
std::string data_frame(uint32_t sender, uint64_t index, const std::string& payload);
std::string reply_frame(uint32_t requester, uint64_t index, uint32_t replier, const std::string& payload = "");
std::string done_frame(uint64_t count);
std::string request_frame(uint64_t count, bool replaces = false,
                          const std::optional<ForeignFilter>& filter = std::nullopt);
std::string bye_frame(uint64_t count);
std::string leave_frame();
std::string address_frame(uint32_t receiver, const std::string& text);
std::string share_frame(uint32_t receiver, uint64_t count, uint32_t again = 0);
struct Stretch {
  uint64_t first, last;
  uint32_t receiver;  // 0: the bus chose
  uint8_t fate;       // 1 refused, 2 unanswered
};
std::string tally_frame(uint32_t sender, uint64_t sent, const std::vector<Stretch>& stretches = {});
std::string error_frame(uint16_t code, const std::string& text);
std::string probe_frame(int64_t t1);
std::string fill_frame(size_t length);
std::string clock_frame(uint32_t first, uint32_t last, int64_t offset, uint64_t bound, int64_t from);
struct Answer {
  uint64_t index;
  uint32_t sender;
  uint8_t verdict;
};
std::string response_frame(const std::vector<Answer>& answers);

// A connection that can say anything.
class ForeignClient {
 public:
  explicit ForeignClient(uint16_t port);
  ForeignClient(ForeignClient&& other) noexcept;
  ForeignClient& operator=(ForeignClient&&) = delete;
  ~ForeignClient();

  // HELLO, then WELCOME or an exception that holds the broker's error text.
  static ForeignClient join(uint16_t port, const Hello& hello);
  const Frame& welcome() const { return welcome_; }

  void send(std::string_view bytes);  // what the peer no longer takes is dropped: its reason is read from `next`
  std::optional<Frame> next(Deadline deadline);        // nothing: closed, or too late; closed() tells which
  Frame await(uint8_t type, Deadline deadline = 10s);  // passes over other frames
  bool wait_closed(Deadline deadline);                 // reads on and forgets what comes
  bool closed() const { return closed_; }
  void close();          // orderly: FIN
  void reset();          // RST
  void small_buffers();  // so that a receiver that does not read is soon felt
  bool readable(Deadline deadline);

 private:
  bool fill(const Deadline& deadline);

  int fd_ = -1;
  bool closed_ = false;
  std::string in_;
  Frame welcome_;
};

using MessageId = std::pair<uint32_t, uint64_t>;  // sender, index

struct Delivery {
  MessageId id;
  size_t size = 0;
  bool checksum_good = false;
  uint32_t again = 0;  // the try that AGAIN announced; 0: a first delivery
  bool operator==(const Delivery&) const = default;
};

struct Skipped {
  uint32_t sender;
  uint8_t reason;
  uint64_t count, lowest, highest;
};

// A receiver by hand that keeps its own accounts.
class ForeignReceiver {
 public:
  ForeignReceiver(uint16_t port, Hello hello);

  ForeignClient& client() { return client_; }
  void begin(Deadline deadline = 20s);
  // Reads until `count` more deliveries came, or END, or the connection closed, or the deadline; gives those that came.
  std::vector<Delivery> take(size_t count, Deadline deadline = 10s);
  std::vector<Delivery> take_all(Deadline deadline = 20s) { return take(SIZE_MAX, deadline); }
  // Reads on for a window in which no delivery is expected; gives those that came all the same.
  std::vector<Delivery> take_in_window(std::chrono::milliseconds window);
  void request(uint64_t count, bool replaces = false, const std::optional<ForeignFilter>& filter = std::nullopt);
  void answer(const Delivery& delivery, uint8_t verdict = 0);
  void answer_all(const std::vector<Delivery>& deliveries, uint8_t verdict = 0);
  void bye();  // after END: says goodbye and closes

  // Asked for each delivery as it is read; nothing: no answer is sent.
  std::function<std::optional<uint8_t>(const Delivery&)> verdict{};

  const std::vector<Delivery>& deliveries() const { return deliveries_; }
  std::set<MessageId> distinct() const;
  const std::vector<Skipped>& skipped() const { return skipped_; }
  const std::optional<Frame>& end() const { return end_; }
  const std::optional<Frame>& error() const { return error_; }

 private:
  void note(const Frame& frame);

  ForeignClient client_;
  std::vector<Delivery> deliveries_{};
  std::vector<Skipped> skipped_{};
  std::optional<Frame> end_{}, error_{};
  std::optional<std::pair<MessageId, uint32_t>> announced_{};
};

// A sender by hand.
class ForeignSender {
 public:
  ForeignSender(uint16_t port, Hello hello);

  ForeignClient& client() { return client_; }
  void begin(Deadline deadline = 20s);
  void send(size_t messages, size_t payload = 20);
  void send_sized(size_t payload) { send(1, payload); }
  void done();
  // Reads until the broker says it took so many; false: closed, END or too late.
  bool wait_accepted(uint64_t count, Deadline deadline = 10s);
  bool finish(Deadline deadline = 20s);  // DONE, ACCEPTED of everything, BYE
  uint64_t sent() const { return sent_; }
  const std::vector<uint64_t>& accepted() const { return accepted_; }  // every ACCEPTED, in order
  const std::optional<Frame>& end() const { return end_; }

 private:
  ForeignClient client_;
  uint32_t number_;
  uint64_t sent_ = 0;
  bool done_ = false;
  std::vector<uint64_t> accepted_{};
  std::optional<Frame> end_{};
};

}  // namespace n2nq::test
