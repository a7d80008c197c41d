// The live figures of the current run in OpenMetrics text, for Prometheus and what reads the same. Says nothing that is
// secret: no token, no path, no address. Pure; UI thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/figures/run_view.h"
#include "app/run/run_session.h"

namespace n2nq::run {
class RunSequence;
}

namespace n2nq::cli {

inline constexpr const char* kMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

// What there is to say; without a run only that there is none.
struct MetricsView {
  run::State state = run::State::idle;
  size_t number = 0;  // of the plan's runs, from 1; 0: none
  size_t runs = 0;    // that the plan has
  const figures::RunningView* run = nullptr;
  std::optional<int64_t> elapsed_ns{};
  std::optional<uint64_t> expected_deliveries{};
};

std::string metrics_text(const MetricsView& view);
std::string metrics_text(const run::RunSequence& sequence);

}  // namespace n2nq::cli
