// The tables that tell a result, for the window and for reports: the rows of each, as texts; figures of a column have
// its unit. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/record/run_record.h"
#include "app/text/quantity.h"

namespace n2nq::figures {

struct TableColumn {
  std::string header{};
  bool number = false;   // to the right, in tabular figures
  bool stretch = false;  // takes the room that is left
  std::string help{};    // what it is, in a sentence, where the header leaves it open
};
struct TableRow {
  std::vector<std::string> cells{};
  std::optional<record::Severity> severity{};
};

// Figures at their place in each row, where a cell is kept for them, with their unit in the head of the column.
void put_figures(std::vector<TableColumn>& columns, std::vector<TableRow>& rows, size_t at,
                 const text::Column& figures);

std::vector<TableColumn> total_columns();
std::vector<TableRow> total_rows(const record::RunRecord& record);
std::vector<TableColumn> latency_columns(const record::RunRecord& record);  // those that it has
std::vector<TableRow> latency_rows(
    const record::RunRecord& record);  // a row for each figure, a column for each latency
std::vector<TableColumn> setting_columns();
// Those that differ from what a new plan has; those that make the run another one come first.
std::vector<TableRow> setting_rows(const record::RunRecord& record);
std::vector<TableRow> changing_setting_rows(const record::RunRecord& record);  // the latter alone
std::vector<TableColumn> machine_columns();
std::vector<TableRow> machine_rows(
    const record::RunRecord& record);  // whose, what, value: the run's computers, then the bench's
std::vector<TableColumn> process_columns(const record::RunRecord& record);
std::vector<TableRow> process_rows(const record::RunRecord& record);
// What was known of the figures while the run went on, and what the whole run says of them.
std::vector<TableColumn> warning_columns();
std::vector<TableRow> warning_rows(const record::RunRecord& record);

std::vector<TableColumn> loss_columns();
std::vector<TableRow> loss_rows(const record::RunRecord& record);  // as record::losses_by_service() has them
std::string no_losses_text(const record::RunRecord& record);       // in their place
std::vector<TableColumn> log_columns();
std::vector<TableRow> log_rows(const record::RunRecord& record, std::string (*time_text)(int64_t utc_ns));

}  // namespace n2nq::figures
