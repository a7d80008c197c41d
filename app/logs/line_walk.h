// Steps from line to line, of all lines of a file or of those a filter lets through. A position is the byte at which a
// line begins. Answers are void once the cache was interrupted, or `stop` said so. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/logs/block_cache.h"
#include "app/logs/filter_index.h"
#include "app/logs/line_index.h"

namespace n2nq::logs {

class LineWalk {
 public:
  virtual ~LineWalk() = default;
  virtual std::optional<int64_t> at(int64_t offset) = 0;  // the line that holds the byte, or the nearest to it
  virtual std::optional<int64_t> next(int64_t start) = 0;
  virtual std::optional<int64_t> previous(int64_t start) = 0;
  virtual std::optional<int64_t> last() = 0;
  virtual LineCount number(int64_t start) = 0;  // of the line, from 1 on
  virtual int64_t ordinal(int64_t start) = 0;   // among those walked, from 0 on; -1: not known
};

class AllLines : public LineWalk {
 public:
  AllLines(BlockCache& cache, LineIndex& lines) : cache_(cache), lines_(lines) {}
  std::optional<int64_t> at(int64_t offset) override;
  std::optional<int64_t> next(int64_t start) override;
  std::optional<int64_t> previous(int64_t start) override;
  std::optional<int64_t> last() override;
  LineCount number(int64_t start) override;
  int64_t ordinal(int64_t) override { return -1; }

  // The newline at or after `from`.
  std::optional<int64_t> newline(int64_t from);
  // Counts lines for the index from where it stands, at most so many bytes.
  void count_on(int64_t most_bytes);

 private:
  std::optional<int64_t> start_of(int64_t offset);

  BlockCache& cache_;
  LineIndex& lines_;
};

class FilteredLines : public LineWalk {
 public:
  FilteredLines(std::shared_ptr<const OpenFile> file, std::shared_ptr<const FilterIndex> filter,
                const LineIndex& lines);
  void begin(Stop stop) { stop_ = std::move(stop); }
  const FilterIndex& filter() const { return *filter_; }

  std::optional<int64_t> at(int64_t offset) override;
  std::optional<int64_t> next(int64_t start) override;
  std::optional<int64_t> previous(int64_t start) override;
  std::optional<int64_t> last() override;
  LineCount number(int64_t start) override;
  int64_t ordinal(int64_t start) override;
  std::optional<int64_t> of_ordinal(int64_t ordinal);

 private:
  struct Match {
    int64_t start = 0;
    int64_t line_in_block = 0;
  };
  struct Block {
    int64_t number = -1;
    int64_t looked_to = 0;  // by the filter, when this was made
    std::vector<Match> matches;
  };
  const std::vector<Match>& matches(int64_t block);
  std::vector<Match> find_matches(int64_t block, int64_t looked_to) const;
  std::optional<int64_t> first_from_block(int64_t block);
  std::optional<int64_t> last_back_from_block(int64_t block);

  std::shared_ptr<const OpenFile> file_;
  std::shared_ptr<const FilterIndex> filter_;
  const LineIndex& lines_;
  Stop stop_;
  std::vector<Block> recent_;  // the latest last
};

}  // namespace n2nq::logs
