// The begin of a background load: connects to the recorder that listens for it, says the secret word, fills the
// connection as fast as it goes for so long, and waits until all of it was taken. Thread: main, and one that looks up
// the name; a turn of the loop writes a bounded amount, so that readings are taken in time. States: connecting ->
// filling -> ending -> over; over from any of them.
#pragma once

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"
#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "broker/net/timer.h"
#include "workers/control/commands.h"
#include "workers/recorder/sink.h"

namespace n2nq::recorder {

class Fill final : private net::EventLoop::Handler {
 public:
  static constexpr int64_t kPatienceNs = 10'000'000'000;  // for the connection
  static constexpr int64_t kGraceNs = 5'000'000'000;      // until all was taken

  Fill(net::EventLoop& loop, control::FillCommand wish, Say say);
  ~Fill() override;

  void start();
  void stop();  // what was not taken yet is thrown away

 private:
  enum class State { connecting, filling, ending, over };

  void on_events(uint32_t events) override;
  void on_deadline();
  void connect(const Result<net::Endpoint>& to);
  void begin();
  void fill();
  void end();
  void await_end();
  void finish(const std::string& trouble);

  // For what the kernel holds unsent: enough for this thread's next turn, and soon gone at the end.
  static constexpr int kUnsentBytes = 256 << 10;

  net::EventLoop& loop_;
  control::FillCommand wish_;
  Say say_;
  net::Timer deadline_;
  std::jthread lookup_;
  net::Endpoint to_;
  Fd fd_;
  std::vector<char> piece_;  // the same again and again
  uint64_t bytes_ = 0;
  int64_t ends_ns_ = 0;
  State state_ = State::connecting;
};

}  // namespace n2nq::recorder
