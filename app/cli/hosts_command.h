// `n2nq-bench hosts ...`, from reading the list to the exit code. Main thread, under a QCoreApplication.
#pragma once

#include "app/cli/bench_command.h"

namespace n2nq::cli {

int run_hosts_command(const HostsCommand& command);

}  // namespace n2nq::cli
