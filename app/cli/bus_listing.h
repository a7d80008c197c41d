// What `buses` prints of all buses: what each can do, and whether its server is installed on some computers. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/run/bus_test.h"
#include "app/run/server_look.h"

namespace n2nq::cli {

struct AskedComputer {
  std::string host{};  // empty: this computer
  Result<run::InstalledServers> servers{};
};

// A row for each bus, a column for each computer; then of each where the programs are, and what installs those that
// lack.
std::string buses_table(const std::vector<AskedComputer>& computers);
std::string buses_json(const std::vector<AskedComputer>& computers);
std::string test_json(const run::BusTest& test);  // that is over

}  // namespace n2nq::cli
