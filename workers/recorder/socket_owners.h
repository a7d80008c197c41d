// Which socket is whose: of processes that belong to sides of a run, by their descriptors in /proc. They are looked
// through only where a socket is not known yet. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace n2nq::recorder {

// The processes of each side, by its name: "senders".
using Sides = std::map<std::string, std::vector<pid_t>>;

class SocketOwners {
 public:
  // Of these sockets, by their inodes, whose each is; the others are forgotten.
  void learn(const std::vector<uint32_t>& inodes, const Sides& sides);
  // Empty: somebody else's. Of one that was learnt.
  const std::string& side_of(uint32_t inode) const;
  // Of those that were learnt last some are somebody else's and were not known before.
  bool found_strangers() const { return found_strangers_; }
  // Sides of which a process does not show its sockets, and why.
  const std::map<std::string, std::string>& hidden() const { return hidden_; }

 private:
  void look(const std::string& side, pid_t pid);

  Sides sides_;
  std::unordered_map<uint32_t, std::string> owners_;
  std::map<std::string, std::string> hidden_;
  bool found_strangers_ = false;
};

}  // namespace n2nq::recorder
