// A report as a value: what it says, block by block, without saying how that looks. report_html.h writes it as HTML,
// ui/report as PDF. The same results give the same report. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/headlines.h"
#include "app/figures/record_tables.h"

namespace n2nq::report {

struct Heading {
  int level = 2;  // 2: a part of the report, 3: a part of that
  std::string text{};
};
// A sentence or a few; `severity` marks what must not be overlooked.
struct Paragraph {
  std::string text{};
  std::optional<record::Severity> severity{};
};
struct Items {
  std::vector<std::string> texts{};
};
struct Table {
  std::vector<figures::TableColumn> columns{};
  std::vector<figures::TableRow> rows{};
};
// As it is, for a shell or a file.
struct Code {
  std::string text{};
};
// The figures that matter, large and beside each other.
struct Headlines {
  std::vector<figures::Headline> all{};
};
// On paper what follows begins a page.
struct NewPage {};
using Block = std::variant<Heading, Paragraph, Items, Table, Code, figures::Figure, Headlines, NewPage>;

struct Report {
  std::string title{};
  std::string subtitle{};  // one line
  std::vector<Block> blocks{};

  void heading(std::string text, int level = 2);
  void say(std::string text, std::optional<record::Severity> severity = {});
  void list(std::vector<std::string> texts);  // nothing where there are none
  void table(std::vector<figures::TableColumn> columns, std::vector<figures::TableRow> rows);
  void code(std::string text);
  void figure(const figures::Figure& figure);          // its empty text where there is nothing to see
  void headlines(std::vector<figures::Headline> all);  // nothing where there are none
  void new_page();
};

// "2026-03-01 09:30:00 UTC"
std::string utc_text(int64_t utc_ns);
std::string count_text(uint64_t value);  // "12,040"
// "n2nq-bench 0.1.0"
std::string product();

}  // namespace n2nq::report
