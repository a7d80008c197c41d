// The established TCP connections with the queue's port at either end: by netlink (INET_DIAG_INFO), which needs no
// rights; where a host does not allow it, their number alone, from /proc/net/tcp. What is wrong once costs one reading.
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "broker/base/fd.h"
#include "workers/recorder/kept_file.h"
#include "workers/recorder/pace.h"
#include "workers/recorder/proc_text.h"

namespace n2nq::recorder {

class ConnectionReader {
 public:
  explicit ConnectionReader(uint16_t port);

  uint16_t port() const { return port_; }
  // The queue's side and the workers', as far as this host has them; without figures where there was no answer, or
  // where it was not asked for and would come too dear.
  std::vector<control::RecordedSubject> read(ReadBuffer& buffer, bool asked);
  void add_lacking(std::vector<control::Lacking>& lacking) const;

 private:
  struct Sums {
    int64_t connections = 0, told = 0;
    int64_t rtt_us = 0, rtt_us_max = 0, cwnd = 0;
    int64_t rates = 0, bytes_per_s = 0;
    int64_t rtt_us_least = INT64_MAX;
  };
  struct Side {
    Sums sums{};
    int64_t retransmits = 0;  // of all connections there have been
  };

  void read_now(ReadBuffer& buffer);
  bool ask_netlink(ReadBuffer& buffer);
  bool ask(uint8_t family);
  bool take_answer(ReadBuffer& buffer);
  void take_socket(const char* message, size_t length);
  void fall_back(int error);
  void count_only(ReadBuffer& buffer);
  std::vector<control::RecordedSubject> subjects() const;

  uint16_t port_;
  Fd netlink_;
  std::string why_not_;  // empty: netlink it is
  std::vector<KeptFile> files_;
  std::map<std::string, Side> sides_;
  std::unordered_map<uint64_t, uint32_t> retransmits_;  // by connection
  Pace pace_;
  bool known_ = false;  // the sums are of this reading
};

}  // namespace n2nq::recorder
