// A receiver that reads a stream: all of it, or as one of the group that shares it. Before it reads on it acknowledges
// what it has handed on; or it waits until its service is done with that, and acknowledges it then. What another of the
// group has left unacknowledged it takes over. The last one to leave removes the stream. Thread: the loop's. States:
// idle -> joining -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "broker/base/ring.h"
#include "workers/bus/redis/redis_talk.h"
#include "workers/bus/redis/streams.h"
#include "workers/bus/stream/server_inlet.h"

namespace n2nq::bus {

class StreamsInlet final : public InletOver<RedisTalk, RedisUser> {
 public:
  // `replies`: to this number, in place of messages.
  StreamsInlet(ServerSite& server, LinkEvents& events, uint32_t number, StreamsReading reading, bool replies = false);
  void read_on() override;
  void done(size_t count) override;

 private:
  // What has not been answered yet, in the order of the answers.
  enum class Asked { count, group, keep, read, take_over, acknowledge, leave };
  static std::string name_of(Asked asked);

  void take_leave() override;
  std::string not_done() const override;
  void on_talk_ready() override;
  void on_token(const RespToken& token, int64_t read_ns) override;
  void cut_alarms() override;
  void ask(Asked what, const std::string& command);
  void answered(const RespToken& token);
  void take_entry(int64_t read_ns);
  void reply_over();
  void next();
  void acknowledge();
  void keep();

  StreamsReading reading_;
  std::deque<Asked> asked_;
  StreamsReply reply_;
  bool in_reply_ = false;
  std::string last_ = "0-0";
  std::vector<std::string> unacknowledged_;  // that it may acknowledge
  Ring<std::string> undone_;                 // before it may
  bool reads_ = false;                       // or takes over; the answer is not there yet
  int64_t took_over_at_ns_ = 0;
  Alarm keep_again_;
};

}  // namespace n2nq::bus
