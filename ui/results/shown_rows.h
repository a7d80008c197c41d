// The tables of app/figures as the window shows them. UI thread.
#pragma once

#include <vector>

#include "app/figures/record_tables.h"
#include "ui/results/text_table.h"

namespace n2nq::ui {

std::vector<TextColumn> as_shown(const std::vector<figures::TableColumn>& columns);
std::vector<TextRow> as_shown(const std::vector<figures::TableRow>& rows);

}  // namespace n2nq::ui
