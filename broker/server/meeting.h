// Where the messages of a run travel over another bus: where each receiver is reached, which senders are told, and how
// many messages each receiver is to expect: from what senders say they have sent, and where the bus chose the
// receivers, from what these say they have had. Plain logic but for the frames it sends. Thread: the server's loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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

  // False: more than there can be.
  bool take(const wire::Share& share);
  // Of a sender that is not done yet. False: it contradicts itself. What is too much to keep is a count that is lost.
  bool take(wire::Tally tally);
  // False: what it said before is something else.
  bool done(uint32_t sender, uint64_t count);
  // A sender is gone that has not said how much it sent.
  void lose_count() { lost_count_ = true; }
  // Where messages go to all, each receiver is to have everything.
  uint64_t expected(uint32_t receiver, bool to_all) const;

  // The bus chose who gets which message: when all senders are done, receivers are asked how many each has had, and go
  // on saying so until these are all.
  void ask_receivers(const std::vector<std::unique_ptr<Session>>& sessions);
  bool asked() const { return asked_; }
  uint64_t sent() const { return sent_; }
  // False: less than before, or more than there can be. `again`: of them, what another fleet may have had, too.
  bool take_had(uint32_t receiver, uint64_t fleet, uint64_t count, std::optional<uint32_t> again = {});
  uint64_t had() const { return had_sum_; }
  bool owes() const { return asked_ && had_sum_ < taken(); }
  // Of what came, some may be messages that were refused, in place of others.
  bool may_owe() const { return asked_ && had_sum_ < sent_; }
  // The same where two fleets may have had one message.
  bool may_owe_for_copies() const {
    return asked_ && fleets_.size() > 1 && had_sum_ - std::min(again_sum_, had_sum_) < taken();
  }
  // So many have said how much they have had.
  size_t heard() const { return had_.size(); }
  // Where all senders have said what they sent: tells one receiver of each fleet, which hears it for all of them.
  void tell_tallies(const std::vector<std::unique_ptr<Session>>& sessions) const;
  // Where it is known: what no receiver has had in the end, and how much of it must be other than what was refused.
  std::optional<uint64_t> untaken() const;
  std::optional<uint64_t> missing() const;

 private:
  uint64_t taken() const { return sent_ - std::min(refused_, sent_); }  // by the other bus, as far as it answered
  std::optional<uint64_t> not_had(uint64_t of) const;

  std::map<uint32_t, std::string> addresses_;
  std::set<uint64_t> told_;  // sender fleets
  std::map<uint32_t, uint64_t> shares_;
  std::map<uint32_t, wire::Tally> tallies_;  // of senders
  size_t stretches_ = 0;                     // of all of them
  uint64_t sent_ = 0;
  uint64_t refused_ = 0;
  uint64_t shared_ = 0;
  struct Had {
    uint64_t count = 0;
    uint64_t again = 0;
  };
  std::map<uint32_t, Had> had_;
  std::set<uint64_t> fleets_;  // of receivers that have said so
  uint64_t had_sum_ = 0;
  uint64_t again_sum_ = 0;
  bool asked_ = false;
  bool lost_count_ = false;
};

}  // namespace n2nq::server
