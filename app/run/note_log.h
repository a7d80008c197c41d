// What happened in a run, oldest first. Grows by appending only, so that who has read up to some length reads on from
// there; bounded, so that a worker that warns without end does not fill the memory. UI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::run {

// How the parts of a run say what the run's log is to have, and what of it is an event.
class TakeNote {
 public:
  // When it was is filled in; `ago_ns`: since it happened.
  using Take = std::function<void(record::RunNote note, int64_t ago_ns)>;

  TakeNote() = default;
  TakeNote(Take take) : take_(std::move(take)) {}  // NOLINT: implicit
  void operator()(record::RunNote note, int64_t ago_ns = 0) const { take_(std::move(note), ago_ns); }
  void operator()(record::Severity severity, std::string text) const {
    take_({.severity = severity, .text = std::move(text)}, 0);
  }

 private:
  Take take_;
};

class NoteLog {
 public:
  static constexpr size_t kMost = 10'000;
  static constexpr size_t kMostErrors = 1'000;  // beyond kMost, with events: they say what happened, and why it failed

  const std::vector<record::RunNote>& all() const { return notes_; }
  // False: there is no room for it. The first time a note says so.
  bool add(record::RunNote note);
  // Whatever the length: how many were not kept, and this one.
  void add_last(record::RunNote note);

 private:
  bool has_room_for(const record::RunNote& note) const;
  void add_own(const record::RunNote& at, const std::string& text);

  std::vector<record::RunNote> notes_;
  uint64_t refused_ = 0;
};

}  // namespace n2nq::run
