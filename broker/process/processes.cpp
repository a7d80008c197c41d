#include "broker/process/processes.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace n2nq::process {
namespace {

constexpr const char* kListens = "0A";  // as the kernel writes the state
constexpr size_t kMappedDigits = 24;    // of an IPv4 address in an IPv6 one: what comes before it
constexpr const char* kMapped = "0000000000000000FFFF0000";

template <class Use>
void for_each_entry(const std::string& folder, Use use) {
  DIR* opened = ::opendir(folder.c_str());
  if (opened == nullptr) return;
  while (const dirent* entry = ::readdir(opened)) use(entry->d_name);
  ::closedir(opened);
}

// As /proc/net/tcp has it: words of 32 bits, in this computer's order.
std::string hex_of(const void* address, size_t bytes) {
  std::string text;
  for (size_t at = 0; at < bytes; at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, static_cast<const char*>(address) + at, sizeof word);
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08X", word);
    text += digits;
  }
  return text;
}

std::string hex_of(const net::Endpoint& place) {
  if (place.address.ss_family == AF_INET)
    return hex_of(&reinterpret_cast<const sockaddr_in*>(&place.address)->sin_addr, 4);
  return hex_of(&reinterpret_cast<const sockaddr_in6*>(&place.address)->sin6_addr, 16);
}

// The sockets that may take a connection to this place.
std::set<std::string> listening_at(const net::Endpoint& place) {
  const std::string wanted = hex_of(place);
  char port[8];
  std::snprintf(port, sizeof port, ":%04X", place.port());
  std::set<std::string> inodes;
  for (const char* file : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string number, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
      words >> number >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >> inode;
      if (state != kListens || !local.ends_with(port)) continue;
      std::string address = local.substr(0, local.rfind(':'));
      if (address.starts_with(kMapped)) address.erase(0, kMappedDigits);
      const bool at_all = address.find_first_not_of('0') == std::string::npos;
      if (at_all || address == wanted) inodes.insert(inode);
    }
  }
  return inodes;
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t process) {
  std::multimap<pid_t, pid_t> children;
  for_each_entry("/proc", [&](const char* name) {
    const pid_t pid = std::atoi(name);
    if (pid <= 0) return;
    std::FILE* file = std::fopen(("/proc/" + std::string(name) + "/stat").c_str(), "re");
    if (file == nullptr) return;
    char text[512];
    text[std::fread(text, 1, sizeof text - 1, file)] = '\0';
    std::fclose(file);
    const char* behind_name = std::strrchr(text, ')');
    if (behind_name == nullptr || std::strlen(behind_name) < 4) return;
    children.emplace(std::atoi(behind_name + 4), pid);
  });
  std::vector<pid_t> found{process};
  for (size_t i = 0; i < found.size(); i++)
    for (auto [at, end] = children.equal_range(found[i]); at != end; at++) found.push_back(at->second);
  found.erase(found.begin());
  return found;
}

bool only_these_listen(const net::Endpoint& place, const std::vector<pid_t>& processes) {
  std::set<std::string> others = listening_at(place);
  if (others.empty()) return false;
  for (const pid_t pid : processes) {
    const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
    for_each_entry(folder, [&](const char* name) {
      char target[64];
      const ssize_t n = ::readlink((folder + "/" + name).c_str(), target, sizeof target - 1);
      const std::string_view text(target, static_cast<size_t>(std::max<ssize_t>(n, 0)));
      constexpr std::string_view kSocket = "socket:[";
      if (text.starts_with(kSocket))
        others.erase(std::string(text.substr(kSocket.size(), text.size() - kSocket.size() - 1)));
    });
    if (others.empty()) return true;
  }
  return false;
}

ProcessHandle::ProcessHandle(pid_t pid) : pid_(pid), fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
  gone_ = !fd_.valid() && errno == ESRCH;
}

bool ProcessHandle::signal(int number) const {
  if (gone_) {
    errno = ESRCH;
    return false;
  }
  if (!fd_.valid()) return ::kill(pid_, number) == 0;
  return ::syscall(SYS_pidfd_send_signal, fd_.get(), number, nullptr, 0) == 0;
}

}  // namespace n2nq::process
