#include "app/plan/background_load.h"

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"
#include "app/plan/plan_limits.h"
#include "app/plan/text_list.h"
#include "broker/base/units.h"

namespace n2nq::plan {
namespace {

constexpr std::string_view kToHost = " to ", kAtTime = " at ", kForTime = " for ";

std::unexpected<Error> no_load(std::string_view text) {
  return fail("\"" + std::string(text) + "\" is not a background load; enter HOST to HOST at TIME for TIME, such as " +
              "vm1 to vm2 at 5s for 10s");
}

bool is_load_time(int64_t ns, int64_t least_ns) {
  return ns >= least_ns && ns <= kLongestDuration;
}

}  // namespace

std::string to_text(const BackgroundLoad& load) {
  return load.from + std::string(kToHost) + load.to + std::string(kAtTime) + exact_duration(load.at_ns) +
         std::string(kForTime) + exact_duration(load.for_ns);
}

std::string to_text(const std::vector<BackgroundLoad>& loads) {
  return text_of_list(loads);
}

Result<BackgroundLoad> parse_load(std::string_view text) {
  text = trimmed(text);
  const size_t to = text.find(kToHost), at = text.rfind(kAtTime), length = text.rfind(kForTime);
  if (to == std::string_view::npos || at == std::string_view::npos || length == std::string_view::npos ||
      at < to + kToHost.size() || length < at + kAtTime.size())
    return no_load(text);
  const auto between = [text](size_t from, std::string_view word, size_t end) {
    return trimmed(text.substr(from + word.size(), end - from - word.size()));
  };
  BackgroundLoad load{.from = std::string(trimmed(text.substr(0, to))), .to = std::string(between(to, kToHost, at))};
  const auto begins = parse_duration(plain_quantity(std::string(between(at, kAtTime, length))));
  const auto lasts = parse_duration(plain_quantity(std::string(between(length, kForTime, text.size()))));
  if (!begins || !lasts || load.from.empty() || load.to.empty()) return no_load(text);
  if (!is_load_time(*begins, 0) || !is_load_time(*lasts, 1))
    return fail("\"" + std::string(text) + "\" is out of range; a load begins at 0s to " +
                exact_duration(kLongestDuration) + ", and lasts more than 0s");
  load.at_ns = *begins;
  load.for_ns = *lasts;
  return load;
}

Result<std::vector<BackgroundLoad>> parse_loads(std::string_view text) {
  return parse_list_or_none(text, parse_load);
}

std::optional<std::string> trouble_with(const std::vector<BackgroundLoad>& loads) {
  if (loads.size() > kMaxLoads) return "more than " + std::to_string(kMaxLoads) + " background loads; use fewer";
  for (auto one = loads.begin(); one != loads.end(); ++one) {
    if (!is_load_time(one->at_ns, 0) || !is_load_time(one->for_ns, 1))
      return to_text(*one) + " is no time within 0s to " + exact_duration(kLongestDuration);
    for (auto other = loads.begin(); other != one; ++other)
      if (one->from == other->from && one->to == other->to && one->at_ns < other->ends_ns() &&
          other->at_ns < one->ends_ns())
        return to_text(*other) + " and " + to_text(*one) + " go the same way at once; join them";
  }
  return std::nullopt;
}

}  // namespace n2nq::plan
