// Where the lines are that a filter lets through: how many of them begin in each stretch of the file. Four bytes for
// 256 KiB of file however many there are; which lines exactly is looked up again where they are shown.
// scan() belongs to one thread; the rest to any.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "app/logs/line_filter.h"
#include "app/logs/line_index.h"
#include "app/logs/line_scan.h"

namespace n2nq::logs {

class FilterIndex {
 public:
  static constexpr int64_t kBlock = LineIndex::kBlock;

  FilterIndex(LineFilter filter, LogLayout layout) : filter_(std::move(filter)), layout_(std::move(layout)) {}
  const LineFilter& filter() const { return filter_; }
  const LogLayout& layout() const { return layout_; }

  // From where it stood to the present end of the file. `lines` learns on the way; `news` is called now and then.
  void scan(const OpenFile& file, LineIndex& lines, const Stop& stop, const std::function<void()>& news);

  struct State {
    int64_t matches = 0;
    int64_t looked_to = 0;  // all lines that begin before, and the last one if it has no end yet
  };
  State state() const;

  // Matching lines that begin before the block.
  int64_t before_block(int64_t block) const;
  // The nearest block with matches, from `block` on.
  std::optional<int64_t> block_from(int64_t block) const;
  std::optional<int64_t> block_back_from(int64_t block) const;
  // The block of the match with that number, counted from 0.
  std::optional<int64_t> block_of_match(int64_t number) const;

 private:
  void publish(int64_t block, uint32_t matches, int64_t looked_to, bool open_match);
  int64_t matches_in(size_t block) const;

  const LineFilter filter_;
  const LogLayout layout_;
  mutable std::mutex mutex_;
  std::vector<uint32_t> blocks_;
  int64_t matches_ = 0;
  int64_t looked_to_ = 0;
  bool open_match_ = false;  // the line at looked_to_ has no end yet, but matches so far
};

}  // namespace n2nq::logs
