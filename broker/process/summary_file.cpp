#include "broker/process/summary_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace n2nq::process {

std::string summary_path(const std::string& folder, const std::string& name) {
  return folder + "/" + name + ".summary.json";
}

Result<void> write_summary_file(const std::string& path, std::string_view line) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::trunc);
  file << line << '\n';
  file.close();
  if (file && std::rename(part.c_str(), path.c_str()) == 0) return {};
  const int error = errno;
  std::remove(part.c_str());
  return fail(path + " cannot be written: " + std::strerror(error), error);
}

}  // namespace n2nq::process
