#include "ui/campaigns/bar_texts.h"

#include <algorithm>

#include "app/figures/setting_text.h"
#include "app/findings/findings_file.h"
#include "app/findings/judge.h"
#include "app/findings/prospect.h"
#include "app/live/warnings.h"
#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::qt;
using theme::Status;

// The gravest of what keeps a draft from starting, or may disappoint.
void say_problem(BarState& bar, const campaign::Check& check, bool only_waits) {
  if (check.problem) {
    bar.status = only_waits ? Status::info : Status::bad;
    bar.message = QObject::tr("Cannot start: %1").arg(qt(*check.problem));
    if (bar.blocked.isEmpty()) bar.blocked = qt(*check.problem);
  } else if (!bar.blocked.isEmpty()) {
    bar.status = Status::info;
    bar.message = bar.blocked;
  } else if (check.reads_external && check.campaign.external.empty() && check.campaign.base.queue.host.empty()) {
    bar.status = Status::info;
    bar.message = QObject::tr(
        "No external hosts are selected: everything runs on this computer, and the figures say \"not external\".");
  }
}

void say_end(BarState& bar, const KeptFacts& facts) {
  bar.message = facts.leaves_runs && facts.over
                    ? QObject::tr("Had finished (%1); results were removed since.").arg(facts.end)
                    : facts.end;
  if (!facts.failed_points.isEmpty()) bar.message += (bar.message.isEmpty() ? "" : "; ") + facts.failed_points;
  if (!bar.message.isEmpty()) bar.status = facts.failed_points.isEmpty() ? facts.status : Status::bad;
  if (!facts.doubtful.isEmpty()) {
    bar.message += (bar.message.isEmpty() ? "" : "; ") + facts.doubtful;
    if (bar.status != Status::bad) bar.status = Status::warning;
  }
  if (bar.blocked.isEmpty() || !bar.message.isEmpty()) return;
  bar.status = Status::info;
  bar.message = bar.blocked;
}

// The tiles and the word beside it say that all runs were completed.
void say_verdict(BarState& bar, KeptFacts facts) {
  if (facts.status == Status::good) facts.end.clear();
  facts.doubtful.clear();
  facts.blocked.clear();
  say_end(bar, facts);
  bar.message = bar.message.isEmpty() ? facts.verdict : bar.message + ". " + facts.verdict;
  if (bar.status != Status::bad) bar.status = facts.verdict_is_doubtful ? Status::warning : facts.status;
}

}  // namespace

DraftProspect prospect_of(const campaign::Campaign& campaign) {
  if (findings::study_case_of(campaign) == nullptr) return {};
  const auto all = findings::shipped_findings();
  const auto points = campaign::points_of(campaign);
  if (!all || !points) return {};
  const auto prospect = findings::prospect_of(*all, campaign, *points);
  QString text = qt(findings::prospect_text(*prospect));
  text.front() = text.front().toUpper();
  return {.text = text, .status = prospect->few_runs == 0 && prospect->open() > 0 ? Status::info : Status::warning};
}

QString doubtful_text(size_t doubtful, size_t completed) {
  if (doubtful == 0) return {};
  if (completed == 1) return QObject::tr("the completed run is doubtful: see Points");
  if (doubtful == completed) return QObject::tr("all %1 completed runs are doubtful: see Points").arg(completed);
  const QString text = doubtful == 1 ? QObject::tr("%1 of %2 completed runs is doubtful: see Points")
                                     : QObject::tr("%1 of %2 completed runs are doubtful: see Points");
  return text.arg(doubtful).arg(completed);
}

BarState draft_bar(const DraftFacts& facts) {
  BarState bar{.start = QObject::tr("Start"),
               .start_help = QObject::tr("Starts the campaign's runs, one after another."),
               .blocked = facts.blocked};
  if (facts.check == nullptr) return bar;
  const campaign::Check& check = *facts.check;
  if (check.estimate.runs > 0) {
    bar.state = qt(campaign::to_text(check.estimate));
    if (check.free_bytes)
      bar.state += QObject::tr("; %1 free").arg(qt(text::bytes(static_cast<double>(*check.free_bytes))));
  }
  say_problem(bar, check, facts.only_waits);
  if (!check.problem && !facts.missing.isEmpty()) {
    bar.status = Status::warning;
    bar.message = facts.missing;
  } else if (!check.problem && !facts.prospect.text.isEmpty()) {
    bar.status = facts.prospect.status;
    bar.message = bar.message.isEmpty() ? facts.prospect.text : facts.prospect.text + ". " + bar.message;
  }
  return bar;
}

QString time_left(int64_t left_ns) {
  return QObject::tr("about %1").arg(qt(text::rough_duration(std::max<int64_t>(0, left_ns))));
}

RunFacts facts_of(const campaign::CampaignRun& run, int64_t left_ns) {
  RunFacts facts{.runs = completed_runs(run),
                 .failed = run.ledger().failed(),
                 .progress = qt(campaign::progress_line(run)),
                 .stopped = run.stopped_by_user(),
                 .left_ns = left_ns};
  if (run.session() == nullptr) return facts;
  const auto warnings = live::warnings_of(run.session()->live(), run.session()->plan());
  if (!warnings.empty()) facts.warning = qt(figures::with_names(warnings.front().text));
  return facts;
}

BarState run_bar(const RunFacts& facts) {
  BarState bar{.start = QObject::tr("Resume"), .blocked = QObject::tr("The campaign is running."), .stops = true};
  bar.kills = facts.stopped;
  bar.state = facts.progress;
  if (const uint64_t all = facts.runs.all.value_or(facts.runs.most.value_or(0)); all > 0)
    bar.progress = static_cast<double>(facts.runs.done + facts.failed) / static_cast<double>(all);
  bar.runs = in_bar(facts.runs);
  bar.left = time_left(facts.left_ns);
  if (!facts.failed_points.isEmpty()) {
    bar.status = Status::bad;
    bar.message = facts.failed_points;
  } else if (facts.stopped) {
    bar.status = Status::info;
    bar.message = QObject::tr("The campaign stops after this run; you can resume it later.");
  } else if (!facts.warning.isEmpty()) {
    bar.status = Status::warning;
    bar.message = facts.warning;
  } else if (!facts.doubtful.isEmpty()) {
    bar.status = Status::warning;
    bar.message = facts.doubtful;
  }
  return bar;
}

BarState kept_bar(const KeptFacts& facts) {
  BarState bar;
  if (!facts.over || facts.leaves_runs) {
    bar.start = QObject::tr("Resume");
    bar.start_help =
        facts.over
            ? QObject::tr("Repeats the runs whose results were deleted, or were not part of an imported archive.")
            : QObject::tr("Continues with the remaining runs.");
    bar.blocked = facts.blocked;
  } else {
    bar.start_help = QObject::tr("This campaign has finished; Edit a copy creates another one like it.");
  }
  bar.state = !facts.over         ? QObject::tr("not finished: can be resumed")
              : facts.leaves_runs ? QObject::tr("finished, but results are missing: can be resumed")
                                  : QObject::tr("finished");
  if (facts.runs) bar.runs = in_bar(*facts.runs);
  bar.progress = facts.progress;
  facts.over && !facts.leaves_runs && !facts.verdict.isEmpty() ? say_verdict(bar, facts) : say_end(bar, facts);
  return bar;
}

}  // namespace n2nq::ui
