// What the thesis found in its seven cases, as data: each finding with a rule by which the results of a campaign are
// held against it. Plain values; any thread. findings_file.h reads them, judge.h applies them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace n2nq::findings {

// Axes, and of each the labels that are meant; an axis that is not named: all of it.
using Where = std::map<std::string, std::vector<std::string>>;

enum class RuleKind {
  lower,        // `a` is below `b`, by the factor `by` at least
  order,        // the labels of `axis` from the lowest to the highest
  alike,        // `a` and `b` are within a factor of each other, or within `within`
  about,        // the mean, or that of `a` less that of `b`, is within a factor of `value`
  above,        // the mean is above `value`
  exceeds,      // some run is above `value`
  stays_below,  // none is
  grows,        // over an axis, in the manner of `shape`
  collapses,    // over an axis, somewhere in `from` to `to`, to `factor` times the reference and more
  crosses,      // over an axis, `a` is below `b` up to `at`, and above it beyond
  erratic,      // over an axis it falls by a factor at least once
  no_steadier,  // over an axis runs do not scatter less by `factor`, from its first label to its last
  at_start,     // most runs have their longest latency in their first tenth
};

// flat: less than a factor from the first to the last. rising: more than it. linear: rising, and the slopes of both
// halves are within a factor of two. steeper: rising, and the second half is more than twice as steep.
enum class Shape { flat, rising, linear, steeper };

struct Rule {
  RuleKind kind = RuleKind::lower;
  std::string metric = "trimmed";  // find_measure
  Where where{};
  Where a{}, b{};     // beside `where`
  Where reference{};  // of collapses, in place of `where`
  std::string axis{};
  std::vector<std::string> labels{};
  std::string over{};
  Shape shape = Shape::flat;
  std::string from{}, to{}, at{};
  double by = 1;
  double factor = 1.5;
  double value = 0;   // ns, or a plain number, as the metric is
  double within = 0;  // ns; 0: by the factor
  bool operator==(const Rule&) const = default;
};

struct Finding {
  std::string id{};
  uint32_t thesis_case = 0;         // 1 to 7
  std::vector<uint32_t> figures{};  // of the thesis
  std::string section{};            // of the thesis: "5.2.3"
  std::string text{};               // in our words
  bool needs_hosts = false;         // it compares places, or is about a network
  Rule rule{};
  bool operator==(const Finding&) const = default;
};

}  // namespace n2nq::findings
