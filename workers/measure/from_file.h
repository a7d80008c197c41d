// What a plan takes from a file once it is read: the file's name and its content, shared by all copies. Immutable; any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::measure {

// A plan holds the content, and so does each of its results: as much as this of it, as pack_times() has it or as bytes.
inline constexpr size_t kMostFromFile = 1u << 20;

template <class Content>
struct FromFile {
  std::string path{};
  std::shared_ptr<const Content> content{};  // null: it is not known yet
  std::string fingerprint{};                 // what tells the content from another one
  std::string read_from{};  // the file that was read here, without links; empty: the content came with its name
  bool operator==(const FromFile& other) const {
    const bool same = content == other.content || (content && other.content && *content == *other.content);
    return path == other.path && same;
  }
};
using RecordedTimes = FromFile<std::vector<int64_t>>;  // when each message is due, since the begin, ascending
using RecordedBytes = FromFile<std::string>;

// One time a line, in seconds or with a unit ("1.25", "20ms"), or the first column of CSV, whose head is passed over;
// what stands behind a # is not read. The error names the line.
Result<std::vector<int64_t>> parse_times(std::string_view text);

// "times.csv", or with a fingerprint: "times.csv #1a2b3c4d", which the content must have. Errors name the file and say
// what to do.
Result<RecordedTimes> read_times(std::string_view named);
Result<RecordedBytes> read_bytes(std::string_view named);
// Of content that is there already.
Result<RecordedTimes> times_from(std::string path, std::string_view packed);
Result<RecordedBytes> bytes_from(std::string path, std::string bytes);

template <class Content>
std::string exact_file(const FromFile<Content>& file) {
  return file.fingerprint.empty() ? file.path : file.path + " #" + file.fingerprint;
}

// As printable text that reads back as the very same.
std::string pack_times(const std::vector<int64_t>& times);
std::string base64(std::string_view bytes);
Result<std::string> from_base64(std::string_view text);

}  // namespace n2nq::measure
