#include "app/figures/headlines.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "app/figures/limit_text.h"
#include "app/plan/metric_limit.h"
#include "app/record/shown_latency.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using record::RunRecord;
using record::Severity;

constexpr const char* kUnknown = "-";

std::string count_of(uint64_t count) {
  return text::count(static_cast<int64_t>(count));
}

const Metric& metric_of(std::string_view name) {
  return *std::ranges::find(all_metrics(), name, &Metric::name);
}

std::string rate_note(const char* metric, const std::vector<const RunRecord*>& runs) {
  const auto rate = mean_of(metric_of(metric), runs);
  return rate ? text::rate(*rate) : std::string();
}

Headline counted(const char* name, const std::vector<const RunRecord*>& runs, uint64_t record::RunTotals::* count,
                 const char* rate, Hue hue) {
  uint64_t sum = 0;
  for (const RunRecord* run : runs) sum += run->totals.*count;
  return {.name = name, .metric = rate, .value = count_of(sum), .note = rate_note(rate, runs), .hue = hue};
}

// "turnaround-max" beside a turnaround is "max".
std::string word_of(std::string_view metric) {
  return std::string(metric.substr(metric.rfind('-') + 1));
}

// Of one run with another figure of its latencies as the note: where it is from the intended send, that from the actual
// one.
Headline latency(const char* metric, const char* other, const std::vector<const RunRecord*>& runs, bool intended) {
  const Metric& actual = metric_of(metric);
  const Metric& of = shown_metric(actual, intended);
  Headline one = headline_of(headline_name(actual, intended), of, mean_of(of, runs), Hue::receiver);
  one.metric = actual.name;
  if (runs.size() > 1)
    one.note = "mean of " + std::to_string(runs.size()) + " runs";
  else if (const auto some = measured(of, *runs.front()); one.value != kUnknown && some && !some->complete())
    one.note = "of " + record::share_text(*some);
  else if (intended)
    one.note = "actual send " + text_of(actual, *runs.front(), kUnknown);
  else if (const auto value = metric_of(other).value(*runs.front()))
    one.note = word_of(other) + " " + value_text(metric_of(other), *value);
  return one;
}

bool all_ask_for_replies(const std::vector<const RunRecord*>& runs) {
  return std::ranges::all_of(runs, [](const RunRecord* run) { return plan::asks_for_replies(run->plan); });
}

Headline replies(const std::vector<const RunRecord*>& runs) {
  uint64_t sum = 0;
  for (const RunRecord* run : runs) sum += run->totals.replies.value_or(0);
  return {.name = "Replies",
          .metric = "reply-rate",
          .value = count_of(sum),
          .note = rate_note("reply-rate", runs),
          .hue = Hue::receiver};
}

// What this mode has of losses.
Headline timed_out(const std::vector<const RunRecord*>& runs) {
  uint64_t sum = 0, sent = 0;
  for (const RunRecord* run : runs) {
    sum += run->totals.timeouts.value_or(0);
    sent += run->totals.sent;
  }
  return {.name = "Timed out",
          .metric = "timeouts",
          .value = count_of(sum),
          .note = sum == 0 ? "No timeouts" : "of " + count_of(sent) + " requests",
          .severity = sum == 0 ? Severity::info : Severity::error};
}

Headline lost(const std::vector<const RunRecord*>& runs) {
  Headline one{.name = "Lost", .metric = "lost", .value = kUnknown, .note = "not known", .severity = Severity::warning};
  uint64_t sum = 0, due = 0, refused = 0, unanswered = 0;
  for (const RunRecord* run : runs) {
    if (!run->totals.lost) return one;
    sum += *run->totals.lost;
    due += run->totals.expected.value_or(0);
    refused += run->totals.refused.value_or(0);
    unanswered += run->totals.unanswered.value_or(0);
  }
  one.value = count_of(sum);
  one.note = sum == 0 ? "No losses" : due > 0 ? "of " + count_of(due) + " due" : "";
  if (const std::string text = not_accepted_text(refused, unanswered); !text.empty()) one.note = text;
  const bool allowed = std::ranges::all_of(
      runs, [](const RunRecord* run) { return run->verdict != record::Verdict::failed || run->totals.lost == 0u; });
  if (sum == 0)
    one.severity = refused + unanswered > 0 ? Severity::warning : Severity::info;
  else
    one.severity = allowed ? Severity::warning : Severity::error;
  return one;
}

// Its note is the limit; red where the figure of the whole run is beyond one by which the run failed.
void mark_limit(Headline& headline, const RunRecord& run, const record::PassedLimit& passed) {
  const auto value = limit_metric(passed.metric).value(run);
  const bool still = !value || !plan::holds(*value, plan::relation_of(passed.at_most), passed.limit);
  headline.severity = still && !only_warns(passed) ? Severity::error : Severity::warning;
  headline.note = std::string(still ? "" : "was ") + (passed.at_most ? "above " : "below ") + limit_value_text(passed);
}

void mark_limits(std::vector<Headline>& headlines, const RunRecord& run) {
  for (const record::PassedLimit& passed : run.passed_limits) {
    const auto headline = std::ranges::find(headlines, passed.metric, &Headline::metric);
    if (headline != headlines.end() && headline->severity != Severity::error) mark_limit(*headline, run, passed);
  }
}

// Of what goes wrong with messages.
constexpr std::array kWrong{&record::RunTotals::expired,    &record::RunTotals::undeliverable,
                            &record::RunTotals::duplicates, &record::RunTotals::reordered,
                            &record::RunTotals::corrupt,    &record::RunTotals::redelivered};
constexpr std::array<std::string_view, 7> kWrongNames{"lost",      "expired", "undeliverable", "duplicates",
                                                      "reordered", "corrupt", "redelivered"};
// Without which there is nothing to say of the bus's answers.
constexpr std::array<std::string_view, 6> kUnacceptedNames{
    "refused", "unanswered", "refused-received", "unanswered-received", "unsent", "surplus"};

}  // namespace

std::string headline_name(const Metric& metric, bool intended) {
  constexpr std::string_view kTurnaround = "turnaround-p", kPublish = "publish-p";
  const bool percentile = metric.part == MetricPart::latency && metric.name.starts_with('p');
  std::string name = percentile ? "Latency " + std::string(metric.name) : std::string(metric.label);
  if (metric.name.starts_with(kTurnaround))
    name = "Turnaround " + std::string(metric.name.substr(kTurnaround.size() - 1));
  if (metric.name.starts_with(kPublish))
    name = "Publish latency " + std::string(metric.name.substr(kPublish.size() - 1));
  if (name.front() >= 'a' && name.front() <= 'z') name.front() -= 'a' - 'A';
  if (intended) name += record::kIntended;
  return name;
}

Headline headline_of(std::string name, const Metric& metric, std::optional<double> value, Hue hue) {
  Headline one{.name = std::move(name), .value = kUnknown, .hue = hue};
  if (!value) return one;
  const std::string whole = value_text(metric, *value);
  const size_t blank = whole.find(' ');
  one.value = whole.substr(0, blank);
  if (blank != std::string::npos) one.unit = whole.substr(blank + 1);
  return one;
}

std::vector<Headline> headlines_of(const std::vector<const RunRecord*>& runs) {
  if (runs.empty()) return {};
  const bool of_replies = all_ask_for_replies(runs);
  const bool intended = record::show_intended(runs, of_replies);
  if (of_replies)
    return {counted("Requests", runs, &record::RunTotals::sent, "sent-rate", Hue::sender), replies(runs),
            latency("turnaround-p50", "turnaround-mean", runs, intended),
            latency("turnaround-p99", "turnaround-max", runs, intended), timed_out(runs)};
  return {counted("Sent", runs, &record::RunTotals::sent, "sent-rate", Hue::sender),
          counted("Received", runs, &record::RunTotals::received, "rate", Hue::receiver),
          latency("p50", "mean", runs, intended), latency("p99", "max", runs, intended), lost(runs)};
}

std::string not_accepted_text(uint64_t refused, uint64_t unanswered) {
  if (refused + unanswered == 0) return {};
  return unanswered == 0 ? count_of(refused) + " refused" : count_of(refused + unanswered) + " not accepted";
}

std::vector<Headline> headlines_of(const RunRecord& run) {
  std::vector<Headline> headlines = headlines_of(std::vector<const RunRecord*>{&run});
  mark_limits(headlines, run);
  return headlines;
}

std::vector<TableRow> brief_total_rows(const RunRecord& run) {
  std::vector<TableRow> rows = total_rows(run);
  const auto is_one_of = [](const auto& names) {
    return [&names](const TableRow& row) {
      return std::ranges::any_of(
          names, [&](std::string_view name) { return row.cells.front() == metric_of(name).places.total; });
    };
  };
  const auto is_there = [&run](std::string_view name) { return metric_of(name).value(run).value_or(0) > 0; };
  if (std::ranges::none_of(kUnacceptedNames, is_there)) std::erase_if(rows, is_one_of(kUnacceptedNames));
  const bool nothing_wrong = run.totals.lost == 0u && run.totals.timeouts.value_or(0) == 0 &&
                             std::ranges::all_of(kWrong, [&](const auto member) { return run.totals.*member == 0; });
  if (!nothing_wrong) return rows;
  const auto is_wrong = is_one_of(kWrongNames);
  const auto first = std::ranges::find_if(rows, is_wrong);
  if (first == rows.end()) return rows;
  *first = {.cells = {"Losses", "No losses"}, .severity = {}};
  rows.erase(std::remove_if(first + 1, rows.end(), is_wrong), rows.end());
  return rows;
}

}  // namespace n2nq::figures
