// The log files of all services of a run, combined into one CSV file (C locale), as the thesis does at the end of each
// run. Slow (reads every log): not for the UI thread.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "app/journal/message_log.h"
#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::journal {

struct MasterFile {
  std::string path{};
  uint64_t rows = 0;
  uint64_t bytes = 0;
  uint64_t broken_lines = 0;  // of logs: neither message nor comment, such as the last one of a worker that was killed
  std::vector<MessageLogFile> unended{};  // logs whose worker did not come to write their last line
  uint64_t lines_not_written = 0;         // that a disk refused, as the last lines of the other logs say
};

// FOLDER/master.csv from FOLDER/{sender,receiver}-N.log: whole or not there. Columns: role,
// service, sender, index, size_bytes, intended_ns, sent_ns, received_ns, latency_ns, flags; contents stay in the logs.
// Sorted by role (senders first) and service, then as in the log. Memory does not grow with the logs. Each of `absent`,
// the roles whose logs are elsewhere, has a last row with nothing but its name and the flag `absent`; a log that does
// not hold all of its lines ends with a row of its role and service and the flag `unended`.
Result<MasterFile> write_master_file(const std::string& folder, std::stop_token stop = {},
                                     const std::vector<Role>& absent = {});
// The same for a run as it was, where it has logs of its messages: the record gets the file's path, and notes of what
// the file lacks or why there is none.
void add_master_file(record::RunRecord& record, std::stop_token stop = {});

}  // namespace n2nq::journal
