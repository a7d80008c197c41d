#include "app/plan/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "broker/base/fd.h"
#include "broker/base/new_file.h"

namespace n2nq::plan {
namespace {

constexpr size_t kPartBytes = 1 << 20;

std::unexpected<Error> trouble(const std::string& path, const char* what, int error) {
  const char* advice = error == EACCES || error == EPERM ? "; make sure that you may read it"
                       : error == ENOENT                 ? "; check that it exists"
                                                         : "";
  return fail(path + ": " + what + ": " + std::strerror(error) + advice, error);
}

// False: errno says why.
bool read_some(const Fd& file, std::string& part, size_t& got) {
  ssize_t bytes = 0;
  do bytes = ::read(file.get(), part.data(), part.size());
  while (bytes < 0 && errno == EINTR);
  got = static_cast<size_t>(std::max<ssize_t>(bytes, 0));
  return bytes >= 0;
}

// Where a link leads to, so that the link itself stays one.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

bool is_store(const std::string& path) {
  return behind_links(path).ends_with(".sqlite");
}

Result<NewFile> begin_whole_file(const std::string& path) {
  const std::string target = behind_links(path);
  if (is_store(target)) return fail(path + ": is a results store; choose another name");
  std::error_code error;
  if (const auto there = std::filesystem::status(target, error); std::filesystem::exists(there) &&
                                                                 !std::filesystem::is_regular_file(there) &&
                                                                 !std::filesystem::is_directory(there))
    return fail(path + ": is a device, pipe or socket, which a file would replace; choose another name");
  return NewFile::create(target);
}

}  // namespace

Result<std::string> read_whole_file(const std::string& path) {
  if (is_store(path)) return fail(path + ": is a results store; choose another file");
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file.valid()) return trouble(path, "cannot be opened", errno);
  if (::fstat(file.get(), &status) != 0) return trouble(path, "cannot be read", errno);
  if (!S_ISREG(status.st_mode)) return fail(path + ": is not a file; choose a file");
  std::string text;
  std::string part(kPartBytes, '\0');
  for (size_t got = 0;;) {
    if (!read_some(file, part, got)) return trouble(path, "cannot be read", errno);
    if (got == 0) return text;
    text.append(part, 0, got);
    if (text.size() > kLargestPlanFile) return fail(path + ": is too large for a plan; choose another file");
  }
}

Result<void> write_whole_file(const std::string& path, std::string_view text) {
  auto file = begin_whole_file(path);
  if (!file) return std::unexpected(file.error());
  if (auto done = file->write(text); !done) return done;
  return file->finish();
}

Result<void> try_whole_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return fail(path + ": is a folder; choose the name of a file");
  const auto file = begin_whole_file(path);
  if (!file) return std::unexpected(file.error());
  return {};
}

Result<void> copy_whole(const std::string& from, const std::string& to, const std::stop_token& stop) {
  const Fd source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!source.valid()) return trouble(from, "cannot be opened", errno);
  auto copy = NewFile::create(to);
  if (!copy) return std::unexpected(copy.error());
  std::string part(kPartBytes, '\0');
  for (size_t got = 0;;) {
    if (stop.stop_requested()) return fail("cancelled");
    if (!read_some(source, part, got)) return trouble(from, "cannot be read", errno);
    if (got == 0) return copy->finish();
    if (auto done = copy->write(std::string_view(part).substr(0, got)); !done) return done;
  }
}

bool lies_in(const std::string& file, const std::string& folder) {
  std::error_code error;
  const auto real = [&error](const std::string& given) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(given, error), error);
  };
  const std::filesystem::path outer = real(folder);
  return std::ranges::mismatch(outer, real(file)).in1 == outer.end();
}

}  // namespace n2nq::plan
