// How one process watches over another and over all that this one starts: it ends them once whoever it does that for is
// gone, which it learns from the end of a pipe. One thread; also for a copy of a process.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::process {

struct PipeEnds {
  Fd read;
  Fd write;
};
// No other program gets them. `whose`: "a server".
Result<PipeEnds> make_pipe(const std::string& whose);

constexpr int kLookMs = 20;
constexpr int kSignalled = 128;  // an exit code above it tells of a signal, as shells do

// Whether no child is left.
bool reap_all();
// TERM, then KILL; what this process is the reaper of, too.
void end_descendants();
// Both included. Older systems, and some containers, have no call for it.
void close_between(unsigned first, unsigned last);
// This process is killed when its parent ends.
void end_with(pid_t parent);
// How the child ended; nothing: the other end of the pipe did first.
std::optional<int> wait_for_either(int pipe, pid_t child);
// "signal 9 (Killed)", and whether the memory that it had, by that setting, was too little. For a process in the
// control group of whoever was ended.
std::string signal_words(int signal, const std::string& setting);

}  // namespace n2nq::process
