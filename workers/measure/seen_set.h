// Which message indices (from 1) of one sender have come. One bit an index, in pages; pages that are full are given up
// and remembered as stretches, so that a sender whose messages come in order costs one page however many it sends, and
// each that is lost for good one page more. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "workers/measure/message_set.h"

namespace n2nq::measure {

enum class Seen {
  fresh,
  seen,
  implausible,  // 0, too far ahead, or so far behind that it can no longer be judged; the set is as before
};

class SeenSet {
 public:
  static constexpr uint64_t kPageBits = 4096;
  static constexpr uint64_t kReach = uint64_t{1} << 32;  // beyond the last page known to be full
  static constexpr size_t kDefaultPages = 65536;         // 32 MiB of bits: room for 268 million indices with gaps

  // With max_pages in use the lowest is given up: what belonged to it is implausible from then on.
  explicit SeenSet(size_t max_pages = kDefaultPages);
  SeenSet(SeenSet&&) = delete;

  // For an empty set: all from `first` to `last` have come.
  void begin_with(uint64_t first, uint64_t last);

  Seen insert(uint64_t index) {
    const uint64_t bit = index - 1;
    if (bit / kPageBits == hot_number_) [[likely]]
      return mark(*hot_, bit);
    return insert_elsewhere(index);
  }

  // How many of the indices from `first` to `last` have come. What belonged to pages given up counts as if it had.
  uint64_t count_in(uint64_t first, uint64_t last) const;

  // All that have come, in order, in stretches that may touch; the same holds of pages given up.
  template <class Visit>
  void each_stretch(Visit visit) const {
    if (first_ > 0) visit(Stretch{1, first_ * kPageBits});
    auto full = stretches_.begin();
    for (auto page = pages_.begin(); page != pages_.end() || full != stretches_.end();) {
      if (page == pages_.end() || (full != stretches_.end() && full->first < page->first)) {
        visit(Stretch{full->first * kPageBits + 1, full->second * kPageBits});
        ++full;
        continue;
      }
      each_in(*page, visit);
      ++page;
    }
  }

  uint64_t size() const { return size_; }        // distinct indices
  uint64_t highest() const { return highest_; }  // 0: none
  size_t pages() const { return pages_.size(); }
  uint64_t pages_given_up() const { return given_up_; }

 private:
  struct Page {
    std::array<uint64_t, kPageBits / 64> words{};
    uint32_t filled = 0;
  };
  static constexpr uint64_t kNoPage = UINT64_MAX;

  Seen mark(Page& page, uint64_t bit) {
    uint64_t& word = page.words[bit % kPageBits / 64];
    const uint64_t mask = uint64_t{1} << (bit % 64);
    if (word & mask) return Seen::seen;
    word |= mask;
    size_++;
    highest_ = bit + 1 > highest_ ? bit + 1 : highest_;
    if (++page.filled == kPageBits) [[unlikely]]
      free_hot_page();
    return Seen::fresh;
  }
  template <class Visit>
  static void each_in(const std::pair<const uint64_t, Page>& page, Visit& visit) {
    for (uint64_t bit = 0; bit < kPageBits; bit++) {
      const auto is_set = [&page](uint64_t at) { return (page.second.words[at / 64] >> (at % 64) & 1) != 0; };
      if (!is_set(bit)) continue;
      const uint64_t from = bit;
      while (bit + 1 < kPageBits && is_set(bit + 1)) bit++;
      visit(Stretch{page.first * kPageBits + from + 1, page.first * kPageBits + bit + 1});
    }
  }
  Seen insert_elsewhere(uint64_t index);
  void open(uint64_t number);
  void free_hot_page();
  void add_full(uint64_t from, uint64_t beyond);
  bool is_full(uint64_t number) const;
  void judge_from(uint64_t number);
  void join_leading_stretches();
  uint64_t reach_from() const;
  void give_up_lowest_page();

  size_t max_pages_;
  uint64_t size_ = 0;
  uint64_t highest_ = 0;
  uint64_t first_ = 0;        // pages below are full or given up
  uint64_t judged_from_ = 0;  // pages below were given up, or full before such a one
  uint64_t begun_at_ = 0;     // the page that begin_with() ended in
  uint64_t given_up_ = 0;
  uint64_t hot_number_ = kNoPage;
  Page* hot_ = nullptr;
  std::map<uint64_t, Page> pages_;             // with a gap
  std::map<uint64_t, uint64_t> stretches_;     // full pages beyond first_, from the key to before the value
  std::map<uint64_t, Page>::node_type spare_;  // the page last freed, so that steady state allocates nothing
};

}  // namespace n2nq::measure
