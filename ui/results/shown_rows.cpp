#include "ui/results/shown_rows.h"

namespace n2nq::ui {
namespace {

std::optional<theme::Status> status_of(const std::optional<record::Severity>& severity) {
  if (!severity) return {};
  if (*severity == record::Severity::error) return theme::Status::bad;
  return *severity == record::Severity::warning ? theme::Status::warning : theme::Status::info;
}

}  // namespace

std::vector<TextColumn> as_shown(const std::vector<figures::TableColumn>& columns) {
  std::vector<TextColumn> all;
  for (const figures::TableColumn& column : columns)
    all.push_back({.header = theme::qt(column.header),
                   .number = column.number,
                   .stretch = column.stretch,
                   .help = theme::qt(column.help)});
  return all;
}

std::vector<TextRow> as_shown(const std::vector<figures::TableRow>& rows) {
  std::vector<TextRow> all;
  for (const figures::TableRow& row : rows) {
    TextRow& one = all.emplace_back();
    for (const std::string& cell : row.cells) one.cells.push_back(theme::qt(cell));
    one.status = status_of(row.severity);
  }
  return all;
}

}  // namespace n2nq::ui
