#include "app/logs/line_rules.h"

#include <algorithm>
#include <array>

namespace n2nq::logs {
namespace {

struct MarkWord {
  Mark mark;
  std::string_view word;
};
constexpr std::array kMarks{MarkWord{Mark::good, "good"}, MarkWord{Mark::info, "info"},
                            MarkWord{Mark::warning, "warning"}, MarkWord{Mark::bad, "error"}};

constexpr std::string_view kP99 = "p99";

constexpr std::string_view kReceiverTitle =
    "index\tsender\tsize_bytes\tintended_ns\tsent_ns\treceived_ns\tlatency_ns\tflags\tcontent\n";
constexpr std::string_view kSenderTitle = "index\tsender\tsize_bytes\tintended_ns\tsent_ns\tflags\tcontent\n";

// The condition with the number in the place of the word.
std::optional<std::string> with_p99(const std::string& condition, std::optional<int64_t> p99_ns) {
  const size_t at = condition.rfind(kP99);
  const size_t sign = condition.find_last_of("<>=", at);
  const bool is_value = at != std::string::npos && sign != std::string::npos && at + kP99.size() == condition.size();
  if (!is_value) return condition;
  if (!p99_ns) return std::nullopt;
  return condition.substr(0, at) + std::to_string(*p99_ns);
}

Result<LineFilter> filter_of(const LineRule& rule, const LogLayout& layout, std::optional<int64_t> p99_ns) {
  const std::string& text = rule.condition;
  if (text.size() > 2 && text.front() == '/' && text.back() == '/') {
    TextQuery query{.text = text.substr(1, text.size() - 2), .expression = true};
    if (auto usable = TextSearch::make(query); !usable) return std::unexpected(usable.error());
    return LineFilter{.texts = {std::move(query)}};
  }
  const auto condition = with_p99(text, p99_ns);
  if (!condition) return fail("the latencies of this log are not known");
  auto filter = parse_filter(*condition, layout);
  if (filter && filter->everything()) return fail("enter a condition or a text");
  return filter;
}

std::optional<LineRule> rule_of(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view word = line.substr(first + 1, second - first - 1);
  const auto mark = std::ranges::find(kMarks, word, &MarkWord::word);
  if (mark == kMarks.end()) return std::nullopt;
  return LineRule{
      .on = line.substr(0, first) == "on", .mark = mark->mark, .condition = std::string(line.substr(second + 1))};
}

}  // namespace

std::string to_text(Mark mark) {
  return std::string(std::ranges::find(kMarks, mark, &MarkWord::mark)->word);
}

std::vector<LineRule> default_rules() {
  return {{.mark = Mark::bad, .condition = "flags = corrupt"},
          {.mark = Mark::bad, .condition = "/\\berror\\b|\\b(lost|undeliverable|corrupt)=[1-9]/"},
          {.mark = Mark::warning, .condition = "latency > p99"},
          {.mark = Mark::warning, .condition = "flags = duplicate"},
          {.mark = Mark::warning, .condition = "flags = reordered"},
          {.mark = Mark::warning, .condition = "flags = cut"},
          {.mark = Mark::warning, .condition = "flags = late"},
          {.mark = Mark::info, .condition = "flags = again"}};
}

std::string rules_text(const std::vector<LineRule>& rules) {
  std::string text;
  for (const LineRule& rule : rules)
    text += std::string(rule.on ? "on" : "off") + " " + to_text(rule.mark) + " " + rule.condition + "\n";
  return text;
}

std::vector<LineRule> parse_rules(std::string_view text) {
  std::vector<LineRule> rules;
  while (!text.empty() && rules.size() < kMostRules) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (auto rule = rule_of(text.substr(0, end))) rules.push_back(std::move(*rule));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rules;
}

LineRules::LineRules(const std::vector<LineRule>& rules, const LogLayout& layout, std::optional<int64_t> p99_ns)
    : layout_(layout) {
  for (const LineRule& rule : rules) {
    if (!rule.on) continue;
    const auto filter = filter_of(rule, layout, p99_ns);
    if (!filter) continue;
    rules_.push_back({.rule = rule, .test = LineTest(*filter, layout), .only_text = filter->conditions.empty()});
  }
}

const LineRule* LineRules::first_of(std::string_view line) {
  const bool message = kind_of(line, layout_) == LineKind::row;
  for (Rule& rule : rules_) {
    if (rule.only_text && message) continue;
    if (rule.test.feed({.text = line, .first = true, .last = true, .ended = true})) return &rule.rule;
  }
  return nullptr;
}

std::string trouble_of(const LineRule& rule) {
  std::string trouble;
  for (const std::string_view title : {kReceiverTitle, kSenderTitle}) {
    const auto filter = filter_of(rule, LogLayout::read(title), 0);
    if (filter) return {};
    if (trouble.empty()) trouble = filter.error().text;
  }
  return trouble;
}

}  // namespace n2nq::logs
