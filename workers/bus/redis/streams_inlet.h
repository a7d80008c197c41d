// A receiver that reads a stream: all of it, or as one of the group that shares it. What it has handed on it
// acknowledges before it reads on; what another of the group has left unacknowledged it takes over. The last one to
// leave removes the stream. Thread: the loop's. States: idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "workers/bus/link.h"
#include "workers/bus/redis/redis_talk.h"
#include "workers/bus/redis/streams.h"

namespace n2nq::bus {

class StreamsInlet final : public ForeignInlet, private RedisUser {
 public:
  StreamsInlet(RedisServer& server, LinkEvents& events, StreamsReading reading);
  ~StreamsInlet() override;

  void start() override;
  void finish() override;
  void cut_off() override;
  void read_on() override { talk_.read_on(); }
  bool reply(std::span<const uint8_t> frame) override;
  LinkCounters counters() const override { return counters_; }
  int fd() const override { return talk_.fd(); }

 private:
  enum class State { idle, joining, ready, finishing, closed };
  // What has not been answered yet, in the order of the answers.
  enum class Asked { count, group, keep, read, take_over, acknowledge, leave };
  static std::string name_of(Asked asked);

  void on_talk_ready() override;
  bool wants_tokens() override { return state_ != State::ready || events_.wants_bytes(); }
  void on_token(const RespToken& token, int64_t read_ns) override;
  void on_tokens_end() override;
  void on_talk_lost(bool was_ready, const std::string& why) override;
  void ask(Asked what, const std::string& command);
  void run_out_of_patience();
  void answered(const RespToken& token);
  void take_entry(int64_t read_ns);
  void reply_over();
  void next();
  void keep();
  void settle();
  void cut_alarms();

  RedisServer& server_;
  LinkEvents& events_;
  StreamsReading reading_;
  State state_ = State::idle;
  std::deque<Asked> asked_;
  StreamsReply reply_;
  bool in_reply_ = false;
  std::string last_ = "0-0";
  std::vector<std::string> unacknowledged_;
  int64_t took_over_at_ns_ = 0;
  bool told_stranger_ = false;
  wire::Bytes again_;
  LinkCounters counters_;
  RedisTalk talk_;
  Alarm settle_;
  Alarm keep_again_;
  Alarm patience_;
};

}  // namespace n2nq::bus
