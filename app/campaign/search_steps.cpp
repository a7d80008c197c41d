#include "app/campaign/search_steps.h"

#include <algorithm>
#include <cmath>

namespace n2nq::campaign {
namespace {

constexpr double kGrowth = 2;
constexpr size_t kPatience = 4;  // times the runs that a search without contradictions takes

bool upward(const SearchSpec& search) {
  return search.to > search.from;
}

bool harder(const SearchSpec& search, double a, double b) {
  return upward(search) ? a > b : a < b;
}

// To as many digits as the precision needs: values that people can read, and the same at each call.
double rounded(const SearchSpec& search, Unit unit, double value) {
  const double digits = std::ceil(-std::log10(search.precision / 4)) + 1;
  double quantum = 1;
  const double lead = std::floor(std::log10(value)) - digits + 1;
  for (double e = 0; e < std::abs(lead); e++) quantum *= 10;
  if (lead >= 0) return std::round(value / quantum) * quantum;
  return unit == Unit::rate_per_s ? std::round(value * quantum) / quantum : std::round(value);
}

double ratio_of(double a, double b) {
  return std::max(a, b) / std::min(a, b);
}

// Strictly between; nothing where they are as close as was asked for, or there is no value between.
std::optional<double> middle(const SearchSpec& search, Unit unit, double a, double b) {
  if (ratio_of(a, b) <= 1 + search.precision) return std::nullopt;
  const auto between = [&](double value) { return value > std::min(a, b) && value < std::max(a, b); };
  for (const double value : {rounded(search, unit, std::sqrt(a) * std::sqrt(b)), std::floor(a / 2 + b / 2)})
    if (between(value)) return value;
  return std::nullopt;
}

double grown(const SearchSpec& search, Unit unit, double value) {
  const double next = rounded(search, unit, upward(search) ? value * kGrowth : value / kGrowth);
  return harder(search, next, value) && harder(search, search.to, next) ? next : search.to;
}

// A run that failed was tried as often as the campaign says: one more would say no more.
bool settled(const SearchSpec& search, const Probe& probe) {
  return probe.trials.size() >= search.confirm || probe.count(Outcome::failed) > 0;
}

SearchEnd end_at(const Probe& fails, bool any_holds) {
  if (fails.count(Outcome::failed) > 0) return SearchEnd::failing;
  if (fails.count(Outcome::senders) > fails.count(Outcome::bus)) return SearchEnd::senders;
  return any_holds ? SearchEnd::found : SearchEnd::never;
}

}  // namespace

size_t Probe::count(Outcome outcome) const {
  return static_cast<size_t>(std::ranges::count(trials, outcome, &Trial::outcome));
}

bool Probe::holds() const {
  return count(Outcome::failed) == 0 && count(Outcome::met) * 2 > trials.size();
}

std::string to_word(SearchEnd end) {
  switch (end) {
    case SearchEnd::open:
      return "open";
    case SearchEnd::found:
      return "found";
    case SearchEnd::senders:
      return "senders";
    case SearchEnd::failing:
      return "failing";
    case SearchEnd::never:
      return "never";
    case SearchEnd::always:
      return "always";
    case SearchEnd::unsettled:
      break;
  }
  return "unsettled";
}

Bracket bracket_of(const SearchSpec& search, const std::vector<Probe>& probes) {
  Bracket bracket;
  for (size_t i = 0; i < probes.size(); i++)
    if (!probes[i].holds() && (!bracket.fails || harder(search, probes[*bracket.fails].value, probes[i].value)))
      bracket.fails = i;
  for (size_t i = 0; i < probes.size(); i++) {
    if (bracket.fails && !harder(search, probes[*bracket.fails].value, probes[i].value)) continue;
    if (!bracket.holds || harder(search, probes[i].value, probes[*bracket.holds].value)) bracket.holds = i;
  }
  return bracket;
}

std::optional<Disagreement> disagreement_of(const SearchSpec& search, const std::vector<Probe>& probes) {
  std::optional<double> unmet, met;
  for (const Probe& probe : probes) {
    const size_t met_here = probe.count(Outcome::met);
    if (met_here > 0 && (!met || harder(search, probe.value, *met))) met = probe.value;
    if (met_here < probe.trials.size() && (!unmet || harder(search, *unmet, probe.value))) unmet = probe.value;
  }
  if (!unmet || !met || harder(search, *unmet, *met)) return std::nullopt;
  return Disagreement{.from = *unmet, .to = *met};
}

SearchStep next_step(const SearchSpec& search, Unit unit, const std::vector<Probe>& probes) {
  if (probes.empty()) return {.probe = 0, .value = search.from};
  size_t runs = 0;
  for (const Probe& probe : probes) runs += probe.trials.size();
  const auto fresh = [&](double value) { return SearchStep{.probe = probes.size(), .value = value}; };
  const auto again = [&](size_t probe) { return SearchStep{.probe = probe, .value = probes[probe].value}; };
  const auto over = [](SearchEnd end) { return SearchStep{.end = end}; };

  const auto [holds, fails] = bracket_of(search, probes);
  if (!fails) {
    const Probe& hardest = probes[*holds];
    if (hardest.value != search.to) return fresh(grown(search, unit, hardest.value));
    return settled(search, hardest) ? over(SearchEnd::always) : again(*holds);
  }
  const Probe& above = probes[*fails];
  if (!holds) return settled(search, above) ? over(end_at(above, false)) : again(*fails);
  const Probe& below = probes[*holds];
  const auto value = middle(search, unit, below.value, above.value);
  const bool confirmed = settled(search, below) && settled(search, above);
  if (!value && confirmed) return over(end_at(above, true));
  if (runs >= most_runs(search)) return over(SearchEnd::unsettled);
  if (value) return fresh(*value);
  const bool below_next =
      !settled(search, below) && (settled(search, above) || below.trials.size() <= above.trials.size());
  return again(below_next ? *holds : *fails);
}

size_t expected_runs(const SearchSpec& search) {
  const double growth = std::ceil(std::log(ratio_of(search.from, search.to)) / std::log(kGrowth)) + 1;
  const double halving = std::ceil(std::log2(std::log(kGrowth) / std::log1p(search.precision))) + 1;
  return static_cast<size_t>(growth + halving) + size_t{2} * search.confirm;
}

size_t most_runs(const SearchSpec& search) {
  return kPatience * expected_runs(search);
}

}  // namespace n2nq::campaign
