// One measurement: a broker or the floor is started, the clients run one workload against it, both say what they saw.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "broker/base/result.h"
#include "tests/bench/workloads.h"

namespace n2nq::bench {

enum class System { floor, bus };

struct Programs {
  std::string floor;
  std::string bus;  // empty: there is none
  std::string clients;
};

struct Setting {
  double seconds = 1;  // warm-up included
  double warmup_seconds = 0.2;
  bool count_calls = false;  // slow: the times of such a measurement mean nothing
};

using Figures = std::map<Figure, double>;  // what could not be measured is absent

struct Measurement {
  Figures figures;
  std::string clients_line;  // as the programs printed them
  std::string summary_line;
};

// An Error where a program failed or the counts of the three parties differ.
Result<Measurement> measure(const Programs& programs, System system, const Workload& workload, const Setting& setting);

}  // namespace n2nq::bench
