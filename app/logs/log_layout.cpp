#include "app/logs/log_layout.h"

#include <algorithm>
#include <charconv>

namespace n2nq::logs {
namespace {

std::string_view without_return(std::string_view line) {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

bool is_name(std::string_view cell) {
  return !cell.empty() && std::ranges::all_of(cell, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

// A title has several columns, all of them names.
std::vector<std::string> title_of(std::string_view line) {
  std::vector<std::string> names;
  size_t from = 0;
  while (from <= line.size() && names.size() <= Cells::kMost) {
    const size_t tab = std::min(line.find('\t', from), line.size());
    names.emplace_back(line.substr(from, tab - from));
    from = tab + 1;
  }
  const bool good = names.size() > 1 && names.size() <= Cells::kMost && std::ranges::all_of(names, is_name);
  return good ? names : std::vector<std::string>();
}

constexpr std::string_view kOrigin = "# origin_monotonic_ns=";

std::optional<int64_t> origin_of(std::string_view comment) {
  const std::string_view value = comment.substr(kOrigin.size());
  return whole_number(value.substr(0, value.find(' ')));
}

}  // namespace

LogLayout LogLayout::read(std::string_view head) {
  LogLayout layout;
  size_t from = 0;
  for (size_t end = 0; (end = head.find('\n', from)) != std::string_view::npos; from = end + 1) {
    const std::string_view line = without_return(head.substr(from, end - from));
    if (line.starts_with(kOrigin)) layout.origin_ns_ = origin_of(line);
    if (line.starts_with('#')) continue;
    layout.columns_ = title_of(line);
    layout.complete_ = true;
    return layout;
  }
  layout.complete_ = head.size() >= kHead;
  return layout;
}

std::optional<size_t> LogLayout::column(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<size_t>(found - columns_.begin());
}

LineKind kind_of(std::string_view line, const LogLayout& layout) {
  if (!layout.has_columns()) return line.starts_with("# ") ? LineKind::comment : LineKind::text;
  if (line.starts_with('#')) return LineKind::comment;
  if (!line.empty() && line[0] >= '0' && line[0] <= '9') return LineKind::row;
  const bool title = line.starts_with(layout.columns()[0]) && line.substr(layout.columns()[0].size()).starts_with('\t');
  return title ? LineKind::title : LineKind::text;
}

Cells::Cells(std::string_view line, size_t limit) {
  limit = std::min(limit, kMost);
  while (size_ + 1 < limit) {
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos) break;
    cells_[size_++] = line.substr(0, tab);
    line.remove_prefix(tab + 1);
  }
  if (size_ < limit) cells_[size_++] = line;
}

std::optional<int64_t> whole_number(std::string_view cell) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || cell.empty()) return std::nullopt;
  return value;
}

}  // namespace n2nq::logs
