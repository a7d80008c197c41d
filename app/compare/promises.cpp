#include "app/compare/promises.h"

#include <algorithm>
#include <array>
#include <optional>

#include "app/analysis/mean_interval.h"
#include "app/compare/comparison.h"
#include "app/compare/titles.h"
#include "app/figures/setting_text.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::compare {
namespace {

using plan::BusPlan;

std::string drop_text(const plan::RunPlan& plan) {
  if (plan.bus.traits().own_queue && plan.queue.retention_ns)
    return "after " + text::duration(static_cast<double>(*plan.queue.retention_ns));
  return plan.bus.may_drop() || plan.bus.traits().passes_on ? "yes" : "no";
}

std::string copies_text(const BusPlan& bus) {
  const uint64_t copies = bus.copies();
  return copies == 0 ? "none" : std::to_string(copies);
}

std::string linger_text(const BusPlan& bus) {
  const int64_t ns = bus.linger_ns();
  return ns == 0 ? "no" : "up to " + text::duration(static_cast<double>(ns));
}

std::string kept_text(const BusPlan& bus) {
  const std::string kept = bus.kept_by();
  return kept.empty() ? "-" : kept;
}

struct Kind {
  const char* name;
  std::string (*value)(const plan::RunPlan& plan);
};
constexpr std::array kKinds{
    Kind{"Answered by", [](const plan::RunPlan& plan) { return plan.bus.answered_by(); }},
    Kind{"Kept in", [](const plan::RunPlan& plan) { return kept_text(plan.bus); }},
    Kind{"Copies", [](const plan::RunPlan& plan) { return copies_text(plan.bus); }},
    Kind{"May drop unread", drop_text},
    Kind{"Twice if a server dies",
         [](const plan::RunPlan& plan) -> std::string { return plan.bus.why_double().empty() ? "no" : "yes"; }},
    Kind{"Waits for a batch", [](const plan::RunPlan& plan) { return linger_text(plan.bus); }}};

// As the runs that count had them.
std::vector<std::optional<plan::RunPlan>> counting_plans_of(std::span<const Side> sides) {
  std::vector<std::optional<plan::RunPlan>> plans;
  for (const Side& side : sides)
    plans.push_back(side.runs.empty() ? std::nullopt : std::optional(record::plan_as_run(side.runs.front())));
  return plans;
}

std::vector<Promise> promises_by(const std::vector<std::optional<plan::RunPlan>>& plans) {
  std::vector<Promise> all;
  for (const Kind& kind : kKinds) {
    Promise& promise = all.emplace_back(Promise{.name = kind.name});
    std::optional<std::string> first;
    for (const auto& plan : plans) {
      promise.values.push_back(plan ? kind.value(*plan) : "-");
      if (promise.values.back() == "-") continue;  // what is not known may be the same
      promise.differs = promise.differs || (first && *first != promise.values.back());
      first = promise.values.back();
    }
  }
  return all;
}

// "Kafka: senders wait up to 5.00 ms to fill a batch (linger), which is part of its p50 of 5.66 ms."
std::string linger_said(const Side& side, const BusPlan& bus, std::span<const Side> sides) {
  const figures::Metric& p50 = first_latency(sides).of("p50");
  const std::vector<double> values = values_of(p50, side);
  std::string said = side.name + ": senders wait " + linger_text(bus) + " to fill a batch (linger)";
  if (values.empty() || !has_geometric_means(p50, {values})) return said + ".";
  const double median = geometric_mean_of(values);
  // Beyond it batches fill before they wait so long.
  if (median < static_cast<double>(bus.linger_ns())) return said + ", or until one is full.";
  return said + ", which is part of its p50 of " + value_text(p50, median) + ".";
}

}  // namespace

std::vector<Promise> promises_of(std::span<const Side> sides) {
  return promises_by(counting_plans_of(sides));
}

std::vector<Promise> promises_and_settings(std::span<const Side> sides) {
  std::vector<Promise> all = promises_of(sides);
  for (SideSetting& one : side_settings(sides))
    if (one.differs)
      all.push_back({.name = figures::setting_name(one.key), .values = std::move(one.values), .differs = true});
  return all;
}

std::vector<std::string> explanations(std::span<const Side> sides) {
  const auto plans = counting_plans_of(sides);
  const std::vector<Promise> promises = promises_by(plans);
  std::vector<std::string> said;
  if (promises.back().differs)
    for (size_t i = 0; i < sides.size(); i++)
      if (plans[i] && plans[i]->bus.linger_ns() > 0) said.push_back(linger_said(sides[i], plans[i]->bus, sides));
  for (size_t i = 0; i < sides.size(); i++)
    if (const int64_t ns = plans[i] ? parse_duration(plans[i]->bus.setting("transactions")).value_or(0) : 0; ns > 0)
      said.push_back(sides[i].name + ": receivers get messages once their transaction is committed, up to " +
                     text::duration(static_cast<double>(ns)) + " later.");
  std::string unlike;
  for (const Promise& one : promises)
    if (one.differs && &one != &promises.back()) add_part(unlike, ", ", "\"" + one.name + "\"");
  if (!unlike.empty())
    said.push_back("The sides promise different things (" + unlike + "): who promises less has less to do.");
  return said;
}

}  // namespace n2nq::compare
