// The limits of a plan, and how they were passed, as people read them. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/metric.h"
#include "app/plan/run_limit.h"
#include "app/record/run_record.h"

namespace n2nq::figures {

// "latency p99 6.20 ms, above 5 ms"
std::string passed_text(const record::PassedLimit& passed);
// The same with when it was so: ", as of 3.0 s", of a rate ", at 3.0 s", or ", over the whole run".
std::string passed_when_text(const record::PassedLimit& passed);
// Those by which the run failed, as its reason has them: "p99 <= 5 ms: it was 6.20 ms, as of 3.0 s"; empty: none.
std::string failed_text(std::span<const record::PassedLimit> passed);
// Those that only warn, beside the verdict: "limit exceeded: latency p99 6.20 ms, above 5 ms, as of 3.0 s"; empty:
// none.
std::string warned_text(std::span<const record::PassedLimit> passed);
// A verdict in a word or two, and that a limit was exceeded: "failed, limit exceeded".
std::string verdict_words(record::Verdict verdict, std::span<const record::PassedLimit> passed);
// As exactly as it was given: "5 ms", "20,000 /s".
std::string limit_value_text(const Metric& metric, double value);
std::string limit_value_text(const plan::RunLimit& limit);
std::string limit_value_text(const record::PassedLimit& passed);
std::string limit_text(const plan::RunLimit& limit);  // "p99 <= 5 ms"

// Of a figure over time that shows latency, or turnaround in its place; where that is from the intended send, limits on
// the other say so.
std::vector<Limit> latency_lines(std::span<const plan::RunLimit> limits, bool turnaround, bool intended);
std::vector<Limit> rate_lines(std::span<const plan::RunLimit> limits);  // of one that shows rates

}  // namespace n2nq::figures
