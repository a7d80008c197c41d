// What the thesis found in its seven cases, and other studies in theirs, as data: each finding with a rule by which the
// results of a campaign are held against it. Plain values; any thread. findings_file.h reads them, judge.h applies
// them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace n2nq::findings {

// Axes, and of each the labels that are meant; an axis that is not named: all of it.
using Where = std::map<std::string, std::vector<std::string>>;

// findings_file.cpp lists the fields of each.
enum class RuleKind {
  lower,       // each of `sides` is below the next, by the factor `by` at least; past a label of `over` above it
  alike,       // the two sides are within a factor of each other
  about,       // the mean, or that of the first side less that of the second, is near `value` or 0, or above `least`
  runs,        // so many runs are above a value, or have their longest latency early
  grows,       // over an axis, in the manner of `shape`
  rises_less,  // over an axis, from its first label to its last, the first side by less than the second
  by_hour,     // from one part of the day to another the mean is never more than `within` apart
  collapses,   // over an axis, somewhere in `from` to `to`, to `factor` times the reference and more
};

enum class Share { some, none, most };  // of the runs

// flat: less than a factor from the first to the last. rising: more than it. linear: rising, and the slopes of both
// halves are within a factor of two. erratic: it falls by a factor at least once. no_steadier: runs do not scatter less
// by a factor, from the first label to the last.
enum class Shape { flat, rising, linear, erratic, no_steadier };

struct Rule {
  RuleKind kind = RuleKind::lower;
  std::string metric = "trimmed";  // find_measure
  Where where{};
  std::vector<Where> sides{};  // beside `where`, from the lowest to the highest
  Where reference{};           // of collapses, in place of `where`
  std::string over{};
  std::string reverses_past{};
  std::string from{}, to{};
  Shape shape = Shape::flat;
  Share share = Share::some;
  bool early_peak = false;
  double by = 1;
  double factor = 1.5;
  // In ns, or a plain number, as the metric is.
  double value = 0, least = 0, within = 0, above = 0;
  bool operator==(const Rule&) const = default;
};

struct Finding {
  std::string id{};
  std::string study_case{};            // "thesis 1", "seed 002": a shipped case
  std::vector<std::string> figures{};  // of the study: "14", "5.19"
  std::string section{};               // of the study: "5.2.3"
  std::string text{};                  // in our words
  bool needs_hosts = false;            // it compares places, or is about a network
  Rule rule{};
  bool operator==(const Finding&) const = default;
};

}  // namespace n2nq::findings
