// What the bar of a run says: its state in a word or two, its verdict, and what can be done. Pure; UI thread.
#pragma once

#include <QString>
#include <optional>

#include "app/run/run_sequence.h"
#include "ui/theme/label.h"

namespace n2nq::ui {

struct StateWords {
  theme::Tone tone = theme::Tone::muted;
  QString text{};    // "Running", "Passed"
  QString detail{};  // where a word does not say it: "waiting for queue and receivers to be started"
};
StateWords state_of(const run::RunSequence& sequence);

// What its runs came to: as bad as the worst of them, and a warning where the figures of one are doubtful.
theme::Status status_of(const run::RunSequence& sequence);
// Why they are, a line for each reason; empty: they are not.
QString doubts_of(const run::RunSequence& sequence);

// What runs with different settings did, made once they are over: it takes their whole records.
struct RunsBeside {
  QString told{};         // empty: too many of them
  bool compares = false;  // two or more of them count
};
RunsBeside beside_of(const run::RunSequence& sequence);
// Links in it: result:ID, compare: where runs of the sequence differ; host:NAME, queue:NAME.
QString verdict_text(const run::RunSequence& sequence, const RunsBeside& beside);
// Of the verdict that verdict_text() tells.
int64_t result_of(const run::RunSequence& sequence);  // 0: none was saved

struct RunLink {
  std::optional<qint64> result{};
  QString host{};
  QString queue{};
  bool compare = false;  // the runs of the sequence
};
RunLink link_of(const QString& target);

bool waits_for_a_start(const run::RunSession& session);
QString time_of(int64_t elapsed_ns, std::optional<int64_t> remaining_ns);  // "00:12 of 00:30", of the nearest second
QString counted_of(uint64_t value, std::optional<uint64_t> total);
QString counted_of(uint64_t value, const std::optional<run::Deliveries>& total);  // "of about" where that is not exact

}  // namespace n2nq::ui
