#include "app/campaign/search_text.h"

#include <algorithm>
#include <cmath>

#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::campaign {
namespace {

std::string number(size_t count) {
  return std::to_string(count);
}

class Words {
 public:
  explicit Words(const Search& search)
      : search_(search), bracket_(bracket_of(search.spec(), search.probes())), limits_(limits_text(search)) {}

  std::string sentence() const {
    switch (search_.end()) {
      case SearchEnd::open:
        return search_.probes().empty() ? "no runs yet" : "so far " + between() + disagreement();
      case SearchEnd::found:
        return between() + disagreement();
      case SearchEnd::senders:
        return senders_limit() + (bracket_.holds ? "; " + held_at(*bracket_.holds, true) : "") + disagreement();
      case SearchEnd::failing:
        return "runs at " + value(*bracket_.fails) + " fail: " + reason(*bracket_.fails, Outcome::failed) +
               (bracket_.holds ? "; " + held_at(*bracket_.holds, true) : "") + disagreement();
      case SearchEnd::never:
        return "not met at the first value: " + held_at(*bracket_.fails, true) + " (" +
               reason(*bracket_.fails, Outcome::bus) + "); start with an easier one" + disagreement();
      case SearchEnd::always:
        return "still met at the last value: " + held_at(*bracket_.holds, true) + "; the limit lies beyond it" +
               disagreement();
      case SearchEnd::unsettled:
        break;
    }
    return "the runs contradict each other after " + number(search_.runs()) + " of them; " + between() +
           disagreement() + "; make each run longer, or lower the precision";
  }

 private:
  std::string value(size_t probe) const { return text_of(search_.probes()[probe].value); }
  std::string text_of(double value) const { return value_text(search_.variable(), value); }

  // "p99 <= 5 ms held in 3 of 3 runs at 1,900/s"
  std::string held_at(size_t probe, bool first) const {
    const Probe& one = search_.probes()[probe];
    const std::string runs = one.trials.size() == 1 ? " run" : " runs";
    return (first ? limits_ + " held in " : "in ") + number(one.count(Outcome::met)) + " of " +
           number(one.trials.size()) + (first ? runs : "") + " at " + value(probe);
  }

  std::string between() const {
    if (bracket_.holds && bracket_.fails)
      return range() + ": " + held_at(*bracket_.holds, true) + ", " + held_at(*bracket_.fails, false);
    return held_at(bracket_.holds ? *bracket_.holds : *bracket_.fails, true);
  }

  std::string range() const {
    const auto [from, to] = limit_range(search_).value();
    return "between " + text_of(from) + " and " + text_of(to);
  }

  // The best that they reached there.
  std::string senders_limit() const {
    const Probe& fails = search_.probes()[*bracket_.fails];
    double most = 0;
    for (const Trial& trial : fails.trials) most = std::max(most, trial.rate.value_or(0));
    const bool reached = search_.variable().name == "rate" && most >= fails.value;
    return "the senders are the limit: at " + value(*bracket_.fails) + " they could not keep their schedule in " +
           number(fails.count(Outcome::senders)) + " of " + number(fails.trials.size()) + " runs" +
           (most > 0 && !reached ? " and reached " + text::rate(std::round(most)) : "") +
           ", which says nothing about the limit of the bus" + beyond() + "; give them more processes or hosts";
  }

  // What was seen of the bus at harder values.
  std::string beyond() const {
    for (size_t i = *bracket_.fails + 1; i < search_.probes().size(); i++)
      if (const size_t not_met = search_.probes()[i].count(Outcome::bus); not_met > 0)
        return " there (at " + value(i) + " it did not meet them in " + number(not_met) + " of " +
               number(search_.probes()[i].trials.size()) +
               (search_.probes()[i].trials.size() == 1 ? " run)" : " runs)");
    return "";
  }

  std::string reason(size_t probe, Outcome outcome) const {
    const auto& trials = search_.probes()[probe].trials;
    const auto found = std::ranges::find(trials, outcome, &Trial::outcome);
    return found == trials.end() ? "" : found->reason;
  }

  std::string disagreement() const {
    const auto found = disagreement_of(search_.spec(), search_.probes());
    if (!found) return "";
    if (found->from == found->to) return "; runs at " + text_of(found->from) + " disagreed";
    return "; runs from " + text_of(found->from) + " to " + text_of(found->to) + " disagreed";
  }

  const Search& search_;
  Bracket bracket_;
  std::string limits_;
};

}  // namespace

std::string limits_text(const Search& search) {
  return join(search.limits(), " and ", [](const compare::Limit& limit) { return to_text(limit); });
}

std::optional<Disagreement> limit_range(const Search& search) {
  const std::vector<Probe>& probes = search.probes();
  const Bracket bracket = bracket_of(search.spec(), probes);
  if (!bracket.holds || !bracket.fails) return std::nullopt;
  Disagreement range{.from = probes[*bracket.holds].value, .to = probes[*bracket.fails].value};
  const bool upward = search.spec().to > search.spec().from;
  if (const auto found = disagreement_of(search.spec(), probes)) {
    range.from = upward ? std::min(range.from, found->from) : std::max(range.from, found->from);
    range.to = upward ? std::max(range.to, found->to) : std::min(range.to, found->to);
  }
  return range;
}

std::string sentence_of(const Search& search) {
  return Words(search).sentence();
}

std::string run_text(const Search& search, const PlannedRun& run) {
  const std::string value = value_text(search.variable(), search.points()[run.point - 1].value);
  if (run.repeat == 1) return value;
  return value + ", confirmed " + number(run.repeat) + " of " + number(search.spec().confirm);
}

}  // namespace n2nq::campaign
