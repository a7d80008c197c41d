#include "app/compare/verdict.h"

#include <algorithm>
#include <cctype>

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

std::string sentence_of(const Verdict& verdict, std::span<const Side> sides) {
  std::string text;
  for (size_t i = 0; i < verdict.found.size(); i++)
    add_part(text, "; ",
             (verdict.found.size() == 1 ? "Against " : sides[i + 1].name + " against ") + sides[0].name + ": " +
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

Verdict verdict_of(const figures::Metric& metric, std::span<const Side> sides) {
  Verdict verdict{.doubt = doubt_of(metric, sides)};
  for (size_t i = 1; i < sides.size(); i++) verdict.found.push_back(compare_by(metric, sides[0], sides[i]));
  verdict.word = word_of(verdict, sides);
  verdict.sentence = sentence_of(verdict, sides);
  return verdict;
}

}  // namespace n2nq::compare
