// Figures of services as a run might have them, for tests of what shows them.
#pragma once

#include <vector>

#include "app/live/service_figures.h"
#include "app/plan/run_plan.h"
#include "workers/control/service_set.h"

namespace n2nq::ui {

inline live::ServiceFigures sender_figures(uint32_t number, int64_t count = 241) {
  live::ServiceFigures figures{{.count = count, .bytes = count * 50, .accepted = count}, Role::sender, number};
  figures.state = live::ServiceState::running;
  figures.rate_per_s = 49.9;
  figures.delay_ns = 20'000'000 + number * 10'000;
  figures.lateness_ns = 12'000;
  return figures;
}

inline live::ServiceFigures receiver_figures(uint32_t number, int64_t count = 12'040) {
  live::ServiceFigures figures{{.count = count, .bytes = count * 50}, Role::receiver, number};
  figures.state = live::ServiceState::running;
  figures.rate_per_s = 2'498;
  figures.latency_ns = 80'000 + number * 100;
  figures.scheduled_latency_ns = 95'000;
  figures.latency_p50_ns = 79'000;
  figures.latency_p99_ns = 124'000;
  return figures;
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
