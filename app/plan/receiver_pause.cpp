#include "app/plan/receiver_pause.h"

#include <algorithm>

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"
#include "app/plan/plan_limits.h"
#include "app/plan/text_list.h"
#include "broker/base/units.h"

namespace n2nq::plan {
namespace {

std::unexpected<Error> no_pause(std::string_view text) {
  return fail("\"" + std::string(text) + "\" is not a pause; enter FROM..TO since the start, such as 2s..5s, or " +
              "1-3:2s..5s for some receivers");
}

// Of the receivers that both name.
bool share_receivers(const ReceiverPause& one, const ReceiverPause& other) {
  if (one.receivers.all() || other.receivers.all()) return true;
  return std::ranges::any_of(one.receivers.ranges, [&other](const control::ServiceSet::Range& range) {
    return std::ranges::any_of(other.receivers.ranges, [&range](const control::ServiceSet::Range& its) {
      return its.first <= range.last && range.first <= its.last;
    });
  });
}

std::vector<ReceiverPause> by_time(std::vector<ReceiverPause> pauses) {
  std::ranges::stable_sort(pauses, {}, &ReceiverPause::from_ns);
  return pauses;
}

}  // namespace

std::string to_text(const ReceiverPause& pause) {
  return (pause.receivers.all() ? "" : control::to_text(pause.receivers) + ":") + exact_duration(pause.from_ns) + ".." +
         exact_duration(pause.to_ns);
}

std::string to_text(const std::vector<ReceiverPause>& pauses) {
  return text_of_list(pauses);
}

Result<ReceiverPause> parse_pause(std::string_view text) {
  text = trimmed(text);
  ReceiverPause pause;
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    auto receivers = control::parse_services(trimmed(text.substr(0, colon)));
    if (!receivers) return std::unexpected(receivers.error());
    pause.receivers = std::move(*receivers);
  }
  const std::string window = plain_quantity(colon == std::string_view::npos ? text : text.substr(colon + 1));
  const size_t dots = window.find("..");
  if (dots == std::string::npos) return no_pause(text);
  const auto from = parse_duration(std::string_view(window).substr(0, dots));
  const auto to = parse_duration(std::string_view(window).substr(dots + 2));
  if (!from || !to) return no_pause(text);
  if (*from < 0 || *to > kLongestDuration)
    return fail("\"" + std::string(text) + "\" is out of range; expected 0s to " + exact_duration(kLongestDuration));
  if (*from >= *to) return fail("\"" + std::string(text) + "\" ends before it begins; enter the earlier time first");
  pause.from_ns = *from;
  pause.to_ns = *to;
  return pause;
}

Result<std::vector<ReceiverPause>> parse_pauses(std::string_view text) {
  return parse_list_or_none(text, parse_pause);
}

int64_t longest_pause_ns(const std::vector<ReceiverPause>& pauses) {
  int64_t longest_ns = 0;
  const std::vector<ReceiverPause> ordered = by_time(pauses);
  for (auto first = ordered.begin(); first != ordered.end(); ++first) {
    int64_t to_ns = first->to_ns;
    for (auto next = std::next(first); next != ordered.end(); ++next)
      if (next->from_ns <= to_ns && share_receivers(*first, *next)) to_ns = std::max(to_ns, next->to_ns);
    longest_ns = std::max(longest_ns, to_ns - first->from_ns);
  }
  return longest_ns;
}

std::optional<std::string> trouble_with(const std::vector<ReceiverPause>& pauses, uint32_t receivers) {
  if (pauses.size() > kMaxPauses) return "more than " + std::to_string(kMaxPauses) + " pauses; use fewer";
  for (const ReceiverPause& pause : pauses) {
    if (pause.from_ns < 0 || pause.from_ns >= pause.to_ns || pause.to_ns > kLongestDuration)
      return to_text(pause) + " is no time within 0s to " + exact_duration(kLongestDuration);
    if (!pause.receivers.all() && pause.receivers.ranges.back().last > receivers)
      return to_text(pause) + ": there is no receiver " + std::to_string(pause.receivers.ranges.back().last) +
             "; there are " + std::to_string(receivers);
  }
  const std::vector<ReceiverPause> ordered = by_time(pauses);
  for (auto one = ordered.begin(); one != ordered.end(); ++one)
    for (auto next = std::next(one); next != ordered.end() && next->from_ns < one->to_ns; ++next)
      if (share_receivers(*one, *next))
        return to_text(*one) + " and " + to_text(*next) + " pause the same receiver at once; join them";
  return std::nullopt;
}

}  // namespace n2nq::plan
