#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/result_json.h"
#include "app/cli/status_line.h"
#include "app/cli/table_text.h"
#include "app/figures/waiting.h"
#include "app/plan/exact_text.h"
#include "app/plan/plan_file.h"
#include "app/text/quantity.h"
#include "broker/base/units.h"

namespace n2nq::cli {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr size_t kColumn = 15;
constexpr size_t kModelColumn = 28;

// One shared queue, from which whoever is free takes the next.
std::vector<std::string> assignments_of(const TheoryCommand& command) {
  std::vector<std::string> all;
  if (command.plan.empty())
    all = {"queue.mode=load-balancer",
           "queue.requests=true",
           "queue.at_a_time=1",
           "senders.count=1",
           "senders.pacing=poisson",
           "senders.delay=" + command.arrivals,
           "receivers.service_time=exponential:" + command.service,
           "receivers.count=" + std::to_string(command.servers.value_or(1))};
  all.insert(all.end(), command.sets.begin(), command.sets.end());
  return all;
}

Result<std::vector<plan::RunPlan>> plans_of(const TheoryCommand& command) {
  if (command.plan.empty() && !plan::delay_of_rate(command.arrivals))
    return fail("--arrivals: \"" + command.arrivals + "\" is not a rate; give messages a second, such as 9.89/s");
  if (command.plan.empty() && parse_duration(command.service).value_or(0) <= 0)
    return fail("--service: \"" + command.service + "\" is not a duration; give one such as 5ms");
  plan::PlanFile file;
  if (!command.plan.empty()) {
    auto read = plan::read_plan_file(command.plan);
    if (!read) return std::unexpected(read.error());
    file = std::move(*read);
  }
  auto runs = plan::runs_of(file);
  if (!runs) return runs;
  for (plan::RunPlan& run : *runs) {
    for (const std::string& assignment : assignments_of(command))
      if (auto set = plan::set_field(run, assignment); !set) return fail("--set: " + set.error().text);
    if (command.plan.empty()) continue;  // it is never run
    if (const auto problems = plan::problems_of(run); !problems.empty())
      return fail(run.name + ": " + problems.front().key + ": " + problems.front().text);
  }
  return runs;
}

struct Expected {
  std::string name{};
  std::optional<figures::Waiting> theory{};  // nothing: the plan has no service time, or no rate
  bool asked = false;                        // how many servers a waiting time needs
  std::optional<uint32_t> servers{};         // so many at least; nothing: that is not known
};

std::string why_none() {
  return "theory needs receivers.service_time and a rate of senders (senders.delay), and this plan lacks one of them";
}

std::string why_no_number() {
  return "no model is of this plan, or more than " + text::count(figures::kMostReceiversTried) + " would be needed";
}

std::string probability(const std::optional<double>& part) {
  return part ? text::decimals(*part * 100, 2) + " %" : "-";
}

std::string table_of(const Expected& one, const TheoryCommand& command) {
  if (!one.theory) return why_none() + "\n";
  const figures::Waiting& waiting = *one.theory;
  const bool known = waiting.arrivals_per_s > 0;
  std::string out = known ? text::decimals(waiting.arrivals_per_s, 2) + " arrivals a second, " : "";
  out += text::amount(waiting.receivers, "server") + " of " + text::duration(waiting.service_ns) + " each";
  out += known ? ": " + text::decimals(waiting.utilisation() * 100, 1) + " % busy\n" : "\n";
  if (waiting.models.empty())
    out += figures::expected_text(waiting) + "\n";
  else
    out += left("  model", kModelColumn) + right("waiting (Wq)", kColumn) + right("in system (Ws)", kColumn) +
           right("number (Lq)", kColumn) + right("number (Ls)", kColumn) + right("empty (P0)", kColumn) + "\n";
  for (const figures::WaitingModel& model : waiting.models) {
    const double wait_ns = waiting.predicted_ns(model), in_ns = waiting.predicted_in_system_ns(model);
    out += left((model.fits_plan ? "* " : "  ") + model.name, kModelColumn) + right(text::duration(wait_ns), kColumn) +
           right(text::duration(in_ns), kColumn) + right(text::decimals(waiting.number(wait_ns), 3), kColumn) +
           right(text::decimals(waiting.number(in_ns), 3), kColumn) +
           right(probability(model.prediction.empty_probability), kColumn) + "\n";
  }
  for (const std::string& caveat : waiting.caveats) out += "  " + caveat + "\n";
  if (command.wait.empty()) return out;
  if (!one.servers) return out + "how many servers a waiting time needs is not known: " + why_no_number() + "\n";
  return out + "at least " + text::amount(*one.servers, "server") + " for a mean waiting time of at most " +
         command.wait + "\n";
}

Ordered json_of(const Expected& one) {
  Ordered object{{"name", one.name}};
  if (!one.theory) return object["problem"] = why_none(), object;
  const figures::Waiting& waiting = *one.theory;
  const bool known = waiting.arrivals_per_s > 0;
  object.update({{"arrivals_per_s", known ? Ordered(waiting.arrivals_per_s) : Ordered()},
                 {"service_ns", waiting.service_ns},
                 {"servers", waiting.receivers},
                 {"utilisation", known ? Ordered(waiting.utilisation()) : Ordered()},
                 {"models", models_json(waiting)},
                 {"caveats", waiting.caveats}});
  if (one.asked) object["servers_needed"] = one.servers ? Ordered(*one.servers) : Ordered();
  return object;
}

}  // namespace

int run_theory_command(const TheoryCommand& command) {
  const auto plans = plans_of(command);
  if (!plans) return complain(BenchExit::usage, plans.error().text);
  const auto wait_ns = command.wait.empty() ? Result<int64_t>(0) : parse_duration(command.wait);
  if (!wait_ns) return complain(BenchExit::usage, "--wait: " + wait_ns.error().text);
  std::string table;
  Ordered runs = Ordered::array();
  for (const plan::RunPlan& plan : *plans) {
    Expected one{.name = plan.name, .theory = figures::expected_of(plan), .asked = !command.wait.empty()};
    if (one.asked) one.servers = figures::fewest_receivers(plan, static_cast<double>(*wait_ns));
    if (plans->size() > 1) table += (table.empty() ? "" : "\n") + plan.name + "\n";
    table += table_of(one, command);
    runs.push_back(json_of(one));
  }
  const bool printed = print(command.json ? Ordered{{"runs", std::move(runs)}}.dump() + "\n" : table);
  return printed ? static_cast<int>(BenchExit::passed)
                 : complain(BenchExit::local_trouble, "the table could not be written to stdout");
}

}  // namespace n2nq::cli
