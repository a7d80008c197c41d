#include "workers/recorder/busy_time.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace n2nq::recorder {
namespace {

using control::at;
using control::kHostColumns;

constexpr size_t kUser = at(kHostColumns, "cpu_user"), kSystem = at(kHostColumns, "cpu_system"),
                 kInterrupts = at(kHostColumns, "cpu_interrupts");
constexpr std::array kUnused{at(kHostColumns, "cpu_idle"), at(kHostColumns, "cpu_iowait"),
                             at(kHostColumns, "cpu_steal")};

int64_t part_of(int64_t whole, int64_t part, int64_t all) {
  return std::llround(static_cast<double>(whole) * static_cast<double>(part) / static_cast<double>(all));
}

}  // namespace

void BusyTime::fit(int64_t now_ns, int64_t processors, control::HostValues& values) {
  if (processors <= 0 || values[kUser] == control::kNoFigure) return;
  const Ticks ticks{values[kUser], values[kSystem], values[kInterrupts]};
  int64_t unused_ns = 0;
  for (const size_t column : kUnused) unused_ns += values[column];
  if (!last_) {
    unused_ns_ = unused_ns;
    last_ = Reading{.at_ns = now_ns, .processors = processors, .ticks = ticks, .told = ticks};
    return;
  }
  there_ns_ += std::max<int64_t>(now_ns - last_->at_ns, 0) * last_->processors;
  const int64_t grown_ns = std::max<int64_t>(there_ns_ - (unused_ns - unused_ns_) - busy_ns_, 0);
  const auto since = [](int64_t now, int64_t before) { return std::max<int64_t>(now - before, 0); };
  const int64_t user = since(ticks.user, last_->ticks.user);
  const int64_t all = user + since(ticks.system, last_->ticks.system);
  const int64_t interrupts = since(ticks.interrupts, last_->ticks.interrupts);
  const int64_t user_ns = all > 0 ? part_of(grown_ns, user, all) : 0;
  busy_ns_ += grown_ns;
  Ticks told = last_->told;
  told.user += user_ns;
  told.system += grown_ns - user_ns;  // without a tick nobody knows whose it was
  told.interrupts += all > 0 ? part_of(grown_ns, std::min(interrupts, all), all) : 0;
  values[kUser] = told.user;
  values[kSystem] = told.system;
  values[kInterrupts] = told.interrupts;
  last_ = Reading{.at_ns = now_ns, .processors = processors, .ticks = ticks, .told = told};
}

}  // namespace n2nq::recorder
