// The bytes of a file, kept in a few small blocks for a thread that jumps about in it. What is known is never read
// again: of a block at a growing end only the new bytes are. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "app/logs/open_file.h"

namespace n2nq::logs {

class BlockCache {
 public:
  static constexpr int64_t kBlock = 16 * 1024;
  static constexpr size_t kBlocks = 64;

  explicit BlockCache(std::shared_ptr<const OpenFile> file) : file_(std::move(file)) {}

  // A task begins: it sees the file as long as it is now, may read until so many bytes have been read in all, and ends
  // early when `stop` says so.
  void begin(int64_t allowance, std::function<bool()> stop);
  int64_t size() const { return size_; }
  // The task could not see all it asked for; what it found is not to be trusted to be complete.
  bool interrupted() const { return interrupted_; }

  // From `offset` to the end of its block, or of the file. Empty at the file's end, or when interrupted. Valid until
  // the next call.
  std::string_view from(int64_t offset);
  // From the start of the block up to `offset`, for looking backwards. `offset` > 0.
  std::string_view up_to(int64_t offset);

 private:
  struct Block {
    int64_t number = -1;
    size_t filled = 0;
    uint64_t used = 0;
    std::unique_ptr<char[]> bytes;
  };
  std::string_view block(int64_t number);
  Block& place_for(int64_t number);
  bool may_read();

  std::shared_ptr<const OpenFile> file_;
  std::vector<Block> blocks_;
  std::function<bool()> stop_;
  int64_t size_ = 0;
  int64_t allowance_ = 0;
  int64_t read_ = 0;  // ever
  uint64_t clock_ = 0;
  bool interrupted_ = false;
};

}  // namespace n2nq::logs
