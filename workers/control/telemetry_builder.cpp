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

void append_figure(std::string& out, int64_t value) {
  if (value == kNoFigure)
    out.append("null");
  else
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
  slots_.reset();
  reply_slots_.reset();
}

std::string TelemetryBuilder::build(int64_t now_ns, size_t at_most) {
  std::string out(kTelemetryBegin);
  out.reserve(std::min<size_t>(at_most, 8 * 1024));
  sequence_++;
  LineWriter line(out, LineWriter::Reals::shortest);
  append_figures(line, now_ns);
  append_slots(out);
  const size_t room = at_most - std::min(at_most, out.size() + kClosingBytes);
  append_histograms(out, room / 2);
  append_services(out, at_most - std::min(at_most, out.size() + kClosingBytes));
  line("waiting", changed_services());
  out.push_back('}');
  last_line_ns_ = now_ns;
  last_messages_ = totals_.count;
  last_bytes_ = totals_.bytes;
  return out;
}

void TelemetryBuilder::append_figures(LineWriter& line, int64_t now_ns) const {
  const int64_t interval_ns = last_line_ns_ == 0 ? 0 : now_ns - last_line_ns_;
  const Telemetry begin{.role = role_,
                        .sequence = sequence_,
                        .time_ns = now_ns,
                        .interval_ns = interval_ns,
                        .merged = merged_,
                        .messages_per_s = per_second(totals_.count - last_messages_, interval_ns),
                        .bytes_per_s = per_second(totals_.bytes - last_bytes_, interval_ns)};
  Telemetry::fields(line, begin);
  line.object("totals", [this](LineWriter& totals) {
    for (const auto& [name, value] : columns().subspan(2))
      totals.figure(name, totals_.*value, totals_.*value != kNoFigure);
  });
  ProcessFigures::fields(line, process_);
}

// At most measure::SlotCounts::kMost of each, which is a part of the room that they leave.
void TelemetryBuilder::append_slots(std::string& out) {
  LineWriter line(out);
  const auto append = [&](std::string_view name, std::span<const measure::SlotCount> counts, auto first, auto second) {
    line.begin(name);
    out.push_back('[');
    for (const measure::SlotCount& one : counts) {
      if (out.back() != '[') out.push_back(',');
      append_number(out, one.*first);
      out.push_back(',');
      append_number(out, one.*second);
    }
    out.push_back(']');
  };
  using Slot = measure::SlotCount;
  append("slots", slots_.all(), &Slot::slot, &Slot::count);
  append("slot_times", slots_.all(), &Slot::first_us, &Slot::last_us);
  slots_.reset();
  if (!request_reply_) return;
  append("reply_slots", reply_slots_.all(), &Slot::slot, &Slot::count);
  reply_slots_.reset();
}

void TelemetryBuilder::append_histograms(std::string& out, size_t at_most) {
  const auto news = std::ranges::count_if(histograms_, [](const auto& each) { return each.second.has_news(); });
  if (news == 0) return;
  const size_t each = at_most / static_cast<size_t>(news);
  LineWriter line(out, LineWriter::Reals::shortest);
  line.begin("histograms");
  out.push_back('{');
  for (auto& [name, histogram] : histograms_) {
    if (!histogram.has_news()) continue;
    line.begin(name);
    out.push_back('{');
    const size_t start = out.size();
    HistogramMoments::fields(line, histogram.moments);
    histogram.told = histogram.moments;
    line.begin("buckets");
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
  LineWriter line(out);
  line.begin("services");
  out.push_back('{');
  for (const auto& [name, value] : columns) {
    line.begin(name);
    out.push_back('[');
    for (const size_t slot : slots) {
      append_figure(out, rows_[slot].*value);
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
