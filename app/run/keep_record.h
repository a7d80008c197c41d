// The end of a run, kept: its record in the journal, the master file beside the logs, the result in the store. Slow
// (reads every log): on a thread of its own.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "app/journal/journal.h"

namespace n2nq::run {

struct Kept {
  record::RunRecord record{};            // with its id, or 0
  std::optional<std::string> trouble{};  // why it is not in the store, and what becomes of it
};

// Told to stop, it leaves out what is not done yet, and the record says what that is; nothing is lost. The journal
// (null: there is none) goes when the record is in the store; until then the next start of the bench finds it there.
// An empty path: there is no store. `reached`: is told of each step that is done.
Kept keep_record(
    record::RunRecord record, journal::Journal* journal, const std::string& store_path, std::stop_token stop,
    const std::function<void(const char* step)>& reached = [](const char*) {});

}  // namespace n2nq::run
