// How a verdict looks wherever it is shown: one colour and shape for each. The word stands beside it. Any thread.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "app/record/run_record.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

// What the plan or the user wanted is no trouble.
inline Status status_of(record::Verdict verdict) {
  switch (verdict) {
    case record::Verdict::passed:
      return Status::good;
    case record::Verdict::lost_allowed:
    case record::Verdict::stopped:
      return Status::info;
    case record::Verdict::cut_off:
      return Status::warning;
    case record::Verdict::exceeded:
    case record::Verdict::limit:
    case record::Verdict::failed:
      break;
  }
  return Status::bad;
}

// A limit that only warns is no part of the verdict, and does not make it bad.
inline Status status_of(record::Verdict verdict, const std::vector<record::PassedLimit>& passed) {
  return passed.empty() ? status_of(verdict) : std::max(status_of(verdict), Status::warning);
}

// The one of these (there is one at least) that must be seen first.
inline const record::RunRecord& gravest(const std::vector<record::RunRecord>& records) {
  return *std::ranges::max_element(records, {}, [](const record::RunRecord& record) {
    return std::tuple(status_of(record.verdict), record.verdict != record::Verdict::exceeded,
                      !record.passed_limits.empty(), record.trust == record::Trust::doubtful);
  });
}

}  // namespace n2nq::ui::theme
