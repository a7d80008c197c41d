// What a recorder is told on its command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/control/commands.h"

namespace n2nq::recorder {

struct RecorderOptions {
  bool controlled = false;
  int64_t period_ns = 1'000'000'000;
  int64_t control_timeout_ns = 0;  // 0: 10 s without a ping; at once at the end of stdin
  bool awake = false;              // keep the cores of this host from halting
  control::WatchCommand watch{};   // from the beginning
};

// Nothing: go on. Else the exit code.
std::optional<int> parse(int argc, char** argv, RecorderOptions& options);

}  // namespace n2nq::recorder
