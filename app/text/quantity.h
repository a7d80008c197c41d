// Figures as people read them, always in the C locale: thousands separated by commas, one unit down a column.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace n2nq::text {

// A unit that fits the largest value of a column or an axis, so that its figures can be compared at a glance.
struct Scale {
  const char* unit = "";
  double divisor = 1;
  int decimals = 0;
};
Scale duration_scale(double largest_ns);  // ns, us, ms, s, min
Scale bytes_scale(double largest_bytes);  // B, KiB, MiB, GiB

std::string count(int64_t value);                         // "12,040"; negatives with a minus
std::string decimals(double value, int places);           // "1.05"
std::string scaled(double value, const Scale& scale);     // "84.1" without the unit
std::string with_unit(double value, const Scale& scale);  // "84.1 us"
std::string duration(double ns);                          // in its own best scale: "84.1 us", "0 ns", "-3.2 us"
// In the unit of a column, with three significant digits at least but no parts of a nanosecond: "0.0841 ms" beside
// "20.1 ms".
std::string duration(double ns, const Scale& scale);
std::string bytes(double bytes);                     // "1.5 KiB"
std::string rate(double per_s);                      // "24,980 /s", "0.5 /s"
std::string rate(double per_s, const Scale& scale);  // the same in a column; nothing is "0 /s" everywhere
std::string elapsed(int64_t ns);                     // "00:12", "1:02:03"

}  // namespace n2nq::text
