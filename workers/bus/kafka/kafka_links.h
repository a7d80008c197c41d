// A sender that produces to the topic of the run, and a receiver that consumes it: all of it, or as one of a group. A
// replier produces replies to a topic of their own, of which each requester reads a partition.
// Answers come for each message by itself, in whatever order its partitions give them. Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "broker/base/ring.h"
#include "workers/bus/kafka/kafka_client.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

// Replies of this process on their way to their topic, which repliers of it do not leave to others to remove.
struct KafkaReplies {
  uint64_t open = 0;
};

class KafkaOutlet final : public ReplyOutlet, private KafkaUser {
 public:
  KafkaOutlet(ServerSite& server, LinkEvents& events, const KafkaWay& way, uint32_t number, KafkaReplies& replies);
  ~KafkaOutlet() override;

  void start() override;
  void finish() override;
  void cut_off() override;
  bool writable() const override;
  size_t hand_over(Batch& batch) override;
  bool hand_over(std::span<const uint8_t> frame) override;
  std::vector<wire::Tally::Stretch> unanswered() const override;
  LinkCounters counters() const override { return client_ ? client_->counters() : counters_; }
  int fd() const override { return client_ ? client_->fd() : -1; }

 private:
  enum class State { idle, joining, ready, finishing, closed };
  enum class Transaction { none, open, ending };
  struct Open {
    wire::DataHeader message;                   // of a reply only its length, and the how many-th it is
    bool reported = false;                      // in a transaction it is answered once that has ended
    std::optional<wire::Tally::Fate> failed{};  // by itself
  };
  void on_topic() override;
  void on_message(const rd_kafka_message_t& report, int64_t read_ns) override;
  void on_read() override;
  void on_ended(const KafkaEnd& end) override;
  void on_told(const std::string& what) override { events_.on_told(what); }
  void on_lost(const std::string& why) override;
  bool begin();
  void commit();
  void answer(const Open& open);
  size_t in_window() const { return in_transaction() ? open_count_ : open_.size(); }
  bool in_transaction() const { return transaction_ != Transaction::none; }
  void put(std::span<const uint8_t> frame, const wire::DataHeader& message, int partition);
  void note_open(int64_t more);
  void send();
  void settle();
  void watch();
  void on_silence();

  ServerSite& server_;
  LinkEvents& events_;
  const KafkaWay& way_;
  uint32_t number_;
  KafkaReplies& all_replies_;
  State state_ = State::idle;
  std::unique_ptr<KafkaClient> client_;
  std::vector<rd_kafka_message_t> batch_;
  std::vector<std::string> keys_;
  Ring<Open> open_;  // handed over, from the first that is not answered
  uint64_t replies_ = 0;
  uint64_t open_count_ = 0;
  uint64_t open_bytes_ = 0;
  uint64_t accepted_ = 0;
  Transaction transaction_ = Transaction::none;
  std::vector<wire::Tally::Stretch> failed_;  // in the order of their answers
  std::string why_failed_;                    // the first one, after which it ends as soon as all is answered
  bool owes_writable_ = false;
  bool told_silence_ = false;
  bool told_abort_ = false;
  std::string why_aborted_;  // the first one of its messages that failed
  bool watches_ = false;
  uint64_t answers_ = 0;
  uint64_t answers_before_ = 0;  // as its alarm was set
  LinkCounters counters_;        // of the client that was
  Alarm settle_;
  Alarm silence_;
  Alarm commit_;
};

class KafkaInlet final : public ForeignInlet, private KafkaUser {
 public:
  KafkaInlet(ServerSite& server, LinkEvents& events, const KafkaWay& way, uint32_t number, const KafkaReplies& replies);
  ~KafkaInlet() override;

  void start() override;
  void finish() override;
  void go_away() override;
  void cut_off() override;
  void read_on() override;
  bool reply(std::span<const uint8_t> frame) override;
  void done(size_t count) override;
  LinkCounters counters() const override;
  int fd() const override { return client_ ? client_->fd() : -1; }

 private:
  static constexpr int32_t kNobodys = -1;
  struct At {
    int32_t partition;  // or kNobodys: it has given it up
    int64_t offset;
  };
  enum class State { idle, joining, ready, finishing, closed };
  void on_topic() override;
  void on_message(const rd_kafka_message_t& message, int64_t read_ns) override;
  void on_read() override;
  bool wants_more() override { return state_ != State::ready || events_.wants_bytes(); }
  void on_assigned(int parts) override;
  void on_revoked() override;
  void on_left() override;
  void on_cleared() override { settle(); }
  void on_told(const std::string& what) override { events_.on_told(what); }
  void on_lost(const std::string& why) override;
  void note_error(const rd_kafka_message_t& message);
  void lose_topic();
  bool take(std::span<const uint8_t> bytes, int64_t read_ns);
  bool is_to_another(std::span<const uint8_t> bytes) const;
  void leave();
  void be_ready();
  std::string group() const;
  void settle();
  KafkaClient& new_client();
  void drop_client();

  ServerSite& server_;
  LinkEvents& events_;
  const KafkaWay& way_;
  uint32_t number_;
  const KafkaReplies& replies_;
  State state_ = State::idle;
  std::unique_ptr<KafkaClient> client_;
  Ring<At> undone_;                 // messages that its service is not done with
  std::map<int32_t, int64_t> had_;  // by partition, with those: the last one
  bool has_received_ = false;
  bool in_group_ = false;  // or asks to be, and leaves it
  bool had_parts_ = false;
  bool goes_away_ = false;
  bool told_stranger_ = false;
  std::set<rd_kafka_resp_err_t> told_;
  std::string trouble_;    // why it has no client
  LinkCounters counters_;  // of the clients that were
  Alarm settle_;
  Alarm leave_;
  Alarm gone_;  // its topic, or so it is said
};

}  // namespace n2nq::bus
