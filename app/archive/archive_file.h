// The container of an archive: a tar file, compressed with zstd, read and written as a stream. Any thread, one each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "broker/base/new_file.h"
#include "broker/base/result.h"

struct archive;

namespace n2nq::archive {

// Whole or not there.
class ArchiveWriter {
 public:
  static Result<ArchiveWriter> create(const std::string& path);

  Result<void> begin(const std::string& name, uint64_t bytes);  // a file; all its bytes follow
  Result<void> write(std::span<const char> bytes);
  Result<void> finish();

 private:
  struct Free {
    void operator()(struct archive* archive) const;
  };
  ArchiveWriter(struct archive* archive, NewFile file, std::string path)
      : path_(std::move(path)), file_(std::move(file)), archive_(archive) {}
  std::unexpected<Error> trouble() const;

  std::string path_;
  NewFile file_;
  std::unique_ptr<struct archive, Free> archive_;  // goes first: it may write to the file
};

class ArchiveReader {
 public:
  static Result<ArchiveReader> open(const std::string& path);

  // The next file's name; nothing at the end. What is not a plain file is an error.
  Result<std::optional<std::string>> next();
  // Some of its bytes; none at its end. They live until the next call.
  Result<std::span<const char>> read();

 private:
  struct Free {
    void operator()(struct archive* archive) const;
  };
  ArchiveReader(struct archive* archive, std::string path) : archive_(archive), path_(std::move(path)) {}
  std::unexpected<Error> trouble() const;

  std::unique_ptr<struct archive, Free> archive_;
  std::string path_;
};

}  // namespace n2nq::archive
