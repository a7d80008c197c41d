#include "app/record/repeat.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"

namespace n2nq::record {
namespace {

using Ordered = nlohmann::ordered_json;

struct Property {
  const char* key;
  const char* name;
};
constexpr Property kProperties[] = {{"processor", "processor"},
                                    {"cores", "cores"},
                                    {"memory_bytes", "memory in bytes"},
                                    {"kernel", "kernel"},
                                    {"governor", "frequency governor"},
                                    {"congestion_control", "congestion control"},
                                    {"tcp_slow_start_after_idle", "TCP slow start after idle"},
                                    {"tcp_autocorking", "TCP autocorking"},
                                    {"tcp_receive_buffers", "TCP receive buffers"},
                                    {"tcp_send_buffers", "TCP send buffers"},
                                    {"clocksource", "clock source"},
                                    {"bench", "version of N2NQ Bench"},
                                    {"qt", "version of Qt"},
                                    {"compiler", "compiler"}};

std::string text_of(const Ordered& machine, const char* key) {
  const auto at = machine.is_object() ? machine.find(key) : machine.end();
  if (!machine.is_object() || at == machine.end()) return {};
  return at->is_string() ? at->get<std::string>() : at->dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace

std::vector<std::string> repeat_remarks(const RunRecord& before, const std::string& machine_now) {
  std::vector<std::string> remarks;
  const Ordered then = Ordered::parse(before.machine_json, nullptr, false);
  const Ordered now = Ordered::parse(machine_now, nullptr, false);
  for (const auto& [key, name] : kProperties) {
    const std::string was = text_of(then, key), is = text_of(now, key);
    if (was.empty())
      remarks.push_back(std::string("unknown for the earlier run: ") + name + "; now " + is);
    else if (was != is)
      remarks.push_back(std::string("changed since: ") + name + ", " + was + " then, " + is + " now");
  }
  // What the plan leaves to the profile is what the profile says now.
  const plan::RunPlan as_run = plan_as_run(before);
  plan::RunPlan again = before.plan;
  again.bus.settings = plan::settings_in_force(again.bus);
  for (const plan::PlanField& field : plan::plan_fields()) {
    if (!field.key.starts_with("bus.")) continue;
    const std::string was = plan::text_of(field, as_run), is = plan::text_of(field, again);
    if (was != is)
      remarks.push_back("changed since: " + std::string(field.key) + ", " + plan::told(was) + " then, " +
                        plan::told(is) + " now");
  }
  if (!before.requests.empty())
    remarks.push_back("not repeated: the requests made during the run (" + std::to_string(before.requests.size()) +
                      "); the filters are those from its start");
  if (plan::has_attached(before.plan))
    remarks.push_back(
        "not in the plan: attached workers use the options they were started with; start them as they were then");
  if (before.campaign) remarks.push_back("the new result stands alone: it is not part of the campaign");
  return remarks;
}

std::string repeat_text(const RunRecord& before) {
  return "result #" + std::to_string(before.id) + " again: the same plan, with its seeds, sizes, policies and hosts";
}

}  // namespace n2nq::record
