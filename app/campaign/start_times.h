// At which times of day a campaign's runs start, or its rounds: "10min from 08:00 to 20:00", "1h in rounds". Of the
// local clock, also where that is changed for summer: a time that a day does not have is left out, one that it has
// twice is there twice. Pure but for the time zone; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::campaign {

struct StartTimes {
  int32_t every_s = 600;
  int32_t from_s = 0;        // since midnight: the first of each day
  int32_t to_s = 24 * 3600;  // none later than this; up to 24 h after from_s, so beyond midnight too
  bool rounds = false;       // the first run of each round of repeats; the others follow at once
  bool operator==(const StartTimes&) const = default;
};

// "10min", "1h from 08:00", "10min from 22:00 to 06:00", each with "in rounds" behind it.
Result<StartTimes> parse_start_times(std::string_view text);
std::string to_text(const StartTimes& times);  // the shortest that reads back as the same

uint32_t starts_a_day(const StartTimes& times);
// The first one after this moment.
int64_t next_start(const StartTimes& times, int64_t after_utc_ns);
// How many passed without a run, between one that began and the next one.
uint64_t missed_between(const StartTimes& times, int64_t begun_utc_ns, int64_t next_utc_ns);

// "08:10", "08:10:30", or with the date on another day than `now`: "08:10 on 2026-03-01".
std::string start_text(int64_t utc_ns, int64_t now_utc_ns);
// "1 start time was missed", "3 start times were missed".
std::string missed_text(uint64_t missed);

}  // namespace n2nq::campaign
