// A latency as the summary shows it: count and whole nanoseconds, null where there is no sample.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "workers/measure/latency_summary.h"

namespace n2nq::fleet {

using Json = nlohmann::ordered_json;

inline Json latency_json(const measure::LatencySummary& latency) {
  const auto whole = [](const auto& value) { return value ? Json(static_cast<int64_t>(std::llround(*value))) : Json(nullptr); };
  Json out;
  out["count"] = latency.count;
  const auto exact = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  out["min"] = exact(latency.min);
  out["p50"] = exact(latency.p50);
  out["p90"] = exact(latency.p90);
  out["p95"] = exact(latency.p95);
  out["p99"] = exact(latency.p99);
  out["p999"] = exact(latency.p999);
  out["max"] = exact(latency.max);
  out["mean"] = whole(latency.mean);
  out["stddev"] = whole(latency.stddev);
  out["trimmed_mean_p95"] = whole(latency.trimmed_mean_p95);
  return out;
}

}  // namespace n2nq::fleet
