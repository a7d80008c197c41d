// Which figures of services a run has besides those that every run has: what comes with responses, or with requests and
// replies, and what its bus can tell. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/plan/run_plan.h"

namespace n2nq::ui {

enum class Needs : uint8_t {
  nothing,
  responses,  // receivers confirm what they get
  again,      // what nobody confirmed is delivered again, and marked: with responses, or by the bus of itself
  replies,    // senders ask, receivers reply
  answers,    // the bus answers for each message
  own_queue,  // our queue, which alone counts it
  schedule,   // each message is due at some time
};

struct ToldFigures {
  bool responses = false;
  bool again = false;
  bool replies = false;
  bool answers = true;
  bool own_queue = true;
  bool schedule = true;
  bool has(Needs needs) const;
  bool operator==(const ToldFigures&) const = default;
};
ToldFigures told_figures(const plan::RunPlan& plan);

// Messages a second that services told, by number from 1; nothing for one that has told none. Empty: there is no run.
using ToldRates = std::vector<std::optional<double>>;

// It is shown where the run has it, without anybody having asked for it.
bool comes_by_itself(Needs needs);
const char* why_missing(Needs needs);  // one sentence

}  // namespace n2nq::ui
