#include "app/logs/block_cache.h"

#include <algorithm>

namespace n2nq::logs {

void BlockCache::begin(int64_t allowance, std::function<bool()> stop) {
  allowance_ = allowance;
  stop_ = std::move(stop);
  size_ = file_->size();
  interrupted_ = false;
}

std::string_view BlockCache::from(int64_t offset) {
  if (offset < 0 || offset >= size_) return {};
  const std::string_view bytes = block(offset / kBlock);
  const auto skip = static_cast<size_t>(offset % kBlock);
  return skip < bytes.size() ? bytes.substr(skip) : std::string_view();
}

std::string_view BlockCache::up_to(int64_t offset) {
  const int64_t last = offset - 1;
  const std::string_view bytes = block(last / kBlock);
  return bytes.substr(0, static_cast<size_t>(last % kBlock) + 1);
}

std::string_view BlockCache::block(int64_t number) {
  Block& block = place_for(number);
  const int64_t start = number * kBlock;
  const auto wanted = static_cast<size_t>(std::clamp<int64_t>(size_ - start, 0, kBlock));
  if (block.filled < wanted) {
    if (!may_read()) return {};
    const std::span<char> rest(block.bytes.get() + block.filled, wanted - block.filled);
    const size_t got = file_->read_at(start + static_cast<int64_t>(block.filled), rest);
    block.filled += got;
    read_ += static_cast<int64_t>(got);
  }
  return {block.bytes.get(), std::min(block.filled, wanted)};
}

BlockCache::Block& BlockCache::place_for(int64_t number) {
  clock_++;
  const auto known = std::ranges::find(blocks_, number, &Block::number);
  if (known != blocks_.end()) {
    known->used = clock_;
    return *known;
  }
  if (blocks_.size() < kBlocks) {
    blocks_.push_back({.number = number,
                       .filled = 0,
                       .used = clock_,
                       .bytes = std::make_unique_for_overwrite<char[]>(static_cast<size_t>(kBlock))});
    return blocks_.back();
  }
  Block& oldest = *std::ranges::min_element(blocks_, {}, &Block::used);
  oldest.number = number;
  oldest.filled = 0;
  oldest.used = clock_;
  return oldest;
}

bool BlockCache::may_read() {
  if (read_ >= allowance_ || (stop_ && stop_())) interrupted_ = true;
  return !interrupted_;
}

}  // namespace n2nq::logs
