// A queue without sockets: receivers whose "socket" takes as many bytes as the test allows, and that read the frames
// back.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "broker/queue/balancer.h"
#include "broker/queue/broadcaster.h"

namespace n2nq::queue {

using Id = std::pair<uint32_t, uint64_t>;  // sender, index

struct Client {
  Receiver receiver;
  uint64_t room = ~uint64_t{0};  // bytes its socket still takes
  wire::Bytes stream;
  size_t read_to = 0;
  bool next_again = false;
  std::vector<Id> got;        // first deliveries
  std::vector<Id> got_again;  // re-deliveries
  struct Open {
    Id id;
    bool again;
  };
  std::deque<Open> open;  // with responses: all of these that it has not answered
  // As a worker reckons what it has asked for: what it has refused and gets again is free.
  uint64_t asked = wire::kUntilFurtherNotice;
  std::set<Id> refused;
  std::vector<wire::Skip> skips;

  uint64_t skipped(wire::SkipReason reason) const {
    uint64_t n = 0;
    for (const auto& skip : skips) n += skip.reason == reason ? skip.count : 0;
    return n;
  }
};

class Rig {
 public:
  explicit Rig(Settings settings);

  Queue& queue() { return *queue_; }
  Client& join(wire::Filter filter = {}, uint64_t credit = wire::kUntilFurtherNotice, bool responses = false,
               uint64_t fleet = 0);
  // The next message of a sender.
  Id send(uint32_t sender, size_t payload = 50);
  void request(Client& client, uint64_t count);
  void filter(Client& client, const std::string& text);
  void answer(Client& client, const Id& id, bool good = true);
  void answer_next(Client& client, bool good = true);
  void allow(Client& client, uint64_t bytes);  // room in its socket; unblocks it
  Client* turn();                              // one turn of the loop; returns who was written to first
  void settle();                               // turns until nothing more happens
  void advance_ms(uint32_t ms);
  void vanish(Client& client, bool in_doubt = true);

  std::vector<std::unique_ptr<Client>> clients;
  uint32_t now_ms = 0;

 private:
  void write(Client& client);
  void read(Client& client);

  std::unique_ptr<Queue> queue_;
  std::vector<uint64_t> sent_;
  Gather gather_;
  wire::Bytes frame_;
};

wire::Filter filter_of(const std::string& text);

void expect_books_to_balance(Rig& rig);

}  // namespace n2nq::queue
