// Files read, written (broker/base/new_file.h) and copied as a whole. Any thread.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::plan {

inline constexpr size_t kLargestPlanFile = 16u << 20;

// The error names the path and says what to do. A database, such as the store of results, is neither opened nor
// replaced, whatever it is taken for: closing it would take from this process the locks by which it keeps its own store
// whole.
Result<std::string> read_whole_file(const std::string& path);
Result<void> write_whole_file(const std::string& path, std::string_view text);  // where a link leads to
// What that would say now, for what is written only at the end of something long. Nothing is left of it.
Result<void> try_whole_file(const std::string& path);
// Of any size.
Result<void> copy_whole(const std::string& from, const std::string& to, const std::stop_token& stop = {});
// Whether a file of that name would lie in the folder, by whatever links.
bool lies_in(const std::string& file, const std::string& folder);

}  // namespace n2nq::plan
