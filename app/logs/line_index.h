// How many lines begin in each stretch of a file, as far as somebody has counted: from that the number of a line, exact
// or estimated. Four bytes for 256 KiB of file, whatever its lines. Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace n2nq::logs {

struct LineCount {
  int64_t value = 0;
  bool exact = false;
  bool operator==(const LineCount&) const = default;
};

class LineIndex {
 public:
  static constexpr int64_t kBlock = 256 * 1024;

  // `lines` begin in the block from its start to `covered_to`, which is its end unless the file ended there.
  void note(int64_t block, uint32_t lines, int64_t covered_to);
  // A look at some place of the file, for estimates only.
  void note_sample(int64_t bytes, int64_t lines);

  // Lines that begin before the block; before `size`, for a file that long.
  LineCount before_block(int64_t block) const;
  LineCount total(int64_t size) const;
  // Everything before is counted, and holds so many beginnings of lines.
  struct Counted {
    int64_t to = 0;
    int64_t lines = 0;
    uint32_t lines_in_block = 0;  // of those, in the block that `to` lies in
  };
  Counted counted() const;
  // The last place known with certainty at or before the line's beginning, from which to count on: a block's start.
  Counted nearest(int64_t line_number) const;

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;
  double density() const;
  void extend_prefix();

  mutable std::mutex mutex_;
  std::vector<uint32_t> blocks_;  // whole ones
  size_t prefix_blocks_ = 0;      // all known from the start on
  int64_t prefix_lines_ = 0;
  int64_t tail_to_ = 0;  // the block after the prefix is counted up to here; 0: not
  uint32_t tail_lines_ = 0;
  int64_t known_bytes_ = 0;  // of whole blocks and samples
  int64_t known_lines_ = 0;
};

// Counts for the index while a scan passes over a file, beginning by beginning.
class LineTally {
 public:
  // All beginnings of lines from `covered_from` on will be told, also those the index has counted already.
  LineTally(LineIndex& index, int64_t covered_from);
  void line_at(int64_t start);
  // No more beginnings before `offset`, which may be the end of the file.
  void covered_to(int64_t offset);

 private:
  void close_blocks_before(int64_t offset);
  LineIndex& index_;
  int64_t block_;
  uint32_t lines_ = 0;
  bool whole_;            // counted from the block's start
  int64_t known_to_ = 0;  // beginnings before are in lines_ already
};

}  // namespace n2nq::logs
