#include "app/campaign/search_facts.h"

#include <algorithm>
#include <cmath>

#include "app/analysis/proportion.h"
#include "app/campaign/search_text.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {
namespace {

std::string percent(double share) {
  return text::decimals(share * 100, share < 0.1 ? 1 : 0) + " %";
}

class Facts {
 public:
  explicit Facts(const Search& search) : search_(search), bracket_(bracket_of(search.spec(), search.probes())) {}

  std::string bracket() const {
    if (search_.probes().empty()) return "no runs yet";
    if (!bracket_.fails) return "from " + value(*bracket_.holds) + " on: " + up_to();
    if (!bracket_.holds) return nothing_held();
    const double a = search_.probes()[*bracket_.holds].value, b = search_.probes()[*bracket_.fails].value;
    const auto [from, to] = limit_range(search_).value();
    const std::string closed_in = value(*bracket_.holds) + " and " + value(*bracket_.fails) + ", " +
                                  percent(std::max(a, b) / std::min(a, b) - 1) + " apart (at most " +
                                  percent(search_.spec().precision) + " wanted)";
    if (from == a && to == b) return "between " + closed_in;
    return "between " + text_of(from) + " and " + text_of(to) + ", where runs disagree; the ends found are " +
           closed_in;
  }

  std::string certainty() const {
    if (search_.probes().empty()) return "";
    std::string text;
    for (const auto& end : {bracket_.holds, bracket_.fails})
      if (end) text += (text.empty() ? "met in " : ", in ") + met_at(*end, text.empty());
    return text + "; " + agreement();
  }

  WhoseLimit limit() const {
    if (!bracket_.fails) return WhoseLimit::unknown;
    const Probe& fails = search_.probes()[*bracket_.fails];
    if (fails.count(Outcome::failed) > 0) return WhoseLimit::failure;
    return fails.count(Outcome::senders) > fails.count(Outcome::bus) ? WhoseLimit::senders : WhoseLimit::bus;
  }

  std::string whose() const {
    switch (limit()) {
      case WhoseLimit::bus:
        return so_far() + "the bus: " + reason(Outcome::bus) + at_fails() + some_late();
      case WhoseLimit::senders:
        return so_far() + "the senders, not the bus: " + reason(Outcome::senders) + at_fails() +
               "; give them more processes, or separate hosts";
      case WhoseLimit::failure:
        return "unknown: runs fail: " + reason(Outcome::failed) + at_fails();
      case WhoseLimit::unknown:
        break;
    }
    return search_.end() == SearchEnd::always ? "beyond the last value: give a harder one to search further"
                                              : "unknown yet: no value has failed so far";
  }

 private:
  std::string nothing_held() const {
    const std::string first = value(*bracket_.fails) + ", the first value";
    if (limit() == WhoseLimit::senders) return "unknown: the senders could not keep up at " + first;
    return (limit() == WhoseLimit::failure ? "unknown: runs fail at " : "not even at ") + first;
  }

  std::string text_of(double value) const { return value_text(search_.variable(), value); }
  std::string value(size_t probe) const { return text_of(search_.probes()[probe].value); }

  std::string so_far() const { return search_.end() == SearchEnd::open ? "so far " : ""; }

  std::string up_to() const {
    return search_.end() == SearchEnd::always ? "still met at the last value" : "no value has failed so far";
  }

  std::string met_at(size_t probe, bool first) const {
    const Probe& one = search_.probes()[probe];
    const size_t met = one.count(Outcome::met), of = one.trials.size();
    const auto share = analysis::proportion_of(met, of);
    return std::to_string(met) + " of " + std::to_string(of) +
           (!first    ? ""
            : of == 1 ? " run"
                      : " runs") +
           " at " + value(probe) + " (" + text::decimals(share.low * 100, 0) + " to " +
           text::decimals(share.high * 100, 0) + " %" + (first ? " of such runs, 95 % confidence" : "") + ")";
  }

  std::string agreement() const {
    const auto found = disagreement_of(search_.spec(), search_.probes());
    if (!found) return search_.runs() == 1 ? "one run alone" : "all runs agree";
    const std::string from = text_of(found->from);
    const std::string to = text_of(found->to);
    return (from == to ? "runs at " + from : "runs from " + from + " to " + to) +
           " disagreed: the limit may be anywhere in that range";
  }

  std::string reason(Outcome outcome) const {
    const auto& trials = search_.probes()[*bracket_.fails].trials;
    const auto found = std::ranges::find(trials, outcome, &Trial::outcome);
    return found == trials.end() ? "a limit did not hold" : found->reason;
  }

  std::string at_fails() const { return " at " + value(*bracket_.fails); }

  std::string some_late() const {
    const Probe& fails = search_.probes()[*bracket_.fails];
    const size_t late = fails.count(Outcome::senders);
    if (late == 0) return "";
    return "; in " + std::to_string(late) + " of " + std::to_string(fails.trials.size()) +
           " runs the senders could not keep their schedule";
  }

  const Search& search_;
  Bracket bracket_;
};

}  // namespace

SearchFacts facts_of(const Search& search) {
  const Facts facts(search);
  return {.bracket = facts.bracket(), .certainty = facts.certainty(), .limit = facts.limit(), .whose = facts.whose()};
}

}  // namespace n2nq::campaign
