// How a verdict looks wherever it is shown: one colour and shape for each. The word stands beside it. Any thread.
#pragma once

#include "app/results/run_record.h"
#include "ui/theme/theme.h"

namespace n2nq::theme {

// What the plan or the user wanted is no trouble.
inline Status status_of(results::Verdict verdict) {
  switch (verdict) {
    case results::Verdict::passed:
      return Status::good;
    case results::Verdict::lost_allowed:
    case results::Verdict::stopped:
      return Status::info;
    case results::Verdict::cut_off:
      return Status::warning;
    case results::Verdict::failed:
      break;
  }
  return Status::bad;
}

}  // namespace n2nq::theme
