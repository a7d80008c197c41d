// Every field of a RunPlan by its key ("senders.count"), with its name, its text form and one sentence for people: the
// one list behind plan files, `--set key=value`, the window's fields and the plan's documentation. Any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/plan/run_plan.h"

namespace n2nq::plan {

// Which runs look at a field.
enum class Scope {
  any,
  own_queue,  // those over the queue process as a queue: a run over another bus does without
  requests,   // of these, those whose receivers ask for messages
  replies     // those in request-reply mode
};

// What a number in a field is; nothing: it is none.
enum class FieldUnit { rate_per_s, whole, duration_ns, bytes };

// Which processes of a run are told the field.
enum Told : uint8_t { nobody = 0, queue = 1, senders = 2, receivers = 4, workers = senders | receivers };
// By which option: "--tries 3"; a switch is "--responses" where it is true, and `otherwise` where it is false.
struct Argument {
  uint8_t to = Told::nobody;  // a sum of those
  const char* option = nullptr;
  bool (*when)(const RunPlan& plan) = nullptr;  // null: in all runs of `scope`
  const char* otherwise = nullptr;              // null: left out
};

struct PlanField {
  std::string_view key;   // "senders.delay"
  std::string_view name;  // "Senders delay": in the window and in reports
  std::string_view form;  // what it takes: "duration, such as 20ms; 0 = as fast as the bus takes them"
  std::string_view help;  // one sentence: what it does
  Scope scope = Scope::any;
  bool (*idle)(const RunPlan& plan) = nullptr;  // of runs within `scope`, those that ignore it; null: none
  Argument argument{};
  std::optional<FieldUnit> unit{};
  // From JSON (a number, text, true or false as the form says; text is always taken).
  Result<void> (*take)(RunPlan& plan, const nlohmann::json& value);
  nlohmann::json (*get)(const RunPlan& plan);
  // Of a list that has a text of its own; null: the text is made from the JSON.
  std::string (*text)(const RunPlan& plan) = nullptr;
  // Why the plan cannot have this value, in the words of `set`; null: the form has no bounds.
  std::optional<std::string> (*trouble)(const RunPlan& plan) = nullptr;
  // Of a field that names files of this computer: those that are read for a run. Null: it names none. What a file had
  // in it may stand in the plan beside its name, and then it is not read.
  std::vector<std::string> (*reads)(const RunPlan& plan) = nullptr;
  // Of a field that says where what is sent goes: addresses and hosts that the bench has not started for the run.
  std::vector<std::string> (*sends_to)(const RunPlan& plan) = nullptr;
  // Of a whole number.
  uint64_t least = 0;
  uint64_t most = 0;

  // As take(); the error names the key.
  Result<void> set(RunPlan& plan, const nlohmann::json& value) const;
};

// In the order of the file. The settings of all buses (workers/bus/bus_table.h) are behind bus.kind.
std::span<const PlanField> plan_fields();
// And the parts of fields that consist of some, behind them: senders.shape.{kind,from,to,over,steps,at,every,for}. Each
// can be set, varied and searched by itself; files have them in their field.
std::span<const PlanField> settable_fields();
const PlanField* find_field(std::string_view key);
// For a key that there is not: the one that was probably meant.
std::string_view nearest_key(std::string_view unknown);
// The field's value as `--set` takes it.
std::string text_of(const PlanField& field, const RunPlan& plan);
// A setting of the bus that is not set, and so is what bus.profile says.
bool is_left_to_profile(const PlanField& field, const RunPlan& plan);
// As text_of(), but empty where it is left to the profile: set to that, it is left to it again.
std::string given_text(const PlanField& field, const RunPlan& plan);

bool is_of_own_queue(const PlanField& field);  // also of its requests
bool is_in_scope(const RunPlan& plan, Scope scope);

// A run of this plan does not look at the field: it has filters that are kept for when requests are on again, a load
// shape in place of a delay, or settings of requests and replies in another mode.
bool is_idle(const PlanField& field, const RunPlan& plan);

// "senders.count=5": the text form of `--set`. Unknown keys are answered with the nearest known one.
Result<void> set_field(RunPlan& plan, std::string_view assignment);

}  // namespace n2nq::plan
