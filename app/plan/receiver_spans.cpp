#include "app/plan/receiver_spans.h"

#include <algorithm>
#include <utility>

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"
#include "app/plan/plan_limits.h"
#include "app/plan/text_list.h"
#include "broker/base/units.h"

namespace n2nq::plan {
namespace {

std::unexpected<Error> no_span(std::string_view text) {
  return fail("\"" + std::string(text) + "\" is no time; enter FROM..TO since the start, such as 2s..5s, or " +
              "1-3:2s..5s for some receivers");
}

// Of the receivers that both name.
bool share_receivers(const ReceiverSpan& one, const ReceiverSpan& other) {
  if (one.receivers.all() || other.receivers.all()) return true;
  return std::ranges::any_of(one.receivers.ranges, [&other](const control::ServiceSet::Range& range) {
    return std::ranges::any_of(other.receivers.ranges, [&range](const control::ServiceSet::Range& its) {
      return its.first <= range.last && range.first <= its.last;
    });
  });
}

std::vector<ReceiverSpan> by_time(std::vector<ReceiverSpan> spans) {
  std::ranges::stable_sort(spans, {}, &ReceiverSpan::from_ns);
  return spans;
}

}  // namespace

std::string to_text(const ReceiverSpan& span) {
  return (span.receivers.all() ? "" : control::to_text(span.receivers) + ":") + exact_duration(span.from_ns) + ".." +
         exact_duration(span.to_ns);
}

std::string to_text(const std::vector<ReceiverSpan>& spans) {
  return text_of_list(spans);
}

Result<ReceiverSpan> parse_span(std::string_view text) {
  text = trimmed(text);
  ReceiverSpan span;
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    auto receivers = control::parse_services(trimmed(text.substr(0, colon)));
    if (!receivers) return std::unexpected(receivers.error());
    span.receivers = std::move(*receivers);
  }
  const std::string window = plain_quantity(colon == std::string_view::npos ? text : text.substr(colon + 1));
  const size_t dots = window.find("..");
  if (dots == std::string::npos) return no_span(text);
  const auto from = parse_duration(std::string_view(window).substr(0, dots));
  const auto to = parse_duration(std::string_view(window).substr(dots + 2));
  if (!from || !to) return no_span(text);
  if (*from < 0 || *to > kLongestDuration)
    return fail("\"" + std::string(text) + "\" is out of range; expected 0s to " + exact_duration(kLongestDuration));
  if (*from >= *to) return fail("\"" + std::string(text) + "\" ends before it begins; enter the earlier time first");
  span.from_ns = *from;
  span.to_ns = *to;
  return span;
}

Result<std::vector<ReceiverSpan>> parse_spans(std::string_view text) {
  return parse_list_or_none(text, parse_span);
}

int64_t longest_span_ns(const std::vector<ReceiverSpan>& spans) {
  int64_t longest_ns = 0;
  const std::vector<ReceiverSpan> ordered = by_time(spans);
  for (auto first = ordered.begin(); first != ordered.end(); ++first) {
    int64_t to_ns = first->to_ns;
    for (auto next = std::next(first); next != ordered.end(); ++next)
      if (next->from_ns <= to_ns && share_receivers(*first, *next)) to_ns = std::max(to_ns, next->to_ns);
    longest_ns = std::max(longest_ns, to_ns - first->from_ns);
  }
  return longest_ns;
}

std::vector<ReceiverChange> changes_of(const std::vector<ReceiverSpan>& spans) {
  std::vector<ReceiverChange> changes;
  for (const ReceiverSpan& span : spans) {
    changes.push_back({.at_ns = span.from_ns, .begins = true, .receivers = span.receivers});
    changes.push_back({.at_ns = span.to_ns, .begins = false, .receivers = span.receivers});
  }
  std::ranges::stable_sort(changes, [](const ReceiverChange& one, const ReceiverChange& other) {
    return std::pair(one.at_ns, one.begins) < std::pair(other.at_ns, other.begins);
  });
  return changes;
}

std::optional<std::string> trouble_with(const std::vector<ReceiverSpan>& spans, uint32_t receivers, bool may_touch) {
  if (spans.size() > kMaxSpans) return "more than " + std::to_string(kMaxSpans) + " times; use fewer";
  for (const ReceiverSpan& span : spans) {
    if (span.from_ns < 0 || span.from_ns >= span.to_ns || span.to_ns > kLongestDuration)
      return to_text(span) + " is no time within 0s to " + exact_duration(kLongestDuration);
    if (!span.receivers.all() && span.receivers.ranges.back().last > receivers)
      return to_text(span) + ": there is no receiver " + std::to_string(span.receivers.ranges.back().last) +
             "; there are " + std::to_string(receivers);
  }
  const std::vector<ReceiverSpan> ordered = by_time(spans);
  for (auto one = ordered.begin(); one != ordered.end(); ++one)
    for (auto next = std::next(one); next != ordered.end() && next->from_ns <= one->to_ns; ++next)
      if (share_receivers(*one, *next) && (next->from_ns < one->to_ns || !may_touch))
        return to_text(*one) + " and " + to_text(*next) + " are of the same receiver at once; join them";
  return std::nullopt;
}

}  // namespace n2nq::plan
