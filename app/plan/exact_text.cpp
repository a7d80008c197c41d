#include "app/plan/exact_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
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

constexpr std::array<std::string_view, 13> kUnitNames{"ns", "us",  "ms", "s",   "min", "h",  "B",
                                                      "kB", "KiB", "MB", "MiB", "GB",  "GiB"};

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// "fixed:", "busy-exponential:"
bool begins_service_time(std::string_view text) {
  return text.ends_with(':') && measure::parse_service_time(std::string(text) + "1s").has_value();
}

// Where a number that begins at `at` has a unit and nothing else behind it: the unit's beginning.
std::optional<size_t> unit_behind(std::string_view text, size_t at) {
  size_t unit = text.find_first_not_of("0123456789", at);
  if (unit != std::string_view::npos && unit + 1 < text.size() && text[unit] == '.' &&
      std::isdigit(static_cast<unsigned char>(text[unit + 1])) != 0)
    unit = text.find_first_not_of("0123456789", unit + 1);
  if (unit == std::string_view::npos) return std::nullopt;
  size_t end = unit;
  while (end < text.size() && is_part_of_word(text[end])) end++;
  const bool known = std::ranges::find(kUnitNames, text.substr(unit, end - unit)) != kUnitNames.end();
  return known ? std::optional(unit) : std::nullopt;
}

}  // namespace

std::string exact_duration(int64_t ns) {
  constexpr std::array<Unit, 4> kUnits{{{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}}};
  if (ns == 0) return "0s";
  const uint64_t size = ns < 0 ? -static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  return (ns < 0 ? "-" : "") + exact(size, kUnits);
}

std::string exact_thousandths(int64_t thousandths) {
  std::string text = std::to_string(thousandths / 1000);
  if (const int64_t rest = thousandths % 1000; rest != 0) {
    text += '.' + std::to_string(1000 + rest).substr(1);
    text.resize(text.find_last_not_of('0') + 1);
  }
  return text;
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
  std::string text = std::string(word_of(time)) + ":" + exact_duration(time.mean_ns);
  if (time.by_size()) text += "+" + exact_duration(time.piece_ns) + "/" + exact_size(time.piece_bytes);
  return text;
}

std::string exact_size_range(const SizeRange& size) {
  return size.min == size.max ? exact_size(size.min) : exact_size(size.min) + ".." + exact_size(size.max);
}

std::optional<int64_t> delay_of_rate(std::string_view text) {
  constexpr std::string_view kPerSecond = "/s";
  constexpr double kSecondNs = 1e9;
  std::string plain = plain_quantity(std::string(text));
  if (!plain.ends_with(kPerSecond)) return std::nullopt;
  plain.resize(plain.size() - kPerSecond.size());
  while (plain.ends_with(' ')) plain.pop_back();
  double rate_per_s = 0;
  const auto end = std::from_chars(plain.data(), plain.data() + plain.size(), rate_per_s, std::chars_format::fixed);
  if (end.ec != std::errc() || end.ptr != plain.data() + plain.size() || !(rate_per_s > 0)) return std::nullopt;
  const double delay_ns = std::round(kSecondNs / rate_per_s);
  return delay_ns < static_cast<double>(INT64_MAX / 2) ? std::optional(static_cast<int64_t>(delay_ns)) : std::nullopt;
}

std::string told(const std::string& exact) {
  // Names of files are not rewritten.
  if (exact.starts_with("recorded ") || exact.starts_with("file ")) return exact;
  std::string out;
  for (size_t at = 0; at < exact.size();) {
    const bool begins = std::isdigit(static_cast<unsigned char>(exact[at])) != 0 &&
                        (at == 0 || (!is_part_of_word(exact[at - 1]) && exact[at - 1] != '.') ||
                         exact.substr(at < 2 ? 0 : at - 2, 2) == ".." || (at == 1 && exact[0] == '-'));
    const auto unit = begins ? unit_behind(exact, at) : std::nullopt;
    if (!unit) {
      out += exact[at++];
      continue;
    }
    if (out.ends_with("..")) out.replace(out.size() - 2, 2, " to ");
    if (begins_service_time(out)) out.back() = ' ';
    if (out.ends_with('+') && out.find(' ') != std::string::npos) out.replace(out.size() - 1, 1, " + ");
    out += exact.substr(at, *unit - at) + " ";
    at = *unit;
    if (exact.compare(at, 2, "us") == 0) {
      out += "µ";
      at++;
    }
    while (at < exact.size() && is_part_of_word(exact[at])) out += exact[at++];
  }
  return out;
}

}  // namespace n2nq::plan
