// What commands without a window need before their first run: the data folder, its store, the programs, the hosts. Each
// step of getting ready says what is wrong and which exit code that is. Main thread.
#pragma once

#include <expected>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/cli/bench_command.h"
#include "app/cli/exit_code.h"
#include "app/cli/host_access.h"
#include "app/place/data_folder.h"
#include "app/plan/permissions.h"
#include "app/run/session_options.h"
#include "app/store/store.h"

namespace n2nq::cli {

using Step = std::expected<void, Trouble>;

struct Surroundings {
  place::DataFolder folder{};
  plan::Permissions permissions{};
  run::SessionOptions options{};  // refers to the permissions
  std::unique_ptr<store::ResultStore> store{};
  std::unique_ptr<HostAccess> hosts{};
};

// `out`: where the files of runs go; empty: into the data folder.
Step open_places(const std::string& data_dir, const std::string& out, Surroundings& places);
// That these plans, of `name`, send no file anywhere that is not allowed, nor by the options --allow. After
// open_places().
Step check_permissions(const std::vector<plan::RunPlan>& plans, const plan::PlanOrigin& origin,
                       const std::vector<std::string>& allow, const std::string& name, Surroundings& places);
// Of options --set.
std::set<std::string> keys_of(const std::vector<std::string>& sets);
// For these plans of the file. After open_places().
Step open_hosts(const HostsOptions& hosts, const std::vector<plan::RunPlan>& plans, const std::string& file,
                Surroundings& places);

}  // namespace n2nq::cli
