#include "broker/base/port_range.h"

#include "broker/base/units.h"

namespace n2nq {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string to_text(const PortRange& ports) {
  if (ports.any()) return {};
  const std::string first = std::to_string(ports.first);
  return ports.first == ports.last ? first : first + "-" + std::to_string(ports.last);
}

Result<PortRange> parse_ports(std::string_view text) {
  if (trimmed(text).empty()) return PortRange{};
  const std::string_view between = text.find("..") == std::string_view::npos ? "-" : "..";
  const size_t end = text.find(between);
  const auto first = parse_whole(trimmed(text.substr(0, end)));
  const auto last = end == std::string_view::npos ? first : parse_whole(trimmed(text.substr(end + between.size())));
  if (!first || !last || *first < 1 || *last > UINT16_MAX || *first > *last)
    return fail("\"" + std::string(text.substr(0, 60)) +
                "\" is not a range of ports; enter it like 7400-7500, or leave it empty for any");
  return PortRange{.first = static_cast<uint16_t>(*first), .last = static_cast<uint16_t>(*last)};
}

}  // namespace n2nq
