#include "app/analysis/shortest_queue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace n2nq::analysis {
namespace {

constexpr int kMostSweeps = 2'000;
constexpr double kSettled = 1e-10;

// Of all queues, the longest first.
using Lengths = std::array<uint8_t, kMostShortestQueues>;

struct Way {
  size_t from = 0;
  double rate = 0;
};

struct State {
  double leaves = 0;  // rate
  double busy = 0;    // servers
  std::vector<Way> ways{};
  double probability = 0;
};

// The chain for up to so many in the system: above that nearly always all servers are busy, and numbers fall by the
// utilisation from each to the next. Queues differ by no more than a few: beyond that the longest one is served in
// place of the shortest (threshold jockeying), which changes nothing that can be seen.
class Chain {
 public:
  Chain(double arrivals, uint32_t servers)
      : arrivals_(arrivals),
        servers_(servers),
        most_(4 * servers + 12),
        spread_(servers <= 4   ? 8
                : servers <= 8 ? 5
                               : 3) {
    levels_.resize(most_ + 1);
    at(Lengths{});
    for (size_t i = 0; i < lengths_.size(); i++) add_ways(i);
    for (size_t n = 0; n <= most_; n++)
      for (const size_t i : levels_[n]) states_[i].probability = 1.0 / static_cast<double>(levels_[n].size());
  }

  // By number in the system, not yet of sum 1.
  std::vector<double> numbers() {
    std::vector<double> before(most_ + 1, 0);
    for (int sweep = 0; sweep < kMostSweeps; sweep++) {
      const bool up = sweep % 2 == 0;
      for (size_t k = 0; k <= most_; k++) settle(levels_[up ? k : most_ - k]);
      const std::vector<double> now = balance();
      double moved = 0;
      for (size_t n = 0; n <= most_; n++) moved = std::max(moved, std::abs(now[n] - before[n]) / now[n]);
      before = now;
      if (moved < kSettled) break;
    }
    return before;
  }

 private:
  size_t at(const Lengths& lengths) {
    const auto [found, is_new] = places_.try_emplace(lengths, lengths_.size());
    if (!is_new) return found->second;
    size_t number = 0;
    State state;
    for (uint32_t i = 0; i < servers_; i++) {
      number += lengths[i];
      state.busy += lengths[i] > 0 ? 1 : 0;
    }
    levels_[number].push_back(lengths_.size());
    lengths_.push_back(lengths);
    states_.push_back(std::move(state));
    return found->second;
  }

  void add_way(size_t from, const Lengths& to, double rate) {
    const size_t place = at(to);
    states_[place].ways.push_back({.from = from, .rate = rate});
    states_[from].leaves += rate;
  }

  void add_ways(size_t from) {
    const Lengths lengths = lengths_[from];
    size_t number = 0;
    for (const uint8_t one : lengths) number += one;
    if (number < most_) {
      Lengths to = lengths;  // the first of the shortest
      (*std::ranges::find(to, lengths[servers_ - 1]))++;
      add_way(from, to, arrivals_);
    }
    for (uint32_t i = 0; i < servers_ && lengths[i] > 0; i++) {
      if (i + 1 < servers_ && lengths[i + 1] == lengths[i]) continue;  // the last of those that are as long
      uint32_t alike = 1;
      while (alike <= i && lengths[i - alike] == lengths[i]) alike++;
      Lengths to = lengths;
      to[i]--;
      if (to[0] - to[servers_ - 1] > spread_) {
        to = lengths;
        uint32_t last = 0;
        while (last + 1 < servers_ && lengths[last + 1] == lengths[0]) last++;
        to[last]--;
      }
      add_way(from, to, alike);
    }
  }

  void settle(const std::vector<size_t>& level) {
    for (const size_t i : level) {
      double in = 0;
      for (const Way& way : states_[i].ways) in += states_[way.from].probability * way.rate;
      states_[i].probability = in / states_[i].leaves;
    }
  }

  // As many arrivals take the system from n to n + 1 as services bring it back.
  std::vector<double> balance() {
    std::vector<double> all(most_ + 1, 1);
    for (size_t n = 0; n <= most_; n++) {
      double sum = 0, busy = 0;
      for (const size_t i : levels_[n]) {
        sum += states_[i].probability;
        busy += states_[i].probability * states_[i].busy;
      }
      if (n > 0) all[n] = all[n - 1] * arrivals_ / (busy / sum);
      for (const size_t i : levels_[n]) states_[i].probability *= all[n] / sum;
    }
    return all;
  }

  double arrivals_;  // in the time of a service
  uint32_t servers_;
  size_t most_;
  int spread_;
  std::map<Lengths, size_t> places_{};
  std::vector<Lengths> lengths_{};
  std::vector<State> states_{};
  std::vector<std::vector<size_t>> levels_{};  // states by number in the system
};

}  // namespace

std::optional<QueuePrediction> shortest_queue(const QueueLoad& load) {
  const auto shared = shared_queue(load);
  if (!shared || load.servers > kMostShortestQueues) return std::nullopt;
  const double erlangs = load.arrivals_per_s / load.services_per_s;
  const double busy = erlangs / load.servers;
  const std::vector<double> numbers = Chain(erlangs, load.servers).numbers();
  const auto most = static_cast<double>(numbers.size() - 1);
  const double beyond = numbers.back() * busy / (1 - busy);
  double sum = beyond, weighted = beyond * (most + 1 / (1 - busy));
  for (size_t n = 0; n < numbers.size(); n++) {
    sum += numbers[n];
    weighted += numbers[n] * static_cast<double>(n);
  }
  const double in_system = weighted / sum;
  return QueuePrediction{.utilisation = busy,
                         .waiting_s = (in_system - erlangs) / load.arrivals_per_s,
                         .in_system_s = in_system / load.arrivals_per_s,
                         .queue_length = in_system - erlangs,
                         .in_system = in_system,
                         .empty_probability = numbers.front() / sum};
}

}  // namespace n2nq::analysis
