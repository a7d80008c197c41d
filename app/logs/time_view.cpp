#include "app/logs/time_view.h"

#include <algorithm>

#include "app/text/quantity.h"

namespace n2nq::logs {
namespace {

bool is_stamp(std::string_view column) {
  return column == "intended_ns" || column == "sent_ns" || column == "received_ns";
}

std::optional<int64_t> number_at(const Cells& cells, const std::optional<size_t>& column) {
  return column && *column < cells.size() ? whole_number(cells[*column]) : std::nullopt;
}

// By how much the sender's clock is behind this log's, told by a message of which both times and the latency are known.
std::optional<int64_t> sender_behind_ns(const LogLayout& layout, const Cells& cells) {
  const auto received = number_at(cells, layout.column("received_ns"));
  const auto latency = number_at(cells, layout.column("latency_ns"));
  const auto sent = number_at(cells, layout.column("sent_ns"));
  if (!received || !latency || !sent) return std::nullopt;
  return *received - *latency - *sent;
}

}  // namespace

std::string micros(int64_t ns) {
  const bool negative = ns < 0;
  const auto size = negative ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  std::string parts = std::to_string(size % 1000);
  parts.insert(0, 3 - parts.size(), '0');
  return (negative ? "-" : "") + text::count(static_cast<int64_t>(size / 1000)) + "." + parts;
}

std::optional<std::string> ns_of_shown(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || text.size() != dot + 4) return std::nullopt;
  std::string digits(text);
  std::erase(digits, ',');
  std::erase(digits, '.');
  const auto ns = whole_number(digits);
  if (!ns || micros(*ns) != text) return std::nullopt;
  return std::to_string(*ns);
}

TimeBase TimeView::base() const {
  if (base_ == TimeBase::line && line_ns_) return TimeBase::line;
  const bool since_run = base_ == TimeBase::run || base_ == TimeBase::line;
  if (since_run && layout_.origin_ns()) return TimeBase::run;
  return since_run ? TimeBase::clock : base_;
}

int64_t TimeView::zero_ns() const {
  if (base() == TimeBase::line) return *line_ns_;
  return base() == TimeBase::run ? *layout_.origin_ns() : 0;
}

std::optional<int64_t> TimeView::time_of(std::string_view row) const {
  if (kind_of(row, layout_) != LineKind::row) return std::nullopt;
  const Cells cells(row, Cells::kMost);
  const auto received = layout_.column("received_ns");
  return number_at(cells, received ? received : layout_.column("sent_ns"));
}

std::string TimeView::shown(size_t column, const Cells& cells) const {
  const std::string& name = layout_.columns()[column];
  const auto number = whole_number(cells[column]);
  if (!number || base_ == TimeBase::file) return std::string(cells[column]);
  if (name == "latency_ns") return micros(*number);
  if (name == "size_bytes") return text::count(*number);
  if (!is_stamp(name)) return std::string(cells[column]);
  if (base() == TimeBase::clock) return micros(*number);
  const bool foreign = name != "received_ns" && layout_.column("received_ns");
  const auto behind = foreign ? sender_behind_ns(layout_, cells) : std::optional<int64_t>(0);
  int64_t since = 0;
  if (!behind || __builtin_sub_overflow(*number, zero_ns() - *behind, &since)) return "-";
  return micros(since);
}

std::vector<std::string> TimeView::cells(std::string_view row) const {
  const Cells cells(row, layout_.columns().size());
  std::vector<std::string> shown_cells;
  for (size_t i = 0; i < cells.size(); ++i) shown_cells.push_back(shown(i, cells));
  return shown_cells;
}

std::string TimeView::title(size_t column) const {
  const std::string& name = layout_.columns()[column];
  if (base_ == TimeBase::file) return name;
  if (name == "size_bytes") return "size [B]";
  if (!is_stamp(name) && name != "latency_ns") return name;
  return name.substr(0, name.size() - 3) + " [µs]";
}

}  // namespace n2nq::logs
