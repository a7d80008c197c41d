// Figures as people read them, always in the C locale: thousands separated by commas, a blank before the unit. A column
// has one unit, which stands in its head, and the same decimals in every row. Pure; any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::text {

// A unit that fits the largest value of a column or an axis, so that its figures can be compared at a glance.
struct Scale {
  std::string_view unit{};
  double divisor = 1;
  int decimals = 0;
  bool operator==(const Scale&) const = default;
};
Scale duration_scale(double largest_ns);  // ns, µs, ms, s, min
Scale bytes_scale(double largest_bytes);  // B, KiB, MiB, GiB

// What figures are in: a unit that goes with their size, or always the same one.
struct Unit {
  enum class Kind : uint8_t { duration, bytes, bytes_per_s, fixed };
  Kind kind = Kind::fixed;
  std::string_view name{};  // of a fixed one; empty: none
  static const Unit duration, bytes, bytes_per_s, rate, number;
  auto operator<=>(const Unit&) const = default;
};
inline constexpr Unit Unit::duration{.kind = Kind::duration};
inline constexpr Unit Unit::bytes{.kind = Kind::bytes};
inline constexpr Unit Unit::bytes_per_s{.kind = Kind::bytes_per_s};
inline constexpr Unit Unit::rate{.name = "/s"};
inline constexpr Unit Unit::number{};
Scale unit_scale(Unit unit, double largest);
// Of a column: the unit of its largest value, as long as the one nearest to zero still says something in it; decimals
// that show three digits of the largest and two of the least, but no more than three and no parts of a nanosecond.
Scale column_scale(Unit unit, double least, double largest);
std::string headed(const std::string& name, const Scale& scale);  // "p99 [µs]"; numbers have no unit

// Whatever number it is, for a column of figures.
template <class Number>
std::optional<double> real(const std::optional<Number>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// A column of figures: first all of its values, then what stands in it.
class Column {
 public:
  explicit Column(Unit unit) : unit_(unit) {}
  void add(std::optional<double> value);
  Scale scale() const { return any_ ? column_scale(unit_, least_, largest_) : Scale(); }  // no value, no unit
  std::string head(const std::string& name) const { return headed(name, scale()); }
  std::string cell(size_t row) const { return text(values_.at(row)); }
  std::string text(const std::optional<double>& value) const;  // "84.1"; "-" where there is none

 private:
  Unit unit_;
  std::vector<std::optional<double>> values_;
  bool any_ = false;
  double least_ = 0;
  double largest_ = 0;
};

std::string count(int64_t value);  // "12,040"; negatives with a minus
// "1 message", "1,200 messages"; `many` where it is not `one` with an s.
std::string amount(uint64_t n, std::string_view one, std::string_view many = {});
std::string decimals(double value, int places);           // "1.05"
std::string scaled(double value, const Scale& scale);     // "84.1" without the unit
std::string with_unit(double value, const Scale& scale);  // "84.1 µs"
std::string duration(double ns);                          // in its own best scale: "84.1 µs", "0 ns", "-3.20 µs"
std::string bytes(double bytes);                          // "1.5 KiB"
std::string rate(double per_s);                           // "24,980 /s", "0.50 /s"
std::string with_own_unit(Unit unit, double value);       // any of these
std::string elapsed(int64_t ns);                          // "00:12", "1:02:03"
std::string rough_duration(int64_t ns);                   // of an estimate: "12 s", "17 min", "1 h 40 min"

size_t width(std::string_view text);  // in characters, as terminals count them: "µs" has two

// With a capital letter, where it begins with a small one of ASCII.
std::string capital(std::string text);

}  // namespace n2nq::text
