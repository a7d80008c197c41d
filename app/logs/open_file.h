// A file held open for reading: its bytes at any position. Goes on reading what it opened, whatever happens to the
// name. Any thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::logs {

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileId&) const = default;
};

class OpenFile {
 public:
  // Regular files only; never waits for a pipe or a device.
  static Result<std::shared_ptr<const OpenFile>> open(const std::string& path);

  // How many bytes came: fewer than asked where the file ends, or where it cannot be read: see failures().
  size_t read_at(int64_t offset, std::span<char> into) const;
  int64_t size() const;  // now
  FileId id() const { return id_; }
  uint64_t failures() const { return failures_.load(std::memory_order_acquire); }  // reads that failed so far
  std::string trouble() const;                                                     // of the last one, and what to do

 private:
  OpenFile(Fd fd, FileId id, std::string path) : fd_(std::move(fd)), id_(id), path_(std::move(path)) {}
  Fd fd_;
  FileId id_;
  std::string path_;
  mutable std::atomic<int> error_ = 0;
  mutable std::atomic<uint64_t> failures_ = 0;
};

}  // namespace n2nq::logs
