#include "broker/base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace n2nq {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 6> kDurations{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}}};
constexpr std::array<Unit, 7> kSizes{
    {{"B", 1}, {"kB", 1e3}, {"KiB", 1024}, {"MB", 1e6}, {"MiB", 1048576}, {"GB", 1e9}, {"GiB", 1073741824}}};

struct Quantity {
  double number;
  std::string_view unit;
};

Result<Quantity> split(std::string_view text, const char* what) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || number < 0)
    return fail("'" + std::string(text) + "' is not a " + what);
  return Quantity{.number = number, .unit = text.substr(static_cast<size_t>(end - text.data()))};
}

template <size_t N>
Result<uint64_t> parse_quantity(std::string_view text, const std::array<Unit, N>& units, const char* what,
                                std::string_view bare_unit, double limit, const char* example) {
  auto quantity = split(text, what);
  if (!quantity) return fail(quantity.error().text + "; write it like " + example);
  std::string_view name = quantity->unit;
  if (name.empty() && (quantity->number == 0 || !bare_unit.empty()))
    name = bare_unit.empty() ? units[0].name : bare_unit;
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    const double value = quantity->number * unit.factor;
    if (value > limit) return fail("'" + std::string(text) + "' is too large for a " + what);
    if (value != std::floor(value) && value < 1) return fail("'" + std::string(text) + "' is less than one unit");
    return static_cast<uint64_t>(std::llround(value));
  }
  return fail("'" + std::string(text) + "' has no known unit; write a " + what + " like " + example);
}

std::string trimmed(double value, const char* unit) {
  char text[32];
  const int digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string out = text;
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return out + unit;
}

}  // namespace

Result<int64_t> parse_duration(std::string_view text) {
  constexpr double kLongest = 366.0 * 24 * 3600e9;
  auto ns = parse_quantity(text, kDurations, "duration", "", kLongest, "500ms, 2s or 1min");
  if (!ns) return std::unexpected(ns.error());
  return static_cast<int64_t>(*ns);
}

Result<uint64_t> parse_size(std::string_view text) {
  constexpr double kLargest = 1e15;
  return parse_quantity(text, kSizes, "size", "B", kLargest, "50B, 4KiB or 1.5kB");
}

Result<SizeRange> parse_size_range(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    auto size = parse_size(text);
    if (!size) return std::unexpected(size.error());
    return SizeRange{.min = *size, .max = *size};
  }
  auto min = parse_size(text.substr(0, dots));
  if (!min) return std::unexpected(min.error());
  auto max = parse_size(text.substr(dots + 2));
  if (!max) return std::unexpected(max.error());
  if (*min > *max) return fail("'" + std::string(text) + "' runs backwards; write the smaller size first");
  return SizeRange{.min = *min, .max = *max};
}

Result<uint64_t> parse_whole(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return fail("'" + std::string(text) + "' is not a whole number");
  return value;
}

std::string format_duration(int64_t ns) {
  const double size = std::abs(static_cast<double>(ns));
  const double value = static_cast<double>(ns);
  std::string sign = ns < 0 ? "-" : "";
  const double magnitude = std::abs(value);
  if (size < 1e3) return sign + trimmed(magnitude, "ns");
  if (size < 1e6) return sign + trimmed(magnitude / 1e3, "us");
  if (size < 1e9) return sign + trimmed(magnitude / 1e6, "ms");
  return sign + trimmed(magnitude / 1e9, "s");
}

std::string format_size(uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (value < 1024) return trimmed(value, "B");
  if (value < 1048576) return trimmed(value / 1024, "KiB");
  if (value < 1073741824) return trimmed(value / 1048576, "MiB");
  return trimmed(value / 1073741824, "GiB");
}

}  // namespace n2nq
