// A figure of a result as its page shows it. Pure; UI thread.
#pragma once

#include <string>

#include "app/figures/figure.h"
#include "app/record/run_record.h"

namespace n2nq::ui {

// Empty without a title: there is none of that id. One of latencies says what the rates do where the run never began.
figures::Figure record_figure(const record::RunRecord& record, const std::string& id);

}  // namespace n2nq::ui
