// The figures of one process of the run and of all that it has started. What a process had done before it was found is
// not in them, unless it was started after the reading before; what one did that has ended stays in them, by way of who
// waited for it or else by its last reading. One thread.
// States: there -> gone, when the process itself has ended.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workers/recorder/kept_file.h"
#include "workers/recorder/proc_text.h"

namespace n2nq::recorder {

// Who started whom, of all processes that can be seen: one look costs as many system calls as thrice the processes.
using Parents = std::multimap<pid_t, pid_t>;  // from parent to child
Parents read_parents(ReadBuffer& buffer);

// One process, without those that it has started; with those that have ended and that it has waited for.
class ProcessFiles {
 public:
  explicit ProcessFiles(pid_t pid);

  // Nothing once it is gone. Not `all`: what costs much is left out.
  std::optional<HostValues> read(ReadBuffer& buffer, bool all);
  int stat_error() const { return stat_.error(); }
  int io_error() const { return io_error_; }
  int threads_error() const { return threads_error_; }
  int descriptors_error() const { return descriptors_error_; }
  bool thread_ended() const { return thread_ended_; }  // since the reading before
  // As of the last reading: what it has inherited from those that it has waited for, and when it was started, on
  // CLOCK_BOOTTIME.
  int64_t inherited_ns() const { return inherited_ns_; }
  int64_t started_ns() const { return started_ns_; }

 private:
  struct Thread {
    KeptFile status;
    int64_t switches = 0;
  };
  void find_threads();
  int64_t read_switches(ReadBuffer& buffer);  // kNoFigure: of no thread, or not of all
  void read_descriptors(HostValues& into);
  int64_t count_entries();

  pid_t pid_;
  std::string folder_;
  clockid_t clock_ = 0;
  int64_t tick_ns_;
  int64_t page_bytes_;
  KeptFile stat_, io_;
  Fd descriptors_;
  int io_error_ = 0;
  int descriptors_error_ = 0;
  int threads_error_ = 0;
  bool thread_ended_ = false;
  int64_t inherited_ns_ = 0;
  int64_t started_ns_ = 0;
  int64_t counted_ = 0;  // descriptors, and how many more readings that holds where counting them takes long
  int64_t count_again_in_ = 0;
  std::map<pid_t, Thread> threads_;
  int64_t threads_known_ = 0;
  int64_t switches_of_ended_ = 0;
};

class ProcessReader {
 public:
  ProcessReader(std::string name, pid_t pid);

  const std::string& name() const { return name_; }
  pid_t pid() const { return pid_; }
  std::vector<pid_t> pids() const;  // with those that it has started
  void take_parents(const Parents& parents);
  std::optional<HostValues> read(ReadBuffer& buffer, bool all);
  void add_lacking(std::vector<control::Lacking>& lacking) const;

 private:
  struct Member {
    pid_t pid = 0;
    ProcessFiles files;
    HostValues last{};         // as far as it is known
    HostValues base{};         // what does not count
    bool whole = false;        // all that it ever did counts
    int64_t inherited_ns = 0;  // as of the reading before
  };
  bool read_members(ReadBuffer& buffer, bool all, std::vector<Member>& ended);
  void take(Member& member, const HostValues& values) const;
  void bury(const std::vector<Member>& ended);

  std::string name_;
  pid_t pid_;
  std::vector<Member> members_;  // the process itself, then others, each after the one that has started it
  HostValues gone_;              // of counters: what is added for those that have ended
  HostValues said_;              // the last sums
  HostValues own_;               // what is known of the process itself
  int64_t read_ns_ = 0;          // when it was read last, on CLOCK_BOOTTIME
};

}  // namespace n2nq::recorder
