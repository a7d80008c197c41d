#include "workers/control/telemetry_builder.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "broker/base/assert.h"
#include "broker/base/clock.h"

namespace n2nq::control {
namespace {

constexpr size_t kLeastLine = 4 * 1024;  // with less budget no line is begun
constexpr size_t kClosingBytes = 64;     // "waiting" and the brackets at the end
constexpr size_t kLongestPair = 40;      // ,index,count

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void append_figure(std::string& out, int64_t value) {
  if (value == kNoFigure)
    out.append("null");
  else
    append_number(out, value);
}

void append_name(std::string& out, std::string_view name) {
  if (out.back() != '{') out.push_back(',');
  out.append("\"").append(name).append("\":");
}

template <class Number>
void append_field(std::string& out, std::string_view name, Number value) {
  append_name(out, name);
  append_number(out, value);
}

size_t figure_bytes(int64_t value) {
  if (value == kNoFigure) return 4;
  std::array<char, 32> digits;
  return static_cast<size_t>(std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr - digits.data());
}

size_t row_bytes(std::span<const ServiceColumn> columns, const ServiceRow& row) {
  size_t bytes = 0;
  for (const auto& column : columns) bytes += figure_bytes(row.*column.value) + 1;
  return bytes;
}

size_t column_name_bytes(std::span<const ServiceColumn> columns) {
  size_t bytes = 0;
  for (const auto& column : columns) bytes += column.name.size() + 6;
  return bytes;
}

double per_second(int64_t amount, int64_t interval_ns) {
  return interval_ns <= 0 ? 0.0 : static_cast<double>(amount) * 1e9 / static_cast<double>(interval_ns);
}

int64_t messages_of(Role role, const ServiceRow& row) {
  return role == Role::sender ? row.sent : row.received;
}

void append_moments(std::string& out, const HistogramMoments& moments) {
  append_field(out, "count", moments.count);
  append_name(out, "min");
  append_figure(out, moments.count == 0 ? kNoFigure : moments.min);
  append_name(out, "max");
  append_figure(out, moments.count == 0 ? kNoFigure : moments.max);
  append_field(out, "sum", moments.sum);
  append_field(out, "sum_squares", moments.sum_squares);
}

void append_tcp(std::string& out, const TcpFigures& tcp) {
  append_name(out, "tcp");
  out.push_back('{');
  append_field(out, "connections", tcp.connections);
  append_field(out, "rtt_us", tcp.rtt_us);
  append_field(out, "rtt_us_max", tcp.rtt_us_max);
  append_field(out, "cwnd", tcp.cwnd);
  append_field(out, "retransmits", tcp.retransmits);
  out.push_back('}');
}

void append_network(std::string& out, const NetworkFigures& network) {
  append_name(out, "network");
  out.append("{\"method\":\"").append(to_text(network.method)).append("\"");
  append_field(out, "sent", network.sent);
  append_field(out, "lost", network.lost);
  append_name(out, "last_ns");
  append_figure(out, network.last_ns.value_or(kNoFigure));
  out.push_back('}');
}

void append_wire(std::string& out, const WireFigures& wire) {
  append_name(out, "wire");
  out.push_back('{');
  append_field(out, "sent_bytes", wire.sent_bytes);
  append_field(out, "received_bytes", wire.received_bytes);
  append_field(out, "connections", wire.connections);
  out.push_back('}');
}

template <class Value>
void append_maybe(std::string& out, std::string_view name, const std::optional<Value>& value) {
  append_name(out, name);
  if (value)
    append_number(out, *value);
  else
    out.append("null");
}

void append_clock(std::string& out, const ClockFigures& clock) {
  append_name(out, "clock");
  out.append("{\"kind\":\"").append(clock.kind).append("\"");
  append_maybe(out, "offset_ns", clock.offset_ns);
  append_maybe(out, "bound_ns", clock.bound_ns);
  append_maybe(out, "own_bound_ns", clock.own_bound_ns);
  append_maybe(out, "round_trip_ns", clock.round_trip_ns);
  append_maybe(out, "drift_ns", clock.drift_ns);
  append_field(out, "probes", clock.probes);
  out.push_back('}');
}

}  // namespace

size_t LineBudget::available(int64_t now_ns) {
  if (!started_) refilled_ns_ = now_ns;
  started_ = true;
  const int64_t passed = std::clamp<int64_t>(now_ns - refilled_ns_, 0, kSecond);
  const auto more = static_cast<size_t>(static_cast<double>(refill_per_s_) * static_cast<double>(passed) / 1e9);
  // A span too short for a whole byte is kept for the next call.
  if (more > 0) refilled_ns_ = now_ns;
  available_ = std::min(available_ + more, largest_line_);
  return available_;
}

TelemetryBuilder::TelemetryBuilder(Role role, size_t services, LineBudget budget)
    : role_(role), budget_(budget), rows_(services), known_(services) {
  N2NQ_ASSERT(role != Role::broker && budget.largest_line() >= kLeastLine);
}

void TelemetryBuilder::add_histogram(std::string_view name, const HistogramMoments& moments,
                                     std::span<const BucketCount> buckets) {
  auto found = histograms_.find(name);
  if (found == histograms_.end()) found = histograms_.emplace(std::string(name), Histogram{}).first;
  found->second.moments = moments;
  for (const auto& bucket : buckets) found->second.waiting[bucket.index] += bucket.count;
}

std::optional<std::string> TelemetryBuilder::next_line(int64_t now_ns, bool output_idle) {
  const size_t available = budget_.available(now_ns);
  if (!output_idle || available < kLeastLine) {
    merged_++;
    return {};
  }
  std::string line = build(now_ns, available);
  budget_.spend(line.size() + 1);
  return line;
}

std::vector<std::string> TelemetryBuilder::remaining_lines(int64_t now_ns) {
  std::vector<std::string> lines;
  do {
    lines.push_back(build(now_ns, budget_.largest_line()));
  } while (anything_waits());
  return lines;
}

void TelemetryBuilder::forget_controller() {
  std::fill(known_.begin(), known_.end(), ServiceRow{});
  for (auto& [name, histogram] : histograms_) {
    histogram.waiting.clear();
    histogram.told.reset();
  }
}

std::string TelemetryBuilder::build(int64_t now_ns, size_t at_most) {
  std::string out;
  out.reserve(std::min<size_t>(at_most, 8 * 1024));
  sequence_++;
  append_figures(out, now_ns);
  const size_t room = at_most - std::min(at_most, out.size() + kClosingBytes);
  append_histograms(out, room / 2);
  append_services(out, at_most - std::min(at_most, out.size() + kClosingBytes));
  append_field(out, "waiting", changed_services());
  out.push_back('}');
  last_line_ns_ = now_ns;
  last_messages_ = messages_of(role_, totals_);
  last_bytes_ = totals_.bytes;
  return out;
}

void TelemetryBuilder::append_figures(std::string& out, int64_t now_ns) const {
  const int64_t interval_ns = last_line_ns_ == 0 ? 0 : now_ns - last_line_ns_;
  out.append("{\"type\":\"telemetry\",\"role\":\"").append(to_text(role_)).append("\"");
  append_field(out, "sequence", sequence_);
  append_field(out, "time_ns", now_ns);
  append_field(out, "interval_ns", interval_ns);
  append_field(out, "merged", merged_);
  append_field(out, "messages_per_s", per_second(messages_of(role_, totals_) - last_messages_, interval_ns));
  append_field(out, "bytes_per_s", per_second(totals_.bytes - last_bytes_, interval_ns));
  append_name(out, "totals");
  out.push_back('{');
  for (const auto& column : columns().subspan(2)) {
    append_name(out, column.name);
    append_figure(out, totals_.*column.value);
  }
  out.push_back('}');
  append_tcp(out, process_.tcp);
  append_network(out, process_.network);
  append_field(out, "cpu_ns", process_.cpu_ns);
  append_field(out, "rss_bytes", process_.rss_bytes);
  append_field(out, "log_lines_not_written", process_.log_lines_not_written);
  append_field(out, "dropped_lines", process_.dropped_lines);
  if (process_.wire) append_wire(out, *process_.wire);
  if (process_.clock) append_clock(out, *process_.clock);
}

void TelemetryBuilder::append_histograms(std::string& out, size_t at_most) {
  const auto news = std::ranges::count_if(histograms_, [](const auto& each) { return each.second.has_news(); });
  if (news == 0) return;
  const size_t each = at_most / static_cast<size_t>(news);
  append_name(out, "histograms");
  out.push_back('{');
  for (auto& [name, histogram] : histograms_) {
    if (!histogram.has_news()) continue;
    append_name(out, name);
    out.push_back('{');
    const size_t start = out.size();
    append_moments(out, histogram.moments);
    histogram.told = histogram.moments;
    append_name(out, "buckets");
    append_buckets(out, histogram, each - std::min(each, out.size() - start + kLongestPair));
    out.push_back('}');
  }
  out.push_back('}');
}

void TelemetryBuilder::append_buckets(std::string& out, Histogram& histogram, size_t at_most) {
  out.push_back('[');
  const size_t start = out.size();
  const size_t rounds = histogram.waiting.size();
  auto at = histogram.waiting.lower_bound(histogram.next);
  for (size_t i = 0; i < rounds && out.size() - start + kLongestPair <= at_most; i++) {
    if (at == histogram.waiting.end()) at = histogram.waiting.begin();
    if (out.size() > start) out.push_back(',');
    append_number(out, at->first);
    out.push_back(',');
    append_number(out, at->second);
    at = histogram.waiting.erase(at);
  }
  histogram.next = at == histogram.waiting.end() ? std::numeric_limits<int32_t>::min() : at->first;
  out.push_back(']');
}

void TelemetryBuilder::append_services(std::string& out, size_t at_most) {
  const auto columns = this->columns();
  const size_t names = column_name_bytes(columns) + kClosingBytes;
  const auto slots = choose_services(at_most - std::min(at_most, names));
  append_name(out, "services");
  out.push_back('{');
  for (const auto& column : columns) {
    append_name(out, column.name);
    out.push_back('[');
    for (const size_t slot : slots) {
      append_figure(out, rows_[slot].*column.value);
      out.push_back(',');
    }
    if (!slots.empty()) out.pop_back();
    out.push_back(']');
  }
  out.push_back('}');
  for (const size_t slot : slots) known_[slot] = rows_[slot];
}

std::vector<size_t> TelemetryBuilder::choose_services(size_t at_most) {
  std::vector<size_t> slots;
  const auto columns = this->columns();
  size_t used = 0;
  for (size_t i = 0; i < rows_.size(); i++) {
    const size_t slot = (next_slot_ + i) % rows_.size();
    if (rows_[slot] == known_[slot]) continue;
    used += row_bytes(columns, rows_[slot]);
    if (used > at_most) {
      next_slot_ = slot;  // the first that had to wait is the first next time
      return slots;
    }
    slots.push_back(slot);
  }
  return slots;
}

size_t TelemetryBuilder::changed_services() const {
  size_t changed = 0;
  for (size_t slot = 0; slot < rows_.size(); slot++) changed += rows_[slot] == known_[slot] ? 0 : 1;
  return changed;
}

bool TelemetryBuilder::anything_waits() const {
  return changed_services() > 0 || std::any_of(histograms_.begin(), histograms_.end(),
                                               [](const auto& each) { return !each.second.waiting.empty(); });
}

}  // namespace n2nq::control
