// The slowest message of many logs, of all services of a role: each is looked through in turn. Blocking; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/logs/log_search.h"

namespace n2nq::logs {

struct LogPlace {
  std::string path{};
  std::string title{};  // "receiver 7"
};

// What somebody wants to see the slowest message of.
struct SlowestWish {
  std::vector<LogPlace> logs{};
  SlowestAim aim{};
  std::string why_none{};  // what to do so that there are logs with messages
  size_t elsewhere = 0;    // logs that are on other hosts as yet
};

struct SlowestMessage {
  size_t log = 0;  // which
  SlowestLine line{};
};
struct SlowestOutcome {
  std::optional<SlowestMessage> message{};
  size_t unreadable = 0;  // logs that are not there or cannot be read
  bool stopped = false;
};
SlowestOutcome find_slowest_of(const SlowestWish& wish, const SearchWatch& watch);

// "from 5.500 to 5.600 s"
std::string stretch_text(const RunStretch& stretch);
std::string stretch_text(const SlowestAim& aim);  // of a point its own time; empty: the whole run

}  // namespace n2nq::logs
