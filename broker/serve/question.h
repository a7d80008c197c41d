// What a server is asked: one thing, over a connection, or by a program that asks it. Thread: the loop's.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"
#include "broker/net/event_loop.h"
#include "broker/net/socket.h"

namespace n2nq::serve {

class Question final : private net::EventLoop::Handler {
 public:
  struct Callbacks {
    std::function<bool()> may_ask{};  // once it is connected: whether that is who is to be asked
    std::function<void(const std::string& so_far)> on_answer{};  // as often as more of it has come
    std::function<void(const std::string& why)> on_failed{};
  };
  static Result<std::unique_ptr<Question>> ask(net::EventLoop& loop, const net::Endpoint& server, std::string text,
                                               Callbacks callbacks);
  // What it prints until it ends is the answer, which comes once; it fails where that was not taken (close()). It is
  // ended with its children by close().
  static Result<std::unique_ptr<Question>> ask_by(net::EventLoop& loop, const std::vector<std::string>& command,
                                                  Callbacks callbacks);
  ~Question() override { close(); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  // Nothing is called any more. It outlives a call of its own in which it is closed.
  void close();

 private:
  Question(net::EventLoop& loop, Callbacks callbacks, Fd fd)
      : loop_(loop), callbacks_(std::move(callbacks)), fd_(std::move(fd)) {}
  void on_events(uint32_t) override;
  bool send_question();
  void on_end();

  net::EventLoop& loop_;
  Callbacks callbacks_;
  Fd fd_;
  net::Endpoint server_;
  std::string text_;
  pid_t program_ = 0;  // instead of those
  bool asked_ = false;
  std::string answer_;
};

}  // namespace n2nq::serve
