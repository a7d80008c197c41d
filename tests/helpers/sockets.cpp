#include "tests/helpers/sockets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace n2nq::test {
namespace {

// "0100007F:1F90"
uint16_t port_in(const std::string& address) {
  return static_cast<uint16_t>(std::stoul(address.substr(address.find(':') + 1), nullptr, 16));
}

std::set<uint64_t> inodes_of(pid_t process) {
  const std::string socket = "socket:[";
  std::set<uint64_t> inodes;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
    if (target.starts_with(socket)) inodes.insert(std::stoull(target.substr(socket.size())));
  }
  return inodes;
}

}  // namespace

std::vector<TcpSocket> tcp_sockets() {
  std::vector<TcpSocket> all;
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream fields(line);
      std::string slot, local, remote, state, queues, timer, retransmits, user, timeout;
      uint64_t inode = 0;
      fields >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
      all.push_back({.local = port_in(local), .remote = port_in(remote), .established = state == "01", .inode = inode});
    }
  }
  return all;
}

std::vector<TcpSocket> tcp_sockets_of(pid_t process) {
  const std::set<uint64_t> inodes = inodes_of(process);
  std::vector<TcpSocket> all = tcp_sockets();
  std::erase_if(all, [&inodes](const TcpSocket& socket) { return !inodes.contains(socket.inode); });
  // The kernel may list one again, where others came and went while it was read.
  std::ranges::sort(all, {}, &TcpSocket::inode);
  const auto again = std::ranges::unique(all, {}, &TcpSocket::inode);
  all.erase(again.begin(), again.end());
  return all;
}

}  // namespace n2nq::test
