#include "app/live/service_figures.h"

namespace n2nq::live {

std::optional<int64_t> outstanding(const ServiceFigures& figures) {
  if (figures.role != Role::receiver || figures.deliveries < figures.responses) return {};
  return figures.deliveries - figures.responses;
}

std::string to_text(ServiceState state) {
  switch (state) {
    case ServiceState::absent:
      return "absent";
    case ServiceState::connecting:
      return "connecting";
    case ServiceState::joined:
      return "joined";
    case ServiceState::running:
      return "running";
    case ServiceState::paused:
      return "paused";
    case ServiceState::stopped:
      return "stopped";
    case ServiceState::done:
      return "done";
    case ServiceState::gone:
      return "disconnected";
  }
  return {};
}

}  // namespace n2nq::live
