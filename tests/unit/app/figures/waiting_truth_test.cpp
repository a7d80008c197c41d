// What is said of runs whose truth is known: simulated queues, counted as the bench counts real ones.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "app/figures/waiting.h"
#include "app/live/waiting_batches.h"
#include "broker/base/random.h"
#include "workers/measure/exponential.h"
#include "workers/measure/pacer.h"
#include "workers/measure/service_time.h"

namespace n2nq::figures {
namespace {

using Kind = measure::ServiceTime::Kind;

constexpr uint32_t kSenders = 20;
constexpr double kServiceS = 0.01;

enum class Line { shared, random, in_turn, pinned };
constexpr Line kLines[]{Line::shared, Line::random, Line::in_turn, Line::pinned};
const char* const kNames[]{"shared", "at random", "in turn", "pinned"};

struct Queue {
  uint32_t servers = 4;
  Line line = Line::shared;
  double busy = 0.7;
  double length_s = 10;
  double warmup_s = 1;
};

// Count, mean and spread of what has been seen, in seconds.
class Seen {
 public:
  void add(double value) {
    count_++;
    sum_ += value;
    squares_ += value * value;
  }
  measure::LatencySummary figures() const {
    measure::LatencySummary figures{.count = count_};
    if (count_ == 0) return figures;
    const double mean = sum_ / static_cast<double>(count_);
    figures.mean = mean * 1e9;
    figures.stddev = std::sqrt(std::max(squares_ / static_cast<double>(count_) - mean * mean, 0.0)) * 1e9;
    return figures;
  }

 private:
  uint64_t count_ = 0;
  double sum_ = 0, squares_ = 0;
};

// The first of several servers has one sender less than its part, and the last one more.
uint32_t server_of(uint32_t sender, uint32_t servers) {
  const uint32_t each = kSenders / servers;
  return sender + 1 >= each * servers ? servers - 1 : (sender + 1) / each;
}

std::string senders_of(uint32_t server, uint32_t servers) {
  std::string all = "senders=";
  for (uint32_t sender = 0; sender < kSenders; sender++)
    if (server_of(sender, servers) == server - 1) all += (all.back() == '=' ? "" : ",") + std::to_string(sender + 1);
  return all;
}

plan::RunPlan plan_of(const Queue& queue) {
  plan::RunPlan plan;
  plan.queue.mode = plan::Mode::load_balancer;
  plan.queue.policy = queue.line == Line::in_turn ? plan::Policy::round_robin : plan::Policy::random;
  plan.queue.requests = {.on = queue.line == Line::shared || queue.line == Line::pinned, .at_a_time = 1};
  if (queue.line == Line::pinned)
    for (uint32_t server = 1; server <= queue.servers; server++)
      plan.queue.requests.filters.push_back(
          {.receivers = *control::parse_services(std::to_string(server)), .filter = senders_of(server, queue.servers)});
  plan.senders.fleet.count = kSenders;
  plan.senders.pacing = plan::Pacing::poisson;
  plan.senders.delay_ns = std::llround(kSenders * kServiceS * 1e9 / (queue.servers * queue.busy));
  plan.receivers.fleet.count = queue.servers;
  plan.receivers.service_time = {.kind = Kind::exponential, .mean_ns = std::llround(kServiceS * 1e9)};
  return plan;
}

// From an empty queue; what is due in the warm-up is in no figure.
Waiting simulated(const Queue& queue, Random& random) {
  const auto draw = [&random](double mean_s) {
    return static_cast<double>(measure::exponential_ns(std::llround(mean_s * 1e9), random.next())) / 1e9;
  };
  const plan::RunPlan plan = plan_of(queue);
  const double gap_s = kServiceS / (queue.servers * queue.busy);
  std::vector<double> free_s(queue.servers, 0);
  std::array<double, kSenders> sent_s{};
  Seen waiting, occupied, delay;
  uint32_t arrivals = 0;
  live::WaitingBatches batches;
  for (double now_s = draw(gap_s); now_s < queue.warmup_s + queue.length_s; now_s += draw(gap_s)) {
    const auto sender = static_cast<uint32_t>(random.below(kSenders));
    const uint32_t next = arrivals++ % queue.servers;
    const auto server = queue.line == Line::shared    ? std::ranges::min_element(free_s)
                        : queue.line == Line::in_turn ? free_s.begin() + next
                        : queue.line == Line::pinned  ? free_s.begin() + server_of(sender, queue.servers)
                                                      : free_s.begin() + random.below(queue.servers);
    const double begun_s = std::max(now_s, *server);
    const double service_s = draw(kServiceS);
    *server = begun_s + service_s;
    double& last_s = sent_s[sender];
    const double since_s = now_s - std::exchange(last_s, now_s);
    if (now_s < queue.warmup_s) continue;
    delay.add(since_s);
    waiting.add(begun_s - now_s);
    occupied.add(service_s);
    const auto end_ns = std::llround(*server * 1e9);
    batches.add(end_ns, end_ns, 1, (begun_s - now_s) * 1e9);
  }
  const auto all = batches.all();
  return *waiting_of({.plan = plan,
                      .waiting = waiting.figures(),
                      .service = occupied.figures(),
                      .occupied = occupied.figures(),
                      .delay = delay.figures(),
                      .batches = all});
}

struct Told {
  double false_alarms = 0;  // parts of all runs
  double too_short = 0;
};

Told told_of(const Queue& queue, int runs, Random& random) {
  int alarms = 0;
  int silent = 0;
  for (int run = 0; run < runs; run++) {
    const auto agrees = simulated(queue, random).agrees();
    silent += agrees ? 0 : 1;
    alarms += agrees == std::optional(false) ? 1 : 0;
  }
  return {.false_alarms = static_cast<double>(alarms) / runs, .too_short = static_cast<double>(silent) / runs};
}

// Long enough for their load or not: of all runs at most one in twenty is said to differ from what is true of it.
TEST(Truth, IsDeniedAtMostAsOftenAsTheConfidenceSays) {
  Random random(7);
  for (const Line line : kLines)
    for (const uint32_t servers : {1U, 4U})
      for (const auto& [busy, length_s] : {std::pair(0.5, 4.0), {0.5, 10.0}, {0.7, 10.0}, {0.8, 30.0}, {0.9, 40.0}}) {
        const Queue queue{.servers = servers, .line = line, .busy = busy, .length_s = length_s};
        EXPECT_LE(told_of(queue, 100, random).false_alarms, 0.07)
            << servers << " " << kNames[static_cast<size_t>(line)] << ", " << busy << " busy for " << length_s << " s";
      }
}

TEST(Truth, IsNotJudgedByRunsThatAreTooShortForIt) {
  Random random(8);
  for (const Line line : kLines)
    for (const uint32_t servers : {1U, 4U})
      for (const double busy : {0.9, 0.95, 0.97}) {
        const Queue queue{.servers = servers, .line = line, .busy = busy, .length_s = 4};
        EXPECT_EQ(told_of(queue, 50, random).too_short, 1);
      }
  const Waiting one = simulated({.servers = 4, .busy = 0.97, .length_s = 4}, random);
  if (!one.overloaded()) {
    EXPECT_THAT(verdict_text(one), testing::HasSubstr("too short to tell"));
    EXPECT_THAT(one.caveats, testing::Contains(testing::HasSubstr("run it for")));
  }
}

// So that silence is not all there is: what is long enough is judged, and what is another queue's is told apart.
TEST(Truth, IsToldFromWhatIsFalse) {
  Random random(9);
  for (const Line line : kLines)
    EXPECT_LE(told_of({.servers = 4, .line = line, .busy = 0.5, .length_s = 20}, 50, random).too_short, 0.1)
        << kNames[static_cast<size_t>(line)];
  for (const Line line : {Line::shared, Line::in_turn}) {
    int told = 0;
    for (int run = 0; run < 20; run++) {
      Waiting waiting = simulated({.servers = 4, .line = line, .busy = 0.7, .length_s = 20}, random);
      for (WaitingModel& model : waiting.models) model.fits_plan = model.name == "4 x M/M/1";
      waiting.length_s = 1000;  // as if it were long enough for these too
      told += waiting.agrees() == std::optional(false) ? 1 : 0;
    }
    EXPECT_GE(told, line == Line::shared ? 20 : 15) << kNames[static_cast<size_t>(line)];
  }
}

// As senders, queue and receivers of one run draw them where all have the same seed, on a bus that takes no time: 4 x
// M/M/1, half busy, for ten seconds beside a second of warm-up.
double waiting_beside_theory(uint64_t seed) {
  constexpr int64_t kWarmupNs = 1'000'000'000;
  constexpr int64_t kEndNs = 11 * kWarmupNs;
  constexpr uint32_t kReceivers = 4;
  const measure::ServiceTime time{.kind = Kind::exponential, .mean_ns = 10'000'000};
  std::vector<int64_t> arrivals_ns;
  Seen delay, waiting, service;
  for (uint32_t sender = 1; sender <= kSenders; sender++) {
    const auto schedule = measure::Schedule::poisson(0, 100'000'000, seed, sender);
    for (uint64_t i = 0; schedule.intended_ns(i) < kEndNs; i++) {
      arrivals_ns.push_back(schedule.intended_ns(i));
      if (i > 0) delay.add(static_cast<double>(arrivals_ns.back() - arrivals_ns[arrivals_ns.size() - 2]));
    }
  }
  std::ranges::sort(arrivals_ns);
  Random policy(seed);
  std::vector<measure::ServiceTimes> times;
  for (uint32_t receiver = 1; receiver <= kReceivers; receiver++) times.emplace_back(time, seed, receiver);
  std::array<int64_t, kReceivers> free_ns{};
  for (const int64_t due_ns : arrivals_ns) {
    const uint64_t receiver = policy.below(kReceivers);
    const int64_t begun_ns = std::max(due_ns, free_ns[receiver]);
    const int64_t service_ns = times[receiver].next_ns(0);
    free_ns[receiver] = begun_ns + service_ns;
    if (due_ns < kWarmupNs) continue;
    waiting.add(static_cast<double>(begun_ns - due_ns));
    service.add(static_cast<double>(service_ns));
  }
  const auto theory = analysis::split_queues({.arrivals_per_s = kSenders * 1e18 / *delay.figures().mean,
                                              .services_per_s = 1e18 / *service.figures().mean,
                                              .servers = kReceivers});
  return *waiting.figures().mean / 1e18 / theory->waiting_s;
}

// One seed is one sample, and its repeats are not others; what all seeds have in common is what theory says.
TEST(Truth, OfOneSeedIsFarOffAndOfManyIsNot) {
  EXPECT_NEAR(waiting_beside_theory(1), 0.84, 0.03);
  double sum = 0;
  for (uint64_t seed = 1; seed <= 80; seed++) sum += waiting_beside_theory(seed);
  EXPECT_NEAR(sum / 80, 1, 0.04);
}

}  // namespace
}  // namespace n2nq::figures
