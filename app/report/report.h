// A report as a value: what it says, block by block, without saying how that looks. report_html.h writes it as HTML,
// ui/report as PDF. The same results give the same report. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/results/figure.h"
#include "app/results/record_tables.h"

namespace n2nq::report {

struct Heading {
  int level = 2;  // 2: a part of the report, 3: a part of that
  std::string text{};
};
// A sentence or a few; `severity` marks what must not be overlooked.
struct Paragraph {
  std::string text{};
  std::optional<results::Severity> severity{};
};
struct Items {
  std::vector<std::string> texts{};
};
struct Table {
  std::vector<results::TableColumn> columns{};
  std::vector<results::TableRow> rows{};
};
// As it is, for a shell or a file.
struct Code {
  std::string text{};
};
using Block = std::variant<Heading, Paragraph, Items, Table, Code, results::Figure>;

struct Report {
  std::string title{};
  std::string subtitle{};  // one line
  std::vector<Block> blocks{};

  void heading(std::string text, int level = 2);
  void say(std::string text, std::optional<results::Severity> severity = {});
  void list(std::vector<std::string> texts);  // nothing where there are none
  void table(std::vector<results::TableColumn> columns, std::vector<results::TableRow> rows);
  void code(std::string text);
  void figure(const results::Figure& figure);  // its empty text where there is nothing to see
};

// "2026-03-01 09:30:00 UTC"
std::string utc_text(int64_t utc_ns);
std::string count_text(uint64_t value);  // "12,040"
// For a column of figures.
template <class Number>
std::optional<double> real(const std::optional<Number>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}
// "n2nq-bench 0.1.0"
std::string product();

}  // namespace n2nq::report
