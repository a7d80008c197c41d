// The end of a background load: listens on a port, takes one connection that begins with the secret word, and throws
// away what it brings, counting. Other connections are dropped. Thread: main; a turn of the loop reads a bounded
// amount, so that readings are taken in time. States: listening -> taking -> over.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "broker/control/token.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "workers/control/commands.h"

namespace n2nq::recorder {

using Say = std::function<void(const std::string& line)>;

class Sink final : private net::EventLoop::Handler {
 public:
  static constexpr int64_t kPatienceNs = 15'000'000'000;  // for the connection: longer than whoever connects has
  static constexpr int64_t kGraceNs = 6'000'000'000;      // for the end, once the load was to end

  Sink(net::EventLoop& loop, control::SinkCommand wish, control::Token word, Say say);
  ~Sink() override;

  Result<void> start();  // an error: it is over
  void stop();           // with what has come so far

 private:
  struct Guest final : net::EventLoop::Handler {
    Guest(Sink& sink, Fd its) : owner(sink), fd(std::move(its)) {}
    void on_events(uint32_t) override { owner.on_guest(*this); }
    Sink& owner;
    Fd fd;
    std::string heard{};  // of the word
  };

  void on_events(uint32_t events) override;  // somebody is at the port
  void on_guest(Guest& guest);
  void hear(Guest& guest);
  void welcome(Guest& guest);
  void take();
  void drop(const Guest& guest);  // which is gone then
  void close();
  void finish(const std::string& trouble);

  static constexpr size_t kMostGuests = 8;  // who have not said the word yet

  net::EventLoop& loop_;
  control::SinkCommand wish_;
  control::Token word_;
  Say say_;
  net::Timer deadline_;
  Fd door_;
  std::vector<std::unique_ptr<Guest>> guests_;  // by when they came
  const Guest* taken_ = nullptr;
  std::vector<char> buffer_;
  int64_t began_ns_ = 0;
  int64_t last_ns_ = 0;
  uint64_t bytes_ = 0;
  bool over_ = false;
};

}  // namespace n2nq::recorder
