// The summary of a program as a file, for whoever reaches this computer once the program is gone. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::process {

// NAME.summary.json in the folder, whose last line is the summary: whole under that name or not there. The error names
// the file.
std::string summary_path(const std::string& folder, const std::string& name);
Result<void> write_summary_file(const std::string& path, std::string_view lines);

}  // namespace n2nq::process
