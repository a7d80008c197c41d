// The processes that write to files of a folder: workers that go on by themselves after their bench was killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "broker/base/result.h"

namespace n2nq::journal {

// A descriptor that becomes readable when the process ends, or -errno: -ESRCH if it has ended.
using OpenProcess = std::function<int(pid_t)>;
int open_process(pid_t pid);

// Until no process has a file of this folder open to write, this one apart. Processes of others that cannot be looked
// into do not count. An error that names the process where it takes longer, or was told to stop. Not for the UI thread.
Result<void> wait_for_writers(const std::string& folder, std::chrono::milliseconds patience, std::stop_token stop,
                              const OpenProcess& open = open_process);

}  // namespace n2nq::journal
