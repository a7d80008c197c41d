// The hosts of a run without a window: their list, the links to them, and who answers for passwords. UI thread.
#pragma once

#include <memory>
#include <string>

#include "app/cli/askpass.h"
#include "app/cli/bench_command.h"
#include "app/place/data_folder.h"
#include "app/run/host_links.h"

namespace n2nq::cli {

// `given`, which must be there, or that of the data folder, which may be missing.
std::string hosts_path(const std::string& given, const place::DataFolder& folder);
Result<hosts::HostList> read_hosts(const std::string& given, const place::DataFolder& folder);

struct HostAccess {
  HostAccess(hosts::HostList list, const std::string& programs, const HostsOptions& options,
             Askpass::Keys keys = Askpass::Keys::answered);

  run::HostLinks links;
  Askpass answers;
};

// What is wrong, and the command that makes it right where there is one.
std::string failure_text(const launch::LinkFailure& failure, const HostsOptions& options);

}  // namespace n2nq::cli
