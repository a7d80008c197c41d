// What findings are about: the metrics of comparisons, quotients of two ("max/p95"), and "spikes", the mean of the
// highest 5 %. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/figures/metric.h"

namespace n2nq::findings {

struct Measure {
  const figures::Metric* metric = nullptr;  // null: spikes
  const figures::Metric* under = nullptr;   // a quotient by this
  std::string label() const;                // "latency, mean of the lowest 95 %"
  std::optional<double> value(const record::RunRecord& run) const;
  bool of_actual_send() const;           // a latency or turnaround that leaves out how late senders were
  std::string text(double value) const;  // with its unit; a quotient: "2.4"
};

std::optional<Measure> find_measure(std::string_view name);
std::string label_of(std::string_view name);  // of one there is: "turnaround, median"
std::string measure_names();

}  // namespace n2nq::findings
