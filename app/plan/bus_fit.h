// What the bus of a plan can do, and which of the plan's settings it has no place for: what it does not have is
// refused, so that nobody believes it was in force. Pure functions; any thread. And another bus for a plan that is
// being edited.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/plan/plan_fields.h"
#include "app/plan/run_plan.h"

namespace n2nq::plan {

bool has_mode(const bus::BusTraits& bus, Mode mode);
// "HTTP/1.1 has no broadcaster; choose another mode, or another bus".
std::string lacks_mode_text(const bus::BusTraits& bus, Mode mode);

// Who replies where nobody says it: one, unless the bus brings each request to all.
ReplyFrom usual_reply_from(const bus::BusTraits& bus);

// Whether the server at hand has it: one that is started for the run no login, one of the user's own nothing that is
// told to a server as it starts.
bool fits_server(const bus::Setting& setting, const BusPlan& bus);

// Why the plan's bus cannot do what this field says, and what to do; nothing: it can, or nobody looks at the field.
std::optional<std::string> misfit(const PlanField& field, const RunPlan& plan);

// What the new bus has no place for is set aside, and comes back with a bus that has it. One thread.
class BusChoice {
 public:
  // `kind`: of workers/bus/bus_table.h.
  void choose(RunPlan& plan, const std::string& kind);
  // Another plan is there.
  void forget() { aside_.clear(); }

 private:
  struct Aside {
    std::string value;    // as --set takes it
    std::string instead;  // what the plan has now
  };
  std::map<std::string, Aside, std::less<>> aside_;  // by key
};

}  // namespace n2nq::plan
