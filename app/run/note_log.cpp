#include "app/run/note_log.h"

#include <utility>

#include "app/text/quantity.h"

namespace n2nq::run {

using record::RunNote;
using record::Severity;

bool NoteLog::has_room_for(const RunNote& note) const {
  const bool matters = note.severity == Severity::error || note.kind != record::EventKind::none;
  return notes_.size() < (matters ? kMost + kMostErrors : kMost);
}

bool NoteLog::add(RunNote note) {
  if (has_room_for(note)) {
    notes_.push_back(std::move(note));
    return true;
  }
  if (refused_++ > 0) return false;
  add_own(note, "further notes are dropped: this run already has " + text::count(kMost) + " notes");
  return true;
}

void NoteLog::add_last(RunNote note) {
  if (refused_ > 0)
    add_own(note,
            text::count(static_cast<int64_t>(refused_)) + (refused_ == 1 ? " note was" : " notes were") + " dropped");
  notes_.push_back(std::move(note));
}

void NoteLog::add_own(const RunNote& at, const std::string& text) {
  notes_.push_back(
      {.utc_ns = at.utc_ns, .since_begin_ns = at.since_begin_ns, .severity = Severity::warning, .text = text});
}

}  // namespace n2nq::run
