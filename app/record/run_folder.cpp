#include "app/record/run_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/new_file.h"

namespace n2nq::record {
namespace {

namespace fs = std::filesystem;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

bool numbered(std::string_view name, std::string_view prefix, std::string_view suffix) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix))
    return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

bool left_by_process(std::string_view name, const std::string& kind) {
  return name == "broker" + kind || numbered(name, "sender-", kind) || numbered(name, "receiver-", kind);
}

bool left_by_server(std::string_view name) {
  return name == log_name(Role::broker, 1) || numbered(name, "server-", ".log");
}

// Only runs leave files of these names behind.
bool marks_a_run(std::string_view name) {
  return name == kJournalName || name == kMasterName || left_by_process(name, ".log");
}

bool of_a_run(std::string_view name) {
  if (marks_a_run(name) || name == kIntervalLogName || name == kDamagedName || is_unfinished_file(name)) return true;
  if (name == "journal.jsonl.new" || name == "master.csv.part") return true;  // left of benches before this one
  for (const std::string_view role : {"broker", "queue", "server", "sender", "receiver", "senders", "receivers"}) {
    if (!name.starts_with(role)) continue;
    for (const std::string_view kind : {".log", ".hlog", ".summary.json", ".stderr"})
      if (name.ends_with(kind)) return true;
  }
  return false;
}

// Nothing, and errno, if it cannot be opened.
Folder open_folder(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();  // it would follow a link
  Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return nullptr;
  Folder folder(::fdopendir(fd.get()));
  if (folder) fd.release();
  return folder;
}

// There is no such folder: nothing of that name, or a link or a file in its place.
bool says_none(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

std::unexpected<Error> cannot_be_removed(const std::string& path, int error) {
  return fail(path + " cannot be removed: " + std::system_category().message(error), error);
}

std::vector<std::string> files_in(DIR* folder) {
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder)) {
    struct stat status{};
    if (::fstatat(::dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(status.st_mode)) names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

std::string new_run_name() {
  const time_t now = ::time(nullptr);
  struct tm parts{};
  ::gmtime_r(&now, &parts);
  const auto random = static_cast<uint16_t>(::arc4random());
  char text[80];
  std::snprintf(text, sizeof text, "%04d%02d%02dT%02d%02d%02dZ-%04x", parts.tm_year + 1900, parts.tm_mon + 1,
                parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, random);
  return text;
}

bool is_run_name(std::string_view name) {
  if (name.starts_with(kImportedPrefix)) return true;
  constexpr std::string_view kForm = "00000000T000000Z-xxxx";
  return std::ranges::equal(name, kForm, [](char c, char form) {
    const bool digit = c >= '0' && c <= '9';
    return form == '0' ? digit : form == 'x' ? digit || (c >= 'a' && c <= 'f') : c == form;
  });
}

std::string log_name(Role role, uint32_t service) {
  if (role == Role::broker && service > 1) return "server-" + std::to_string(service) + ".log";
  if (role == Role::broker) return service == 0 ? "broker.log" : "server.log";
  return to_text(role) + "-" + std::to_string(service) + ".log";
}

uint64_t folder_bytes(const std::string& folder) {
  uint64_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    if (!at->is_regular_file(unknown) || at->is_symlink(unknown)) continue;
    const uint64_t size = at->file_size(unknown);
    if (!unknown) bytes += size;
  }
  return bytes;
}

bool is_run_file(std::string_view name) {
  return of_a_run(name) && name.find('/') == std::string_view::npos;
}

bool is_process_file(std::string_view name) {
  return left_by_process(name, ".log") || left_by_process(name, ".summary.json") || left_by_server(name);
}

std::vector<std::string> run_files(const std::string& folder) {
  const Folder open = folder.empty() ? Folder() : open_folder(folder);
  if (!open) return {};
  std::vector<std::string> names = files_in(open.get());
  std::erase_if(names, [](const std::string& name) { return !of_a_run(name); });
  std::ranges::sort(names);
  return names;
}

std::string runs_folder_of(const std::string& folder) {
  if (folder.empty()) return {};
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  return error ? std::string() : real.parent_path().string();
}

std::optional<int64_t> free_bytes(const std::string& folder) {
  std::error_code untold;
  const auto space = std::filesystem::space(folder, untold);
  if (untold) return std::nullopt;
  return static_cast<int64_t>(std::min<uintmax_t>(space.available, std::numeric_limits<int64_t>::max()));
}

Result<void> remove_run_folder(const std::string& folder, const std::string& runs_folder) {
  if (runs_folder.empty()) return {};
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error && !says_none(error.value())) return cannot_be_removed(folder, error.value());
  if (error || real.parent_path() != runs_folder || !is_run_name(real.filename().string())) return {};
  const Folder open = open_folder(folder);
  if (!open && !says_none(errno)) return cannot_be_removed(folder, errno);
  if (!open) return {};
  const std::vector<std::string> names = files_in(open.get());
  if (std::ranges::none_of(names, marks_a_run)) return {};
  for (const std::string& name : names) {
    if (!of_a_run(name)) continue;
    if (::unlinkat(::dirfd(open.get()), name.c_str(), 0) != 0 && errno != ENOENT)
      return cannot_be_removed(folder + "/" + name, errno);
  }
  if (::rmdir(folder.c_str()) != 0 && errno != ENOTEMPTY && errno != EEXIST && errno != ENOENT)
    return cannot_be_removed(folder, errno);
  return {};
}

}  // namespace n2nq::record
