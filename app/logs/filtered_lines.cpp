#include <algorithm>

#include "app/logs/line_walk.h"

namespace n2nq::logs {
namespace {

constexpr size_t kRecentBlocks = 64;
constexpr size_t kRecentMatches = 500'000;

}  // namespace

FilteredLines::FilteredLines(std::shared_ptr<const OpenFile> file, std::shared_ptr<const FilterIndex> filter,
                             const LineIndex& lines)
    : file_(std::move(file)), filter_(std::move(filter)), lines_(lines) {}

std::vector<FilteredLines::Match> FilteredLines::find_matches(int64_t block, int64_t looked_to) const {
  std::vector<Match> matches;
  LineTest test(filter_->filter(), filter_->layout());
  const int64_t end = std::min((block + 1) * FilterIndex::kBlock, looked_to + 1);
  LineScan scan(*file_, block * FilterIndex::kBlock, end);
  LinePiece piece;
  int64_t line = 0;
  while (scan.next(piece)) {
    const bool good = test.feed(piece);
    if (!piece.last) {
      if (stop_ && stop_()) return matches;
      continue;
    }
    if (good) matches.push_back({.start = piece.start, .line_in_block = line});
    line++;
  }
  return matches;
}

const std::vector<FilteredLines::Match>& FilteredLines::matches(int64_t block) {
  const int64_t looked_to = filter_->state().looked_to;
  const auto fresh = [&](const Block& b) {
    return b.number == block && (b.looked_to == looked_to || b.looked_to >= (block + 1) * FilterIndex::kBlock);
  };
  const auto known = std::ranges::find_if(recent_, fresh);
  if (known != recent_.end()) {
    std::rotate(known, known + 1, recent_.end());
    return recent_.back().matches;
  }
  std::erase_if(recent_, [&](const Block& b) { return b.number == block; });
  size_t kept = 0;
  for (const Block& b : recent_) kept += b.matches.size();
  if (kept > kRecentMatches) recent_.clear();
  if (recent_.size() >= kRecentBlocks) recent_.erase(recent_.begin());
  Block made{.number = block, .looked_to = looked_to, .matches = find_matches(block, looked_to)};
  if (stop_ && stop_()) made.looked_to = -1;
  recent_.push_back(std::move(made));
  return recent_.back().matches;
}

std::optional<int64_t> FilteredLines::first_from_block(int64_t block) {
  for (auto at = filter_->block_from(block); at; at = filter_->block_from(*at + 1)) {
    const auto& found = matches(*at);
    if (!found.empty()) return found.front().start;
    if (stop_ && stop_()) break;
  }
  return std::nullopt;
}

std::optional<int64_t> FilteredLines::last_back_from_block(int64_t block) {
  for (auto at = filter_->block_back_from(block); at; at = filter_->block_back_from(*at - 1)) {
    const auto& found = matches(*at);
    if (!found.empty()) return found.back().start;
    if (stop_ && stop_()) break;
  }
  return std::nullopt;
}

std::optional<int64_t> FilteredLines::at(int64_t offset) {
  const auto& here = matches(offset / FilterIndex::kBlock);
  const auto after = std::ranges::upper_bound(here, offset, {}, &Match::start);
  if (after != here.begin()) return (after - 1)->start;
  if (const auto before = last_back_from_block(offset / FilterIndex::kBlock - 1)) return before;
  return next(offset);
}

std::optional<int64_t> FilteredLines::next(int64_t start) {
  const auto& here = matches(start / FilterIndex::kBlock);
  const auto after = std::ranges::upper_bound(here, start, {}, &Match::start);
  if (after != here.end()) return after->start;
  return first_from_block(start / FilterIndex::kBlock + 1);
}

std::optional<int64_t> FilteredLines::previous(int64_t start) {
  const auto& here = matches(start / FilterIndex::kBlock);
  const auto at = std::ranges::lower_bound(here, start, {}, &Match::start);
  if (at != here.begin()) return (at - 1)->start;
  return last_back_from_block(start / FilterIndex::kBlock - 1);
}

std::optional<int64_t> FilteredLines::last() {
  return last_back_from_block(INT64_MAX / FilterIndex::kBlock);
}

LineCount FilteredLines::number(int64_t start) {
  const int64_t block = start / FilterIndex::kBlock;
  LineCount count = lines_.before_block(block);
  const auto& here = matches(block);
  const auto at = std::ranges::lower_bound(here, start, {}, &Match::start);
  count.value += (at == here.end() ? 0 : at->line_in_block) + 1;
  return count;
}

int64_t FilteredLines::ordinal(int64_t start) {
  const int64_t block = start / FilterIndex::kBlock;
  const auto& here = matches(block);
  const auto at = std::ranges::lower_bound(here, start, {}, &Match::start);
  return filter_->before_block(block) + (at - here.begin());
}

std::optional<int64_t> FilteredLines::of_ordinal(int64_t ordinal) {
  const auto block = filter_->block_of_match(ordinal);
  if (!block) return last();
  const auto& here = matches(*block);
  if (here.empty()) return first_from_block(*block);
  const int64_t skip = std::clamp<int64_t>(ordinal - filter_->before_block(*block), 0, std::ssize(here) - 1);
  return here[static_cast<size_t>(skip)].start;
}

}  // namespace n2nq::logs
