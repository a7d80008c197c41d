// From the rows of telemetry to the figures of a service, by role. Pure functions; any thread.
#pragma once

#include <optional>

#include "app/live/service_figures.h"
#include "workers/control/telemetry.h"

namespace n2nq::live {

std::optional<ServiceState> state_of(const control::ServiceRow& row);

// Counters and means; not the state. False where they cannot be: below what was known already, or beyond 2^53. Then
// nothing was taken. A mean that has no new value stays as it was.
bool take_row(const control::ServiceRow& row, ServiceFigures& figures);
// The means that the row itself has, and nothing else of it.
ServiceFigures means_of(const control::ServiceRow& row);

// The counters and the rate of `part` on top of those of `all`.
void add_figures(ServiceFigures& all, const ServiceFigures& part);

// The means of `part` (in doubles, `messages` times, that of turnaround `replies` times) on top of `sums`.
class MeanSums {
 public:
  void add(const ServiceFigures& part, int64_t messages, int64_t replies);
  void give(ServiceFigures& all) const;  // leaves means alone that nothing was added for

 private:
  struct Sum {
    double weighted = 0;
    double weight = 0;
  };
  static constexpr size_t kMeans = 5;
  Sum sums_[kMeans];
};

}  // namespace n2nq::live
