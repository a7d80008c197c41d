// From what went wrong to the exit code. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>

#include "broker/base/exit_code.h"
#include "broker/wire/frames.h"
#include "workers/transport/bus_events.h"

namespace n2nq::fleet {

inline ExitCode exit_code_of(transport::Loss::Kind kind) {
  switch (kind) {
    case transport::Loss::Kind::not_joined:
      return ExitCode::not_assembled;
    case transport::Loss::Kind::broker_gone:
      return ExitCode::broker_lost;
    case transport::Loss::Kind::sent_away:
      return ExitCode::incomplete;
    case transport::Loss::Kind::local:
      return ExitCode::local_trouble;
  }
  return ExitCode::incomplete;
}

// Which of two troubles names the exit code: what kept the fleet from running before what happened while it ran.
inline int weight(ExitCode code) {
  switch (code) {
    case ExitCode::local_trouble:
      return 4;
    case ExitCode::not_assembled:
      return 3;
    case ExitCode::broker_lost:
      return 2;
    default:
      return 1;
  }
}

inline std::string verdict(ExitCode code) {
  if (code == ExitCode::complete) return "complete";
  return code == ExitCode::incomplete ? "incomplete" : "failed";
}

// As the control protocol has it; nothing: it was not told how the run ended.
inline std::optional<std::string> end_word(std::optional<wire::EndReason> reason, std::optional<ExitCode> failure) {
  if (failure == ExitCode::broker_lost) return "broker_lost";
  return reason ? std::optional<std::string>(wire::word(*reason)) : std::nullopt;
}

}  // namespace n2nq::fleet
