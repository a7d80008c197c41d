#include <algorithm>
#include <cmath>

#include "app/logs/line_walk.h"

namespace n2nq::logs {

std::optional<int64_t> AllLines::newline(int64_t from) {
  while (true) {
    const std::string_view bytes = cache_.from(from);
    if (bytes.empty()) return std::nullopt;
    const size_t found = bytes.find('\n');
    if (found != std::string_view::npos) return from + static_cast<int64_t>(found);
    from += static_cast<int64_t>(bytes.size());
  }
}

std::optional<int64_t> AllLines::start_of(int64_t offset) {
  while (offset > 0) {
    const std::string_view bytes = cache_.up_to(offset);
    if (bytes.empty()) return std::nullopt;
    const size_t found = bytes.rfind('\n');
    if (found != std::string_view::npos) return offset - static_cast<int64_t>(bytes.size() - found) + 1;
    offset -= static_cast<int64_t>(bytes.size());
  }
  return 0;
}

std::optional<int64_t> AllLines::at(int64_t offset) {
  if (cache_.size() == 0) return std::nullopt;
  return start_of(std::clamp<int64_t>(offset, 0, cache_.size() - 1));
}

std::optional<int64_t> AllLines::next(int64_t start) {
  const auto end = newline(start);
  if (!end || *end + 1 >= cache_.size()) return std::nullopt;
  return *end + 1;
}

std::optional<int64_t> AllLines::previous(int64_t start) {
  if (start <= 0) return std::nullopt;
  return start_of(start - 1);
}

std::optional<int64_t> AllLines::last() {
  return at(cache_.size() - 1);
}

LineCount AllLines::number(int64_t start) {
  const int64_t block = start / LineIndex::kBlock;
  LineCount count = lines_.before_block(block);
  const int64_t block_start = block * LineIndex::kBlock;
  if (!count.exact) {
    const LineCount after = lines_.before_block(block + 1);
    const double share = static_cast<double>(start - block_start) / static_cast<double>(LineIndex::kBlock);
    count.value += std::llround(share * static_cast<double>(after.value - count.value)) + 1;
    return count;
  }
  // A line begins at 0, and behind every newline from the byte before the block on.
  int64_t at = std::max<int64_t>(block_start - 1, 0);
  if (block == 0 && start > 0) count.value++;
  while (at < start - 1) {
    const std::string_view bytes = cache_.from(at).substr(0, static_cast<size_t>(start - 1 - at));
    if (bytes.empty()) return {.value = count.value + 1, .exact = false};
    count.value += std::ranges::count(bytes, '\n');
    at += static_cast<int64_t>(bytes.size());
  }
  count.value++;
  return count;
}

void AllLines::count_on(int64_t most_bytes) {
  int64_t at = lines_.counted().to;
  if (at >= cache_.size()) return;
  const int64_t to = std::min(cache_.size(), at + most_bytes);
  LineTally tally(lines_, at);
  if (at == 0) tally.line_at(0);
  int64_t looked = std::max<int64_t>(at - 1, 0);
  while (looked < to - 1) {
    const std::string_view bytes = cache_.from(looked).substr(0, static_cast<size_t>(to - 1 - looked));
    if (bytes.empty()) return;
    for (size_t found = 0; (found = bytes.find('\n', found)) != std::string_view::npos; ++found) {
      tally.line_at(looked + static_cast<int64_t>(found) + 1);
    }
    looked += static_cast<int64_t>(bytes.size());
  }
  tally.covered_to(to);
}

}  // namespace n2nq::logs
