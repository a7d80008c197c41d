// The lines of a file one by one, in constant memory: of a longer line only the beginning is kept. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::journal {

inline constexpr size_t kLongestJournalLine = 16 << 20;

class LineReader {
 public:
  struct Line {
    std::string_view text{};  // without its newline; until the next call
    uint64_t bytes = 0;       // of the whole line; more than text has where it is longer than `keep`
    bool ended = false;       // by a newline; false: the end of the file came first
  };

  // Regular files only; a link is not followed. The token is looked at between two blocks of the file.
  static Result<LineReader> open(const std::string& path, size_t keep, std::stop_token stop = {});

  // False at the end of the file.
  Result<bool> next(Line& line);

 private:
  LineReader(Fd file, std::string path, size_t keep, std::stop_token stop);
  Result<bool> fill();

  Fd file_;
  std::string path_;
  size_t keep_;
  std::stop_token stop_;
  std::vector<char> buffer_;
  size_t at_ = 0, end_ = 0;
  std::string kept_;
};

}  // namespace n2nq::journal
