// Lines of text in and out over any two descriptors (pipes, terminals, files, one TCP socket) without ever blocking.
// Thread: the event loop's. States: made, started (reading), ended (no more input; output goes on), closed.
//
// Other processes may share a pipe or a terminal with us, and O_NONBLOCK belongs to the shared open file. So it is
// never set on a descriptor we were given: sockets are used with MSG_DONTWAIT, pipes and terminals are opened anew
// through /proc/self/fd, and where that is refused each read or small write is preceded by poll(). Regular files and
// devices that epoll refuses never block for long: they are read at once to their end, and written at once. The
// constructor makes the process ignore SIGPIPE: a reader that went away must not kill a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "broker/base/fd.h"
#include "broker/control/stream_end.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"

namespace n2nq::control {

struct LineLimits {
  size_t max_line_bytes = 64 * 1024;      // a longer line in is dropped up to its newline and reported
  size_t max_queued_bytes = 1024 * 1024;  // of output that the other side has not taken yet
};

class LineChannel {
 public:
  // Called from the loop, never from within a call of the owner. A callback may close() the channel but not destroy it.
  struct Callbacks {
    std::function<void(std::string_view line)> on_line{};  // without its newline; the last one may lack it
    std::function<void(std::string text)> on_bad_line{};   // longer than the limit; reading goes on after it
    std::function<void(std::string reason)> on_end{};      // once: end of input, or a read error; nothing follows
  };

  // Borrowed descriptors, stdin and stdout for example; `input_fd` -1: output only.
  LineChannel(net::EventLoop& loop, int input_fd, int output_fd, Callbacks callbacks, LineLimits limits = {});
  // Both ways over a socket that the channel owns from now on.
  LineChannel(net::EventLoop& loop, Fd socket, Callbacks callbacks, LineLimits limits = {});
  ~LineChannel();
  LineChannel(const LineChannel&) = delete;
  LineChannel& operator=(const LineChannel&) = delete;

  // Reading begins with the loop's next turn. Until then output is written as far as it goes, and queued.
  void start();

  // The output has taken every line so far. Telemetry asks first: while not idle it merges into its next line.
  bool idle() const { return !output_broken_ && queued_bytes() == 0; }
  // An important line: written at once or queued. False: the queue is full or the output is gone; the line is dropped
  // and counted.
  bool send(std::string_view line);
  // The last line, or the last ones: waits for the output to take everything, these included, as long as it takes
  // something within each timeout, and no longer than twelve of them. May be called when the loop no longer runs.
  // False: it did not, so put the line elsewhere.
  bool finish(std::string_view line, std::chrono::milliseconds timeout = std::chrono::seconds(5));

  // Takes what has come already, as if the loop had said so. For deadlines that may have passed while the process
  // slept.
  void read_now();
  void stop_reading();
  // For sockets: what is queued still goes out, then the other side sees the end. Input is still read.
  void end_output();
  // No further callback and no further output. Also from within a callback.
  void close();

  size_t queued_bytes() const { return out_.size() - out_at_; }
  uint64_t dropped_lines() const { return dropped_lines_; }
  bool output_broken() const { return output_broken_; }

 private:
  // One registration with the loop.
  struct Ear final : net::EventLoop::Handler {
    explicit Ear(LineChannel& owner) : channel(owner) {}
    void on_events(uint32_t events) override { channel.on_events(events, *this); }
    LineChannel& channel;
    int registered_fd = -1;
  };

  void listen(Ear& ear, const StreamEnd& end, uint32_t events);
  void unlisten(Ear& ear);
  bool both_ways() const { return input_.watchable() && input_.fd() == output_.fd(); }
  void on_events(uint32_t events, const Ear& ear);
  void read_some();
  void take(std::string_view bytes);
  void take_piece(std::string_view piece, bool ends_line);
  void take_bad_line();
  void finish_input(std::string reason);
  void flush();
  void forget_written();
  void break_output();

  net::EventLoop& loop_;
  Fd socket_;  // when it is ours
  Callbacks callbacks_;
  LineLimits limits_;
  StreamEnd input_;
  StreamEnd output_;
  Ear input_ear_{*this};
  Ear output_ear_{*this};
  net::Timer again_;  // calls read_some() for input that the loop cannot watch, or of which too much came at once

  std::string partial_;         // the beginning of a line whose newline has not come
  bool skipping_line_ = false;  // the line under way was too long: drop up to its newline
  bool reading_ = false;
  bool in_callback_ = false;
  std::string out_;
  size_t out_at_ = 0;
  bool output_broken_ = false;
  bool output_ending_ = false;
  bool output_ended_ = false;
  uint64_t dropped_lines_ = 0;
};

}  // namespace n2nq::control
