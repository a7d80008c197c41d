// The workloads that the bus is judged by, and the targets. Letters, figures and targets are those of the project's
// targets page; README.md here repeats what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace n2nq::bench {

enum class Kind { paced, saturated };

struct Workload {
  char letter = '?';
  std::string_view title;
  Kind kind = Kind::paced;
  std::string_view mode;  // as in --mode
  uint32_t senders = 1;
  uint32_t receivers = 1;
  uint32_t payload_bytes = 50;
  int64_t delay_ns = 0;
  bool pinned = false;  // broker on core 0, clients on core 1
  bool times_judged = true;
};
std::span<const Workload> all_workloads();

// What is taken from one measurement. The first group is a time, judged as a ratio BUS / FLOOR; the second are counts.
enum class Figure { p50, p99, rate, cpu, writes, waits, reads, sleeps, allocations };
struct FigureText {
  std::string_view name;
  int decimals = 0;
};
FigureText text_of(Figure figure, const Workload& workload);
// Which figures a workload's rows show, in order.
std::span<const Figure> figures_of(const Workload& workload);

struct Target {
  double limit = 0;
  bool at_least = false;  // else at most
  bool ratio = true;      // of BUS / FLOOR, else of BUS itself
  std::string_view because = {};
};
std::optional<Target> target_of(const Workload& workload, Figure figure);

}  // namespace n2nq::bench
