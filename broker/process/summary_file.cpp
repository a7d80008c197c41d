#include "broker/process/summary_file.h"

#include "broker/base/new_file.h"

namespace n2nq::process {

std::string summary_path(const std::string& folder, const std::string& name) {
  return folder + "/" + name + ".summary.json";
}

Result<void> write_summary_file(const std::string& path, std::string_view lines) {
  // Not waited for until the disk has it: a host that goes down takes the run with it.
  auto file = NewFile::create(path, {.sync = false});
  if (!file) return std::unexpected(file.error());
  if (auto done = file->write(std::string(lines) + '\n'); !done) return done;
  return file->finish();
}

}  // namespace n2nq::process
