#include "app/live/host_history.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/plan/run_plan.h"

namespace n2nq::live {
namespace {

constexpr std::array<std::string_view, 2> kBusy{"cpu_user", "cpu_system"};
constexpr std::array<std::string_view, 3> kNotBusy{"cpu_iowait", "cpu_steal", "cpu_idle"};

constexpr double kLeastKnownNs = 0.5e9;

// Of busy and other time.
std::optional<double> percent(double busy, double rest) {
  if (std::isnan(busy) || std::isnan(rest) || busy + rest <= 0) return std::nullopt;
  return 100 * busy / (busy + rest);
}

// `value_in` gives what a series has.
template <class ValueIn>
std::optional<double> busy_by(const HostHistory& host, BusyPart part, const ValueIn& value_in) {
  const auto sum_of = [&](const auto& names) {
    double sum = 0;
    for (const std::string_view name : names) {
      const HostSeries* series = find_series(host, RecordedOf::host, "", name);
      sum += series == nullptr ? kNoReading : value_in(*series);
    }
    return sum;
  };
  const double all = sum_of(kBusy);
  const double busy = part == BusyPart::all ? all : sum_of(std::array{kBusy[part == BusyPart::programs ? 0 : 1]});
  return percent(busy, sum_of(kNotBusy) + all - busy);
}

}  // namespace

bool HostSeries::operator==(const HostSeries& other) const {
  const auto same = [](double left, double right) { return left == right || (std::isnan(left) && std::isnan(right)); };
  return of == other.of && subject == other.subject && name == other.name && value == other.value && why == other.why &&
         std::ranges::equal(values, other.values, same);
}

std::string servers_on(const std::string& host) {
  return "servers on " + host;
}

const HostHistory* find_host(std::span<const HostHistory> hosts, std::string_view place) {
  const auto found = std::ranges::find(hosts, place, &HostHistory::place);
  return found == hosts.end() ? nullptr : &*found;
}

const HostSeries* find_series(const HostHistory& host, RecordedOf of, std::string_view subject, std::string_view name) {
  for (const HostSeries& one : host.series)
    if (one.of == of && one.name == name && one.subject == subject) return &one;
  return nullptr;
}

const control::HostColumn* column_of(const HostSeries& series) {
  const auto columns = control::columns_of(series.of);
  const auto found = std::ranges::find(columns, series.name, &control::HostColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

std::optional<double> busy_percent(const HostHistory& host, BusyPart part) {
  return busy_by(host, part, [](const HostSeries& series) { return series.value.value_or(kNoReading); });
}

std::vector<double> busy_percents(const HostHistory& host) {
  std::vector<double> percents;
  for (size_t slot = 0; slot < host.start_ns.size(); slot++)
    percents.push_back(busy_by(host, BusyPart::all, [slot](const HostSeries& series) {
                         return slot < series.values.size() ? series.values[slot] : kNoReading;
                       }).value_or(kNoReading));
  return percents;
}

std::vector<Bystanders> bystanders_by_slot(const HostHistory& host) {
  const auto of_host = [&](std::string_view name) { return find_series(host, RecordedOf::host, "", name); };
  const std::array busy{of_host("cpu_user"), of_host("cpu_system")};
  const std::array others{of_host("cpu_idle"), of_host("cpu_iowait")};
  const auto* steal = of_host("cpu_steal");
  std::vector<const HostSeries*> ours{of_host("cpu_interrupts"), of_host("cpu_bench")};
  std::vector<const HostSeries*> processes;
  for (const HostSeries& one : host.series)
    if (one.of == RecordedOf::process && one.name == "cpu") processes.push_back(&one);
  ours.insert(ours.end(), processes.begin(), processes.end());
  std::vector<Bystanders> slots(host.start_ns.size());
  for (size_t slot = 0; slot < slots.size(); slot++) {
    const auto sum_of = [slot](const auto& series) {
      double sum = 0;
      for (const HostSeries* one : series)
        sum += one != nullptr && slot < one->values.size() ? one->values[slot] : kNoReading;
      return sum;
    };
    Bystanders& in_slot = slots[slot];
    const double counted = sum_of(busy);
    in_slot.busy = counted;
    double of_processes = 0;
    for (const HostSeries* one : processes)
      if (slot < one->values.size() && !std::isnan(one->values[slot])) of_processes += one->values[slot];
    if (!std::isnan(counted)) in_slot.busy = std::max(counted, of_processes);
    in_slot.stolen = sum_of(std::array{steal});
    in_slot.cores = counted + in_slot.stolen + sum_of(others);
    if (const double beside = counted - sum_of(ours); !std::isnan(beside)) in_slot.others = beside;
  }
  return slots;
}

std::optional<Bystanders> bystanders_of(const HostHistory& host) {
  const std::vector<Bystanders> slots = bystanders_by_slot(host);
  Bystanders sum;
  double known_ns = 0, others = 0, all_known_ns = 0;
  for (size_t slot = 0; slot < slots.size(); slot++) {
    const Bystanders& one = slots[slot];
    if (std::isnan(one.cores)) continue;
    const auto width_ns = static_cast<double>(host.width_ns[slot]);
    known_ns += width_ns;
    sum.cores += one.cores * width_ns;
    sum.busy += one.busy * width_ns;
    sum.stolen += one.stolen * width_ns;
    if (!one.others) continue;
    all_known_ns += width_ns;
    others += *one.others * width_ns;
  }
  if (known_ns < kLeastKnownNs) return std::nullopt;
  Bystanders found{.cores = sum.cores / known_ns, .busy = sum.busy / known_ns, .stolen = sum.stolen / known_ns};
  if (all_known_ns >= kLeastKnownNs) found.others = std::max(others / all_known_ns, 0.0);
  return found;
}

BenchSightings bench_sightings(const HostHistory& host) {
  BenchSightings sightings;
  const HostSeries* benches = find_series(host, RecordedOf::host, "", "other_benches");
  if (benches == nullptr) return sightings;
  for (const double count : benches->values) {
    sightings.of += std::isnan(count) ? 0 : 1;
    sightings.seen += count >= 1 ? 1 : 0;
  }
  // Of a series without values over time the largest is known, as of a single reading.
  if (sightings.of == 0 && benches->value) sightings = {.seen = *benches->value >= 1 ? size_t{1} : 0, .of = 1};
  return sightings;
}

std::optional<double> sum_of_processes(std::span<const HostHistory> hosts, std::string_view name, size_t processes) {
  double sum = 0;
  size_t found = 0;
  for (const HostHistory& host : hosts)
    for (const HostSeries& one : host.series) {
      if (one.of != RecordedOf::process || one.name != name || !one.value) continue;
      sum += *one.value;
      found++;
    }
  return found > 0 && found == processes ? std::optional(sum) : std::nullopt;
}

std::span<const std::string_view> sides_of(const bus::BusTraits& bus) {
  static constexpr std::string_view kOthers[] = {kSendersSide, kReceiversSide, kServersSide};
  if (bus.own_queue) return kQueueSides;
  return std::span(kOthers).first(bus.meets_directly ? 2 : 3);
}

bool is_of(const HostSeries& series, std::span<const std::string_view> sides) {
  return series.of == RecordedOf::connections && std::ranges::find(sides, series.subject) != sides.end();
}

std::optional<double> sum_of_connections(std::span<const HostHistory> hosts, std::string_view name,
                                         std::span<const std::string_view> sides) {
  double sum = 0;
  std::set<std::string_view> known;
  for (const HostHistory& host : hosts) {
    if (std::ranges::none_of(host.series, [](const HostSeries& one) { return one.value.has_value(); }))
      return std::nullopt;  // it had no recorder
    for (const HostSeries& one : host.series) {
      if (!is_of(one, sides)) continue;
      if (one.name == "connections" && one.value.value_or(0) > 0) known.insert(one.subject);
      if (one.name != name) continue;
      if (!one.value) return std::nullopt;
      sum += *one.value;
    }
  }
  return known.size() == sides.size() ? std::optional(sum) : std::nullopt;
}

}  // namespace n2nq::live
