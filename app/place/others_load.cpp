#include "app/place/others_load.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <numeric>
#include <utility>

namespace n2nq::place {
namespace {

constexpr std::chrono::milliseconds kLeastApart{500};

enum Column { user, nice, system, idle, iowait, irq, softirq, steal, columns };

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::optional<OthersLoad::Reading> OthersLoad::read() {
  std::ifstream file("/proc/stat");
  std::string word;
  std::array<uint64_t, columns> ticks{};
  if (!(file >> word) || word != "cpu") return std::nullopt;
  for (uint64_t& one : ticks)
    if (!(file >> one)) return std::nullopt;
  const uint64_t all = std::accumulate(ticks.begin(), ticks.end(), uint64_t{0});
  // As of a run: interrupts may be of anybody's traffic, and what is stolen goes to no program here.
  return Reading{.busy_ticks = ticks[user] + ticks[nice] + ticks[system],
                 .all_ticks = all,
                 .own = processor_time(),
                 .at = std::chrono::steady_clock::now()};
}

std::optional<Busy> OthersLoad::look() {
  const auto now = read();
  if (!now || (last_ && now->at - last_->at < kLeastApart)) return std::nullopt;
  const auto before = std::exchange(last_, now);
  // Idle time may seem to run backwards.
  if (!before || now->all_ticks <= before->all_ticks || now->busy_ticks < before->busy_ticks) return std::nullopt;
  const std::chrono::duration<double> apart = now->at - before->at, own = now->own - before->own;
  const double tick_s = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double busy_s = static_cast<double>(now->busy_ticks - before->busy_ticks) * tick_s - own.count();
  return Busy{.cores = std::max(busy_s, 0.0) / apart.count(),
              .of = static_cast<double>(now->all_ticks - before->all_ticks) * tick_s / apart.count()};
}

}  // namespace n2nq::place
