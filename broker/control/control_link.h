// The worker's end of the control protocol (docs/control.md) on one line channel: the token first, pings answered, lost
// control noticed, commands handed on. Used by the broker and the workers alike. Thread: the event loop's.
// States: awaiting_hello -> attached -> lost (end of input, or no ping), or awaiting_hello -> refused. Output is
// possible in all.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "broker/base/clock.h"
#include "broker/base/result.h"
#include "broker/control/line_channel.h"
#include "broker/control/token.h"

namespace n2nq::control {

class ControlLink {
 public:
  enum class State { awaiting_hello, attached, refused, lost };

  struct Timing {
    int64_t hello_deadline_ns = 10'000'000'000;  // from start() to the first line; 0 = for ever
    int64_t ping_deadline_ns = 10'000'000'000;   // from hello, or a ping, to the next ping; 0 = for ever
    int64_t end_grace_ns = 0;                    // from the end of the input until control is lost
    // As --control-timeout says: 0 = as it is above.
    static Timing patient(int64_t control_timeout_ns) {
      if (control_timeout_ns == 0) return {};
      return {.ping_deadline_ns = control_timeout_ns, .end_grace_ns = control_timeout_ns};
    }
  };

  // Called from the loop. A callback must not destroy the link.
  struct Callbacks {
    // awaiting_hello -> attached. The first and the only time; everything that connects waits for it.
    std::function<void(Token token, BusAccess access)> on_hello{};
    // awaiting_hello -> refused: no hello in time, something else first, the wrong token, end of input. The text says
    // which; it has been sent as an error line. No other callback follows but on_lost.
    std::function<void(std::string text)> on_refused{};
    // attached: every command but ping. An error is answered with an error line, so its text names the field.
    std::function<Result<void>(const std::string& type, const nlohmann::json& message)> on_command{};
    // attached, or hung up -> lost, once; no other callback follows.
    std::function<void(std::string reason)> on_lost{};
  };

  // --controlled: commands on stdin, lines to stdout.
  ControlLink(net::EventLoop& loop, int input_fd, int output_fd, Callbacks callbacks, Timing timing);
  ControlLink(net::EventLoop& loop, int input_fd, int output_fd, Callbacks callbacks)
      : ControlLink(loop, input_fd, output_fd, std::move(callbacks), Timing{}) {}
  // Not controlled: lines to stdout only, attached from the beginning, no callback ever.
  ControlLink(net::EventLoop& loop, int output_fd);
  // --control: over an accepted socket, with the token that hello must carry.
  ControlLink(net::EventLoop& loop, Fd socket, Token expected, Callbacks callbacks, Timing timing);

  void start();
  State state() const { return state_; }
  // Nobody will ever take what is sent.
  bool gone() const { return state_ == State::lost || channel_.output_broken(); }
  // Nothing has come for longer than this, or nothing can come any more.
  bool unheard_for(int64_t ns) const { return input_ended_ || now_ns() - heard_ns_ > ns; }

  // See LineChannel: one JSON object a line, without its newline.
  bool idle() const { return channel_.idle(); }
  bool send(std::string_view line) { return channel_.send(line); }
  bool finish(std::string_view line, std::chrono::milliseconds timeout = std::chrono::seconds(5)) {
    return channel_.finish(line, timeout);
  }
  void send_error(std::string_view text);
  uint64_t dropped_lines() const { return channel_.dropped_lines(); }

  // Over a socket: what is queued goes out, then the connection ends; on_lost follows once the other side is gone too,
  // or after a second. Closing at once could take the last line from it.
  void hang_up();
  // No further callback and no further output.
  void close();

 private:
  LineChannel::Callbacks channel_callbacks();
  void on_line(std::string_view line);
  void on_bad_line(const std::string& text);
  void on_end(const std::string& reason);
  void on_deadline();
  void wait_for_the_end();
  void take_hello(std::string_view line);
  void take_command(std::string_view line);
  void take_ping(const nlohmann::json& message);
  void give_up(std::string text);
  void lose(std::string reason);
  void arm(int64_t after_ns);
  bool overdue() const;

  Callbacks callbacks_;
  Timing timing_;
  std::optional<Token> expected_;
  LineChannel channel_;
  net::Timer deadline_;
  int64_t due_ns_ = 0;  // of the deadline in force; 0 = none
  int64_t heard_ns_ = now_ns();
  State state_ = State::awaiting_hello;
  bool hanging_up_ = false;
  bool input_ended_ = false;
};

}  // namespace n2nq::control
