#include "app/logs/status_text.h"

#include "app/text/quantity.h"

namespace n2nq::logs {
namespace {

int64_t rounded_to_two_digits(int64_t value) {
  int64_t unit = 1;
  while (value / unit >= 100) unit *= 10;
  return (value + unit / 2) / unit * unit;
}

}  // namespace

std::string count_text(const LineCount& count) {
  return (count.exact ? "" : "~") + text::count(count.value);
}

std::string total_text(const LineCount& count) {
  if (count.exact) return text::count(count.value);
  const int64_t round = rounded_to_two_digits(count.value);
  if (round < 1'000'000) return text::count(round);
  const int64_t tenths = round / 100'000;
  const std::string fraction = tenths < 100 && tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "";
  return text::count(tenths / 10) + fraction + " million";
}

std::string position_text(const LineCount& line, const LineCount& lines, int64_t size) {
  const bool too_round = rounded_to_two_digits(lines.value) < line.value;
  const std::string total = too_round ? text::count(lines.value) : total_text(lines);
  const std::string place = (line.exact ? "line " : "about line ") + text::count(line.value) +
                            (lines.exact || !line.exact ? " of " : " of about ") + total;
  return place + ", " + text::bytes(static_cast<double>(size));
}

}  // namespace n2nq::logs
