#include "workers/measure/load_shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::measure {
namespace {

using Kind = LoadShape::Kind;

constexpr std::array kShapeWords{ShapeWord{Kind::constant, "constant"}, ShapeWord{Kind::ramp, "ramp"},
                                 ShapeWord{Kind::steps, "steps"},       ShapeWord{Kind::spike, "spike"},
                                 ShapeWord{Kind::burst, "burst"},       ShapeWord{Kind::recorded, "recorded"}};

struct PartWord {
  ShapePart part;
  std::string_view word;
};
constexpr std::array kPartWords{PartWord{ShapePart::from, "from"}, PartWord{ShapePart::to, "to"},
                                PartWord{ShapePart::over, "over"}, PartWord{ShapePart::steps, "in"},
                                PartWord{ShapePart::at, "at"},     PartWord{ShapePart::every, "every"},
                                PartWord{ShapePart::for_, "for"}};

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text.substr(0, 60)) + "'";
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; (at = text.find_first_not_of(" \t", at)) != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

Result<void> take_rates(LoadShape& shape, const std::string& text) {
  const size_t dots = text.find("..");
  if (dots == std::string::npos) return fail(in_quotes(text) + " is not a pair of rates; write it like 100/s..5000/s");
  const auto from = parse_rate(text.substr(0, dots));
  if (!from) return std::unexpected(from.error());
  const auto to = parse_rate(text.substr(dots + 2));
  if (!to) return std::unexpected(to.error());
  shape.from_per_s = *from;
  shape.to_per_s = *to;
  return {};
}

Result<void> take_time(int64_t& to_ns, std::string_view word, const std::string& text) {
  const auto ns = parse_duration(plain_quantity(text));
  if (!ns) return fail(std::string(word) + " " + in_quotes(text) + " is not a duration; write it like 30s");
  to_ns = *ns;
  return {};
}

Result<void> take_rate(double& to_per_s, const std::string& text) {
  const auto rate = parse_rate(text);
  if (!rate) return std::unexpected(rate.error());
  to_per_s = *rate;
  return {};
}

Result<void> take_steps(LoadShape& shape, std::string text) {
  if (const size_t word = text.find("steps"); word != std::string::npos) text.resize(word);
  const auto count = parse_whole(plain_quantity(text));
  if (!count || *count > kMostSteps)
    return fail("in " + in_quotes(text) + " is not a number of steps; write it like in 10");
  shape.steps = static_cast<uint32_t>(*count);
  return {};
}

Result<void> take_part(LoadShape& shape, const PartWord& part, const std::string& text) {
  if (!uses(shape.kind, part.part))
    return fail("a " + to_text(shape.kind) + " has no '" + std::string(part.word) + "'; write " +
                exact_shape(LoadShape{.kind = shape.kind}));
  switch (part.part) {
    case ShapePart::from:
      return take_rate(shape.from_per_s, text);
    case ShapePart::to:
      return take_rate(shape.to_per_s, text);
    case ShapePart::over:
      return take_time(shape.over_ns, part.word, text);
    case ShapePart::steps:
      return take_steps(shape, text);
    case ShapePart::at:
      return take_time(shape.at_ns, part.word, text);
    case ShapePart::every:
      return take_time(shape.every_ns, part.word, text);
    case ShapePart::for_:
      break;
  }
  return take_time(shape.for_ns, part.word, text);
}

const PartWord* part_of(std::string_view word) {
  const auto found = std::ranges::find(kPartWords, word, &PartWord::word);
  return found == kPartWords.end() ? nullptr : &*found;
}

// The words up to the next part's: "30 s" is one value.
std::string value_at(const std::vector<std::string_view>& words, size_t& at) {
  std::string value;
  while (at < words.size() && part_of(words[at]) == nullptr) {
    add_part(value, " ", words[at++]);
  }
  return value;
}

std::string list_of_shapes() {
  return join(kShapeWords, ", ", &ShapeWord::word);
}

bool has_rates(Kind kind) {
  return kind != Kind::constant && kind != Kind::recorded;
}

// Without a loss, in the largest unit that it is a whole number of.
std::string whole_duration(int64_t ns) {
  for (const auto& [unit_ns, name] :
       {std::pair<int64_t, const char*>{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}})
    if (ns % unit_ns == 0) return std::to_string(ns / unit_ns) + name;
  return std::to_string(ns) + "ns";
}

class Judge {
 public:
  void add(std::string part, std::string text) { found_.push_back({.part = std::move(part), .text = std::move(text)}); }
  void time(const char* part, int64_t ns, int64_t least_ns) {
    if (ns >= least_ns && ns <= kLongestShapeNs) return;
    add(part, whole_duration(ns) + " is out of range; expected " + whole_duration(least_ns) + " to " +
                  whole_duration(kLongestShapeNs));
  }
  void rate(const char* part, double per_s) {
    if (per_s >= 0 && per_s <= kHighestRatePerS) return;
    add(part, exact_rate(per_s) + " is out of range; expected 0/s to " + exact_rate(kHighestRatePerS));
  }
  std::vector<ShapeProblem> take() { return std::move(found_); }

 private:
  std::vector<ShapeProblem> found_;
};

void judge_parts(Judge& judge, const LoadShape& shape) {
  if (shape.kind == Kind::steps && (shape.steps < 2 || shape.steps > kMostSteps))
    judge.add("steps", std::to_string(shape.steps) + " is out of range; expected 2 to " + std::to_string(kMostSteps));
  if (uses(shape.kind, ShapePart::for_)) judge.time("for", shape.for_ns, 1);
  if (shape.kind == Kind::spike) {
    judge.time("at", shape.at_ns, 0);
    const int64_t end_ns = std::min(shape.at_ns, kLongestShapeNs) + std::min(shape.for_ns, kLongestShapeNs);
    if (end_ns > shape.over_ns)
      judge.add("over", whole_duration(shape.over_ns) + " ends before the spike does; expected at least " +
                            whole_duration(end_ns));
  }
  if (shape.kind != Kind::burst) return;
  judge.time("every", shape.every_ns, 1);
  if (shape.for_ns > shape.every_ns)
    judge.add("for", whole_duration(shape.for_ns) + " is longer than the time from burst to burst; expected at most " +
                         whole_duration(shape.every_ns));
  if (shape.every_ns > 0 && shape.over_ns / shape.every_ns > kMostBursts)
    judge.add("every",
              "there are more than " + std::to_string(kMostBursts) + " bursts; make them rarer, or over shorter");
}

}  // namespace

bool uses(Kind kind, ShapePart part) {
  switch (part) {
    case ShapePart::from:
    case ShapePart::to:
    case ShapePart::over:
      return has_rates(kind);
    case ShapePart::steps:
      return kind == Kind::steps;
    case ShapePart::at:
      return kind == Kind::spike;
    case ShapePart::every:
      return kind == Kind::burst;
    case ShapePart::for_:
      break;
  }
  return kind == Kind::spike || kind == Kind::burst;
}

std::span<const ShapeWord> shape_words() {
  return kShapeWords;
}

std::string to_text(Kind kind) {
  return std::string(std::ranges::find(kShapeWords, kind, &ShapeWord::kind)->word);
}

Result<double> parse_rate(std::string_view text) {
  std::string plain = plain_quantity(text);
  if (plain.ends_with("/s")) plain = plain_quantity(plain.substr(0, plain.size() - 2));
  double rate = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), rate, std::chars_format::fixed);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(rate))
    return fail(in_quotes(text) + " is not a rate; write it like 5000/s");
  if (rate < 0 || rate > kHighestRatePerS)
    return fail(in_quotes(text) + " is out of range; a rate is from 0/s to " + exact_rate(kHighestRatePerS));
  return rate;
}

std::string exact_rate(double per_s) {
  char text[400];
  const auto [end, error] = std::to_chars(text, text + sizeof text, per_s, std::chars_format::fixed);
  return std::string(text, error == std::errc() ? end : text) + "/s";
}

std::string exact_shape(const LoadShape& shape) {
  std::string text = to_text(shape.kind);
  if (!shape.exists()) return text;
  if (shape.kind == Kind::recorded) return text + " " + exact_file(shape.recorded);
  text += " " + exact_rate(shape.from_per_s) + ".." + exact_rate(shape.to_per_s);
  if (uses(shape.kind, ShapePart::steps)) text += " in " + std::to_string(shape.steps);
  if (uses(shape.kind, ShapePart::at)) text += " at " + whole_duration(shape.at_ns);
  if (uses(shape.kind, ShapePart::every)) text += " every " + whole_duration(shape.every_ns);
  if (uses(shape.kind, ShapePart::for_)) text += " for " + whole_duration(shape.for_ns);
  return text + " over " + whole_duration(shape.over_ns);
}

Result<LoadShape> parse_shape(std::string_view text) {
  const auto words = words_of(text);
  const auto kind = words.empty() ? kShapeWords.end() : std::ranges::find(kShapeWords, words[0], &ShapeWord::word);
  if (kind == kShapeWords.end())
    return fail(in_quotes(text) + " is not a load shape; there are " + list_of_shapes() +
                ", such as ramp 100/s..5000/s over 30s");
  LoadShape shape{.kind = kind->kind};
  if (shape.kind == Kind::recorded) {
    const auto behind = text.substr(static_cast<size_t>(words[0].data() - text.data()) + words[0].size());
    auto times = read_times(behind);
    return times ? Result<LoadShape>(recorded_shape(std::move(*times))) : std::unexpected(times.error());
  }
  size_t at = 1;
  std::vector<ShapePart> given;
  if (const std::string rates = value_at(words, at); !rates.empty()) {
    if (!has_rates(shape.kind)) return fail("a constant load has the rate of the delay; write constant alone");
    if (auto taken = take_rates(shape, rates); !taken) return std::unexpected(taken.error());
    given = {ShapePart::from, ShapePart::to};
  }
  while (at < words.size()) {
    const PartWord& part = *part_of(words[at++]);
    if (std::ranges::find(given, part.part) != given.end())
      return fail("'" + std::string(part.word) + "' is there twice; write it once");
    given.push_back(part.part);
    if (auto taken = take_part(shape, part, value_at(words, at)); !taken) return std::unexpected(taken.error());
  }
  return shape;
}

LoadShape recorded_shape(RecordedTimes times) {
  const int64_t end_ns = times.content && !times.content->empty() ? times.content->back() + 1 : 0;
  return {.kind = Kind::recorded, .over_ns = std::max(end_ns, kShortestShapeNs), .recorded = std::move(times)};
}

std::vector<ShapeProblem> problems_of(const LoadShape& shape) {
  Judge judge;
  if (!shape.exists()) return {};
  if (shape.kind == Kind::recorded) {
    if (!shape.recorded.content) judge.add("file", "there are no times; write it like recorded times.csv");
    return judge.take();
  }
  judge.rate("from", shape.from_per_s);
  judge.rate("to", shape.to_per_s);
  if (shape.from_per_s == 0 && shape.to_per_s == 0) judge.add("to", "nothing is sent at 0/s; set one of both rates");
  judge.time("over", shape.over_ns, kShortestShapeNs);
  judge_parts(judge, shape);
  return judge.take();
}

}  // namespace n2nq::measure
