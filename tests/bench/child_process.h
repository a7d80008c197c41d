// A child whose stdout is read line by line with a deadline. It dies with its parent, and with this object.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::bench {

class ChildProcess {
 public:
  // On `core` alone, if given. Standard error and input are ours.
  static Result<ChildProcess> start(const std::vector<std::string>& command, std::optional<int> core);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  // The next line, without its end; an Error when the child closed its stdout or the deadline passed.
  Result<std::string> read_line(int64_t deadline_ns);
  // Reads to the end of its stdout and waits for its exit. The last line, and an Error for any exit code but 0.
  Result<std::string> finish(int64_t deadline_ns);

 private:
  ChildProcess(std::string name, pid_t pid, Fd out) : name_(std::move(name)), pid_(pid), out_(std::move(out)) {}
  Result<bool> read_more(int64_t deadline_ns);

  std::string name_;
  pid_t pid_ = -1;
  Fd out_;
  std::string unread_;
};

}  // namespace n2nq::bench
