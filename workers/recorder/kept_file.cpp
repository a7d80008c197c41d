#include "workers/recorder/kept_file.h"

#include <fcntl.h>

#include <cerrno>

namespace n2nq::recorder {
namespace {

constexpr size_t kPiece = 16 * 1024;
constexpr size_t kLargest = 16 << 20;

}  // namespace

KeptFile::KeptFile(const std::string& path, bool whole)
    : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), whole_(whole), error_(fd_.valid() ? 0 : errno) {}

std::string_view KeptFile::read(ReadBuffer& buffer) {
  if (!fd_.valid()) return {};
  size_t length = 0;
  while (length < kLargest) {
    if (buffer.size() < length + kPiece) buffer.resize(length + kPiece);
    const ssize_t got = ::pread(fd_.get(), buffer.data() + length, buffer.size() - length, static_cast<off_t>(length));
    error_ = got < 0 ? errno : 0;
    if (got <= 0) break;
    length += static_cast<size_t>(got);
    if (whole_ && length < buffer.size()) break;
  }
  return error_ == 0 ? std::string_view(buffer).substr(0, length) : std::string_view();
}

}  // namespace n2nq::recorder
