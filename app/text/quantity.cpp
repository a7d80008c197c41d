#include "app/text/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace n2nq::text {
namespace {

constexpr double kUs = 1e3;
constexpr double kMs = 1e6;
constexpr double kSecond = 1e9;
constexpr double kMinute = 60e9;

// Fixed decimals, whatever the process's locale says.
std::string fixed(double value, int decimals) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
  return end.ec == std::errc() ? std::string(text, end.ptr) : std::string("-");
}

// Commas between the thousands of the whole part.
std::string grouped(std::string digits) {
  const size_t first = !digits.empty() && digits[0] == '-' ? 1 : 0;
  const size_t point = digits.find('.');
  size_t at = point == std::string::npos ? digits.size() : point;
  while (at > first + 3) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

int decimals_for(double value) {
  const double size = std::fabs(value);
  if (size >= 99.95) return 0;
  return size >= 9.995 ? 1 : 2;
}

constexpr int kSignificant = 3;

int duration_decimals(double value, const Scale& scale) {
  const double size = std::fabs(value);
  if (size == 0) return scale.decimals;
  const int before_point = static_cast<int>(std::floor(std::log10(size))) + 1;
  const int exact = static_cast<int>(std::ceil(std::log10(scale.divisor) - 1e-9));  // to the nanosecond
  return std::clamp(kSignificant - before_point, scale.decimals, std::max(scale.decimals, exact));
}

}  // namespace

Scale duration_scale(double largest_ns) {
  const double size = std::fabs(largest_ns);
  if (size < kUs) return {"ns", 1, 0};
  if (size < kMs) return {"us", kUs, 1};
  if (size < kSecond) return {"ms", kMs, 1};
  if (size < 2 * kMinute) return {"s", kSecond, 2};
  return {"min", kMinute, 1};
}

Scale bytes_scale(double largest_bytes) {
  const double size = std::fabs(largest_bytes);
  if (size < 1024) return {"B", 1, 0};
  if (size < 1024.0 * 1024) return {"KiB", 1024, 1};
  if (size < 1024.0 * 1024 * 1024) return {"MiB", 1024.0 * 1024, 1};
  return {"GiB", 1024.0 * 1024 * 1024, 2};
}

std::string count(int64_t value) {
  return grouped(std::to_string(value));
}

std::string decimals(double value, int places) {
  return grouped(fixed(value, places));
}

std::string scaled(double value, const Scale& scale) {
  return grouped(fixed(value / scale.divisor, scale.decimals));
}

std::string with_unit(double value, const Scale& scale) {
  return scaled(value, scale) + " " + scale.unit;
}

std::string duration(double ns) {
  return duration(ns, duration_scale(ns));
}

std::string duration(double ns, const Scale& scale) {
  const int places = duration_decimals(ns / scale.divisor, scale);
  return with_unit(ns, {.unit = scale.unit, .divisor = scale.divisor, .decimals = places});
}

std::string bytes(double bytes) {
  return with_unit(bytes, bytes_scale(bytes));
}

std::string rate(double per_s) {
  return grouped(fixed(per_s, per_s == std::floor(per_s) ? 0 : decimals_for(per_s))) + " /s";
}

std::string rate(double per_s, const Scale& scale) {
  return per_s == 0 ? rate(0) : with_unit(per_s, scale);
}

std::string elapsed(int64_t ns) {
  const int64_t seconds = ns / 1'000'000'000;
  const auto two = [](int64_t n) { return n < 10 ? std::string("0").append(std::to_string(n)) : std::to_string(n); };
  const std::string tail = two(seconds / 60 % 60) + ":" + two(seconds % 60);
  return seconds < 3600 ? tail : std::to_string(seconds / 3600) + ":" + tail;
}

}  // namespace n2nq::text
