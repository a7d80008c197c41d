// The end of a run, kept: its record in the journal, the master file beside the logs, the result in the store. Slow
// (reads every log): on a thread of its own.
#pragma once

#include <chrono>
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

struct KeepOptions {
  std::function<void(const char* step)> reached = [](const char*) {};  // is told of each step that is done
  // Is told that another program writes the store for longer than usual, and that the result waits for it.
  std::function<void(const std::string& text)> waits = [](const std::string&) {};
  std::chrono::milliseconds patience = std::chrono::minutes(10);  // with such a program: an import may take long
};

// Told to stop, it leaves out what is not done yet, and the record says what that is; nothing is lost. The journal
// (null: there is none) goes when the record is in the store; until then the next start of the bench finds it there.
// An empty path: there is no store.
Kept keep_record(record::RunRecord record, journal::Journal* journal, const std::string& store_path,
                 std::stop_token stop, const KeepOptions& options = {});

}  // namespace n2nq::run
