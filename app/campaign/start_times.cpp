#include "app/campaign/start_times.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "broker/base/units.h"

namespace n2nq::campaign {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int32_t kDay = 24 * 3600;
constexpr const char* kStartTimesForm =
    "; expected such as \"10min\", \"10min from 08:00 to 20:00\" or \"1h in rounds\"";

std::tm local_of(std::time_t utc) {
  std::tm local{};
  ::localtime_r(&utc, &local);
  return local;
}

int64_t offset_at(std::time_t utc) {
  return local_of(utc).tm_gmtoff;
}

// What the clock on the wall shows, as seconds without a zone.
int64_t shown_at(std::time_t utc) {
  return utc + offset_at(utc);
}

// The last second before the clock is changed, which is so between these two.
std::time_t last_before_change(std::time_t from, std::time_t to) {
  while (to - from > 1) {
    const std::time_t between = from + (to - from) / 2;
    (offset_at(between) == offset_at(from) ? from : to) = between;
  }
  return from;
}

int64_t floor_div(int64_t value, int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

// Start times of the days before, and of this one until then, by the clock on the wall.
int64_t starts_until(const StartTimes& times, int64_t shown) {
  const auto a_day = static_cast<int64_t>(starts_a_day(times));
  const int64_t day = floor_div(shown, kDay);
  int64_t count = a_day * (day - 1);
  for (const int64_t begun : {day - 1, day})
    count += std::clamp<int64_t>(floor_div(shown - begun * kDay - times.from_s, times.every_s) + 1, 0, a_day);
  return count;
}

// The first one that the clock on the wall shows after this.
int64_t next_shown(const StartTimes& times, int64_t shown) {
  const auto a_day = static_cast<int64_t>(starts_a_day(times));
  for (int64_t day = floor_div(shown, kDay) - 1;; day++) {
    const int64_t first = day * kDay + times.from_s;
    const int64_t at = std::max<int64_t>(floor_div(shown - first, times.every_s) + 1, 0);
    if (at < a_day) return first + at * times.every_s;
  }
}

Result<int32_t> parse_time_of_day(std::string_view text) {
  const size_t colon = text.find(':');
  const auto hours = parse_whole(text.substr(0, colon));
  const auto minutes = colon == std::string_view::npos ? fail("") : parse_whole(text.substr(colon + 1));
  if (!hours || !minutes || *hours > 24 || *minutes > 59 || (*hours == 24 && *minutes > 0))
    return fail("\"" + std::string(text) + "\" is not a time of day" + kStartTimesForm);
  return static_cast<int32_t>(*hours * 3600 + *minutes * 60);
}

std::string time_of_day(int32_t seconds) {
  char text[16];
  std::snprintf(text, sizeof text, "%02d:%02d", seconds / 3600 % 25, seconds / 60 % 60);
  return text;
}

std::string every_text(int32_t seconds) {
  if (seconds % 3600 == 0) return std::to_string(seconds / 3600) + "h";
  return seconds % 60 == 0 ? std::to_string(seconds / 60) + "min" : std::to_string(seconds) + "s";
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = text.find_first_not_of(' '); at != std::string_view::npos; at = text.find_first_not_of(' ', at)) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

Result<StartTimes> parse_start_times(std::string_view text) {
  auto words = words_of(text);
  const bool rounds = words.size() > 2 && words.back() == "rounds" && words[words.size() - 2] == "in";
  if (rounds) words.resize(words.size() - 2);
  std::string every;  // "10 min" is "10min"
  while (!words.empty() && words.front() != "from" && words.front() != "to") {
    if (words.front() != "every") every += words.front();
    words.erase(words.begin());
  }
  const auto ns = parse_duration(plain_quantity(every));
  if (!ns) return fail("\"" + std::string(text) + "\" has no time between two starts" + kStartTimesForm);
  if (*ns < kSecondNs || *ns > kDay * kSecondNs || *ns % kSecondNs != 0)
    return fail("\"" + every + "\" is out of range; expected 1s to 24h, in whole seconds");
  StartTimes times{.every_s = static_cast<int32_t>(*ns / kSecondNs), .rounds = rounds};
  bool to_given = false;
  for (size_t i = 0; i < words.size(); i += 2) {
    if ((words[i] != "from" && words[i] != "to") || i + 1 == words.size())
      return fail("\"" + std::string(text) + "\" is not understood" + kStartTimesForm);
    const auto time = parse_time_of_day(words[i + 1]);
    if (!time) return std::unexpected(time.error());
    (words[i] == "from" ? times.from_s : times.to_s) = *time;
    to_given |= words[i] == "to";
  }
  times.from_s %= kDay;
  if (to_given && times.to_s <= times.from_s) times.to_s += kDay;
  return times;
}

std::string to_text(const StartTimes& times) {
  std::string text = every_text(times.every_s);
  if (times.from_s != 0) text += " from " + time_of_day(times.from_s);
  if (times.to_s != kDay) text += " to " + time_of_day(times.to_s % kDay);
  if (times.rounds) text += " in rounds";
  return text;
}

// A full day's last one would be the next day's first.
uint32_t starts_a_day(const StartTimes& times) {
  const int32_t length = std::min(times.to_s - times.from_s, kDay - 1);
  return static_cast<uint32_t>(length / times.every_s) + 1;
}

int64_t next_start(const StartTimes& times, int64_t after_utc_ns) {
  std::time_t after = floor_div(after_utc_ns, kSecondNs);
  int64_t offset = offset_at(after);
  while (true) {
    const std::time_t next = next_shown(times, after + offset) - offset;
    if (offset_at(next) == offset) return next * kSecondNs;
    after = last_before_change(after, next);
    offset = offset_at(after + 1);
  }
}

uint64_t missed_between(const StartTimes& times, int64_t begun_utc_ns, int64_t next_utc_ns) {
  const auto until = [&](int64_t utc_ns) { return starts_until(times, shown_at(floor_div(utc_ns, kSecondNs))); };
  return static_cast<uint64_t>(std::max<int64_t>(until(next_utc_ns) - until(begun_utc_ns) - 1, 0));
}

std::string start_text(int64_t utc_ns, int64_t now_utc_ns) {
  const std::tm at = local_of(floor_div(utc_ns, kSecondNs)), now = local_of(floor_div(now_utc_ns, kSecondNs));
  const bool today = at.tm_yday == now.tm_yday && at.tm_year == now.tm_year;
  char text[64];
  std::strftime(text, sizeof text, at.tm_sec == 0 ? "%H:%M" : "%H:%M:%S", &at);
  std::string said = text;
  if (today) return said;
  std::strftime(text, sizeof text, " on %Y-%m-%d", &at);
  return said + text;
}

std::string missed_text(uint64_t missed) {
  return missed == 1 ? "1 start time was missed" : std::to_string(missed) + " start times were missed";
}

}  // namespace n2nq::campaign
