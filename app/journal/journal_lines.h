// The lines of a journal as text, each one JSON object: the first, one a second, and those that a finished run ends
// with. No file is touched. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/record/columns.h"
#include "app/record/final_record.h"

namespace n2nq::journal {

constexpr int kForm = 2;  // of these lines; rows are columns in their order

// What of the figures the journal's readers have been told, so that a line says only what is new.
struct Told {
  std::vector<live::ServiceFigures> senders{}, receivers{};
  size_t next_sender = 0, next_receiver = 0;                        // to look at first, so that none waits for ever
  control::ByLatency<std::vector<control::BucketCount>> buckets{};  // ascending
  control::ByLatency<uint64_t> counts{};
  int64_t series_until_ns = 0;
  std::optional<record::RunNote> note{};
  size_t requests = 0;
  std::optional<std::string> filters{};  // of the plan
  std::vector<record::ProcessRecord> processes{};
  std::vector<record::MachineRecord> machines{};
  std::string run_id{}, server{}, client{};
};

std::string first_journal_line(const record::RunRecord& start);
// `notes` may be all of the run or the new ones. Of `record`, what may change after the first line: its run_id, server
// and client, which processes say, the filters of its plan until BEGIN, its requests, where which process is, and on
// which computers.
std::string next_journal_line(const live::LiveFigures& figures, const std::vector<record::RunNote>& notes,
                              const record::RunRecord& record, Told& told);
// The record of a run that has finished: what matters most and is smallest first, so that a disk that fills up takes
// the rest.
std::vector<std::string> final_journal_lines(const record::RunRecord& record,
                                             record::Fetch fetch = record::Fetch::over);

}  // namespace n2nq::journal
