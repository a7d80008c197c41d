// TCP sockets of this network as the kernel lists them, and whose they are.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace n2nq::test {

struct TcpSocket {
  uint16_t local = 0, remote = 0;  // ports
  bool established = false;
  uint64_t inode = 0;
};

std::vector<TcpSocket> tcp_sockets();
std::vector<TcpSocket> tcp_sockets_of(pid_t process);

}  // namespace n2nq::test
