#include "app/figures/happened.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "app/record/trust.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::figures {
namespace {

using live::RecordedOf;
using live::SeriesPoint;

constexpr size_t kLeastSlots = 5;  // fewer do not say what is usual
constexpr double kTimes = 3;       // the usual stands out
constexpr double kFull = 0.9;      // of a host's cores
constexpr double kLateNs = 1e6;
constexpr double kLatencyNs = 1e5;
constexpr double kSegments = 10;   // a second
constexpr double kMegabytes = 10;  // a second, on disks
constexpr std::string_view kHostSeries[] = {"cpu_user",  "cpu_system",     "cpu_iowait", "cpu_steal",
                                            "cpu_idle",  "cpu_interrupts", "cpu_bench",  "cpu",
                                            "disk_read", "disk_written",   "retransmits"};

// A value of the slot and, as the median, of the run.
struct Beside {
  double here = 0;
  double usual = 0;
  bool is_large(double least) const { return here - usual >= least && here >= kTimes * usual; }
};

// `all` has a value for each slot, or nothing.
std::optional<Beside> beside(std::vector<std::optional<double>> all, size_t at) {
  if (at >= all.size() || !all[at]) return std::nullopt;
  const double here = *all[at];
  std::erase(all, std::nullopt);
  if (all.size() < kLeastSlots) return std::nullopt;
  const auto median = all.begin() + std::ssize(all) / 2;
  std::ranges::nth_element(all, median);
  return Beside{.here = here, .usual = **median};
}

template <class Value>
std::optional<Beside> beside(std::span<const SeriesPoint> slots, size_t at, const Value& value_of) {
  std::vector<std::optional<double>> all;
  for (const SeriesPoint& slot : slots) all.push_back(value_of(slot));
  return beside(std::move(all), at);
}

std::optional<double> real_of(const std::vector<double>& values, size_t slot) {
  return slot < values.size() && !std::isnan(values[slot]) ? std::optional(values[slot]) : std::nullopt;
}

// The sum of those series of a host in each of its slots.
template <class IsWanted>
std::vector<std::optional<double>> sums_of(const live::HostHistory& host, const IsWanted& is_wanted) {
  std::vector<std::optional<double>> sums(host.start_ns.size());
  for (const live::HostSeries& one : host.series) {
    if (!is_wanted(one)) continue;
    for (size_t slot = 0; slot < sums.size(); slot++)
      if (const auto value = real_of(one.values, slot)) sums[slot] = sums[slot].value_or(0) + *value;
  }
  return sums;
}

std::optional<size_t> slot_of(std::span<const int64_t> starts, std::span<const int64_t> widths, int64_t at_ns) {
  for (size_t slot = 0; slot < starts.size(); slot++)
    if (starts[slot] <= at_ns && at_ns < starts[slot] + widths[slot]) return slot;
  return std::nullopt;
}

std::string cores_of(double cores, const live::Bystanders& host) {
  return text::decimals(cores, 2) + " of " + text::amount(static_cast<uint64_t>(std::llround(host.cores)), "core");
}

std::string beside_usual(const std::string& here, const std::string& usual) {
  return here + " (usually " + usual + ")";
}

// Whether what the run's processes do not use there is others'.
bool knows_others(const RunView& run, const live::HostHistory& host, size_t hosts) {
  if (run.record() != nullptr) return record::sees_own_processes(*run.record(), host);
  return hosts == 1 && run.plan().recorder.hosts.empty() && !plan::has_attached(run.plan());
}

void tell_cores(const live::HostHistory& host, size_t at, bool knows_others, std::vector<std::string>& parts) {
  const std::vector<live::Bystanders> slots = live::bystanders_by_slot(host);
  const live::Bystanders& here = slots[at];
  if (std::isnan(here.cores) || here.cores <= 0) return;
  std::vector<std::optional<double>> others, stolen;
  for (const live::Bystanders& slot : slots) {
    others.push_back(slot.others);
    stolen.push_back(std::isnan(slot.stolen) ? std::nullopt : std::optional(slot.stolen));
  }
  const double least = record::kOthersShare * here.cores;
  const bool is_full = here.busy >= kFull * here.cores;
  const auto more = beside(std::move(others), at);
  if (is_full) parts.push_back(host.place + ": " + cores_of(here.busy, here) + " busy");
  if (knows_others && here.others && *here.others >= least && (is_full || (more && more->is_large(least))))
    parts.push_back((is_full ? "" : host.place + ": ") + "other programs use " + cores_of(*here.others, here));
  if (const auto gone = beside(std::move(stolen), at); gone && gone->is_large(least))
    parts.push_back(host.place + ": the hypervisor took " + cores_of(gone->here, here));
}

void tell_host(const live::HostHistory& host, size_t at, std::span<const std::string_view> sides,
               std::vector<std::string>& parts) {
  constexpr double kMega = 1e6;
  const auto disks =
      beside(sums_of(host,
                     [](const live::HostSeries& one) {
                       return one.of == RecordedOf::host && (one.name == "disk_read" || one.name == "disk_written");
                     }),
             at);
  if (disks && disks->is_large(kMegabytes * kMega))
    parts.push_back(host.place + ": " +
                    beside_usual(text::decimals(disks->here / kMega, 0) + " MB/s from and to disks",
                                 text::decimals(disks->usual / kMega, 0)));
  const auto again = beside(
      sums_of(host, [&](const live::HostSeries& one) { return one.name == "retransmits" && live::is_of(one, sides); }),
      at);
  if (again && again->is_large(kSegments))
    parts.push_back(host.place + ": " + text::decimals(again->here, 0) + " segments a second sent again");
}

// The run begins and ends somewhere within the first slot and the last.
bool is_whole(std::span<const SeriesPoint> slots, size_t at) {
  return at > 0 && at + 1 < slots.size();
}

void tell_rate(std::span<const SeriesPoint> slots, size_t at, const char* word, double SeriesPoint::* count,
               std::vector<std::string>& parts) {
  if (!is_whole(slots, at)) return;
  const auto rate = beside(slots, at, [count](const SeriesPoint& slot) -> std::optional<double> {
    if (slot.width_ns <= 0) return std::nullopt;
    return slot.*count * 1e9 / static_cast<double>(slot.width_ns);
  });
  if (!rate || rate->usual <= 0) return;
  if (rate->here > 2 * rate->usual || rate->here < rate->usual / 2)
    parts.push_back(beside_usual(word + (" " + text::rate(rate->here)), text::rate(rate->usual)));
}

void tell_backlog(std::span<const SeriesPoint> slots, size_t at, const FigureContext& context,
                  std::vector<std::string>& parts) {
  if (!context.due_per_message || slots[at].start_ns > context.due_until_ns) return;
  std::vector<std::optional<double>> all;
  for (const record::BacklogPoint& point : record::backlog_of(slots, *context.due_per_message))
    all.push_back(point.deliveries);
  const double in_slot = *context.due_per_message * slots[at].sent;  // the slots cannot tell it from nothing
  const auto waiting = beside(std::move(all), at);
  if (waiting && waiting->is_large(std::max(in_slot, 10.0)))
    parts.push_back(text::count(std::llround(waiting->here)) + " deliveries waited");
}

std::optional<Beside> latency_beside(std::span<const SeriesPoint> slots, size_t at,
                                     std::optional<int64_t> SeriesPoint::* latency) {
  return beside(slots, at, [latency](const SeriesPoint& slot) { return text::real(slot.*latency); });
}

}  // namespace

std::string happened_at(const RunView& run, const FigureContext& context, int64_t at_ns) {
  const std::vector<SeriesPoint> slots = run.series(0, run.known_until_ns(), kMostPoints);
  const auto slot = std::ranges::find_if(
      slots, [at_ns](const SeriesPoint& one) { return one.start_ns <= at_ns && at_ns < one.start_ns + one.width_ns; });
  if (slot == slots.end()) return {};
  const auto at = static_cast<size_t>(slot - slots.begin());
  const auto from = static_cast<double>(slot->start_ns);
  const auto to = static_cast<double>(slot->start_ns + slot->width_ns);

  std::vector<std::string> parts;
  // A pixel is often wider than a slot: those of its neighbours are meant too.
  for (const Landmark& mark : context.landmarks.shown)
    if (2 * from - to <= mark.x && mark.x < 2 * to - from) parts.push_back(mark.label);
  for (const Stretch& stretch : context.stretches)
    if (stretch.from < to && from < stretch.to) parts.push_back(stretch.label);
  const std::vector<live::HostHistory> hosts = run.hosts(kHostSeries);
  for (const live::HostHistory& host : hosts) {
    const auto then = slot_of(host.start_ns, host.width_ns, at_ns);
    if (!then) continue;
    tell_cores(host, *then, knows_others(run, host, hosts.size()), parts);
    tell_host(host, *then, live::sides_of(context.bus.traits()), parts);
  }
  const auto late = latency_beside(slots, at, &SeriesPoint::lateness_p99_ns);
  if (late && late->is_large(kLateNs))
    parts.push_back(beside_usual("sent " + text::duration(late->here) + " late at p99", text::duration(late->usual)));
  tell_rate(slots, at, "sent", &SeriesPoint::sent, parts);
  tell_rate(slots, at, "received", &SeriesPoint::received, parts);
  tell_backlog(slots, at, context, parts);
  if (slot->lost >= 1)
    parts.push_back(text::amount(static_cast<uint64_t>(slot->lost), "delivery", "deliveries") + " lost");
  const auto latency = latency_beside(slots, at, live::over_time(record::first_latency(context.replies)).p99);
  const std::string p99 = std::string(first_latency_word(context)) + " p99 ";
  if (latency && latency->is_large(kLatencyNs))
    parts.push_back(beside_usual(p99 + text::duration(latency->here), text::duration(latency->usual)));
  if (parts.empty())
    parts.push_back("nothing stands out" + (latency ? ", " + p99 + text::duration(latency->here) : std::string()));
  return "At " + text::decimals((from + to) / 2e9, 2) + " s: " + join(parts, "; ");
}

}  // namespace n2nq::figures
