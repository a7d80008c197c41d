#include "app/plan/run_limit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/plan/exact_text.h"
#include "app/plan/field_forms.h"
#include "app/plan/filter_text.h"

namespace n2nq::plan {
namespace {

constexpr std::array kLimitMetrics{LimitMetric{"p50", "latency p50", true},
                                   LimitMetric{"p90", "latency p90", true},
                                   LimitMetric{"p95", "latency p95", true},
                                   LimitMetric{"p99", "latency p99", true},
                                   LimitMetric{"p99.9", "latency p99.9", true},
                                   LimitMetric{"max", "longest latency", true},
                                   LimitMetric{"mean", "mean latency", true},
                                   LimitMetric{"trimmed", "trimmed mean latency", true},
                                   LimitMetric{"turnaround-p50", "turnaround p50", true, true},
                                   LimitMetric{"turnaround-p90", "turnaround p90", true, true},
                                   LimitMetric{"turnaround-p95", "turnaround p95", true, true},
                                   LimitMetric{"turnaround-p99", "turnaround p99", true, true},
                                   LimitMetric{"turnaround-p99.9", "turnaround p99.9", true, true},
                                   LimitMetric{"turnaround-max", "longest turnaround", true, true},
                                   LimitMetric{"turnaround-mean", "mean turnaround", true, true},
                                   LimitMetric{"turnaround-trimmed", "trimmed mean turnaround", true, true},
                                   LimitMetric{"timeouts", "timed out", false, true},
                                   LimitMetric{"sent-rate", "sent per second"},
                                   LimitMetric{"rate", "received per second"},
                                   LimitMetric{"reply-rate", "replies per second", false, true},
                                   LimitMetric{"lost", "lost"},
                                   LimitMetric{"undeliverable", "undeliverable"},
                                   LimitMetric{"duplicates", "duplicates"},
                                   LimitMetric{"reordered", "out of order"},
                                   LimitMetric{"corrupt", "corrupt"},
                                   LimitMetric{"redelivered", "delivered again"},
                                   LimitMetric{"host-cpu", "processor of the queue's host"},
                                   LimitMetric{"cpu-per-delivery", "processor time a delivery", true},
                                   LimitMetric{"written-per-message", "written to disk a message"},
                                   LimitMetric{"wire-bytes-per-message", "bytes on the wire a message"},
                                   LimitMetric{"retransmits", "TCP segments sent again"}};

constexpr std::string_view kAtMost = "<=";
constexpr std::string_view kAtLeast = ">=";
constexpr std::string_view kStop = "stop";
constexpr const char* kLimitForm = "expected a metric, <= or >=, a value, and stop if it ends the run: p99 <= 5ms stop";
constexpr const char* kJsonForm = R"(expected {"metric": "p99", "at_most": "5ms", "stop": true}, or at_least)";

std::string metric_list() {
  std::string names;
  for (const LimitMetric& metric : kLimitMetrics) names += (names.empty() ? "" : ", ") + std::string(metric.name);
  return names;
}

Result<const LimitMetric*> metric_named(std::string_view name) {
  const LimitMetric* metric = find_limit_metric(name);
  if (metric == nullptr) return fail("\"" + std::string(name) + "\" has no limits; there are " + metric_list());
  return metric;
}

// The word at the end, if it stands alone.
bool take_stop(std::string_view& text) {
  if (!text.ends_with(kStop)) return false;
  const std::string_view before = text.substr(0, text.size() - kStop.size());
  if (before.empty() || (before.back() != ' ' && before.back() != ',')) return false;
  text = trimmed(before.substr(0, before.find_last_not_of(" ,") + 1));
  return true;
}

Result<RunLimit> parse_limit(std::string_view text) {
  const size_t at = std::min(text.find(kAtMost), text.find(kAtLeast));
  if (at == std::string_view::npos) return fail("\"" + std::string(text) + "\" is not a limit; " + kLimitForm);
  const auto metric = metric_named(trimmed(text.substr(0, at)));
  if (!metric) return std::unexpected(metric.error());
  RunLimit limit{.metric = std::string((*metric)->name), .at_most = text.substr(at).starts_with(kAtMost)};
  std::string_view value = trimmed(text.substr(at + kAtMost.size()));
  limit.stop = take_stop(value);
  const auto number = parse_limit_value(**metric, value);
  if (!number) return std::unexpected(number.error());
  limit.value = *number;
  return limit;
}

Result<RunLimit> limit_of_json(const Json& json) {
  const auto wrong = [&json] { return fail(quoted(json) + " is not a limit; " + kJsonForm); };
  if (!json.is_object() || !json.contains("metric") || !json["metric"].is_string()) return wrong();
  const bool at_most = json.contains("at_most");
  if (at_most == json.contains("at_least")) return wrong();
  const bool has_stop = json.contains("stop");
  if (json.size() != (has_stop ? 3u : 2u) || (has_stop && !json["stop"].is_boolean())) return wrong();
  const auto metric = metric_named(json["metric"].get_ref<const std::string&>());
  if (!metric) return std::unexpected(metric.error());
  const Json& given = json[at_most ? "at_most" : "at_least"];
  if (!given.is_string() && !given.is_number()) return wrong();
  const auto value = parse_limit_value(**metric, given.is_string() ? given.get<std::string>() : given.dump());
  if (!value) return std::unexpected(value.error());
  return RunLimit{.metric = std::string((*metric)->name),
                  .at_most = at_most,
                  .value = *value,
                  .stop = has_stop && json["stop"].get<bool>()};
}

bool is_duration(const RunLimit& limit) {
  const LimitMetric* metric = find_limit_metric(limit.metric);
  return metric != nullptr && metric->duration;
}

Json json_value(const RunLimit& limit) {
  if (is_duration(limit)) return value_text(limit);
  const auto whole = static_cast<uint64_t>(limit.value);
  return static_cast<double>(whole) == limit.value ? Json(whole) : Json(limit.value);
}

}  // namespace

std::span<const LimitMetric> limit_metrics() {
  return kLimitMetrics;
}

const LimitMetric* find_limit_metric(std::string_view name) {
  const auto found = std::ranges::find(kLimitMetrics, name, &LimitMetric::name);
  return found == kLimitMetrics.end() ? nullptr : &*found;
}

Result<double> parse_limit_value(const LimitMetric& metric, std::string_view written) {
  const std::string text = plain_quantity(written);
  const auto wrong = [&](const char* form) {
    return fail("\"" + std::string(written) + "\" is not a limit for " + std::string(metric.name) + "; expected " +
                form);
  };
  if (metric.duration) {
    const auto ns = parse_duration(text);
    if (!ns || *ns < 0 || *ns > kLongestDuration) return wrong("a duration such as 5ms");
    return static_cast<double>(*ns);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= kLargestLimit))
    return wrong("a number");
  return value;
}

std::string value_text(const RunLimit& limit) {
  if (is_duration(limit)) return exact_duration(std::llround(limit.value));
  std::array<char, 64> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), limit.value, std::chars_format::fixed);
  return error == std::errc() ? std::string(text.data(), end) : std::string("0");
}

std::string to_text(const RunLimit& limit) {
  return limit.metric + " " + std::string(limit.at_most ? kAtMost : kAtLeast) + " " + value_text(limit) +
         (limit.stop ? " " + std::string(kStop) : "");
}

std::string to_text(const std::vector<RunLimit>& limits) {
  std::string text;
  for (const RunLimit& limit : limits) text += (text.empty() ? "" : "; ") + to_text(limit);
  return text;
}

Result<std::vector<RunLimit>> parse_limits(std::string_view text) {
  std::vector<RunLimit> limits;
  text = trimmed(text);
  while (!text.empty()) {
    const size_t end = text.find(';');
    auto limit = parse_limit(trimmed(text.substr(0, end)));
    if (!limit) return std::unexpected(limit.error());
    limits.push_back(std::move(*limit));
    if (end == std::string_view::npos) break;
    text = trimmed(text.substr(end + 1));
  }
  if (limits.size() > kMaxLimits) return fail("more than " + std::to_string(kMaxLimits) + " limits");
  return limits;
}

std::optional<std::string> limit_given_twice(const std::vector<RunLimit>& limits) {
  for (size_t i = 0; i < limits.size(); i++)
    for (size_t j = 0; j < i; j++)
      if (limits[i].metric == limits[j].metric && limits[i].at_most == limits[j].at_most)
        return limits[i].metric + " " + std::string(limits[i].at_most ? kAtMost : kAtLeast);
  return std::nullopt;
}

Result<std::vector<RunLimit>> LimitsForm::take(const Json& value) {
  if (value.is_string()) return parse_limits(value.get_ref<const std::string&>());
  if (!value.is_array()) return fail(quoted(value) + " is not a list of limits; " + kJsonForm);
  if (value.size() > kMaxLimits) return fail("more than " + std::to_string(kMaxLimits) + " limits");
  std::vector<RunLimit> limits;
  for (const Json& one : value) {
    auto limit = limit_of_json(one);
    if (!limit) return std::unexpected(limit.error());
    limits.push_back(std::move(*limit));
  }
  return limits;
}

Json LimitsForm::show(const std::vector<RunLimit>& limits) {
  Json list = Json::array();
  for (const RunLimit& limit : limits) {
    Json one{{"metric", limit.metric}, {limit.at_most ? "at_most" : "at_least", json_value(limit)}};
    if (limit.stop) one["stop"] = true;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace n2nq::plan
