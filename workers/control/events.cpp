#include "workers/control/events.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace n2nq::control {
namespace {

constexpr std::pair<Role, std::string_view> kRoles[] = {
    {Role::broker, "broker"}, {Role::sender, "sender"}, {Role::receiver, "receiver"}, {Role::recorder, "recorder"}};

}  // namespace

std::string to_text(Role role) {
  for (const auto& [known, text] : kRoles)
    if (known == role) return std::string(text);
  return "?";
}

std::optional<Role> parse_role(std::string_view text) {
  for (const auto& [role, known] : kRoles)
    if (known == text) return role;
  return {};
}

bool is_plausible(const Looked& looked) {
  constexpr int64_t kLongestNs = 3'600'000'000'000;
  constexpr size_t kMostHops = 64;
  constexpr size_t kLongestAddress = 64;
  const auto time = [](int64_t ns) { return ns >= 0 && ns <= kLongestNs; };
  const auto address = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) || c == '.' || c == ':'; };
  if (looked.to.size() > kLongestAddress + 8) return false;
  if (looked.bandwidth && !time(looked.bandwidth->duration_ns)) return false;
  if (!looked.path) return true;
  return looked.path->hops.size() <= kMostHops && std::ranges::all_of(looked.path->hops, [&](const auto& hop) {
           return hop.address.size() <= kLongestAddress && std::ranges::all_of(hop.address, address) &&
                  time(hop.round_trip_ns.value_or(0));
         });
}

}  // namespace n2nq::control
