// A search over rates, and results of its runs as they would be kept, without any process.
#pragma once

#include "app/campaign/search.h"

namespace n2nq::campaign::test {

inline Campaign rate_search() {
  Campaign campaign{.name = "rate", .tries = 2};
  campaign.base.senders.duration_ns = 5'000'000'000;
  campaign.search =
      SearchSpec{.vary = "rate", .from = 100, .to = 100'000, .limits = {"p99 <= 5ms"}, .precision = 0.05, .confirm = 3};
  return campaign;
}

// Of a run whose senders kept their schedule.
inline record::RunRecord run_at(const plan::RunPlan& plan, int64_t p99_ns) {
  record::RunRecord record;
  record.plan = plan;
  record.verdict = record::Verdict::passed;
  record.began_utc_ns = 1;
  record.latencies[Latency::latency].count = 10;
  record.latencies[Latency::latency].p99 = p99_ns;
  record.totals.lost = 0;
  if (plan.senders.delay_ns > 0)
    record.totals.sent =
        static_cast<uint64_t>(plan.senders.duration_ns / plan.senders.delay_ns) * plan.senders.fleet.count;
  return record;
}

// Of the run that the search makes next; on a bus that takes `limit_per_s`.
inline record::RunRecord next_run(const Search& search, double limit_per_s) {
  const Point& point = search.points()[search.next()->point - 1];
  record::RunRecord record = run_at(point.plan, point.value <= limit_per_s ? 1'000'000 : 80'000'000);
  record.campaign = record::CampaignPlace{
      .campaign = 1, .point = search.next()->point, .repeat = search.next()->repeat, .attempt = 1};
  record.id = search.next()->point * 100 + search.next()->repeat;
  return record;
}

}  // namespace n2nq::campaign::test
