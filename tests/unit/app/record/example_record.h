// A record with something in every member, for tests that keep and read records.
#pragma once

#include <filesystem>
#include <string>

#include "app/record/run_record.h"

namespace n2nq::record::test {

RunRecord example_record(const std::string& name = "quick");
// The same of a run of requests and replies, in closed loop.
RunRecord example_replies();
// What differs, in as few words as matter, for a test's message.
std::string difference(const RunRecord& left, const RunRecord& right);
void write_file(const std::filesystem::path& path, const std::string& text);
std::string read_file(const std::filesystem::path& path);

}  // namespace n2nq::record::test
