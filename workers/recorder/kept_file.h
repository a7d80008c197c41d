// A file below /proc that is read again and again: opened once, read from its beginning each time. One thread.
#pragma once

#include <string>
#include <string_view>

#include "broker/base/fd.h"

namespace n2nq::recorder {

// Where files are read into; grows with the largest.
using ReadBuffer = std::string;

class KeptFile {
 public:
  // All of the file takes one read: the kernel hands it out whole. False: it comes in pages, until one is empty.
  KeptFile(const std::string& path, bool whole);

  // Empty where there is nothing, or it may not be read: error() tells which. Good until the next read into `buffer`.
  std::string_view read(ReadBuffer& buffer);
  int error() const { return error_; }  // errno of the last attempt; 0: none

 private:
  Fd fd_;
  bool whole_;
  int error_ = 0;
};

}  // namespace n2nq::recorder
