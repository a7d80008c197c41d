// Carries bytes between a wire and a channel to a process elsewhere, and keeps the process assured that somebody is
// there. The connection's thread.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include "app/remote/wire.h"

namespace n2nq::remote {

// The far end of a process, whatever carries it. Never blocks.
class Channel {
 public:
  virtual ~Channel() = default;
  enum class Stream { out, err };
  enum class State { opening, open, over };
  virtual State advance() = 0;
  // Bytes; 0: none now, or the end of that stream.
  virtual ssize_t read(Stream stream, char* data, size_t most) = 0;
  virtual ssize_t write(const char* data, size_t size) = 0;  // 0: not now; -1: never again
  virtual void end_input() = 0;
  virtual void signal(int number) = 0;
  virtual ExecEnd end() = 0;  // over only
  // Its input ends; whatever runs there may take this long to tidy up, where the channel's end would be its own.
  virtual void let_end(std::chrono::milliseconds) { end_input(); }
};

class Pump {
 public:
  Pump(std::shared_ptr<Wire> wire, std::unique_ptr<Channel> channel)
      : wire_(std::move(wire)), channel_(std::move(channel)) {}
  ~Pump();  // kills what runs

  bool turn(Wire::Clock::time_point now);  // true: something moved
  bool over() const { return over_; }
  bool has_input() const { return !input_.isEmpty() && !input_refused_; }
  bool has_room() const { return wire_->room() > 0; }
  std::optional<Wire::Clock::time_point> next_ping() const;
  void kill();
  void lose(const std::string& why);

 private:
  bool leave(Channel::State state);
  void obey(const Wire::Wishes& wishes, Wire::Clock::time_point now);
  void ping_if_due(Wire::Clock::time_point now);
  bool write_input();
  bool read(Channel::Stream stream);

  std::shared_ptr<Wire> wire_;
  std::unique_ptr<Channel> channel_;
  QByteArray input_;
  std::vector<int> early_signals_;  // from before it was open
  char last_written_ = 0;
  bool input_ends_ = false;
  bool input_ended_ = false;
  bool input_refused_ = false;
  bool begun_ = false;
  bool gentle_ = false;
  bool over_ = false;
  std::chrono::milliseconds ping_interval_{0};
  QByteArray ping_;
  Wire::Clock::time_point ping_at_{};
};

}  // namespace n2nq::remote
