// Where the logs of a stored run are. Looks at the disk; UI thread.
#pragma once

#include <QString>
#include <cstdint>

#include "app/results/run_record.h"

namespace n2nq::results {

// For a sender or receiver by its number; of the broker: the queue's. Empty where there is none.
QString log_path(const RunRecord& record, Role role, uint32_t service);
QString no_log_text(const RunRecord& record, Role role, uint32_t service);  // that there is none, and why
QString log_title(const RunRecord& record, Role role, uint32_t service);    // "quick: receiver 7"

}  // namespace n2nq::results
