#include "app/compare/verdict.h"

#include <algorithm>
#include <cctype>

#include "app/compare/promises.h"
#include "app/compare/titles.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::compare {
namespace {

std::string word_of(const MetricComparison& found, const std::string& side) {
  if (!found.b_to_a) return too_few(found) ? "Too few runs" : "Cannot be compared";
  if (found.b_to_a->undecided()) return "Undecided";
  if (!found.b_to_a->differs()) return "No significant difference";
  const bool more = found.b_to_a->ratio > 1;
  switch (found.metric->reads) {
    case analysis::Reads::amount:
      return side + (more ? " has more" : " has less");
    case analysis::Reads::level:
      return side + (more ? " is higher" : " is lower");
    case analysis::Reads::speed:
      break;
  }
  return side + (more ? " is slower" : " is faster");
}

// Of several sides how many differ from the first.
std::string word_of(const Verdict& verdict, std::span<const Side> sides) {
  const auto& found = verdict.found;
  if (found.empty() || found.front().metric->quantity == figures::Quantity::messages) return {};  // the counts say all
  const std::string word = found.size() == 1 || std::ranges::all_of(found, too_few)
                               ? word_of(found.front(), sides[1].name)
                               : std::to_string(std::ranges::count_if(found, is_different)) + " of " +
                                     std::to_string(found.size()) + " differ from " + sides[0].name;
  return word + (verdict.is_doubtful() ? ", doubtful" : "");
}

std::vector<MetricComparison> against_first(const figures::Metric& metric, std::span<const Side> sides) {
  std::vector<MetricComparison> found;
  for (size_t i = 1; i < sides.size(); i++) found.push_back(compare_by(metric, sides[0], sides[i]));
  return found;
}

// `before`: of another metric, said first where there is something to say.
std::string sentence_of(const Verdict& verdict, std::span<const Side> sides,
                        std::span<const MetricComparison> before = {}) {
  std::string text;
  for (size_t i = 0; i < verdict.found.size(); i++)
    add_part(text, "; ",
             (verdict.found.size() == 1 ? "Against " : sides[i + 1].name + " against ") + sides[0].name + ": " +
                 (i < before.size() && before[i].b_to_a ? before[i].statement + "; " : "") +
                 verdict.found[i].statement);
  if (text.empty() || verdict.doubt.doubtful == 0) return text.empty() ? text : text + ".";
  std::string doubt = verdict.doubt.text();
  if (verdict.doubt.doubtful == verdict.doubt.runs) doubt.front() = static_cast<char>(std::tolower(doubt.front()));
  return text + (verdict.doubt.holds ? "; " : ", but ") + doubt;
}

}  // namespace

bool is_different(const MetricComparison& found) {
  return found.b_to_a && found.b_to_a->differs();
}

bool too_few(const MetricComparison& found) {
  return !found.b_to_a && std::min(found.a.size(), found.b.size()) < analysis::kLeastRuns;
}

bool Verdict::is_doubtful() const {
  const auto decided = [](const MetricComparison& one) { return one.b_to_a && !one.b_to_a->undecided(); };
  return doubt.doubtful > 0 && !doubt.holds && std::ranges::any_of(found, decided);
}

std::string Verdict::text() const {
  return sentence + (explained.empty() ? "" : " ") + join(explained, " ");
}

Verdict verdict_of(const figures::Metric& metric, std::span<const Side> sides) {
  Verdict verdict{.found = against_first(metric, sides), .doubt = doubt_of(metric, sides)};
  verdict.word = word_of(verdict, sides);
  verdict.sentence = sentence_of(verdict, sides);
  verdict.explained = explanations(sides);
  return verdict;
}

Verdict verdict_of_latencies(std::span<const Side> sides) {
  const figures::FirstLatency latency = first_latency(sides);
  Verdict verdict = verdict_of(latency.of("p99"), sides);
  verdict.sentence = sentence_of(verdict, sides, against_first(latency.of("p50"), sides));
  return verdict;
}

}  // namespace n2nq::compare
