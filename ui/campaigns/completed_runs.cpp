#include "ui/campaigns/completed_runs.h"

#include "ui/campaigns/plan_words.h"

namespace n2nq::ui {

CompletedRuns completed_runs(const campaign::ListedCampaign& one) {
  return {.done = one.done, .all = one.runs, .so_far = one.search && !one.row.ended_utc_ns};
}

CompletedRuns completed_runs(const campaign::CampaignRun& run) {
  const campaign::Ledger& ledger = run.ledger();
  if (!ledger.search()) return {.done = ledger.done(), .all = ledger.runs()};
  if (ledger.search()->end() != campaign::SearchEnd::open) return {.done = ledger.done()};
  return {.done = ledger.done(), .so_far = true, .most = campaign::runs_at_most(*ledger.search())};
}

std::optional<double> share_of(const CompletedRuns& runs) {
  if (!runs.all || *runs.all == 0) return std::nullopt;
  return static_cast<double>(runs.done) / static_cast<double>(*runs.all);
}

QString in_list(const CompletedRuns& runs) {
  if (runs.all) return QObject::tr("%1 of %2").arg(count(runs.done), count(*runs.all));
  return runs.so_far ? QObject::tr("%1 so far").arg(count(runs.done)) : count(runs.done);
}

QString in_bar(const CompletedRuns& runs) {
  if (runs.all) return QObject::tr("%1 runs").arg(in_list(runs));
  if (runs.most) return QObject::tr("%1 of about %2 runs").arg(count(runs.done), count(*runs.most));
  const QString done = runs.done == 1 ? QObject::tr("1 run") : QObject::tr("%1 runs").arg(count(runs.done));
  return runs.so_far ? QObject::tr("%1 so far").arg(done) : done;
}

}  // namespace n2nq::ui
