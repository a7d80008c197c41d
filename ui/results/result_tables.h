// What the tables of a result's details say: the rows of each, from the record. Pure; UI thread for its fonts only.
#pragma once

#include <vector>

#include "app/results/run_record.h"
#include "ui/results/text_table.h"

namespace n2nq::results {

std::vector<TextColumn> total_columns();
std::vector<TextRow> total_rows(const RunRecord& record);
std::vector<TextColumn> latency_columns(const RunRecord& record);  // with the unit of each
std::vector<TextRow> latency_rows(const RunRecord& record);        // a row for each figure, a column for each latency
std::vector<TextColumn> setting_columns();
std::vector<TextRow> setting_rows(const RunRecord& record);  // those that differ from what a new plan has
std::vector<TextColumn> machine_columns();
std::vector<TextRow> machine_rows(const RunRecord& record);
std::vector<TextColumn> process_columns();
std::vector<TextRow> process_rows(const RunRecord& record);
std::vector<TextColumn> loss_columns();
std::vector<TextRow> loss_rows(const RunRecord& record);
std::vector<TextColumn> log_columns();
std::vector<TextRow> log_rows(const RunRecord& record);

}  // namespace n2nq::results
