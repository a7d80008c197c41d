// A program, with all that it starts, which ends when this process does, however that comes: between the two is a
// guard, a copy of this process that waits for the end of a pipe, and then ends them. What a killed guard leaves is
// killed by the system. Start it while this process has one thread. One thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"
#include "broker/process/processes.h"

namespace n2nq::serve {

struct CagedProgram {
  std::vector<std::string> argv{};  // the first is its file
  std::string input{};              // what it reads from stdin
  std::string output_file{};        // of stdout and stderr
  std::string folder{};             // its working directory, which is removed with it
  // Of one that puts it into a container: the command that removes whatever is left of that. The watcher in it is given
  // a pipe that ends with the guard.
  std::vector<std::string> remove{};
};

class Cage {
 public:
  static Result<Cage> start(const CagedProgram& program);
  Cage(Cage&&) noexcept = default;
  Cage& operator=(Cage&&) noexcept = delete;
  ~Cage() { end(); }

  pid_t pid() const { return pid_; }
  // The program and all that it started, as far as it lives.
  std::vector<pid_t> processes() const { return process::descendants_of(guard_); }
  // Readable once the program has ended by itself.
  int end_fd() const { return end_.get(); }
  // How, after that: "with exit code 1", "by signal 9 (Killed)".
  std::string how_it_ended() const;
  // Ends it, if it has not ended, and waits for that: some seconds at most. Of several, tell all to end first.
  void begin_to_end() { lifeline_.reset(); }
  void end();

 private:
  Cage(pid_t guard, pid_t pid, int64_t patience_ns, Fd lifeline, Fd end, std::vector<std::string> remove)
      : guard_(guard),
        pid_(pid),
        patience_ns_(patience_ns),
        lifeline_(std::move(lifeline)),
        end_(std::move(end)),
        remove_(std::move(remove)) {}

  pid_t guard_;
  pid_t pid_;
  int64_t patience_ns_;  // with the guard
  Fd lifeline_;
  Fd end_;
  std::vector<std::string> remove_;
};

// `n2nq-broker watch PROGRAM ...`, the first process in a container: starts the program, leaves its process number in
// the working directory, and ends it, with all that it started, once the guard is gone. Returns the exit code.
constexpr const char* kWatchWord = "watch";
int watch(char** words);
// The process of that program; 0: it is not known yet.
pid_t watched_in(const std::string& folder);

}  // namespace n2nq::serve
