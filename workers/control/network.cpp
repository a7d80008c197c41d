#include "workers/control/network.h"

#include <utility>

namespace n2nq::control {
namespace {

constexpr std::pair<NetworkMethod, std::string_view> kMethods[] = {
    {NetworkMethod::none, "none"}, {NetworkMethod::icmp, "icmp"}, {NetworkMethod::tcp_connect, "tcp_connect"}};
constexpr int64_t kLongestNs = 3'600'000'000'000;

}  // namespace

std::string_view to_text(NetworkMethod method) {
  for (const auto& [known, text] : kMethods)
    if (known == method) return text;
  return "none";
}

std::optional<NetworkMethod> parse_network_method(std::string_view text) {
  for (const auto& [method, known] : kMethods)
    if (known == text) return method;
  return {};
}

bool is_plausible(const NetworkFigures& figures) {
  const int64_t last_ns = figures.last_ns.value_or(0);
  return figures.lost <= figures.sent && last_ns >= 0 && last_ns <= kLongestNs;
}

}  // namespace n2nq::control
