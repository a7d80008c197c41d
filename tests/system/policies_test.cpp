// Load-balancer policies act: each spreads the messages in a way that the others do not.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

// Who got each message, by index.
using Owners = std::map<uint64_t, size_t>;

struct Fleet3 {
  Stage stage;
  std::vector<ForeignReceiver> fleet{};
  std::optional<ForeignSender> sender{};

  Fleet3(const std::string& policy, size_t size, uint8_t wishes = 0) {
    stage.start_broker({"--mode", "load-balancer", "--policy", policy});
    fleet.reserve(size);
    for (uint32_t i = 1; i <= size; ++i) {
      fleet.emplace_back(stage.port(),
                         Hello{.number = i, .wishes = wishes, .fleet_size = static_cast<uint32_t>(size), .fleet = 5});
    }
    sender.emplace(stage.port(), Hello{});
    for (auto& receiver : fleet) receiver.begin();
    sender->begin();
  }

  // Reads at all receivers until `total` deliveries came together.
  bool take_together(size_t total) {
    Deadline deadline(10s);
    for (;;) {
      size_t had = 0;
      for (auto& receiver : fleet) {
        receiver.take_in_window(had_all(total) ? 0ms : 1ms);
        had += receiver.deliveries().size();
      }
      if (had >= total) return true;
      if (deadline.passed()) return false;
    }
  }

  Owners finish() {
    EXPECT_TRUE(sender->finish());
    Owners owners;
    for (size_t i = 0; i < fleet.size(); ++i) {
      fleet[i].take_all();
      for (const auto& delivery : fleet[i].deliveries()) {
        EXPECT_TRUE(owners.emplace(delivery.id.second, i).second) << "twice: " << delivery.id.second;
      }
      fleet[i].bye();
    }
    EXPECT_EQ(stage.finish().broker.exit, Exit{.code = 0});
    return owners;
  }

 private:
  bool had_all(size_t total) const {
    size_t had = 0;
    for (const auto& receiver : fleet) had += receiver.deliveries().size();
    return had >= total;
  }
};

size_t share(const Owners& owners, size_t who) {
  return static_cast<size_t>(
      std::count_if(owners.begin(), owners.end(), [&](const auto& one) { return one.second == who; }));
}

size_t same_as_three_before(const Owners& owners) {
  size_t same = 0;
  for (const auto& [index, owner] : owners) same += index > 3 && owners.at(index - 3) == owner ? 1 : 0;
  return same;
}

TEST(RoundRobin, IsExactlyEvenAndInTurn) {
  Fleet3 run("round-robin", 3);
  run.sender->send(30);
  Owners owners = run.finish();
  ASSERT_EQ(owners.size(), 30U);
  for (size_t who : {0U, 1U, 2U}) EXPECT_EQ(share(owners, who), 10U);
  EXPECT_EQ(same_as_three_before(owners), 27U);
}

TEST(Random, IsRoughlyEvenAndInNoTurn) {
  Fleet3 run("random", 3);
  run.sender->send(300);
  Owners owners = run.finish();
  ASSERT_EQ(owners.size(), 300U);
  for (size_t who : {0U, 1U, 2U}) {
    EXPECT_GT(share(owners, who), 50U);  // 100 expected, a standard deviation is 8
    EXPECT_LT(share(owners, who), 150U);
  }
  EXPECT_LT(same_as_three_before(owners), 160U);  // of 297: 99 by chance
}

// One receiver answers at once, the other not before the end.
Owners with_one_slow_receiver(const std::string& policy) {
  Fleet3 run(policy, 2, kResponses);
  run.fleet[0].verdict = [](const Delivery&) { return 0; };
  for (size_t i = 1; i <= 40; ++i) {
    run.sender->send(1);
    EXPECT_TRUE(run.take_together(i));
  }
  run.fleet[1].answer_all(run.fleet[1].deliveries());
  return run.finish();
}

TEST(LeastOutstanding, SparesTheReceiverThatAnswersSlowly) {
  Owners owners = with_one_slow_receiver("least-outstanding");
  EXPECT_EQ(owners.size(), 40U);
  EXPECT_LE(share(owners, 1), 3U);
}

TEST(LeastOutstanding, IsNotWhatRoundRobinDoes) {
  Owners owners = with_one_slow_receiver("round-robin");
  EXPECT_EQ(share(owners, 1), 20U);
}

TEST(LeastOutstanding, WithoutResponsesSparesTheReceiverThatDoesNotRead) {
  constexpr size_t kSent = 400, kBytes = 32 * 1024;
  Stage stage;
  stage.start_broker({"--mode", "load-balancer", "--policy", "least-outstanding"});
  ForeignReceiver quick(stage.port(), {.number = 1}), idle(stage.port(), {.number = 2});
  ForeignSender sender(stage.port(), {});
  quick.begin();
  sender.begin();
  for (size_t i = 0; i < kSent; ++i) {
    sender.send(1, kBytes);
    quick.take_in_window(0ms);
  }
  sender.done();
  // The idle one is not read before the quick one has the larger half: what it holds up lies in the kernel.
  while (quick.deliveries().size() <= kSent / 2 && !quick.take(1).empty()) {
  }
  EXPECT_GT(quick.deliveries().size(), kSent / 2);
  Deadline deadline(20s);
  while ((!idle.end() || !quick.end()) && !deadline.passed()) {
    idle.take_in_window(2ms);
    quick.take_in_window(2ms);
  }
  EXPECT_EQ(quick.deliveries().size() + idle.deliveries().size(), kSent);
  EXPECT_GT(quick.deliveries().size(), idle.deliveries().size());
}

}  // namespace
}  // namespace n2nq::test
