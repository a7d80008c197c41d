#include "app/place/data_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QStandardPaths>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace n2nq::place {
namespace {

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const auto full = std::filesystem::absolute(path, error).lexically_normal();
  return error ? path : full.string();
}

// No link, and nobody else may look into it or put anything there.
bool is_private_folder(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & 0077) == 0;
}

constexpr const char* kAdvice = "; choose another with --data-dir DIR or N2NQ_DATA_DIR";

}  // namespace

std::string data_folder_path(const std::string& given) {
  if (!given.empty()) return absolute(given);
  if (const std::string set = from_environment("N2NQ_DATA_DIR"); !set.empty()) return absolute(set);
  const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
  return absolute(data.toStdString() + "/n2nq-bench");
}

bool may(const std::string& path, int mode) {
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

Result<DataFolder> open_data_folder(const std::string& path) {
  std::error_code error;
  const bool was_there = std::filesystem::exists(path, error);
  std::filesystem::create_directories(path, error);
  if (error) return fail("the data folder " + path + " cannot be created: " + error.message() + kAdvice, error.value());
  if (!was_there) ::chmod(path.c_str(), 0700);
  if (!may(path, W_OK | X_OK))
    return fail("the data folder " + path + " cannot be written: " + std::strerror(errno) + kAdvice, errno);
  return DataFolder{.path = path};
}

Result<DataFolder> open_data_folder_to_read(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) return open_data_folder(path);
  if (!may(path, R_OK | X_OK))
    return fail("the data folder " + path + " cannot be read: " + std::strerror(errno) + kAdvice, errno);
  return DataFolder{.path = path};
}

Result<DataFolder> open_temporary_folder() {
  std::error_code error;
  const std::string parent = std::filesystem::temp_directory_path(error).string();
  if (error) return fail("there is no temporary folder either: " + error.message() + kAdvice, error.value());
  const std::string path = parent + "/n2nq-bench-" + std::to_string(::geteuid());
  if (::mkdir(path.c_str(), 0700) == 0 || is_private_folder(path)) return DataFolder{.path = path};
  std::string other = path + "-XXXXXX";
  if (::mkdtemp(other.data()) == nullptr)
    return fail("no folder can be created in " + parent + " either: " + std::strerror(errno) + kAdvice, errno);
  return DataFolder{.path = other};
}

std::string programs_folder() {
  if (const std::string set = from_environment("N2NQ_PROGRAMS"); !set.empty()) return absolute(set);
  return QCoreApplication::applicationDirPath().toStdString();
}

std::string programs_for_hosts(const std::string& programs) {
  return check_programs(programs + "/for-hosts") ? programs + "/for-hosts" : programs;
}

Result<void> check_programs(const std::string& folder) {
  for (const char* program : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"}) {
    const std::string path = folder + "/" + program;
    if (!may(path, X_OK))
      return fail(path + " cannot be run: " + std::strerror(errno) +
                      "; build it, or set N2NQ_PROGRAMS to the folder of the programs",
                  errno);
  }
  return {};
}

}  // namespace n2nq::place
