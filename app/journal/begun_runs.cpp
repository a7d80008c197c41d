#include "app/journal/begun_runs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "app/journal/journal.h"
#include "app/record/run_folder.h"

namespace n2nq::journal {
namespace {

namespace fs = std::filesystem;

struct Link {
  fs::path path{};
  std::string folder{};
};

std::vector<Link> links_in(const std::string& begun_folder) {
  std::vector<Link> links;
  std::error_code error;
  fs::directory_iterator at(begun_folder, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code none;
    const fs::path folder = fs::read_symlink(at->path(), none);
    if (!none && folder.is_absolute()) links.push_back({.path = at->path(), .folder = folder.string()});
  }
  return links;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

Result<void> remember_run(const std::string& begun_folder, const std::string& run_folder) {
  std::error_code error;
  fs::create_directories(begun_folder, error);
  const std::string name = begun_folder + "/" + fs::path(run_folder).filename().string();
  for (int i = 0; i < 100; i++) {
    const std::string path = i == 0 ? name : name + "-" + std::to_string(i);
    if (::symlink(run_folder.c_str(), path.c_str()) == 0) return {};
    if (errno != EEXIST) break;
  }
  return fail("the run cannot be noted in " + begun_folder + ": " + std::system_category().message(errno) +
                  "; if the bench is killed, the next start will not find the run",
              errno);
}

void forget_run(const std::string& begun_folder, const std::string& run_folder) {
  for (const Link& link : links_in(begun_folder))
    if (link.folder == run_folder) ::unlink(link.path.c_str());
}

std::string begun_run(const std::string& begun_folder, const std::string& name) {
  for (const Link& link : links_in(begun_folder))
    if (fs::path(link.folder).filename() == name && is_there(link.folder)) return link.folder;
  return {};
}

std::vector<std::string> begun_and_cut_off(const std::string& begun_folder) {
  std::vector<std::string> folders;
  for (const Link& link : links_in(begun_folder)) {
    const fs::path folder = link.folder;
    if (is_cut_off(link.folder))
      folders.push_back(link.folder);
    else if (is_there(folder.parent_path()) && !is_there(folder / record::kJournalName))
      ::unlink(link.path.c_str());
  }
  std::ranges::sort(folders);
  return folders;
}

}  // namespace n2nq::journal
