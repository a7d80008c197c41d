// The kinds of rules, each of which holds results against one. Pure but for what runs loads; any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "app/findings/case_results.h"
#include "app/findings/judge.h"

namespace n2nq::findings {

Judgement judge_lower(const Rule& rule, const CaseResults& results);
Judgement judge_alike(const Rule& rule, const CaseResults& results);
Judgement judge_about(const Rule& rule, const CaseResults& results);
Judgement judge_runs(const Rule& rule, const CaseResults& results, const LoadResult& load);
Judgement judge_grows(const Rule& rule, const CaseResults& results);
Judgement judge_rises_less(const Rule& rule, const CaseResults& results);
Judgement judge_by_hour(const Rule& rule, const CaseResults& results);
Judgement judge_collapses(const Rule& rule, const CaseResults& results);

// Whether the rule is about one of these points.
bool looks_at(const Rule& rule, const CaseResults& results, const std::set<uint32_t>& points);
bool ran_here(const CaseResults& results, const Rule& rule);  // though it should have run elsewhere

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();
// Whether something is surely inside of limits, or surely outside of them.
Outcome inside(const analysis::Contrast& contrast, double low, double high);
// Of judge_by_hour, by the local clock, from midnight on.
inline constexpr int64_t kDayParts = 6;
inline constexpr int64_t kHoursOfPart = 24 / kDayParts;
size_t fewest_labels(Shape shape);  // of the axis, for a statement

// A side against another: at each place where both have all their runs.
struct Ratio {
  analysis::Contrast ratio{};  // of a to b
  double of_a = 0, of_b = 0;   // geometric means
  size_t places = 0;           // such as amounts of services, of which
  size_t all_places = 0;       // there are so many
};
// The error says what is missing.
Result<Ratio> ratio_of(const CaseResults& results, const Where& where, const Where& a, const Where& b,
                       double confidence);

double shared(size_t statements);  // the confidence of each of several statements that are to hold at 95 % together
std::string interval_text(const analysis::Contrast& contrast, const std::string& low, const std::string& high);
std::string interval_text(const analysis::Contrast& contrast);    // of factors: "95 % CI 1.9 to 2.3"
std::string times(double factor);                                 // "2.1"
std::string so_many_times(double factor, const std::string& as);  // "2.1 times the reference", "about the reference"
std::string percent(double share);                                // "21 %"
// "mean 0.21 ms, 33 runs" of all their runs; for where no more can be said.
std::string mean_text(const CaseResults& results, const std::vector<const Cell*>& cells);
std::string too_few_text(const CaseResults& results, const std::vector<const Cell*>& cells, const std::string& what);

}  // namespace n2nq::findings
