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
// Those that did not end the run, which its verdict says: "limit exceeded: latency p99 6.20 ms, above 5 ms, as of
// 3.0 s"; empty: none.
std::string exceeded_text(std::span<const record::PassedLimit> passed);
// A verdict in a word or two, and that a limit was exceeded all the same: "passed, limit exceeded".
std::string verdict_words(record::Verdict verdict, std::span<const record::PassedLimit> passed);
// As exactly as it was given: "5 ms", "20,000 /s".
std::string limit_value_text(const Metric& metric, double value);
std::string limit_value_text(const plan::RunLimit& limit);
std::string limit_value_text(const record::PassedLimit& passed);
std::string limit_text(const plan::RunLimit& limit);  // "latency p99 at most 5 ms; ends the run"

// Of a figure over time that shows latency, or turnaround in its place.
std::vector<Limit> latency_lines(std::span<const plan::RunLimit> limits, bool turnaround);
std::vector<Limit> rate_lines(std::span<const plan::RunLimit> limits);  // of one that shows rates

}  // namespace n2nq::figures
