#include "app/logs/line_filter.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::logs {
namespace {

template <class Number>
bool compare(Comparison comparison, Number left, Number right) {
  switch (comparison) {
    case Comparison::equal:
      return left == right;
    case Comparison::unequal:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::less_equal:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greater_equal:
      return left >= right;
  }
  std::unreachable();
}

bool has_word(std::string_view cell, std::string_view word) {
  size_t from = 0;
  while (from <= cell.size()) {
    const size_t comma = std::min(cell.find(',', from), cell.size());
    if (cell.substr(from, comma - from) == word) return true;
    from = comma + 1;
  }
  return false;
}

bool number_holds(const Condition& condition, std::optional<int64_t> number) {
  if (condition.number && number) return compare(condition.comparison, *number, *condition.number);
  const bool alike = !condition.number && !number;
  if (condition.comparison == Comparison::equal) return alike;
  return condition.comparison == Comparison::unequal && !alike;
}

std::optional<int64_t> difference(std::optional<int64_t> left, std::optional<int64_t> right) {
  int64_t value = 0;
  if (!left || !right || __builtin_sub_overflow(*left, *right, &value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int64_t> lateness_ns(std::string_view row, const LogLayout& layout) {
  const auto intended = layout.column("intended_ns");
  const auto sent = layout.column("sent_ns");
  if (!intended || !sent) return std::nullopt;
  const size_t last = std::max(*intended, *sent);
  const Cells cells(row, last + 2);
  if (cells.size() <= last) return std::nullopt;
  return difference(whole_number(cells[*sent]), whole_number(cells[*intended]));
}

LineTest::LineTest(const LineFilter& filter, const LogLayout& layout)
    : filter_(filter), layout_(layout), intended_(layout.column("intended_ns")), sent_(layout.column("sent_ns")) {
  for (const TextQuery& query : filter_.texts) {
    auto search = TextSearch::make(query);
    N2NQ_ASSERT(search.has_value());
    searches_.push_back(std::move(*search));
  }
  found_.resize(searches_.size());
}

bool LineTest::feed(const LinePiece& piece) {
  if (piece.first) {
    conditions_hold_ = conditions_hold(piece.text);
    std::fill(found_.begin(), found_.end(), false);
  }
  if (!conditions_hold_) return false;
  bool all = true;
  for (size_t i = 0; i < searches_.size(); ++i) {
    found_[i] = found_[i] || searches_[i].feed(piece);
    all = all && found_[i];
  }
  return all;
}

bool LineTest::conditions_hold(std::string_view line) const {
  if (filter_.conditions.empty()) return true;
  if (kind_of(line, layout_) != LineKind::row) return false;
  const Cells cells(line, layout_.columns().size());
  if (cells.size() != layout_.columns().size()) return false;
  return std::ranges::all_of(filter_.conditions, [&](const Condition& c) { return holds(c, cells); });
}

bool LineTest::holds(const Condition& condition, const Cells& cells) const {
  if (condition.column == kLateness) {
    const auto late = difference(whole_number(cells[*sent_]), whole_number(cells[*intended_]));
    return number_holds(condition, late);
  }
  const std::string_view cell = cells[condition.column];
  if (!condition.word.empty()) return has_word(cell, condition.word) == (condition.comparison == Comparison::equal);
  return number_holds(condition, whole_number(cell));
}

}  // namespace n2nq::logs
