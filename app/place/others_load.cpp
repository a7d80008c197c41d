#include "app/place/others_load.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <sstream>
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
  std::string line, word;
  if (!std::getline(file, line)) return std::nullopt;
  std::istringstream numbers(line);
  std::array<uint64_t, columns> ticks{};
  if (!(numbers >> word) || word != "cpu") return std::nullopt;
  for (uint64_t& one : ticks)
    if (!(numbers >> one)) return std::nullopt;
  Reading reading{.programs_ticks = ticks[user] + ticks[nice] + ticks[system],
                  .interrupts_ticks = ticks[irq] + ticks[softirq],
                  .unused_ticks = ticks[idle] + ticks[iowait] + ticks[steal],
                  .own = processor_time(),
                  .at = std::chrono::steady_clock::now()};
  while (std::getline(file, line) && line.starts_with("cpu")) reading.processors++;
  return reading;
}

// As the recorder of a run: the kernel measures idle time, and counts busy time by ticks alone, which tell who had it.
std::optional<Busy> OthersLoad::look() {
  const auto now = read();
  if (!now || (last_ && now->at - last_->at < kLeastApart)) return std::nullopt;
  const auto before = std::exchange(last_, now);
  if (!before) return std::nullopt;
  const std::chrono::duration<double> apart = now->at - before->at, own = now->own - before->own;
  const double tick_s = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto since = [&](uint64_t Reading::* ticks) {
    return static_cast<double>((*now).*ticks) - static_cast<double>((*before).*ticks);
  };
  const double programs = since(&Reading::programs_ticks), interrupts = since(&Reading::interrupts_ticks);
  const double busy_s =
      static_cast<double>(before->processors) * apart.count() - since(&Reading::unused_ticks) * tick_s;
  const double of_programs = programs + interrupts > 0 ? programs / (programs + interrupts) : 1;
  return Busy{.cores = std::max(busy_s * of_programs - own.count(), 0.0) / apart.count(),
              .of = static_cast<double>(now->processors)};
}

}  // namespace n2nq::place
