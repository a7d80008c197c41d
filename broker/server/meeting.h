// Where the messages of a run travel over another bus: where each receiver is reached, which senders are told, and how
// many messages each receiver is to expect, from what senders say they have sent. Plain logic but for the frames it
// sends. Thread: the server's loop.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "broker/server/session.h"

namespace n2nq::server {

class Meeting {
 public:
  void take(const wire::Address& address) { addresses_[address.receiver] = address.text; }
  // It left before the run began.
  void forget_receiver(uint32_t number) { addresses_.erase(number); }
  // Tells the first connection of each sender fleet, which hears it for all of them, once all receivers have an
  // address.
  void introduce(const std::vector<std::unique_ptr<Session>>& sessions, size_t receivers);

  // Senders have heard where the receivers are, and hear it once.
  bool introduced() const { return !told_.empty(); }

  void take(const wire::Share& share);
  void done(uint64_t count) { sent_ += count; }
  // A sender is gone that has not said how much it sent.
  void lose_count() { lost_count_ = true; }
  // Where messages go to all, each receiver is to have everything. Where the bus chooses the receivers nobody knows.
  uint64_t expected(uint32_t receiver, bool to_all) const;

 private:
  std::map<uint32_t, std::string> addresses_;
  std::set<uint64_t> told_;  // sender fleets
  std::map<uint32_t, uint64_t> shares_;
  uint64_t sent_ = 0;
  uint64_t shared_ = 0;
  bool lost_count_ = false;
};

}  // namespace n2nq::server
