// What is edited and the states that it was in before: undo and redo. Every step has a label, by which menus name it;
// edits of the same thing one after another are one step. The oldest steps are dropped beyond a limit. A plain value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "broker/base/assert.h"

namespace n2nq::plan {

template <class T>
class History {
 public:
  // `most_steps`: how many can be undone.
  explicit History(size_t most_steps, T first = {}) : most_steps_(most_steps) {
    states_.push_back({.value = std::move(first)});
  }

  const T& now() const { return states_[at_].value; }
  T& now() { return states_[at_].value; }  // to change what is no step of its own

  // What was undone before can no longer be redone.
  void add(T next, std::string what) {
    states_.resize(at_ + 1);
    states_.push_back({.value = std::move(next), .what = std::move(what)});
    if (states_.size() > most_steps_ + 1) {
      states_.erase(states_.begin());
      dropped_++;
    }
    at_ = states_.size() - 1;
    open_ = false;
  }
  // Goes into the step before it, where that was an edit of the same thing and has not ended.
  void edit(T next, const std::string& what) {
    if (continues(what))
      now() = std::move(next);
    else
      add(std::move(next), what);
    open_ = true;
  }
  bool continues(const std::string& what) const { return open_ && states_[at_].what == what; }
  void end_step() { open_ = false; }

  // The state that undo() and redo() go to; null: there is none.
  const T* before() const { return at_ > 0 ? &states_[at_ - 1].value : nullptr; }
  const T* after() const { return at_ + 1 < states_.size() ? &states_[at_ + 1].value : nullptr; }
  // The label of what undo() takes back, and redo() brings again; empty: nothing.
  std::string undo_label() const { return before() != nullptr ? states_[at_].what : std::string(); }
  std::string redo_label() const { return after() != nullptr ? states_[at_ + 1].what : std::string(); }
  void undo() {
    N2NQ_ASSERT(before() != nullptr);
    at_--;
    open_ = false;
  }
  void redo() {
    N2NQ_ASSERT(after() != nullptr);
    at_++;
    open_ = false;
  }

  // How many steps led to what is there now, those that were dropped among them: the same number is the same state,
  // until another step is made from an earlier one.
  size_t steps() const { return dropped_ + at_; }

 private:
  struct State {
    T value{};
    std::string what{};  // led to it
  };

  size_t most_steps_;
  std::vector<State> states_;  // at least one
  size_t at_ = 0;
  size_t dropped_ = 0;  // states before the first
  bool open_ = false;   // more edits of the same thing may go into the newest step
};

}  // namespace n2nq::plan
