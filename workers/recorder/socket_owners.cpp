#include "workers/recorder/socket_owners.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace n2nq::recorder {
namespace {

// Empty, with errno: it may not be read, or is gone.
std::string target_of(int folder, const char* link) {
  std::array<char, 64> text{};
  const ssize_t length = ::readlinkat(folder, link, text.data(), text.size());
  return length > 0 ? std::string(text.data(), static_cast<size_t>(length)) : "";
}

// 0: it is no socket.
uint32_t inode_in(std::string_view target) {
  constexpr std::string_view kSocket = "socket:[";
  uint32_t inode = 0;
  if (target.starts_with(kSocket))
    std::from_chars(target.data() + kSocket.size(), target.data() + target.size(), inode);
  return inode;
}

bool is_gone(int error) {
  return error == ENOENT || error == ESRCH;
}

}  // namespace

void SocketOwners::learn(const std::vector<uint32_t>& inodes, const Sides& sides) {
  const bool known =
      sides == sides_ && std::ranges::all_of(inodes, [this](uint32_t inode) { return owners_.contains(inode); });
  found_strangers_ = false;
  auto before = std::exchange(owners_, {});
  if (known) {
    for (const uint32_t inode : inodes) owners_[inode] = std::move(before[inode]);
    return;
  }
  sides_ = sides;
  hidden_.clear();
  for (const auto& [side, pids] : sides_)
    for (const pid_t pid : pids) look(side, pid);
  auto found = std::exchange(owners_, {});
  for (const uint32_t inode : inodes) {
    std::string& side = owners_[inode] = std::move(found[inode]);
    if (side.empty() && !before.contains(inode)) found_strangers_ = true;
  }
}

void SocketOwners::look(const std::string& side, pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid);
  const auto hide = [&](int error) {
    if (!is_gone(error))
      hidden_[side] = "the recorder may not read which connections belong to process " + std::to_string(pid) + " (" +
                      std::strerror(error) + ")";
  };
  static const std::string kOwnNetwork = target_of(AT_FDCWD, "/proc/self/ns/net");
  const std::string network = target_of(AT_FDCWD, (path + "/ns/net").c_str());
  if (network.empty()) return hide(errno);
  if (network != kOwnNetwork) {
    hidden_[side] = "process " + std::to_string(pid) + " has a network of its own, whose connections are not seen";
    return;
  }
  DIR* folder = ::opendir((path + "/fd").c_str());
  if (folder == nullptr) return hide(errno);
  while (const dirent* entry = ::readdir(folder))
    if (const uint32_t inode = inode_in(target_of(::dirfd(folder), entry->d_name)); inode != 0) owners_[inode] = side;
  ::closedir(folder);
}

const std::string& SocketOwners::side_of(uint32_t inode) const {
  static const std::string kNobody;
  const auto found = owners_.find(inode);
  return found == owners_.end() ? kNobody : found->second;
}

}  // namespace n2nq::recorder
