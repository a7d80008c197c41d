#include "app/plan/exact_text.h"

#include <array>
#include <string_view>

namespace n2nq::plan {
namespace {

struct Unit {
  std::string_view name;
  uint64_t factor;
};

// The largest unit in which the value is at least one and has at most three decimals.
template <size_t N>
std::string exact(uint64_t value, const std::array<Unit, N>& descending) {
  for (const Unit& unit : descending) {
    if (value < unit.factor || value % unit.factor * 1000 % unit.factor != 0) continue;
    std::string text = std::to_string(value / unit.factor);
    if (const uint64_t thousandths = value % unit.factor * 1000 / unit.factor; thousandths != 0) {
      std::string decimals = std::to_string(1000 + thousandths).substr(1);
      while (decimals.back() == '0') decimals.pop_back();
      text += "." + decimals;
    }
    return text + std::string(unit.name);
  }
  return "0" + std::string(descending.back().name);
}

}  // namespace

std::string exact_duration(int64_t ns) {
  constexpr std::array<Unit, 4> kUnits{{{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}}};
  if (ns == 0) return "0s";
  const uint64_t size = ns < 0 ? -static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  return (ns < 0 ? "-" : "") + exact(size, kUnits);
}

std::string exact_size(uint64_t bytes) {
  constexpr std::array<Unit, 4> kBinary{{{"GiB", 1ull << 30}, {"MiB", 1ull << 20}, {"KiB", 1ull << 10}, {"B", 1}}};
  constexpr std::array<Unit, 4> kDecimal{{{"GB", 1'000'000'000}, {"MB", 1'000'000}, {"kB", 1'000}, {"B", 1}}};
  const std::string binary = exact(bytes, kBinary);
  const std::string decimal = exact(bytes, kDecimal);
  return decimal.size() < binary.size() ? decimal : binary;
}

std::string exact_service_time(const measure::ServiceTime& time) {
  if (!time.exists()) return "none";
  return (time.kind == measure::ServiceTime::Kind::fixed ? "fixed:" : "exponential:") + exact_duration(time.mean_ns);
}

std::string exact_size_range(const SizeRange& size) {
  return size.min == size.max ? exact_size(size.min) : exact_size(size.min) + ".." + exact_size(size.max);
}

}  // namespace n2nq::plan
