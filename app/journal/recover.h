// What a journal that nobody holds says of its run, as far as it can be read. Slow (reads every log); any thread.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::journal {

struct Recovered {
  std::optional<record::RunRecord> record{};  // nothing where not even the first line can be read
  bool other_form = false;                    // another build wrote it, and can read it
  std::string damage{};                       // which line is damaged and what that means; empty: none is
};
// Also once more of its files are there.
void judge_recovered(record::RunRecord& record);
Result<Recovered> recover_readable(const std::string& folder, const std::stop_token& stop);

}  // namespace n2nq::journal
