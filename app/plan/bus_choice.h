// Another bus for a plan that is being edited: what the new one has no place for is set aside, and comes back with a
// bus that has it. One thread.
#pragma once

#include <map>
#include <string>

#include "app/plan/run_plan.h"

namespace n2nq::plan {

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
