// A sender that publishes to a channel, or adds to a stream. The server answers each message; so many may be unanswered
// at a time. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <string>

#include "workers/bus/link.h"
#include "workers/bus/redis/redis_talk.h"

namespace n2nq::bus {

// How the server is given a message, and what it answers.
struct RedisWay {
  std::string name;     // of the command
  std::string command;  // up to the message
  RespToken::Kind answer;
  std::string gone{};  // what a nil in place of an answer says
};

class RedisOutlet final : public ForeignOutlet, private RedisUser {
 public:
  RedisOutlet(RedisServer& server, LinkEvents& events, RedisWay way, uint64_t window);
  ~RedisOutlet() override;

  void start() override;
  void finish() override;
  void cut_off() override;
  bool writable() const override;
  size_t hand_over(Batch& batch) override;
  std::vector<wire::Tally::Stretch> unanswered() const override;
  LinkCounters counters() const override { return counters_; }
  int fd() const override { return talk_.fd(); }

 private:
  enum class State { idle, joining, ready, finishing, closed };
  void on_talk_ready() override;
  void on_token(const RespToken& token, int64_t read_ns) override;
  void on_tokens_end() override;
  void on_talk_drained() override { freed(); }
  void on_talk_lost(bool was_ready, const std::string& why) override;
  void freed();
  void settle();
  void refused(std::string why);
  void end(const std::string& why);
  uint64_t accepted() const { return answered_ - refused_count_; }
  void watch();
  void on_silence();

  RedisServer& server_;
  LinkEvents& events_;
  RedisWay way_;
  uint64_t window_;
  State state_ = State::idle;
  uint64_t handed_over_ = 0;
  uint64_t answered_ = 0;
  std::vector<wire::Tally::Stretch> refused_;
  uint64_t refused_count_ = 0;
  std::string why_refused_;  // the first one, after which it ends as soon as all is answered
  bool owes_writable_ = false;
  bool told_nobody_ = false;
  bool told_silence_ = false;
  bool watches_ = false;
  uint64_t answered_before_ = 0;  // as its alarm was set
  LinkCounters counters_;
  RedisTalk talk_;
  Alarm settle_;
  Alarm silence_;
};

}  // namespace n2nq::bus
