// One connection to a server, over which it is asked one thing. Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "broker/base/fd.h"
#include "broker/base/result.h"
#include "broker/net/event_loop.h"
#include "broker/net/socket.h"

namespace n2nq::serve {

class Question final : private net::EventLoop::Handler {
 public:
  struct Callbacks {
    std::function<bool()> may_ask;  // once it is connected: whether that is who is to be asked
    std::function<void(const std::string& so_far)> on_answer;  // as often as more of it has come
    std::function<void(const std::string& why)> on_failed;
  };
  static Result<std::unique_ptr<Question>> ask(net::EventLoop& loop, const net::Endpoint& server, std::string text,
                                               Callbacks callbacks);
  ~Question() override { close(); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  // Nothing is called any more. It outlives a call of its own in which it is closed.
  void close();

 private:
  Question(net::EventLoop& loop, const net::Endpoint& server, std::string text, Callbacks callbacks, Fd fd);
  void on_events(uint32_t) override;

  net::EventLoop& loop_;
  net::Endpoint server_;
  std::string text_;
  Callbacks callbacks_;
  Fd fd_;
  bool asked_ = false;
  std::string answer_;
};

}  // namespace n2nq::serve
