#include "app/live/host_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "workers/measure/saturate.h"

namespace n2nq::live {
namespace {

using control::HostColumn;
using control::HostValues;
using control::kNoFigure;
using control::Merge;
using control::Recorded;

constexpr int64_t kLatestNs = int64_t{1} << 61;  // of any clock: two of them can be subtracted
constexpr const char* kIncomplete =
    "it was not read from the beginning of the run on, or its counter fell; so its sum is not known";
constexpr const char* kNoWord = "it ended without a summary; what it did after the last reading is not known";
constexpr const char* kNotSaid = "it ended, and how much of it there was after the last reading is not known";
constexpr const char* kNotToTheEnd = "it could not be read at the end of the run, so its sum is not known";
constexpr const char* kTooShort = "there were too few readings in the run; a shorter period of the recorder gives more";

// What a column shows of an amount that a counter grew by: cores, or so much a second.
double shown(const HostColumn& column, double amount, int64_t interval_ns) {
  const double a_ns = amount / static_cast<double>(interval_ns);
  return column.unit == "cores" ? a_ns : a_ns * 1e9;
}

// Of the values of two neighbours, each known of so much time.
double merged(Merge merge, double left, double left_ns, double right, double right_ns) {
  if (std::isnan(left)) return right;
  if (std::isnan(right)) return left;
  if (merge == Merge::least) return std::min(left, right);
  if (merge == Merge::largest) return std::max(left, right);
  return left_ns + right_ns > 0 ? (left * left_ns + right * right_ns) / (left_ns + right_ns) : left;
}

// What a process had of a counter in all, by its own word at its end.
std::optional<int64_t> said_of(std::string_view column, const HostFigures::AtEnd& said) {
  if (column == "cpu") return said.cpu_ns;
  if (column == "cpu_user") return said.cpu_user_ns;
  if (column == "cpu_system") return said.cpu_system_ns;
  if (column == "context_switches") return said.context_switches;
  if (column == "disk_read") return said.disk_read_bytes;
  if (column == "disk_written") return said.disk_written_bytes;
  return std::nullopt;
}

}  // namespace

void HostFigures::add(const std::string& place) {
  if (hosts_.contains(place)) return;
  places_.push_back(place);
  hosts_[place];
}

void HostFigures::lacks(const std::string& place, const std::string& why) {
  add(place);
  if (std::string& said = hosts_[place].why; said.empty()) said = why;
  revision_++;
}

void HostFigures::awake(const std::string& place, const std::string& how) {
  add(place);
  hosts_[place].awake = how;
}

void HostFigures::not_awake(const std::string& place, const std::string& why) {
  add(place);
  hosts_[place].awake.clear();
  hosts_[place].not_awake = why;
}

std::optional<std::string> HostFigures::why_not_awake(const std::string& place) const {
  const auto found = hosts_.find(place);
  if (found != hosts_.end() && !found->second.awake.empty()) return std::nullopt;
  if (found != hosts_.end() && !found->second.not_awake.empty()) return found->second.not_awake;
  return "its recorder has not said that it keeps them awake";
}

void HostFigures::begin(const std::string& place, int64_t origin_monotonic_ns, int64_t offset_ns) {
  const int64_t origin_ns = measure::plus(origin_monotonic_ns, offset_ns);
  if (origin_ns < -kLatestNs || origin_ns > kLatestNs) return;
  const auto found = hosts_.find(place);
  if (found == hosts_.end() || found->second.origin_ns) return;
  Host& host = found->second;
  host.origin_ns = origin_ns;
  for (const Recorded& line : std::exchange(host.waiting, {})) take_line(host, line);
  revision_++;
}

bool HostFigures::knows_begin(const std::string& place) const {
  const auto found = hosts_.find(place);
  return found != hosts_.end() && found->second.origin_ns.has_value();
}

void HostFigures::take(const std::string& place, const Recorded& recorded) {
  add(place);
  Host& host = hosts_[place];
  if (recorded.time_ns < 0 || recorded.time_ns > kLatestNs || !host.why.empty()) return;
  revision_++;
  take_reasons(host, recorded);
  if (host.origin_ns) return take_line(host, recorded);
  host.waiting.push_back(recorded);
  if (host.waiting.size() > kMostWaiting) host.waiting.pop_front();
}

void HostFigures::ended(const std::string& place, const std::string& process, const std::optional<AtEnd>& said) {
  if (const auto found = hosts_.find(place); found != hosts_.end()) found->second.ended[process] = said;
  revision_++;
}

void HostFigures::same_computer(const std::string& place, const std::string& other) {
  if (place == other || !hosts_.contains(place) || !hosts_.contains(other)) return;
  hosts_[place].beside.push_back(other);
  hosts_[other].beside.push_back(place);
  revision_++;
}

void HostFigures::count(const std::string& place, const Counts& counts) {
  if (const auto found = hosts_.find(place); found != hosts_.end()) found->second.counts = counts;
}

std::optional<HostFigures::Counts> HostFigures::counts(const std::string& place) const {
  const auto found = hosts_.find(place);
  return found == hosts_.end() ? std::nullopt : found->second.counts;
}

void HostFigures::take_reasons(Host& host, const Recorded& recorded) {
  for (const control::Lacking& one : recorded.lacking) {
    std::vector<std::string> names{one.subject};
    if (one.of == RecordedOf::connections && one.subject.empty()) {
      names.clear();
      for (const control::RecordedSubject& side : recorded.connections) names.push_back(side.name);
    }
    for (const std::string& name : names)
      if (Subject* subject = this->subject(host, one.of, name))
        for (const std::string& series : one.series) subject->why[series] = one.why;
  }
}

// `guess`: where it should be, as lines name all in the same order.
HostFigures::Subject* HostFigures::subject(Host& host, RecordedOf of, const std::string& name, size_t guess) {
  const auto is = [&](const Subject& one) { return one.of == of && one.name == name; };
  if (guess < host.subjects.size() && is(host.subjects[guess])) return &host.subjects[guess];
  const auto found = std::ranges::find_if(host.subjects, is);
  if (found != host.subjects.end()) return &*found;
  if (host.subjects.size() >= kMostSubjects) return nullptr;
  const size_t columns = control::columns_of(of).size(), slots = host.start_ns.size();
  host.subjects.push_back({.of = of,
                           .name = name,
                           .sums = std::vector<Sum>(columns),
                           .slots = std::vector<Slots>(columns, {.values = std::vector<double>(slots, kNoReading),
                                                                 .known = std::vector<float>(slots, 0)})});
  return &host.subjects.back();
}

void HostFigures::take_line(Host& host, const Recorded& recorded) {
  if (host.last && recorded.time_ns <= host.last->time_ns) return;
  Moment moment{.time_ns = recorded.time_ns, .since_begin_ns = recorded.time_ns - *host.origin_ns};
  if (host.last && moment.since_begin_ns > 0)
    moment.width_ns = std::min(recorded.time_ns - host.last->time_ns, moment.since_begin_ns);
  host.last = recorded;
  if (moment.width_ns > 0) add_slot(host, moment.since_begin_ns - moment.width_ns, moment.width_ns);
  size_t guess = 0;
  read(host, RecordedOf::host, {.values = recorded.host}, guess++, moment);
  for (const control::RecordedSubject& one : recorded.processes) read(host, RecordedOf::process, one, guess++, moment);
  for (const control::RecordedSubject& one : recorded.connections)
    read(host, RecordedOf::connections, one, guess++, moment);
  const size_t slots = host.start_ns.size();
  if (moment.width_ns > 0 && slots > 1 &&
      (host.width_ns[slots - 1] < kShortestNs || host.width_ns[slots - 2] < kShortestNs))
    merge_slots(host, slots - 2);
  while (host.start_ns.size() > most_slots(host)) halve(host);
}

// As much memory for very many processes as for some.
size_t HostFigures::most_slots(const Host& host) {
  return host.subjects.size() <= kFullSubjects ? kMostSlots : kMostSlots * kFullSubjects / host.subjects.size();
}

void HostFigures::add_slot(Host& host, int64_t start_ns, int64_t width_ns) {
  host.start_ns.push_back(start_ns);
  host.width_ns.push_back(width_ns);
  for (Subject& subject : host.subjects)
    for (Slots& slots : subject.slots) {
      slots.values.push_back(kNoReading);
      slots.known.push_back(0);
    }
}

void HostFigures::read(Host& host, RecordedOf of, const control::RecordedSubject& said, size_t guess,
                       const Moment& moment) {
  Subject* to = subject(host, of, said.name, guess);
  const auto columns = control::columns_of(of);
  if (to == nullptr || said.values.size() != columns.size()) return;
  for (size_t i = 0; i < columns.size(); i++) {
    if (said.values[i] == kNoFigure) continue;
    Sum& sum = to->sums[i];
    if (of == RecordedOf::connections && columns[i].counter && sum.last == kNoFigure && moment.width_ns > 0) {
      sum.last = 0;  // there were none at the reading before
      sum.last_ns = moment.time_ns - moment.width_ns;
    }
    const bool of_moment = columns[i].merge == Merge::mean && columns[i].on_line;
    if (columns[i].counter)
      take_counter(host, columns[i], said.values[i], moment, sum, to->slots[i]);
    else if (of_moment)
      take_gauge(host, said.values[i], moment, sum, to->slots[i]);
    else if (moment.width_ns > 0)
      take_of_interval(columns[i], said.values[i], moment, sum, to->slots[i]);
  }
}

// A value holds until the next one. So one that is read when nothing is left any more counts for no time.
void HostFigures::take_gauge(const Host& host, int64_t now, const Moment& moment, Sum& sum, Slots& slots) {
  const int64_t before = std::exchange(sum.last, now);
  const int64_t before_ns = std::exchange(sum.last_ns, moment.time_ns);
  if (moment.width_ns == 0 || before == kNoFigure) return;
  const int64_t within_ns = std::min(moment.time_ns - before_ns, moment.since_begin_ns);
  sum.value += static_cast<double>(before) * static_cast<double>(within_ns);
  sum.width_ns += static_cast<double>(within_ns);
  sum.known = true;
  fill(host, moment.since_begin_ns - within_ns, static_cast<double>(before), slots);
}

// What is of all the time since the reading before: an extreme, or what the workers measured meanwhile.
void HostFigures::take_of_interval(const HostColumn& column, int64_t now, const Moment& moment, Sum& sum,
                                   Slots& slots) {
  const auto value = static_cast<double>(now), width = static_cast<double>(moment.width_ns);
  slots.values.back() = value;
  slots.known.back() = 1;
  if (column.merge == Merge::mean) {
    sum.value += value * width;
    sum.width_ns += width;
  } else {
    sum.value = sum.known ? merged(column.merge, sum.value, 0, value, 0) : value;
    sum.width_ns = 1;
  }
  sum.known = true;
}

// What was not read in between grew as fast as all since the last reading.
void HostFigures::take_counter(const Host& host, const HostColumn& column, int64_t now, const Moment& moment, Sum& sum,
                               Slots& slots) {
  const int64_t before = std::exchange(sum.last, now);
  const int64_t before_ns = std::exchange(sum.last_ns, moment.time_ns);
  if (moment.width_ns == 0) {
    sum.incomplete |= moment.since_begin_ns > 0;
    return;
  }
  if (before == kNoFigure || now < before) {
    sum.incomplete = true;
    return;
  }
  const auto amount = static_cast<double>(now - before);
  const int64_t interval_ns = moment.time_ns - before_ns;
  const int64_t within_ns = std::min(interval_ns, moment.since_begin_ns);
  sum.value += amount * static_cast<double>(within_ns) / static_cast<double>(interval_ns);
  sum.known = true;
  fill(host, moment.since_begin_ns - within_ns, shown(column, amount, interval_ns), slots);
}

// The last slots, as far back as they have no value yet.
void HostFigures::fill(const Host& host, int64_t from_ns, double value, Slots& slots) {
  for (size_t slot = slots.values.size(); slot-- > 0;) {
    if (host.start_ns[slot] < from_ns || !std::isnan(slots.values[slot])) break;
    slots.values[slot] = value;
    slots.known[slot] = 1;
  }
}

void HostFigures::merge_slots(Host& host, size_t into) {
  const auto left = static_cast<double>(host.width_ns[into]);
  const auto right = static_cast<double>(host.width_ns[into + 1]);
  const auto erased = static_cast<std::ptrdiff_t>(into + 1);
  for (Subject& subject : host.subjects) {
    const auto columns = control::columns_of(subject.of);
    for (size_t i = 0; i < columns.size(); i++) {
      auto& [values, known] = subject.slots[i];
      const double left_ns = left * known[into], right_ns = right * known[into + 1];
      values[into] = merged(columns[i].merge, values[into], left_ns, values[into + 1], right_ns);
      known[into] = left + right > 0 ? static_cast<float>((left_ns + right_ns) / (left + right)) : 0;
      values.erase(values.begin() + erased);
      known.erase(known.begin() + erased);
    }
  }
  host.width_ns[into] = host.start_ns[into + 1] + host.width_ns[into + 1] - host.start_ns[into];
  host.start_ns.erase(host.start_ns.begin() + erased);
  host.width_ns.erase(host.width_ns.begin() + erased);
}

// From the back, so that nothing moves twice as far.
void HostFigures::halve(Host& host) {
  for (size_t pair = host.start_ns.size() / 2; pair-- > 0;) merge_slots(host, 2 * pair);
}

const Recorded* HostFigures::last(const std::string& place) const {
  const auto found = hosts_.find(place);
  if (found == hosts_.end() || !found->second.why.empty()) return nullptr;
  if (found->second.last) return &*found->second.last;
  return found->second.waiting.empty() ? nullptr : &found->second.waiting.back();
}

// A container has connections of its own: only who sees the same side may see the same ones.
std::string HostFigures::why_counted_twice(const Host& host, const Subject& subject) const {
  if (subject.of != RecordedOf::connections || std::ranges::find(kQueueSides, subject.name) == kQueueSides.end())
    return {};
  for (const std::string& place : host.beside)
    for (const Subject& one : hosts_.at(place).subjects)
      if (one.of == subject.of && one.name == subject.name)
        return "it is the same computer as " + place + ", so that some connections may be counted twice";
  return {};
}

// Once processes have ended so has the run: a sum is then as of the last line.
bool HostFigures::ends_early(const Host& host, const Sum& sum) {
  return !host.ended.empty() && host.last && sum.last_ns < host.last->time_ns;
}

// Without its values over time.
HostSeries HostFigures::series_of(const Host& host, const Subject& subject, size_t column) const {
  const HostColumn& what = control::columns_of(subject.of)[column];
  const Sum& sum = subject.sums[column];
  HostSeries series{.of = subject.of, .subject = subject.name, .name = std::string(what.name)};
  const auto end = host.ended.find(subject.name);
  const bool has_ended = what.counter && subject.of == RecordedOf::process && end != host.ended.end();
  const auto said = has_ended && end->second ? said_of(what.name, *end->second) : std::nullopt;
  if (!host.why.empty()) {
    series.why = host.why;
  } else if (!sum.known) {
    const auto why = subject.why.find(series.name);
    series.why = why != subject.why.end() ? why->second : kTooShort;
  } else if (std::string twice = why_counted_twice(host, subject); !twice.empty()) {
    series.why = std::move(twice);
  } else if (what.counter && sum.incomplete) {
    series.why = kIncomplete;
  } else if (has_ended && !said) {
    series.why = end->second ? kNotSaid : kNoWord;
  } else if (what.counter && !has_ended && ends_early(host, sum)) {
    series.why = kNotToTheEnd;
  } else {
    series.value = what.counter || sum.width_ns <= 0 ? sum.value : sum.value / sum.width_ns;
    if (said && *said > sum.last) *series.value += static_cast<double>(*said - sum.last);
  }
  return series;
}

// What a process said at its end that it did after its last reading is of the time up to the reading that did not find
// it any more.
void HostFigures::add_rest(const Host& host, const Subject& subject, size_t column, std::vector<double>& values) {
  const HostColumn& what = control::columns_of(subject.of)[column];
  const auto end = host.ended.find(subject.name);
  if (subject.of != RecordedOf::process || !what.counter || end == host.ended.end() || !end->second) return;
  const Sum& sum = subject.sums[column];
  const auto said = said_of(what.name, *end->second);
  const int64_t from_ns = sum.last_ns - *host.origin_ns;
  const int64_t seen_ns = subject.sums[control::at(control::kProcessColumns, "cpu")].last_ns - *host.origin_ns;
  const auto begins_after = std::ranges::upper_bound(host.start_ns, std::max(from_ns, seen_ns));
  if (!said || begins_after == host.start_ns.begin()) return;
  const auto last = static_cast<size_t>(begins_after - host.start_ns.begin()) - 1;
  const int64_t rest_ns = host.start_ns[last] + host.width_ns[last] - from_ns;
  if (rest_ns <= 0) return;
  const double rate = shown(what, static_cast<double>(std::max<int64_t>(*said - sum.last, 0)), rest_ns);
  const auto& [read, known] = subject.slots[column];
  for (size_t next = last + 1; next > 0 && host.start_ns[next - 1] + host.width_ns[next - 1] > from_ns; next--) {
    const size_t slot = next - 1;
    values[slot] = (std::isnan(read[slot]) ? 0 : read[slot] * known[slot]) + rate * (1 - known[slot]);
  }
}

HostHistory HostFigures::history(const std::string& place, const Host& host, bool with_values,
                                 std::span<const std::string_view> names) const {
  constexpr float kMostOfIt = 0.5F;  // of a slot that a value is said to be of
  HostHistory history{.place = place, .awake = host.awake};
  if (with_values) {
    history.start_ns = host.start_ns;
    history.width_ns = host.width_ns;
  }
  const Subject nobody{.sums = std::vector<Sum>(control::kHostColumns.size())};
  for (const Subject& subject : host.subjects.empty() ? std::span(&nobody, 1) : std::span(host.subjects)) {
    for (size_t i = 0; i < subject.sums.size(); i++) {
      if (!names.empty() && std::ranges::find(names, control::columns_of(subject.of)[i].name) == names.end()) continue;
      history.series.push_back(series_of(host, subject, i));
      if (!with_values || !subject.sums[i].known) continue;
      const auto& [values, known] = subject.slots[i];
      std::vector<double>& shown = history.series.back().values = values;
      for (size_t slot = 0; slot < shown.size(); slot++)
        if (known[slot] < kMostOfIt) shown[slot] = kNoReading;
      add_rest(host, subject, i, shown);
    }
  }
  return history;
}

std::vector<HostHistory> HostFigures::histories(std::span<const std::string_view> names) const {
  std::vector<HostHistory> all;
  for (const std::string& place : places_) all.push_back(history(place, hosts_.at(place), true, names));
  return all;
}

std::vector<HostHistory> HostFigures::sums() const {
  std::vector<HostHistory> all;
  for (const std::string& place : places_) all.push_back(history(place, hosts_.at(place), false));
  return all;
}

}  // namespace n2nq::live
