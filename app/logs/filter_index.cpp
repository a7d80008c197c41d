#include "app/logs/filter_index.h"

namespace n2nq::logs {

void FilterIndex::scan(const OpenFile& file, LineIndex& lines, const Stop& stop, const std::function<void()>& news) {
  const int64_t from = state().looked_to;
  LineTest test(filter_, layout_);
  LineScan scan(file, from, INT64_MAX);
  LineTally tally(lines, from);
  LinePiece piece;
  int64_t block = from / kBlock;
  int64_t looked_to = from;
  uint32_t matches = 0;
  bool open_match = false;
  while (scan.next(piece)) {
    if (piece.first && piece.start / kBlock != block) {
      publish(block, matches, piece.start, false);
      matches = 0;
      block = piece.start / kBlock;
      if (stop()) return;
      news();
    }
    const bool good = test.feed(piece);
    if (!piece.last) {
      if (stop()) return;
      continue;
    }
    open_match = good && !piece.ended;
    if (!piece.ended) break;
    tally.line_at(piece.start);
    if (good) matches++;
    looked_to = scan.position();
  }
  publish(block, matches, looked_to, open_match);
  tally.covered_to(looked_to);
  news();
}

void FilterIndex::publish(int64_t block, uint32_t matches, int64_t looked_to, bool open_match) {
  const std::lock_guard lock(mutex_);
  const auto at = static_cast<size_t>(block);
  if (blocks_.size() <= at) blocks_.resize(at + 1, 0);
  blocks_[at] += matches;
  matches_ += matches;
  looked_to_ = looked_to;
  open_match_ = open_match;
}

FilterIndex::State FilterIndex::state() const {
  const std::lock_guard lock(mutex_);
  return {.matches = matches_ + (open_match_ ? 1 : 0), .looked_to = looked_to_};
}

int64_t FilterIndex::matches_in(size_t block) const {
  const bool open = open_match_ && block == static_cast<size_t>(looked_to_ / kBlock);
  return (block < blocks_.size() ? blocks_[block] : 0) + (open ? 1 : 0);
}

int64_t FilterIndex::before_block(int64_t block) const {
  const std::lock_guard lock(mutex_);
  int64_t matches = 0;
  for (size_t at = 0; at < static_cast<size_t>(block) && at < blocks_.size(); ++at) matches += matches_in(at);
  return matches;
}

std::optional<int64_t> FilterIndex::block_from(int64_t block) const {
  const std::lock_guard lock(mutex_);
  for (int64_t at = block; at <= looked_to_ / kBlock; ++at) {
    if (matches_in(static_cast<size_t>(at)) > 0) return at;
  }
  return std::nullopt;
}

std::optional<int64_t> FilterIndex::block_back_from(int64_t block) const {
  const std::lock_guard lock(mutex_);
  for (int64_t at = std::min(block, looked_to_ / kBlock); at >= 0; --at) {
    if (matches_in(static_cast<size_t>(at)) > 0) return at;
  }
  return std::nullopt;
}

std::optional<int64_t> FilterIndex::block_of_match(int64_t number) const {
  const std::lock_guard lock(mutex_);
  int64_t before = 0;
  for (int64_t at = 0; at <= looked_to_ / kBlock; ++at) {
    before += matches_in(static_cast<size_t>(at));
    if (number < before) return at;
  }
  return std::nullopt;
}

}  // namespace n2nq::logs
