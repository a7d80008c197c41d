// A file that somebody else may have named: only a regular one on a disk is opened. Not a pipe or a device, which might
// wait or never end, and nothing of /proc, /sys and /dev, which tells about this computer. Links are followed first.
// Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq {

struct PlainFile {
  Fd file{};           // to read
  std::string path{};  // where it is, without links
};

// Errors say why, without the path; with the error of the system where it was that.
Result<PlainFile> open_plain_file(const std::string& path);
// What is in it, but no more than one byte beyond `most`.
Result<std::string> read_some_of(const Fd& file, size_t most);

}  // namespace n2nq
