// The five figures that a result begins with, in the window and in reports: what was sent and received, the median, the
// 99th percentile, what was lost. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/metric.h"
#include "app/figures/record_tables.h"
#include "app/record/run_record.h"

namespace n2nq::figures {

struct Headline {
  std::string name{};         // "Latency p99"
  std::string_view metric{};  // that limits are set for: "p99"
  std::string value{};        // "352"; "-" where it is not known
  std::string unit{};         // "µs"; empty: none
  std::string note{};         // "999 /s"
  Hue hue = Hue::neutral;
  std::optional<record::Severity> severity{};  // of what must not be overlooked; info: as it should be
};

std::vector<Headline> headlines_of(const record::RunRecord& run);
// Of several runs together: counts are sums, latencies are means over the runs.
std::vector<Headline> headlines_of(const std::vector<const record::RunRecord*>& runs);
// "5 refused", "5 not accepted": messages that nobody is owed, as the bus did not take them; empty: it took all.
std::string not_accepted_text(uint64_t refused, uint64_t unanswered);
// What a metric is called there: "Latency p99", from the intended send "Latency p99, intended"; others by their label.
std::string headline_name(const Metric& metric, bool intended = false);
// A value with its unit as a headline.
Headline headline_of(std::string name, const Metric& metric, std::optional<double> value, Hue hue);

// As total_rows(), with "No losses" in place of a row for each thing that can go wrong with a message where nothing
// did.
std::vector<TableRow> brief_total_rows(const record::RunRecord& run);

}  // namespace n2nq::figures
