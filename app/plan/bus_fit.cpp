#include "app/plan/bus_fit.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/join.h"

namespace n2nq::plan {
namespace {

constexpr std::string_view kBusSetting = "bus.";

std::string buses_with(std::string_view setting) {
  std::string names;
  for (const bus::BusTraits& bus : bus::all_buses())
    if (bus::find_setting(bus, setting) != nullptr) add_part(names, " or ", bus.kind);
  return names;
}

std::optional<std::string> misfit_of_setting(std::string_view setting, const RunPlan& plan) {
  const bus::BusTraits& bus = plan.bus.traits();
  const auto given = plan.bus.settings.find(std::string(setting));
  if (given == plan.bus.settings.end()) return {};
  if (const bus::Setting* found = bus::find_setting(bus, setting)) {
    if (fits_server(*found, plan.bus)) return {};
    if (!plan.bus.attached_server().empty())
      return "the server at bus.address has settings of its own; remove it, or leave bus.address empty";
    if (given->second == found->initial) return {};
    return "a server that is started for the run cannot have it; " +
           (found->initial.empty() ? "remove it" : "set it back to " + std::string(found->initial)) +
           ", or give bus.address";
  }
  // Its default asks for nothing.
  const bus::Setting* known = bus::find_setting(setting);
  if (known != nullptr && given->second == known->initial) return {};
  return std::string(bus.title) + " has no such setting; remove it, or set bus.kind to " + buses_with(setting);
}

void put(RunPlan& plan, const PlanField& field, const std::string& value) {
  const auto set = field.set(plan, nlohmann::json(value));
  N2NQ_ASSERT(set);  // it was in a plan before, or is in every new one
}

// In place of what the bus has not: what a new plan has, of modes the first one that there is.
std::string substitute(const PlanField& field, const RunPlan& plan) {
  if (field.key == "queue.reply_from") return to_text(usual_reply_from(plan.bus.traits()));
  if (field.key != "queue.mode") return given_text(field, RunPlan());
  for (const Mode mode : {Mode::broadcaster, Mode::load_balancer, Mode::request_reply})
    if (has_mode(plan.bus.traits(), mode)) return to_text(mode);
  return text_of(field, plan);
}

}  // namespace

bool fits_server(const bus::Setting& setting, const BusPlan& bus) {
  if (!bus.attached_server().empty()) return !setting.of_server;
  return !setting.of_theirs || bus.traits().meets_directly || bus.traits().own_queue;
}

bool has_mode(const bus::BusTraits& bus, Mode mode) {
  switch (mode) {
    case Mode::broadcaster:
      return bus.broadcaster;
    case Mode::load_balancer:
      return bus.load_balancer;
    case Mode::request_reply:
      break;
  }
  return bus.request_reply;
}

std::string lacks_mode_text(const bus::BusTraits& bus, Mode mode) {
  return std::string(bus.title) + " has no " + to_text(mode) + "; choose another mode, or another bus";
}

ReplyFrom usual_reply_from(const bus::BusTraits& bus) {
  return bus.load_balancer ? ReplyFrom::one : ReplyFrom::first;
}

std::optional<std::string> misfit(const PlanField& field, const RunPlan& plan) {
  const bus::BusTraits& bus = plan.bus.traits();
  const std::string title(bus.title);
  if (field.key == "bus.kind") return {};
  if (field.key.starts_with(kBusSetting)) return misfit_of_setting(field.key.substr(kBusSetting.size()), plan);
  if (field.key == "queue.mode")
    return has_mode(bus, plan.queue.mode) ? std::nullopt : std::optional(lacks_mode_text(bus, plan.queue.mode));
  if (field.key == "queue.reply_from") {
    const bool to_one = plan.queue.reply_from == ReplyFrom::one;
    if (!asks_for_replies(plan) || (to_one ? bus.load_balancer : bus.reply_from_all)) return {};
    return "with " + title + " a request goes to " +
           (to_one ? "all receivers; set it to first or all" : "one receiver; set it to one") +
           ", or choose another bus";
  }
  if (field.key == "look.path" && plan.look.path && !plan.bus.has_path())
    return "over " + title +
           " senders are connected to each receiver, on no one path; set it back to false, or give bus.address";
  if (field.key == "look.bandwidth" && plan.look.bandwidth && !plan.bus.passes_queues_host())
    return "messages do not go to the queue's host, and nothing that takes such frames is where they go; set it "
           "back to false";
  if (bus.own_queue) return {};
  if (field.key.ends_with(".attach")) {
    if (text_of(field, plan).empty()) return {};
    return "workers started by hand keep to the bus that they were started with; leave it empty with " + title;
  }
  static const RunPlan usual;
  if (!is_of_own_queue(field) || field.get(plan) == field.get(usual)) return {};
  if (field.scope == Scope::requests && !plan.queue.requests.on) return {};
  if (field.key == "queue.seed") return {};  // which repeats change by themselves
  return title + " does not have it; set it back to " + text_of(field, usual) + ", or set bus.kind to n2nq";
}

void BusChoice::choose(RunPlan& plan, const std::string& kind) {
  // Whatever else was chosen meanwhile stays.
  auto asides = std::exchange(aside_, {});
  std::erase_if(asides,
                [&plan](const auto& one) { return given_text(*find_field(one.first), plan) != one.second.instead; });
  for (const auto& [key, aside] : asides) put(plan, *find_field(key), aside.value);
  plan.bus.kind = kind;
  for (const PlanField& field : plan_fields()) {
    if (!misfit(field, plan)) continue;
    const Aside aside{.value = given_text(field, plan), .instead = substitute(field, plan)};
    aside_.emplace(field.key, aside);
    put(plan, field, aside.instead);
  }
}

}  // namespace n2nq::plan
