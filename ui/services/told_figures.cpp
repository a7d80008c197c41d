#include "ui/services/told_figures.h"

namespace n2nq::ui {

bool ToldFigures::has(Needs needs) const {
  switch (needs) {
    case Needs::nothing:
      return true;
    case Needs::responses:
      return responses;
    case Needs::again:
      return again || responses;
    case Needs::replies:
      return replies;
    case Needs::answers:
      return answers;
    case Needs::own_queue:
      return own_queue;
    case Needs::schedule:
      return schedule;
  }
  return true;
}

ToldFigures told_figures(const plan::RunPlan& plan) {
  const bus::BusTraits& bus = plan.bus.traits();
  return {.responses = plan.queue.responses,
          .again = bus.tells_again && !bus.own_queue,
          .replies = plan::asks_for_replies(plan),
          .answers = plan.bus.answers(),
          .own_queue = bus.own_queue,
          .schedule = plan::mean_delay_ns(plan) > 0};
}

bool comes_by_itself(Needs needs) {
  return needs == Needs::responses || needs == Needs::again || needs == Needs::replies;
}

const char* why_missing(Needs needs) {
  switch (needs) {
    case Needs::nothing:
      return "";
    case Needs::responses:
      return "Only where receivers respond: Receiver responses, in the plan.";
    case Needs::again:
      return "Only where receivers respond, or on a bus that marks what it delivers again.";
    case Needs::replies:
      return "Only in request-reply mode.";
    case Needs::answers:
      return "The bus of this run does not answer for messages.";
    case Needs::own_queue:
      return "Only our own queue counts this; this run has another bus.";
    case Needs::schedule:
      return "Only where messages are due at some time: in this run they go out as fast as they are taken.";
  }
  return "";
}

}  // namespace n2nq::ui
