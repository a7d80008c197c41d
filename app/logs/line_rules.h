// Which lines stand out, and how: a short list of rules that a person keeps, the first that holds counts. A condition
// is that of a filter, where "p99" stands for that of the log's latencies; a text, or an /expression/, looks only at
// lines that are no messages, whose contents may be anything. Values; a LineRules applies them, one a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/logs/line_filter.h"

namespace n2nq::logs {

enum class Mark { good, info, warning, bad };
std::string to_text(Mark mark);

struct LineRule {
  bool on = true;
  Mark mark = Mark::warning;
  std::string condition{};
  bool operator==(const LineRule&) const = default;
};
std::vector<LineRule> default_rules();
inline constexpr size_t kMostRules = 12;

// A line each: "on warning latency > p99". Lines that are none are passed over.
std::string rules_text(const std::vector<LineRule>& rules);
std::vector<LineRule> parse_rules(std::string_view text);

class LineRules {
 public:
  LineRules() = default;
  // Of rules for other logs, whose columns this one does not have, none holds.
  LineRules(const std::vector<LineRule>& rules, const LogLayout& layout, std::optional<int64_t> p99_ns);

  const LineRule* first_of(std::string_view line);  // that holds; null: none

 private:
  struct Rule {
    LineRule rule;
    LineTest test;
    bool only_text = false;
  };
  LogLayout layout_;
  std::vector<Rule> rules_;
};

// What is wrong with a rule, for logs of senders, receivers or the queue; empty where it can be used.
std::string trouble_of(const LineRule& rule);

}  // namespace n2nq::logs
