// The container of an archive: a tar file, compressed with zstd, read and written as a stream. Any thread, one each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "broker/base/result.h"

struct archive;

namespace n2nq::archive {

// Whole or not there.
class ArchiveWriter {
 public:
  static Result<ArchiveWriter> create(const std::string& path);
  ArchiveWriter(ArchiveWriter&& other) noexcept;
  ArchiveWriter& operator=(ArchiveWriter&&) = delete;
  ~ArchiveWriter();

  Result<void> begin(const std::string& name, uint64_t bytes);  // a file; all its bytes follow
  Result<void> write(std::span<const char> bytes);
  Result<void> finish();

 private:
  ArchiveWriter(struct archive* archive, int fd, std::string temporary, std::string path)
      : archive_(archive), fd_(fd), temporary_(std::move(temporary)), path_(std::move(path)) {}
  std::unexpected<Error> trouble() const;

  struct archive* archive_;
  int fd_;
  std::string temporary_;
  std::string path_;
};

class ArchiveReader {
 public:
  static Result<ArchiveReader> open(const std::string& path);
  ArchiveReader(ArchiveReader&& other) noexcept;
  ArchiveReader& operator=(ArchiveReader&&) = delete;
  ~ArchiveReader();

  // The next file's name; nothing at the end. What is not a plain file is an error.
  Result<std::optional<std::string>> next();
  // Some of its bytes; none at its end. They live until the next call.
  Result<std::span<const char>> read();

 private:
  ArchiveReader(struct archive* archive, std::string path) : archive_(archive), path_(std::move(path)) {}
  std::unexpected<Error> trouble() const;

  struct archive* archive_;
  std::string path_;
};

}  // namespace n2nq::archive
