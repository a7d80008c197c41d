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
constexpr int kSignificantOfLeast = 2;
constexpr int kMostDecimals = 3;
constexpr double kLeastThatSaysSomething = 0.01;  // of a unit: two digits in kMostDecimals

int digits_before_point(double size) {
  return static_cast<int>(std::floor(std::log10(size))) + 1;
}

// Three significant digits, but no parts of a nanosecond.
int duration_decimals(double value, const Scale& scale) {
  const double size = std::fabs(value);
  if (size == 0) return scale.decimals;
  const int exact = static_cast<int>(std::ceil(std::log10(scale.divisor) - 1e-9));  // to the nanosecond
  return std::clamp(kSignificant - digits_before_point(size), scale.decimals, std::max(scale.decimals, exact));
}

}  // namespace

Scale duration_scale(double largest_ns) {
  const double size = std::fabs(largest_ns);
  if (size < kUs) return {"ns", 1, 0};
  if (size < kMs) return {"µs", kUs, 1};
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

Scale unit_scale(Unit unit, double largest) {
  switch (unit.kind) {
    case Unit::Kind::duration:
      return duration_scale(largest);
    case Unit::Kind::bytes:
      return bytes_scale(largest);
    case Unit::Kind::bytes_per_s: {
      Scale scale = bytes_scale(largest);
      scale.unit = scale.divisor == 1      ? "B/s"
                   : scale.divisor == 1024 ? "KiB/s"
                   : scale.divisor < 1e9   ? "MiB/s"
                                           : "GiB/s";
      return scale;
    }
    case Unit::Kind::fixed:
      break;
  }
  return {.unit = unit.name, .divisor = 1, .decimals = 0};
}

std::string count(int64_t value) {
  return grouped(std::to_string(value));
}

std::string amount(uint64_t n, std::string_view one, std::string_view many) {
  std::string text = count(static_cast<int64_t>(std::min<uint64_t>(n, INT64_MAX))) + " ";
  if (n == 1 || many.empty()) text += one;
  if (n != 1) text += many.empty() ? "s" : many;
  return text;
}

std::string decimals(double value, int places) {
  return grouped(fixed(value, places));
}

std::string scaled(double value, const Scale& scale) {
  return grouped(fixed(value / scale.divisor, scale.decimals));
}

std::string with_unit(double value, const Scale& scale) {
  return scaled(value, scale) + " " + std::string(scale.unit);
}

std::string duration(double ns) {
  Scale scale = duration_scale(ns);
  scale.decimals = duration_decimals(ns / scale.divisor, scale);
  return with_unit(ns, scale);
}

std::string bytes(double bytes) {
  return with_unit(bytes, bytes_scale(bytes));
}

std::string rate(double per_s) {
  return grouped(fixed(per_s, per_s == std::floor(per_s) ? 0 : decimals_for(per_s))) + " /s";
}

std::string with_own_unit(Unit unit, double value) {
  if (unit == Unit::duration) return duration(value);
  if (unit == Unit::rate) return rate(value);
  const bool fixed = unit.kind == Unit::Kind::fixed;
  const Scale scale = fixed ? column_scale(unit, value, value) : unit_scale(unit, value);
  return scale.unit.empty() ? scaled(value, scale) : with_unit(value, scale);
}

Scale column_scale(Unit unit, double least, double largest) {
  least = std::fabs(least);
  largest = std::fabs(largest);
  Scale scale = unit_scale(unit, largest);
  while (scale.divisor > 1 && least > 0 && least / scale.divisor < kLeastThatSaysSomething) {
    const Scale smaller = unit_scale(unit, scale.divisor * 0.999);
    if (least < smaller.divisor && smaller.divisor <= 1) break;  // it would not be seen there either
    scale = smaller;
  }
  if (unit == Unit::duration) scale.decimals = duration_decimals(largest / scale.divisor, scale);
  const bool plain = unit.kind == Unit::Kind::fixed;
  if (plain && largest != std::floor(largest)) scale.decimals = decimals_for(largest);
  const bool parts = plain ? least != std::floor(least) : scale.divisor > 1;
  if (parts && least > 0) {
    const int of_least = kSignificantOfLeast - digits_before_point(least / scale.divisor);
    scale.decimals = std::clamp(of_least, scale.decimals, std::max(scale.decimals, kMostDecimals));
  }
  return scale;
}

std::string headed(const std::string& name, const Scale& scale) {
  return scale.unit.empty() ? name : name + " [" + std::string(scale.unit) + "]";
}

void Column::add(std::optional<double> value) {
  if (value && !std::isfinite(*value)) value.reset();
  values_.push_back(value);
  any_ = any_ || value;
  const double size = std::fabs(value.value_or(0));
  largest_ = std::max(largest_, size);
  if (size > 0) least_ = least_ == 0 ? size : std::min(least_, size);
}

std::string Column::text(const std::optional<double>& value) const {
  return value ? scaled(*value, scale()) : "-";
}

std::string elapsed(int64_t ns) {
  const int64_t seconds = ns / 1'000'000'000;
  const auto two = [](int64_t n) { return n < 10 ? std::string("0").append(std::to_string(n)) : std::to_string(n); };
  const std::string tail = two(seconds / 60 % 60) + ":" + two(seconds % 60);
  return seconds < 3600 ? tail : std::to_string(seconds / 3600) + ":" + tail;
}

std::string rough_duration(int64_t ns) {
  const int64_t seconds = ns / 1'000'000'000 + (ns % 1'000'000'000 >= 500'000'000 ? 1 : 0);
  if (seconds < 90) return std::to_string(seconds) + " s";
  const int64_t minutes = (seconds + 30) / 60;
  if (minutes < 90) return std::to_string(minutes) + " min";
  const std::string hours = count(minutes / 60) + " h";
  return minutes % 60 == 0 ? hours : hours + " " + std::to_string(minutes % 60) + " min";
}

// Bytes that go on with a character begin with the bits 10.
size_t width(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() -= 'a' - 'A';
  return text;
}

}  // namespace n2nq::text
