// How large what a plan holds may be: the bounds of plan files, `--set` and the window's fields. Those that broker and
// workers have too are the same as theirs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace n2nq::plan {

inline constexpr uint64_t kMaxServices = 10'000;  // of a role
inline constexpr uint64_t kMaxProcesses = 256;    // of a role
inline constexpr uint64_t kMaxLoops = 64;
inline constexpr int64_t kLeastCpuThousandths = 10;
inline constexpr int64_t kMostCpuThousandths = 1'024'000;
inline constexpr uint64_t kLeastProcessMemory = 8ull << 20;
inline constexpr uint64_t kMaxMessages = 1'000'000'000;  // of a sender
inline constexpr int64_t kLongestDuration = 7LL * 24 * 3600 * 1'000'000'000;
inline constexpr int64_t kLongestDelay = 3600LL * 1'000'000'000;
inline constexpr int64_t kLongestTimeout = 24LL * 3600 * 1'000'000'000;
inline constexpr int64_t kShortestReplyTimeout = 1'000'000;
inline constexpr int64_t kLongestReplyTimeout = 3600LL * 1'000'000'000;
inline constexpr uint64_t kMaxOutstanding = 10'000;  // requests of a sender
inline constexpr int64_t kShortestStall = 100'000'000;
inline constexpr int64_t kShortestTakeOver = 100'000'000;  // as the queue looks
inline constexpr int64_t kLongestTakeOver = 3600LL * 1'000'000'000;
inline constexpr int64_t kShortestRetention = 1'000'000;
inline constexpr int64_t kLongestRetention = 40LL * 24 * 3600 * 1'000'000'000;
inline constexpr uint64_t kLargestMessage = 64ull << 20;
inline constexpr uint64_t kLeastMemory = 2ull << 20;
inline constexpr uint64_t kLeastSocketBuffer = 4ull << 10;
inline constexpr uint64_t kMostSocketBuffer = 512ull << 20;
inline constexpr uint64_t kMostMemory = 1ull << 40;
inline constexpr uint64_t kMaxTries = 255;
inline constexpr uint64_t kMaxResponseWindow = 1ull << 20;
inline constexpr uint64_t kMaxAtATime = 1'000'000;
inline constexpr size_t kLongestText = 4096;  // bytes of any one text
inline constexpr size_t kMaxFilters = 10'000;
inline constexpr size_t kMaxRuns = 1000;
inline constexpr uint32_t kMaxRepeats = 100;  // of the runs of a plan
inline constexpr size_t kMaxLimits = 100;
inline constexpr size_t kMaxSpans = 100;                  // in which receivers pause, or are away, in a run
inline constexpr size_t kMaxLoads = 100;                  // beside a run
inline constexpr double kLargestLimit = 1e15;             // of what is no duration
inline constexpr int64_t kShortestReading = 100'000'000;  // as n2nq-recorder --period
inline constexpr int64_t kLongestReading = 60'000'000'000;

// What the broker must be allowed to keep, so that it can hold messages as large as this.
constexpr uint64_t least_memory_for(uint64_t max_message_bytes) {
  return 4 * max_message_bytes + (4ull << 20);
}
}  // namespace n2nq::plan
