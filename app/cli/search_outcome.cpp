#include "app/cli/search_outcome.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/analysis/proportion.h"
#include "app/cli/table_text.h"
#include "app/text/quantity.h"

namespace n2nq::cli {
namespace {

using campaign::Probe;
using campaign::Search;
using campaign::SearchEnd;
using campaign::Trial;
using Ordered = nlohmann::ordered_json;

const char* unit_name(campaign::Unit unit) {
  switch (unit) {
    case campaign::Unit::rate_per_s:
      return "messages/s";
    case campaign::Unit::whole:
      return "";
    case campaign::Unit::duration_ns:
      return "ns";
    case campaign::Unit::bytes:
      break;
  }
  return "bytes";
}

// What a search varies by whole numbers is written as such.
Ordered number_of(double value) {
  if (value == std::floor(value) && value < 9e15) return static_cast<int64_t>(value);
  return value;
}

Ordered probe_json(const Probe& probe) {
  const auto share = analysis::proportion_of(probe.count(campaign::Outcome::met), probe.trials.size());
  Ordered results = Ordered::array(), rates = Ordered::array();
  for (const Trial& trial : probe.trials) {
    results.push_back(trial.result);
    rates.push_back(trial.rate ? Ordered(*trial.rate) : Ordered());
  }
  return {{"value", number_of(probe.value)},
          {"runs", probe.trials.size()},
          {"met", probe.count(campaign::Outcome::met)},
          {"not_met", probe.count(campaign::Outcome::bus)},
          {"senders_late", probe.count(campaign::Outcome::senders)},
          {"failed", probe.count(campaign::Outcome::failed)},
          {"share_low", share.low},
          {"share_high", share.high},
          {"sent_rates", rates},
          {"result_ids", results}};
}

}  // namespace

std::string search_verdict(SearchEnd end) {
  switch (exit_code_of(end)) {
    case BenchExit::passed:
      return "passed";
    case BenchExit::no_statement:
      return "no_statement";
    case BenchExit::stopped:
      return "stopped";
    default:
      return "failed";
  }
}

BenchExit exit_code_of(SearchEnd end) {
  switch (end) {
    case SearchEnd::found:
    case SearchEnd::always:
      return BenchExit::passed;
    case SearchEnd::senders:
    case SearchEnd::unsettled:
      return BenchExit::no_statement;
    case SearchEnd::never:
    case SearchEnd::failing:
      return BenchExit::failed;
    case SearchEnd::open:
      break;
  }
  return BenchExit::stopped;
}

Ordered search_json(const Search& search) {
  const auto value_of = [&](const std::optional<size_t>& probe) {
    return probe ? number_of(search.probes()[*probe].value) : Ordered();
  };
  const campaign::Bracket bracket = campaign::bracket_of(search.spec(), search.probes());
  const auto disagreement = campaign::disagreement_of(search.spec(), search.probes());
  Ordered probes = Ordered::array();
  for (const Probe* probe : search.easiest_first()) probes.push_back(probe_json(*probe));
  return {{"vary", search.spec().vary},
          {"unit", unit_name(search.variable().unit)},
          {"limits", search.spec().limits},
          {"precision", search.spec().precision},
          {"outcome", campaign::to_word(search.end())},
          {"holds_at", value_of(bracket.holds)},
          {"fails_at", value_of(bracket.fails)},
          {"disagree_from", disagreement ? number_of(disagreement->from) : Ordered()},
          {"disagree_to", disagreement ? number_of(disagreement->to) : Ordered()},
          {"probes", probes}};
}

std::string search_table(const Search& search) {
  std::string out = search.spec().vary;
  out = left(std::move(out), 16);
  const size_t width = out.size();
  out += right("met", 9) + "  why not\n";
  for (const Probe* probe : search.easiest_first()) {
    const std::string row = left(value_text(search.variable(), probe->value), width);
    const auto unmet =
        std::ranges::find_if(probe->trials, [](const Trial& trial) { return trial.outcome != campaign::Outcome::met; });
    out += row +
           right(std::to_string(probe->count(campaign::Outcome::met)) + "/" + std::to_string(probe->trials.size()), 9) +
           (unmet == probe->trials.end() ? "" : "  " + unmet->reason) + "\n";
  }
  return out;
}

}  // namespace n2nq::cli
