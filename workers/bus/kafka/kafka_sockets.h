// The sockets of one client of librdkafka, which its threads open and close: what went over them, by the kernel's
// count. Any thread.
#pragma once

#include <mutex>
#include <vector>

#include "broker/net/socket.h"
#include "workers/bus/link.h"

namespace n2nq::bus {

class KafkaSockets {
 public:
  int open(int domain, int type, int protocol, const net::SocketWishes& wishes);
  int close(int fd);
  LinkCounters counters() const;
  int any() const;  // -1: none

 private:
  mutable std::mutex mutex_;
  std::vector<int> open_;
  LinkCounters closed_;  // of those that are, and how many were opened
};

}  // namespace n2nq::bus
