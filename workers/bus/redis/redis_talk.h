// One connection to a Redis server: reaches it, which it tries for some seconds, makes sure that it is one, and cuts
// what comes into tokens. Thread: the loop's. States: idle -> reaching -> greeting -> ready -> closed; from greeting
// back to reaching where the server is not ready yet, and closed from everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "broker/net/socket.h"
#include "workers/bus/link.h"
#include "workers/bus/redis/resp.h"
#include "workers/bus/stream/gate.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

// The server as the connections of one loop see it.
struct RedisServer {
  StreamLoop& loop;
  net::Endpoint endpoint;
  std::string address;   // as it was given
  std::string password;  // empty: it wants none
  Gate gate{};
  int64_t last_ready_ns = 0;  // when any of them was
  bool asked = false;         // one of them asks, or has asked, what the server is
  std::string program{};      // and its version, as it says; empty: it does not

  std::string name() const { return "the Redis server at " + address; }
};

class RedisUser {
 public:
  virtual ~RedisUser() = default;
  virtual void on_talk_ready() = 0;
  virtual bool wants_tokens() { return true; }
  virtual void on_token(const RespToken& token, int64_t read_ns) = 0;
  // All that one read completed have been handed over.
  virtual void on_tokens_end() = 0;
  // All that was written is with the kernel.
  virtual void on_talk_drained() {}
  // The last call. `was_ready`: it had been used before.
  virtual void on_talk_lost(bool was_ready, const std::string& why) = 0;
};

class RedisCall;

class RedisTalk {
 public:
  RedisTalk(RedisServer& server, RedisUser& user, LinkCounters& counters);
  ~RedisTalk();
  RedisTalk(const RedisTalk&) = delete;
  RedisTalk& operator=(const RedisTalk&) = delete;

  void start();
  bool ready() const { return state_ == State::ready; }
  void write(std::span<const uint8_t> bytes);
  void write(std::string_view text) { write(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size())); }
  bool all_written() const;
  void read_on();
  int fd() const;
  // What an error in place of an answer says.
  std::string refusal(const RespToken& error, const std::string& what) const;
  // From within its user's on_token(): what came is not what a Redis server says here, or is a refusal.
  void refuse(const RespToken& token, const std::string& what);
  // From there too: it ends for this reason.
  void lose(const std::string& why);
  // Closes now: what the kernel has not sent yet still goes. Nothing follows.
  void close();
  // Closes now, and throws that away.
  void cut_off();

 private:
  friend class RedisCall;
  enum class State { idle, reaching, greeting, ready, closed };
  void reach();
  void try_again(const std::string& why);
  void leave_gate();
  void run_out_of_patience();
  void greeted(const RespToken& answer);
  void be_ready();
  void ended(const StreamEnd& end);
  void drop(bool gently);

  RedisServer& server_;
  RedisUser& user_;
  LinkCounters& counters_;
  State state_ = State::idle;
  std::unique_ptr<RedisCall> call_;
  std::string last_failure_;
  int64_t retry_ns_;
  bool awaits_login_ = false;
  bool awaits_program_ = false;
  bool inside_ = false;  // the gate
  uint64_t waits_ = 0;   // before it, under this number
  Alarm again_;
  Alarm patience_;
};

}  // namespace n2nq::bus
