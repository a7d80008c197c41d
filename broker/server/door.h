// The listening socket: lets connections in, turns away those that are too many to wait for their HELLO, and keeps
// count of who was refused. Thread: the server's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "broker/base/fd.h"
#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "broker/server/broker_options.h"
#include "broker/server/run_log.h"

namespace n2nq::server {

class Door final : private net::EventLoop::Handler {
 public:
  // `admit` is called for each connection that is let in; greeted() is due for each of them.
  Door(net::EventLoop& loop, RunLog& log, const BrokerOptions& options, std::function<void(Fd)> admit);
  ~Door() override;

  Result<uint16_t> open(const net::Endpoint& endpoint);
  // More may wait outside than are let in at one time.
  void turn_end();
  // Those who found no descriptor are tried again.
  void tick();

  // One that was let in has said HELLO, or is gone.
  void greeted() { ungreeted_--; }
  // One that was let in was sent away before it could take part. Whoever comes again and again may not fill the disk
  // with it.
  void note_refusal(const std::string& text);
  uint64_t refused() const { return refused_; }
  // At the end: how many of them have no line of their own.
  void log_rest();

 private:
  static constexpr size_t kMostUngreeted = 1024;
  static constexpr uint64_t kMostRefusalsLogged = 100;

  void on_events(uint32_t events) override;
  void accept_some();
  void turn_away(int fd);

  net::EventLoop& loop_;
  RunLog& log_;
  unsigned silent_ms_;
  bool plain_;  // connections are not encrypted
  std::function<void(Fd)> admit_;
  Fd listener_;
  bool accept_again_ = false;
  bool no_descriptors_ = false;
  size_t ungreeted_ = 0;
  uint64_t refused_ = 0;
  uint64_t refusals_logged_ = 0;
};

}  // namespace n2nq::server
