// Results of a campaign as they would be kept, without any process.
#pragma once

#include "app/record/run_record.h"

namespace n2nq::campaign::test {

inline record::RunRecord result(uint32_t point, uint32_t repeat, record::Verdict verdict = record::Verdict::passed,
                                double trimmed_ns = 100) {
  record::RunRecord record;
  record.id = point * 100 + repeat;
  record.campaign = record::CampaignPlace{.campaign = 1, .point = point, .repeat = repeat, .attempt = 1};
  record.verdict = verdict;
  record.reason = "as it was told";
  record.plan.name = "point " + std::to_string(point);
  record.latencies[Latency::latency].count = 10;
  record.latencies[Latency::latency].trimmed_mean_p95 = trimmed_ns;
  return record;
}

}  // namespace n2nq::campaign::test
