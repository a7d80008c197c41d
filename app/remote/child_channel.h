// A child process of this computer as a channel. The thread that made it.
#pragma once

#include <string>
#include <vector>

#include "app/remote/pump.h"
#include "broker/net/fd.h"

namespace n2nq::remote {

class ChildChannel : public Channel {
 public:
  explicit ChildChannel(const std::vector<std::string>& arguments);
  ChildChannel(const ChildChannel&) = delete;
  ChildChannel& operator=(const ChildChannel&) = delete;
  ~ChildChannel() override;  // kills and reaps

  State advance() override;
  ssize_t read(Stream stream, char* data, size_t most) override;
  ssize_t write(const char* data, size_t size) override;
  void end_input() override { in_.reset(); }
  void signal(int number) override;
  ExecEnd end() override { return end_; }
  void let_end(std::chrono::milliseconds patience) override;

  // What to poll for: -1 where there is nothing.
  int in_fd() const { return in_.get(); }
  int out_fd() const { return out_.get(); }
  int err_fd() const { return err_.get(); }
  int exit_fd() const { return reaped_ ? -1 : pidfd_.get(); }

 private:
  void reap(bool wait);

  int pid_ = -1;
  net::Fd in_, out_, err_, pidfd_;
  bool reaped_ = true;
  ExecEnd end_;
};

}  // namespace n2nq::remote
