// Where the logs of a stored run are. Looks at the disk; UI thread.
#pragma once

#include <QString>
#include <cstdint>

#include "app/logs/slowest_search.h"
#include "app/record/run_record.h"

namespace n2nq::ui {

// For a sender or receiver by its number; of the broker: the queue's. Empty where there is none.
QString log_path(const record::RunRecord& record, Role role, uint32_t service);
QString no_log_text(const record::RunRecord& record, Role role, uint32_t service);  // that there is none, and why
QString log_title(const record::RunRecord& record, Role role, uint32_t service);    // "quick: receiver 7"
// Where to look for the slowest message of the run: the logs of all its receivers that are here.
logs::SlowestWish slowest_wish_of(const record::RunRecord& record);

}  // namespace n2nq::ui
