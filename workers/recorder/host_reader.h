// The figures of the host itself. One thread.
#pragma once

#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "workers/recorder/awake.h"
#include "workers/recorder/busy_time.h"
#include "workers/recorder/kept_file.h"
#include "workers/recorder/proc_text.h"

namespace n2nq::recorder {

class HostReader {
 public:
  HostReader();

  HostValues read(ReadBuffer& buffer);
  // From now on the time of its spinners is idle time. Before the first read.
  void leave_out(Awake& awake) { awake_ = &awake; }
  // Of the last read: what could not be had.
  void add_lacking(std::vector<control::Lacking>& lacking) const;

 private:
  bool is_disk(std::string_view name);
  int64_t cpu_of_bench(ReadBuffer& buffer);
  int64_t other_benches(ReadBuffer& buffer);  // once a second: the file may be long

  int64_t tick_ns_;
  KeptFile stat_, memory_, disks_, interfaces_, snmp_, unix_sockets_;
  std::string name_;  // among the sockets
  Fd announced_;
  BusyTime busy_;
  Awake* awake_ = nullptr;
  std::optional<clockid_t> bench_{};  // nothing: nobody has looked yet
  int64_t bench_cpu_ns_ = 0;
  int64_t other_benches_ = 0;
  int64_t benches_due_ns_ = 0;
  std::map<std::string, bool, std::less<>> names_;  // of block devices: whether it is a disk
  HostValues last_;
};

// For a sentence: why a file could not be read.
std::string why_unreadable(const std::string& file, int error);

}  // namespace n2nq::recorder
