// One client of librdkafka in an event loop: its threads speak with the servers, and a descriptor tells the loop that
// they have something for it, which is handed over on the loop's thread. Thread: the loop's, but for what is marked.
// Once it is closed it is buried (stream_loop.h).
#pragma once

#include <librdkafka/rdkafka.h>
#include <netdb.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "broker/base/fd.h"
#include "broker/net/event_loop.h"
#include "workers/bus/stream/server_talk.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

// How a run is laid out at the server.
struct KafkaWay {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  std::string name;       // of the topic, and what groups begin with
  std::string replies{};  // the other topic of a run of requests and replies
  int partitions = 1;
  int replicas = 1;
  Settings topic{};     // what the topic is made with
  Settings client{};    // what all clients are told, in librdkafka's words
  Settings producer{};  // and producers
  Settings consumer{};
  std::string keys;
  uint64_t window = 1000;
  uint64_t buffer_bytes = 0;  // of a sender, in the memory of its client
  bool confirms = true;       // the server answers
  bool to_all = false;
  bool late = false;                   // what a receiver has is noted at the server once it is worked on
  int64_t transaction_ns = 0;          // how long a sender puts messages into one; 0: there are none
  int64_t transaction_timeout_ns = 0;  // from its begin on: then nobody knows how it ended
  bool has_replies() const { return name == replies; }  // rather than messages
  // To which the replies to a requester go, which it may share with others.
  int part_of(uint32_t requester) const {
    return static_cast<int>((requester - 1) % static_cast<uint32_t>(partitions));
  }
};

// How a transaction has ended.
struct KafkaEnd {
  enum class Kind { committed, aborted, unknown };
  Kind kind = Kind::committed;
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
  std::string why{};  // not committed
};

class KafkaUser {
 public:
  virtual ~KafkaUser() = default;
  // The topic is there, and this client knows who leads its partitions.
  virtual void on_topic() = 0;
  // Of a sender: what became of one that it produced. Of a receiver: a message, or an error.
  virtual void on_message(const rd_kafka_message_t& message, int64_t read_ns) = 0;
  // All that there was has been handed over.
  virtual void on_read() {}
  virtual bool wants_more() { return true; }
  virtual void on_ended(const KafkaEnd&) {}
  virtual void on_assigned(int) {}
  // Its partitions go to others, or come to it again: what it has not said yet to have had is theirs.
  virtual void on_revoked() {}
  virtual void on_left() {}
  virtual void on_cleared() {}
  virtual void on_told(const std::string& what) = 0;
  // The last call.
  virtual void on_lost(const std::string& why) = 0;
};

class KafkaClient final : public Mortal, private net::EventLoop::Handler {
 public:
  KafkaClient(ServerSite& server, KafkaUser& user, const KafkaWay& way);
  ~KafkaClient() override;
  KafkaClient(const KafkaClient&) = delete;
  KafkaClient& operator=(const KafkaClient&) = delete;

  // on_topic() or on_lost() follows. `group`: of a receiver; empty: it is a sender.
  Result<void> join(const std::string& id, const std::string& group);
  // Instead: removes what of the run nobody uses any more at the server. on_cleared() follows. `left`: the group that
  // has just been left.
  Result<void> clear(const std::string& id, const std::string& left);
  // From a receiver's on_topic() on: on_assigned() follows, each time that its part changes.
  void subscribe();
  // Instead: it is of no group, and reads a partition from its beginning.
  void read(int partition);
  // Each is told of by on_message(). Those without a key go to the partition that they name, if any.
  void produce(std::vector<rd_kafka_message_t>& messages);
  // What is produced from now on is in one transaction. Empty, or why not.
  std::string begin();
  // Commits it, or aborts it where that cannot be: on_ended() follows, behind what became of each of its messages.
  void commit();
  // What it is told while it joins.
  void note_trouble(rd_kafka_resp_err_t error, const std::string& text);
  void read_on() { again_.set_soon(); }
  // Of a receiver: the server is told before long that it has had this message, and all before it of its partition.
  void has_had(int32_t partition, int64_t offset) { rd_kafka_offset_store(topic_, partition, offset); }
  // A receiver leaves its group: on_left() follows.
  void leave();
  // Nothing is called any more, and what it was told to send is sent no more. To its group it is one that was killed.
  void close();
  LinkCounters counters() const;
  int fd() const;
  // Those that are on their way out have ended, or have had some time for it.
  static void wait_for_ends();

 private:
  struct Found;
  struct Shared;
  // That it makes the topic; the same again, as it has to answer that; which groups there are; that it removes some;
  // and the topic.
  enum class Ask { topic, life, groups, no_groups, no_topic };
  Result<void> open(const std::string& id);
  bool receives() const { return !group_.empty(); }
  bool has_transactions() const { return !receives() && way_.transaction_ns > 0; }
  KafkaWay::Settings settings_of(const std::string& id) const;
  static Result<void> set(rd_kafka_conf_t* conf, const KafkaWay::Settings& settings);
  std::array<rd_kafka_queue_t*, 3> queues() const { return {main_, messages_, answers_}; }
  void on_events(uint32_t events) override;
  void serve();
  void take(rd_kafka_queue_t* queue);
  void take_reports();
  void take_end();
  void divert(const rd_kafka_topic_partition_list_t& parts);
  void give_up_parts();
  void serve_answers();
  void ask(Ask what);
  void answered(rd_kafka_event_t& event);
  void tell_what_stays(const std::string& what, const std::string& why);
  void answered_topic(rd_kafka_event_t& event);
  void answered_groups(rd_kafka_event_t& event);
  void look_for_leaders();
  // On a thread of their own.
  static Found look(rd_kafka_t* client, rd_kafka_topic_t* topic, int wanted, bool has_transactions);
  static KafkaEnd end_transaction(rd_kafka_t* client, Shared& shared, int64_t within_ns);
  static bool serves_all(rd_kafka_t* client, const char* topic, int partitions);
  void be_ready();
  void watch_leaving();
  void ask_for_life();
  void run_out_of_patience();
  std::string named_in(const std::string& text) const;
  bool lost_over_tls(const std::string& text);
  bool lost_as_stranger(const std::string& text);
  bool cut_short_again(const std::string& text, const std::string& words);
  void lose(const std::string& why);

  // Of librdkafka, on the loop's thread.
  static void on_error(rd_kafka_t* client, int error, const char* text, void* self);
  static void on_rebalance(rd_kafka_t* client, rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* parts,
                           void* self);
  // On its own threads.
  static int judge(rd_kafka_t*, const char*, int32_t, int* verdict, int, const char*, size_t, char* text,
                   size_t text_bytes, void* self);
  static int resolve(const char* node, const char* service, const addrinfo* hints, addrinfo** found, void* self);

  ServerSite& server_;
  KafkaUser* user_;  // null: nothing is called any more
  const KafkaWay& way_;
  std::shared_ptr<Shared> shared_;
  Fd wake_;
  rd_kafka_t* client_ = nullptr;
  rd_kafka_topic_t* topic_ = nullptr;
  rd_kafka_queue_t* main_ = nullptr;          // what it has to tell, and of a receiver that its part changes
  rd_kafka_queue_t* messages_ = nullptr;      // of a receiver, apart from that, as it may not want any
  rd_kafka_queue_t* answers_ = nullptr;       // to what ask() asks
  std::vector<rd_kafka_queue_t*> parts_;      // whose messages go there
  std::vector<rd_kafka_message_t> rejected_;  // that were not taken, to be told
  std::string group_;
  std::thread aside_;     // for calls that wait for the server, one at a time
  int64_t begun_ns_ = 0;  // the transaction
  bool joined_ = false;
  bool leaving_ = false;
  bool asks_for_life_ = false;
  std::string left_;
  bool keeps_topic_ = false;
  std::vector<std::string> to_remove_;  // groups
  std::string trouble_;                 // the last one
  std::string told_unresolved_;
  // Connections before their first answer, by the server as librdkafka calls it and by what it says.
  std::map<std::pair<std::string, std::string>, int> cut_short_{};
  Alarm again_;
  Alarm look_;
  Alarm life_;
  Alarm patience_;
};

}  // namespace n2nq::bus
