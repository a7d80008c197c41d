#include "app/logs/line_index.h"

#include <algorithm>
#include <cmath>

namespace n2nq::logs {
namespace {

// Until a file was looked at: a log line without much content.
constexpr double kUsualLineBytes = 120;

}  // namespace

void LineIndex::note(int64_t block, uint32_t lines, int64_t covered_to) {
  const std::lock_guard lock(mutex_);
  const auto at = static_cast<size_t>(block);
  if (covered_to < (block + 1) * kBlock) {
    if (at == prefix_blocks_ && covered_to > tail_to_) {
      tail_to_ = covered_to;
      tail_lines_ = lines;
    }
    return;
  }
  if (blocks_.size() <= at) blocks_.resize(at + 1, kUnknown);
  if (blocks_[at] != kUnknown) return;
  blocks_[at] = lines;
  known_bytes_ += kBlock;
  known_lines_ += lines;
  extend_prefix();
}

void LineIndex::extend_prefix() {
  const size_t before = prefix_blocks_;
  while (prefix_blocks_ < blocks_.size() && blocks_[prefix_blocks_] != kUnknown) {
    prefix_lines_ += blocks_[prefix_blocks_++];
  }
  if (prefix_blocks_ == before) return;
  tail_to_ = 0;
  tail_lines_ = 0;
}

void LineIndex::note_sample(int64_t bytes, int64_t lines) {
  const std::lock_guard lock(mutex_);
  known_bytes_ += bytes;
  known_lines_ += lines;
}

double LineIndex::density() const {
  if (known_lines_ == 0 || known_bytes_ == 0) return 1 / std::max(kUsualLineBytes, static_cast<double>(known_bytes_));
  return static_cast<double>(known_lines_) / static_cast<double>(known_bytes_);
}

LineCount LineIndex::before_block(int64_t block) const {
  const std::lock_guard lock(mutex_);
  const auto count = static_cast<size_t>(block);
  if (count <= prefix_blocks_) {
    int64_t lines = prefix_lines_;
    for (size_t at = count; at < prefix_blocks_; ++at) lines -= blocks_[at];
    return {.value = lines, .exact = true};
  }
  int64_t lines = prefix_lines_;
  size_t unknown = 0;
  for (size_t at = prefix_blocks_; at < count; ++at) {
    if (at < blocks_.size() && blocks_[at] != kUnknown) {
      lines += blocks_[at];
    } else {
      unknown++;
    }
  }
  lines += std::llround(density() * static_cast<double>(kBlock) * static_cast<double>(unknown));
  return {.value = lines, .exact = false};
}

LineCount LineIndex::total(int64_t size) const {
  const Counted all = counted();
  if (all.to >= size) return {.value = all.lines, .exact = true};
  LineCount whole = before_block(size / kBlock);
  const std::lock_guard lock(mutex_);
  whole.value += std::llround(density() * static_cast<double>(size % kBlock));
  whole.exact = false;
  return whole;
}

LineIndex::Counted LineIndex::counted() const {
  const std::lock_guard lock(mutex_);
  const int64_t prefix_to = static_cast<int64_t>(prefix_blocks_) * kBlock;
  return {.to = std::max(prefix_to, tail_to_), .lines = prefix_lines_ + tail_lines_, .lines_in_block = tail_lines_};
}

LineIndex::Counted LineIndex::nearest(int64_t line_number) const {
  const std::lock_guard lock(mutex_);
  int64_t lines = 0;
  size_t at = 0;
  while (at < prefix_blocks_ && lines + blocks_[at] < line_number) lines += blocks_[at++];
  return {.to = static_cast<int64_t>(at) * kBlock, .lines = lines};
}

LineTally::LineTally(LineIndex& index, int64_t covered_from)
    : index_(index), block_(covered_from / LineIndex::kBlock), whole_(covered_from % LineIndex::kBlock == 0) {
  const auto counted = index.counted();
  if (counted.to < covered_from) return;
  block_ = counted.to / LineIndex::kBlock;
  lines_ = counted.lines_in_block;
  whole_ = true;
  known_to_ = counted.to;
}

void LineTally::line_at(int64_t start) {
  if (start < known_to_) return;
  close_blocks_before(start);
  lines_++;
}

void LineTally::covered_to(int64_t offset) {
  if (offset < known_to_) return;
  close_blocks_before(offset);
  if (whole_ && offset > block_ * LineIndex::kBlock) index_.note(block_, lines_, offset);
}

void LineTally::close_blocks_before(int64_t offset) {
  const int64_t block = offset / LineIndex::kBlock;
  while (block_ < block) {
    if (whole_) index_.note(block_, lines_, (block_ + 1) * LineIndex::kBlock);
    block_++;
    lines_ = 0;
    whole_ = true;
  }
}

}  // namespace n2nq::logs
