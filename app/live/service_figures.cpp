#include "app/live/service_figures.h"

#include <algorithm>
#include <cmath>

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
    case ServiceState::away:
      return "away";
    case ServiceState::stopped:
      return "stopped";
    case ServiceState::done:
      return "done";
    case ServiceState::gone:
      return "disconnected";
  }
  return {};
}

void take_back(ServiceFigures& sender, uint64_t messages) {
  if (sender.count <= 0) return;
  const auto back = static_cast<int64_t>(std::min(messages, static_cast<uint64_t>(sender.count)));
  sender.bytes -=
      std::llround(static_cast<double>(sender.bytes) * static_cast<double>(back) / static_cast<double>(sender.count));
  // No more replies than so many requests can have.
  const int64_t each = (sender.replies + sender.count - 1) / sender.count;
  sender.count -= back;
  sender.replies = std::min(sender.replies, sender.count * each);
  sender.accepted = std::min(sender.accepted, sender.count);
}

}  // namespace n2nq::live
