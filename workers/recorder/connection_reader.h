// The established TCP connections of a run: those with the queue's port at either end, or over another bus all of its
// processes but those. By netlink (INET_DIAG_INFO), which needs no rights; where a host does not allow it, of those
// with the port their number alone, from /proc/net/tcp. What is wrong once costs one reading. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "broker/base/fd.h"
#include "workers/recorder/kept_file.h"
#include "workers/recorder/pace.h"
#include "workers/recorder/proc_text.h"
#include "workers/recorder/socket_owners.h"

namespace n2nq::recorder {

class ConnectionReader {
 public:
  // Over another bus messages pass by the queue's port, which may be 0 then.
  ConnectionReader(uint16_t port, bool past_the_queue);

  bool is_of(uint16_t port, bool past_the_queue) const { return port == port_ && past_the_queue == past_the_queue_; }
  // Each side of connections, as far as this host has it: the queue's and the workers', or those of `sides`. Without
  // figures where there was no answer, or where it was not asked for and would come too dear.
  std::vector<control::RecordedSubject> read(ReadBuffer& buffer, bool asked, const Sides& sides);
  void add_lacking(std::vector<control::Lacking>& lacking, const Sides& sides) const;
  // The last reading has found sockets that are nobody's: of a process that was not known yet, perhaps.
  bool found_strangers() const { return owners_.found_strangers(); }

 private:
  // Of those that have one.
  struct Mean {
    int64_t sum = 0, of = 0;
    void add(std::optional<int64_t> value);
    int64_t value() const { return of == 0 ? control::kNoFigure : sum / of; }
  };
  struct Sums {
    int64_t connections = 0, told = 0;
    int64_t rtt_us_max = 0, rtt_us_least = INT64_MAX;
    Mean rtt_ns{}, rtt_deviation_ns{}, cwnd{}, threshold{}, unacknowledged{}, delivery_rate{}, pacing_rate{};
  };
  // What the kernel says of one; nothing: it does not.
  struct TcpFigures {
    int64_t rtt_us = 0, rtt_deviation_us = 0;
    std::optional<int64_t> rtt_us_least{};
    int64_t cwnd = 0, unacknowledged = 0;
    std::optional<int64_t> threshold{};
    uint32_t retransmits = 0;
    std::optional<int64_t> delivery_rate{}, pacing_rate{};  // bytes/s
  };
  using Retransmits = std::unordered_map<uint64_t, uint32_t>;  // by connection
  struct Side {
    Sums sums{};
    int64_t retransmits = 0;  // of all connections there have been
  };

  struct Socket {
    uint32_t inode = 0;
    uint16_t port = 0, port_there = 0;
    uint64_t cookie = 0;
    std::optional<TcpFigures> figures{};
  };

  void read_now(ReadBuffer& buffer, const Sides& sides);
  bool ask_netlink(ReadBuffer& buffer);
  bool ask(uint8_t family);
  bool take_answer(ReadBuffer& buffer);
  void take_socket(const char* message, size_t length);
  void add_up(const Sides& sides);
  void add(const Socket& socket, Side& side, const Retransmits& all_before);
  void fall_back(int error);
  void count_only(ReadBuffer& buffer);
  std::vector<control::RecordedSubject> subjects(const Sides& sides) const;

  uint16_t port_;
  bool past_the_queue_;
  Fd netlink_;
  std::string why_not_;  // empty: netlink it is
  std::vector<KeptFile> files_;
  std::vector<Socket> sockets_;  // of one reading
  SocketOwners owners_;
  std::map<std::string, Side> sides_;
  Retransmits retransmits_;
  Pace pace_;
  bool known_ = false;  // the sums are of this reading
};

}  // namespace n2nq::recorder
