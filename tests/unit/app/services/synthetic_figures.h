// Figures of services as a run might have them, for tests of what shows them.
#pragma once

#include <vector>

#include "app/live/service_figures.h"
#include "app/plan/run_plan.h"
#include "workers/control/service_set.h"

namespace n2nq::ui {

inline live::ServiceFigures sender_figures(uint32_t number, int64_t count = 241) {
  return {.role = Role::sender,
          .number = number,
          .state = live::ServiceState::running,
          .count = count,
          .bytes = count * 50,
          .rate_per_s = 49.9,
          .accepted = count,
          .delay_ns = 20'000'000 + number * 10'000,
          .lateness_ns = 12'000};
}

inline live::ServiceFigures receiver_figures(uint32_t number, int64_t count = 12'040) {
  return {.role = Role::receiver,
          .number = number,
          .state = live::ServiceState::running,
          .count = count,
          .bytes = count * 50,
          .rate_per_s = 2'498,
          .latency_ns = 80'000 + number * 100,
          .scheduled_latency_ns = 95'000,
          .latency_p50_ns = 79'000,
          .latency_p99_ns = 124'000};
}

inline std::vector<live::ServiceFigures> many(Role role, uint32_t amount) {
  std::vector<live::ServiceFigures> figures;
  for (uint32_t number = 1; number <= amount; number++)
    figures.push_back(role == Role::sender ? sender_figures(number) : receiver_figures(number));
  return figures;
}

inline plan::ReceiverFilter filter(const char* receivers, const char* text) {
  return {.receivers = control::parse_services(receivers).value(), .filter = text};
}

}  // namespace n2nq::ui
