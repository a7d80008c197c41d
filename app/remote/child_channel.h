// A child process of this computer as a channel. The thread that made it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/remote/pump.h"
#include "broker/base/fd.h"

namespace n2nq::remote {

class ChildChannel : public Channel {
 public:
  explicit ChildChannel(const std::vector<std::string>& arguments);
  ChildChannel(const ChildChannel&) = delete;
  ChildChannel& operator=(const ChildChannel&) = delete;
  ~ChildChannel() override;  // kills and reaps; waits for half a second at most

  State advance() override;
  ssize_t read(Stream stream, char* data, size_t most) override;
  ssize_t write(const char* data, size_t size) override;
  void end_input() override { in_.reset(); }
  void signal(int number) override;
  ExecEnd end() override { return end_; }
  void let_end(std::chrono::milliseconds patience) override;
  // From here on nothing of it waits for longer than until then.
  void hurry(Wire::Clock::time_point until) { until_ = until; }

  // What to poll for: -1 where there is nothing.
  int in_fd() const { return in_.get(); }
  int out_fd() const { return out_.get(); }
  int err_fd() const { return err_.get(); }
  int exit_fd() const { return runs_ ? pidfd_.get() : -1; }

 private:
  void reap();
  void wait_exit(std::chrono::milliseconds patience);

  int pid_ = -1;
  Fd in_, out_, err_, pidfd_;
  State state_ = State::over;
  bool runs_ = false;  // also one that is given up: over
  std::optional<Wire::Clock::time_point> until_;
  ExecEnd end_;
};

}  // namespace n2nq::remote
