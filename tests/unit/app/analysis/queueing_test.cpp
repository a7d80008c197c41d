#include "app/analysis/queueing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

#include "app/analysis/shortest_queue.h"
#include "tests/unit/app/analysis/reference_table.h"

namespace n2nq::analysis {
namespace {

// The published example: 9.89 arrivals a second, 8 servers of 1.44 a second each. Its own steps are rounded to three
// digits.
constexpr QueueLoad kExample{.arrivals_per_s = 9.89, .services_per_s = 1.44, .servers = 8};

TEST(SharedQueue, IsThatOfThePublishedExample) {
  const auto prediction = shared_queue(kExample);
  ASSERT_TRUE(prediction);
  EXPECT_NEAR(prediction->queue_length, 3.60147, 5e-4);
  EXPECT_NEAR(prediction->in_system, 10.469526, 5e-4);
  EXPECT_NEAR(prediction->waiting_s, 0.3641, 1e-4);
  EXPECT_NEAR(prediction->in_system_s, 1.0586, 1e-4);
  EXPECT_NEAR(*prediction->empty_probability, 0.000684, 1e-6);
}

TEST(EmptyProbability, IsThatOfAllQueuesTogether) {
  const QueueLoad load{.arrivals_per_s = 28, .services_per_s = 10, .servers = 4};
  EXPECT_NEAR(*split_queues(load)->empty_probability, std::pow(0.3, 4), 1e-12);
  EXPECT_NEAR(*split_queues_fixed(load)->empty_probability, std::pow(0.3, 4), 1e-12);
  EXPECT_FALSE(shared_queue_fixed(load)->empty_probability);
  EXPECT_NEAR(*shared_queue({.arrivals_per_s = 7, .services_per_s = 10, .servers = 1})->empty_probability, 0.3, 1e-12);
  // Erlang's sum outgrows a double; with so many servers nearly all of it is e to the load.
  EXPECT_NEAR(
      std::log(*shared_queue({.arrivals_per_s = 600, .services_per_s = 1, .servers = 10'000})->empty_probability), -600,
      1e-6);
}

TEST(SharedQueue, IsThatOfThePublishedTable) {
  const auto old_service = shared_queue({.arrivals_per_s = 0.99, .services_per_s = 0.206, .servers = 12});
  EXPECT_NEAR(old_service->waiting_s, 0.0029, 5e-5);
  EXPECT_NEAR(old_service->in_system_s, 4.8573, 5e-5);
  const auto twelve = shared_queue({.arrivals_per_s = 0.99, .services_per_s = 0.588, .servers = 12});
  EXPECT_NEAR(twelve->waiting_s, 0, 5e-5);
  EXPECT_NEAR(twelve->in_system_s, 1.7006, 1e-4);
  const auto six = shared_queue({.arrivals_per_s = 0.99, .services_per_s = 0.588, .servers = 6});
  EXPECT_NEAR(six->waiting_s, 0.0032, 5e-5);
  EXPECT_NEAR(six->in_system_s, 1.7039, 1e-4);
}

TEST(SplitQueues, AreThoseOfThePublishedExample) {
  EXPECT_NEAR(split_queues({.arrivals_per_s = 8 * 1.236, .services_per_s = 1.44, .servers = 8})->waiting_s, 4.2075,
              1e-3);
  EXPECT_NEAR(split_queues({.arrivals_per_s = 7 * 1.41, .services_per_s = 1.44, .servers = 7})->waiting_s, 32.639,
              1e-2);
}

TEST(SplitQueues, CountWhatWaitsInAllOfThem) {
  const auto all = split_queues(kExample);
  EXPECT_NEAR(all->queue_length, kExample.arrivals_per_s * all->waiting_s, 1e-9);
  EXPECT_NEAR(all->in_system, kExample.arrivals_per_s * all->in_system_s, 1e-9);
  EXPECT_NEAR(all->utilisation, 9.89 / (8 * 1.44), 1e-12);
}

TEST(SharedQueue, WithOneServerIsASplitQueueOfOne) {
  const QueueLoad load{.arrivals_per_s = 7, .services_per_s = 10, .servers = 1};
  EXPECT_NEAR(shared_queue(load)->waiting_s, 0.7 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(shared_queue(load)->waiting_s, split_queues(load)->waiting_s);
  EXPECT_NEAR(*shared_queue(load)->waits_probability, 0.7, 1e-12);
}

// Beside queues that are simulated: arrivals at random, exponential or fixed service of a mean of 1.
enum class Join { in_turn, shortest };
double simulated_waiting_s(Join join, double busy, uint32_t servers, bool exponential) {
  std::mt19937_64 random(11);
  std::exponential_distribution<double> draw(1);
  std::vector<std::deque<double>> ends(servers);  // of those in each queue
  double now_s = 0, sum_s = 0;
  constexpr int kArrivals = 1'000'000;
  for (int i = 0; i < kArrivals; i++) {
    now_s += draw(random) / (busy * servers);
    for (auto& queue : ends)
      while (!queue.empty() && queue.front() <= now_s) queue.pop_front();
    auto& queue = join == Join::in_turn ? ends[static_cast<size_t>(i) % servers]
                                        : *std::ranges::min_element(ends, {}, &std::deque<double>::size);
    const double begins_s = queue.empty() ? now_s : queue.back();
    sum_s += begins_s - now_s;
    queue.push_back(begins_s + (exponential ? draw(random) : 1));
  }
  return sum_s / kArrivals;
}

TEST(QueuesInTurn, WaitAsSimulatedOnesDo) {
  for (const uint32_t servers : {1U, 2U, 4U, 8U})
    for (const double busy : {0.5, 0.7, 0.85}) {
      const QueueLoad load{.arrivals_per_s = busy * servers, .services_per_s = 1, .servers = servers};
      const double fixed_s = simulated_waiting_s(Join::in_turn, busy, servers, false);
      const double exponential_s = simulated_waiting_s(Join::in_turn, busy, servers, true);
      EXPECT_NEAR(queues_in_turn_fixed(load)->waiting_s, fixed_s, 0.03 * fixed_s + 1e-4) << servers << ", " << busy;
      EXPECT_NEAR(queues_in_turn(load)->waiting_s, exponential_s, 0.03 * exponential_s) << servers << ", " << busy;
    }
}

TEST(QueuesInTurn, OfOneServerAreAQueueLikeAnyOther) {
  const QueueLoad load{.arrivals_per_s = 7, .services_per_s = 10, .servers = 1};
  EXPECT_NEAR(queues_in_turn(load)->waiting_s, shared_queue(load)->waiting_s, 1e-12);
  EXPECT_FALSE(queues_in_turn({.arrivals_per_s = 10, .services_per_s = 10, .servers = 1}));
}

TEST(UnequalQueues, WaitByWhatEachHas) {
  const QueueLoad load{.arrivals_per_s = 10, .services_per_s = 10, .servers = 2};
  EXPECT_NEAR(unequal_queues(load, std::array{0.5, 0.5})->waiting_s, split_queues(load)->waiting_s, 1e-12);
  EXPECT_NEAR(unequal_queues(load, std::array{0.2, 0.8})->waiting_s, 0.2 * 0.2 / 8 + 0.8 * 0.8 / 2, 1e-12);
  EXPECT_NEAR(*unequal_queues(load, std::array{0.2, 0.8})->empty_probability, 0.8 * 0.2, 1e-12);
  EXPECT_NEAR(unequal_queues_fixed(load, std::array{0.2, 0.8})->waiting_s, (0.2 * 0.2 / 8 + 0.8 * 0.8 / 2) / 2, 1e-9);
  EXPECT_FALSE(unequal_queues(load, std::array{0.0, 1.0})) << "that one cannot keep up";
}

TEST(ShortestQueue, WaitsAsSimulatedOnesDo) {
  for (const uint32_t servers : {1U, 2U, 4U, 8U, 16U})
    for (const double busy : {0.5, 0.7, 0.85}) {
      const QueueLoad load{.arrivals_per_s = busy * servers, .services_per_s = 1, .servers = servers};
      const double simulated_s = simulated_waiting_s(Join::shortest, busy, servers, true);
      EXPECT_NEAR(shortest_queue(load)->waiting_s, simulated_s, 0.03 * simulated_s + 1e-3) << servers << ", " << busy;
      EXPECT_GE(shortest_queue(load)->waiting_s, shared_queue(load)->waiting_s - 1e-9);
    }
  EXPECT_FALSE(shortest_queue({.arrivals_per_s = 1, .services_per_s = 1, .servers = kMostShortestQueues + 1}));
  EXPECT_FALSE(shortest_queue({.arrivals_per_s = 4, .services_per_s = 1, .servers = 4}));
}

TEST(FixedService, AgreesWithAnotherWayToComputeIt) {
  for (const auto& row : test::reference_table("fixed_service.csv")) {
    const auto servers = static_cast<uint32_t>(row[0][0]);
    const QueueLoad load{.arrivals_per_s = row[1][0] * servers, .services_per_s = 1, .servers = servers};
    EXPECT_NEAR(shared_queue_fixed(load)->queue_length, row[2][0], 1e-6 * row[2][0] + 1e-9) << servers;
  }
}

TEST(FixedService, WithOneServerWaitsHalfAsLong) {
  const QueueLoad load{.arrivals_per_s = 9, .services_per_s = 10, .servers = 1};
  EXPECT_NEAR(shared_queue_fixed(load)->waiting_s, shared_queue(load)->waiting_s / 2, 1e-12);
  EXPECT_FALSE(shared_queue_fixed(load)->waits_probability);
  EXPECT_NEAR(split_queues_fixed(kExample)->waiting_s, split_queues(kExample)->waiting_s / 2, 1e-9);
}

TEST(Prediction, ThereIsNoneForServersThatCannotKeepUp) {
  for (const QueueLoad& load : {QueueLoad{8, 1, 8}, QueueLoad{9, 1, 8}, QueueLoad{0, 1, 8}, QueueLoad{1, 0, 8},
                                QueueLoad{1, 1, 0}, QueueLoad{NAN, 1, 1}}) {
    EXPECT_FALSE(shared_queue(load));
    EXPECT_FALSE(shared_queue_fixed(load));
    EXPECT_FALSE(split_queues(load));
    EXPECT_FALSE(split_queues_fixed(load));
    EXPECT_EQ(shared_queue_waits_longer(load, 1), 1);
  }
}

TEST(WaitsLonger, FallsFromTheProbabilityToWaitAtAll) {
  EXPECT_DOUBLE_EQ(shared_queue_waits_longer(kExample, 0), *shared_queue(kExample)->waits_probability);
  // The mean is the area below it.
  double area = 0;
  for (double t = 0.0005; t < 20; t += 0.001) area += shared_queue_waits_longer(kExample, t) * 0.001;
  EXPECT_NEAR(area, shared_queue(kExample)->waiting_s, 1e-5);
  double split = 0;
  for (double t = 0.005; t < 200; t += 0.01) split += split_queues_wait_longer(kExample, t) * 0.01;
  EXPECT_NEAR(split, split_queues(kExample)->waiting_s, 1e-3);
}

TEST(SharedQueue, HoldsThousandsOfServers) {
  const auto prediction = shared_queue({.arrivals_per_s = 9'000, .services_per_s = 1, .servers = 10'000});
  ASSERT_TRUE(prediction);
  EXPECT_GE(*prediction->waits_probability, 0);
  EXPECT_LT(*prediction->waits_probability, 1e-6);
}

}  // namespace
}  // namespace n2nq::analysis
