#include "app/plan/filter_text.h"

#include <algorithm>

#include "broker/base/join.h"

namespace n2nq::plan {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string to_text(const std::vector<ReceiverFilter>& filters) {
  return join(filters, " / ",
              [](const ReceiverFilter& rule) { return control::to_text(rule.receivers) + ":" + rule.filter; });
}

std::string requests_text(const RunPlan& plan) {
  const auto& filters = plan.queue.requests.filters;
  std::string text;
  for (const ReceiverFilter& rule : filters)
    text += (rule.receivers.all() ? "all" : control::to_text(rule.receivers)) + ": " +
            (rule.filter.empty() ? "everything" : rule.filter) + "; ";
  for (uint32_t receiver = 1; receiver <= plan.receivers.fleet.count; receiver++) {
    const auto named = [receiver](const ReceiverFilter& rule) { return rule.receivers.contains(receiver); };
    if (std::ranges::none_of(filters, named)) return text + (text.empty() ? "all: " : "all others: ") + "everything";
  }
  text.resize(text.size() - std::string_view("; ").size());
  return text;
}

Result<std::vector<ReceiverFilter>> parse_filters(std::string_view text) {
  std::vector<ReceiverFilter> filters;
  text = trimmed(text);
  while (!text.empty()) {
    const size_t slash = text.find('/');
    const std::string_view rule = trimmed(text.substr(0, slash));
    const size_t colon = rule.find(':');
    if (colon == std::string_view::npos)
      return fail("\"" + std::string(rule) +
                  "\" is not a filter; enter RECEIVERS:FILTER, such as 1-3:senders=1..5,9 / 4-6:senders=self");
    auto receivers = control::parse_services(trimmed(rule.substr(0, colon)));
    if (!receivers) return std::unexpected(receivers.error());
    filters.push_back({.receivers = std::move(*receivers), .filter = std::string(trimmed(rule.substr(colon + 1)))});
    if (slash == std::string_view::npos) break;
    text = trimmed(text.substr(slash + 1));
  }
  return filters;
}

}  // namespace n2nq::plan
