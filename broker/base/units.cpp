#include "broker/base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "broker/base/uint128.h"

namespace n2nq {
namespace {

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr std::array<Unit, 8> kDurations{{{"ns", 1},
                                          {"us", 1'000},
                                          {"\u00B5s", 1'000},  // the micro sign
                                          {"\u03BCs", 1'000},  // the Greek letter, which looks the same
                                          {"ms", 1'000'000},
                                          {"s", 1'000'000'000},
                                          {"min", 60'000'000'000},
                                          {"h", 3'600'000'000'000}}};
constexpr std::array<Unit, 7> kSizes{{{"B", 1},
                                      {"kB", 1'000},
                                      {"KiB", 1'024},
                                      {"MB", 1'000'000},
                                      {"MiB", 1'048'576},
                                      {"GB", 1'000'000'000},
                                      {"GiB", 1'073'741'824}}};

// A decimal number kept exactly: `digits` / 10^`decimals`.
struct Quantity {
  uint64_t digits = 0;
  unsigned decimals = 0;
  std::string_view unit;
};

constexpr std::array<uint64_t, 10> kPowersOfTen{1,       10,        100,        1'000,       10'000,
                                                100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Digits, and at most nine more behind a point. No sign, no exponent, no blanks.
std::optional<Quantity> split(std::string_view text) {
  Quantity quantity;
  bool point = false;
  size_t digits = 0;
  size_t at = 0;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); at++) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    if (++digits > 18 || quantity.decimals + 1 >= kPowersOfTen.size()) return std::nullopt;
    quantity.digits = quantity.digits * 10 + static_cast<uint64_t>(text[at] - '0');
    if (point) quantity.decimals++;
  }
  if (digits == 0) return std::nullopt;
  quantity.unit = text.substr(at);
  return quantity;
}

template <size_t N>
Result<uint64_t> parse_quantity(std::string_view text, const std::array<Unit, N>& units, const char* what,
                                std::string_view bare_unit, uint64_t limit, const char* example) {
  const std::string quoted = "'" + std::string(text) + "'";
  const auto quantity = split(text);
  if (!quantity) return fail(quoted + " is not a " + what + "; write it like " + example);
  std::string_view name = quantity->unit;
  if (name.empty() && (quantity->digits == 0 || !bare_unit.empty()))
    name = bare_unit.empty() ? units[0].name : bare_unit;
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    const uint128 divisor = kPowersOfTen[quantity->decimals];
    const uint128 product = static_cast<uint128>(quantity->digits) * unit.factor;
    if (unit.factor == 1 && product % divisor != 0)
      return fail(quoted + " is not a whole number of " + std::string(name));
    const uint128 value = (product + divisor / 2) / divisor;
    if (value > limit) return fail(quoted + " is too large for a " + what);
    if (value == 0 && product != 0) return fail(quoted + " is less than one " + std::string(units[0].name));
    return static_cast<uint64_t>(value);
  }
  return fail(quoted + " has no known unit; write a " + what + " like " + example);
}

std::string_view without_blanks_around(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "1,234,567.8" without its commas; nothing where they stand anywhere else, or there is no digit.
std::optional<std::string> without_thousands_marks(std::string_view number) {
  const std::string_view whole = number.substr(0, number.find('.'));
  const std::string_view behind = number.substr(whole.size());
  if (whole.empty() || behind.find(',') != std::string_view::npos) return std::nullopt;
  if (whole.find(',') == std::string_view::npos) return std::string(number);
  const size_t first = whole.find(',');
  if (first == 0 || first > 3 || (whole.size() - first) % 4 != 0) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < whole.size(); i++) {
    const bool mark = i >= first && (i - first) % 4 == 0;
    if (mark != (whole[i] == ',')) return std::nullopt;
    if (!mark) out += whole[i];
  }
  return out + std::string(behind);
}

// Three digits or the whole number, whichever is more.
std::string trimmed(double value) {
  char text[32];
  const int digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string out = text;
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return out;
}

struct Scale {
  const char* unit;
  double factor;
};

// In the largest of the ascending `scales` that shows at least 1 after rounding, so that 999,999 ns is 1ms, not 1000us.
template <size_t N>
std::string format_quantity(double value, const std::array<Scale, N>& scales) {
  for (size_t i = 0; i + 1 < N; i++) {
    const double shown = value / scales[i].factor;
    const double next = scales[i + 1].factor / scales[i].factor;
    if (shown < next - 0.5) return trimmed(shown) + scales[i].unit;
  }
  return trimmed(value / scales[N - 1].factor) + scales[N - 1].unit;
}

}  // namespace

std::string plain_quantity(std::string_view written) {
  const std::string_view text = without_blanks_around(written);
  // As it is written, and as it is shown.
  for (const std::string_view between : {"..", " to "}) {
    const size_t at = text.find(between);
    if (at == std::string_view::npos) continue;
    const std::string first = plain_quantity(text.substr(0, at));
    const std::string last = plain_quantity(text.substr(at + between.size()));
    const bool both = !first.empty() && is_digit(first.front()) && !last.empty() && is_digit(last.front());
    return both ? first + ".." + last : std::string(text);
  }
  const size_t end = std::min(text.find_first_not_of("0123456789,."), text.size());
  const auto number = without_thousands_marks(text.substr(0, end));
  std::string_view unit = without_blanks_around(text.substr(end));
  if (!number || unit.find_first_of(" \t,0123456789") != std::string_view::npos) return std::string(text);
  for (const std::string_view micro : {"\u00b5", "\u03bc"})
    if (unit.starts_with(micro)) return *number + "u" + std::string(unit.substr(micro.size()));
  return *number + std::string(unit);
}

Result<int64_t> parse_duration(std::string_view text) {
  constexpr uint64_t kLongest = 366ull * 24 * 3'600'000'000'000;
  auto ns = parse_quantity(text, kDurations, "duration", "", kLongest, "500ms, 2s or 1min");
  if (!ns) return std::unexpected(ns.error());
  return static_cast<int64_t>(*ns);
}

Result<uint64_t> parse_size(std::string_view text) {
  constexpr uint64_t kLargest = 1'000'000'000'000'000;
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
  if (*min > *max) return fail("'" + std::string(text) + "' is in the wrong order; enter the smaller size first");
  return SizeRange{.min = *min, .max = *max};
}

Result<uint64_t> parse_size_between(const std::string& text, uint64_t min, uint64_t max) {
  auto size = parse_size(text);
  if (!size) return size;
  if (*size < min || *size > max)
    return fail("'" + text + "' is out of range; write " + format_size(min) + " to " + format_size(max));
  return size;
}

Result<int64_t> parse_thousandths(std::string_view text) {
  const auto quantity = split(text);
  if (!quantity || !quantity->unit.empty() || quantity->decimals > 3 || quantity->digits > kPowersOfTen[9])
    return fail("'" + std::string(text) + "' is not a number with at most three digits behind the point, such as 1.5");
  return static_cast<int64_t>(quantity->digits * kPowersOfTen[3 - quantity->decimals]);
}

Result<uint64_t> parse_whole(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return fail("'" + std::string(text) + "' is not a whole number");
  return value;
}

std::string format_duration(int64_t ns) {
  constexpr std::array<Scale, 4> kScales{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  return (ns < 0 ? "-" : "") + format_quantity(std::abs(static_cast<double>(ns)), kScales);
}

std::string format_size(uint64_t bytes) {
  constexpr std::array<Scale, 4> kScales{{{"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}}};
  return format_quantity(static_cast<double>(bytes), kScales);
}

}  // namespace n2nq
