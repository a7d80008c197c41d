// What the page says of the chosen campaign, and of all in the list.
#include <QDateTime>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <algorithm>

#include "app/findings/findings_file.h"
#include "app/findings/judge.h"
#include "app/findings/prospect.h"
#include "app/live/warnings.h"
#include "app/text/quantity.h"
#include "ui/campaigns/campaign_bar.h"
#include "ui/campaigns/campaign_editor.h"
#include "ui/campaigns/campaign_list.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/campaigns/plan_words.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::qt;
using theme::Status;

// How many runs are made, of how many, where that is known: how many a search takes turns out.
struct Made {
  uint64_t done = 0;
  std::optional<uint64_t> all{};
  bool so_far = false;             // of a search that is not over
  std::optional<uint64_t> most{};  // of one that is in progress
};

Made made_of(const campaign::ListedCampaign& one) {
  return {.done = one.done, .all = one.runs, .so_far = one.search && !one.row.ended_utc_ns};
}

Made made_of(const campaign::CampaignRun& run) {
  const campaign::Ledger& ledger = run.ledger();
  if (!ledger.search()) return {.done = ledger.done(), .all = ledger.runs()};
  if (ledger.search()->end() != campaign::SearchEnd::open) return {.done = ledger.done()};
  return {.done = ledger.done(), .so_far = true, .most = campaign::runs_at_most(*ledger.search())};
}

// "7 of 42", "7 so far"
QString in_list(const Made& made) {
  if (made.all) return CampaignsPage::tr("%1 of %2").arg(count(made.done), count(*made.all));
  return made.so_far ? CampaignsPage::tr("%1 so far").arg(count(made.done)) : count(made.done);
}

// "7 of 42 runs", "7 of at most 14 runs", "7 runs so far"
QString in_bar(const Made& made) {
  if (made.all) return CampaignsPage::tr("%1 runs").arg(in_list(made));
  if (made.most) return CampaignsPage::tr("%1 of at most %2 runs").arg(count(made.done), count(*made.most));
  const QString runs = made.done == 1 ? CampaignsPage::tr("1 run") : CampaignsPage::tr("%1 runs").arg(count(made.done));
  return made.so_far ? CampaignsPage::tr("%1 so far").arg(runs) : runs;
}

QString date_of(int64_t utc_ns) {
  return QDateTime::fromMSecsSinceEpoch(utc_ns / 1'000'000).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

}  // namespace

void CampaignsPage::list_now() {
  if (isVisible()) reader_->list();  // else when it is shown
}

void CampaignsPage::reload() {
  list_now();
  if (!shows_draft() && !shown_->watches_run())
    if (const auto id = chosen()) reader_->look(*id);
}

ListRow CampaignsPage::row_of(const campaign::ListedCampaign& campaign) const {
  ListRow row{.id = campaign.row.id,
              .name = qt(campaign.row.name),
              .runs = in_list(made_of(campaign)),
              .started = date_of(campaign.row.started_utc_ns),
              .end = qt(campaign.row.end_text)};
  const bool ended = campaign.row.ended_utc_ns.has_value();
  const bool all = !campaign.runs || campaign.done >= *campaign.runs;  // a search is over when it says so
  row.state = ended ? tr("finished") : tr("can be resumed");
  row.status = !ended || campaign.search ? Status::info : all ? Status::good : Status::warning;
  return row;
}

void CampaignsPage::show_list() {
  std::vector<ListRow> rows;
  if (draft_.form()) rows.push_back({.name = qt(draft_.form()->rest.name), .state = tr("draft"), .end = {}});
  const campaign::CampaignRun* run = desk_.run();
  if (run != nullptr && listed(run->id()) == nullptr)
    rows.push_back({.id = run->id(), .name = qt(run->campaign().name)});
  for (const campaign::ListedCampaign& campaign : listed_) rows.push_back(row_of(campaign));
  for (ListRow& row : rows) {
    if (run == nullptr || row.id != run->id()) continue;
    if (desk_.making()) {
      row.state = tr("running");
      row.status = Status::info;
    }
    if (desk_.making() || row.runs.isEmpty()) row.runs = in_list(made_of(*run));
    if (row.started.isEmpty()) row.started = tr("now");
    if (!desk_.making() && row.end.isEmpty()) row.end = qt(run->end_text());
    if (row.state.isEmpty()) row.state = tr("finished");
  }
  list_->show_rows(std::move(rows));
}

std::optional<int64_t> CampaignsPage::chosen() const {
  const ListRow* row = list_->current();
  return row == nullptr ? std::nullopt : row->id;
}

bool CampaignsPage::shows_draft() const {
  const ListRow* row = list_->current();
  return row != nullptr && !row->id && draft_.form().has_value();
}

void CampaignsPage::show_chosen() {
  copy_->setEnabled(chosen().has_value());
  copy_->setToolTip(chosen() ? tr("Creates a copy of the selected campaign.")
                             : tr("Select a campaign that has been started."));
  save_->setEnabled(list_->current() != nullptr);
  save_->setToolTip(list_->current() != nullptr
                        ? tr("Writes the selected campaign to a file that n2nq-bench campaign can run too.")
                        : tr("There is no campaign yet; New creates one."));
  const auto id = chosen();
  shown_->choose(id);
  stack_->setCurrentWidget(shows_draft() ? static_cast<QWidget*>(editor_area_) : id ? shown_ : nothing_);
  if (shown_->watches_run())
    look_at_run();
  else if (id && !shown_->look())
    reader_->look(*id);
  show_bar();
}

void CampaignsPage::look_at_run() {
  look_soon_.stop();
  show_list();
  if (!shown_->shows_run()) return;
  shown_->look_at_run();
  show_bar();
}

void CampaignsPage::tick() {
  shown_->follow_run();
  show_bar();
}

const campaign::ListedCampaign* CampaignsPage::listed(int64_t id) const {
  const auto found = std::ranges::find(listed_, id, [](const auto& one) { return one.row.id; });
  return found == listed_.end() ? nullptr : &*found;
}

const campaign::ListedCampaign* CampaignsPage::listed_chosen() const {
  return listed(chosen().value_or(0));
}

void CampaignsPage::show_bar() {
  show_handing_on();
  bar_->show_state(shows_draft() ? draft_bar() : shown_->watches_run() ? run_bar() : kept_bar());
}

QString CampaignsPage::why_not_started() const {
  if (desk_.reading()) return tr("Reading the campaign; this takes a moment.");
  return desk_.making() ? tr("Another campaign is running; stop it, or wait until it finishes.") : locked_;
}

// For a case of the thesis whose findings could not be judged, however its runs come out.
QString CampaignsPage::hopeless_text(const campaign::Campaign& campaign) {
  if (!findings::thesis_case_of(campaign)) return {};
  const auto all = findings::shipped_findings();
  const auto points = campaign::points_of(campaign);
  if (!all || !points) return {};
  const auto prospect = findings::prospect_of(*all, campaign, *points);
  if (prospect->few_runs == 0 && prospect->open() > 0) return {};
  QString text = qt(findings::prospect_text(*prospect));
  text.front() = text.front().toUpper();
  return text;
}

BarState CampaignsPage::draft_bar() const {
  BarState bar{.start = tr("Start"), .start_help = tr("Starts the campaign's runs, one after another.")};
  bar.blocked = why_not_started();
  if (!check_) return bar;
  if (check_->estimate.runs > 0) {
    bar.state = qt(campaign::to_text(check_->estimate));
    if (check_->free_bytes) bar.state += tr("; %1 free").arg(qt(text::bytes(static_cast<double>(*check_->free_bytes))));
  }
  if (check_->problem) {
    bar.status = editor_->only_waits() ? Status::info : Status::bad;
    bar.message = tr("Cannot start: %1").arg(qt(*check_->problem));
    if (bar.blocked.isEmpty()) bar.blocked = qt(*check_->problem);
  } else if (!bar.blocked.isEmpty()) {
    bar.status = Status::info;
    bar.message = bar.blocked;
  } else if (check_->reads_external && check_->campaign.external.empty()) {
    bar.status = Status::info;
    bar.message =
        tr("No external hosts are selected: everything runs on this computer, and the figures say \"not external\".");
  }
  if (!check_->problem && !hopeless_.isEmpty()) {
    bar.status = Status::warning;
    bar.message = bar.message.isEmpty() ? hopeless_ : hopeless_ + ". " + bar.message;
  }
  return bar;
}

QString CampaignsPage::time_left() const {
  const campaign::CampaignRun& run = *desk_.run();
  if (!left_ns_) left_ns_ = campaign::estimate_of(run.campaign(), &run.ledger()).duration_ns;
  const int64_t gone = run.session() != nullptr ? run.session()->elapsed_ns().value_or(0) : 0;
  return tr("about %1 left").arg(qt(text::rough_duration(std::max<int64_t>(0, *left_ns_ - gone))));
}

BarState CampaignsPage::run_bar() const {
  const campaign::CampaignRun& run = *desk_.run();
  BarState bar{.start = tr("Resume"), .blocked = tr("The campaign is running."), .stops = true};
  bar.kills = run.stopped_by_user();
  bar.state = qt(campaign::progress_line(run));
  const Made made = made_of(run);
  if (const uint64_t all = made.all.value_or(made.most.value_or(0)); all > 0)
    bar.progress = static_cast<double>(made.done + run.ledger().failed()) / static_cast<double>(all);
  bar.runs = in_bar(made);
  bar.left = time_left();
  if (const QString failed = shown_->failed_points(); !failed.isEmpty()) {
    bar.status = Status::bad;
    bar.message = failed;
  } else if (run.stopped_by_user()) {
    bar.status = Status::info;
    bar.message = tr("The campaign stops after this run; you can resume it later.");
  } else if (run.session() != nullptr) {
    const auto warnings = live::warnings_of(run.session()->live(), run.session()->plan());
    if (!warnings.empty()) {
      bar.status = Status::warning;
      bar.message = qt(warnings.front().text);
    }
  }
  return bar;
}

BarState CampaignsPage::kept_bar() const {
  BarState bar;
  const ListRow* row = list_->current();
  if (row == nullptr || !row->id) {
    bar.message = tr("New offers the seven cases of the thesis, or creates a campaign from your plan.");
    return bar;
  }
  const campaign::ListedCampaign* listed = listed_chosen();
  const bool over = listed != nullptr && listed->row.ended_utc_ns.has_value();
  if (!over || shown_->leaves_runs()) {
    bar.start = tr("Resume");
    bar.start_help = over ? tr("Repeats the runs whose results were deleted, or were not part of an imported archive.")
                          : tr("Continues with the remaining runs.");
    bar.blocked = why_not_started();
  } else {
    bar.start_help = tr("This campaign has finished; Edit a copy creates another one like it.");
  }
  bar.state = !over                   ? tr("not finished: can be resumed")
              : shown_->leaves_runs() ? tr("finished, but results are missing: can be resumed")
                                      : tr("finished");
  if (listed != nullptr)
    bar.runs = in_bar(made_of(*listed));
  else if (shown_->shows_run())
    bar.runs = in_bar(made_of(*desk_.run()));
  if (listed != nullptr && listed->runs && *listed->runs > 0)
    bar.progress = static_cast<double>(listed->done) / static_cast<double>(*listed->runs);
  const QString failed = shown_->failed_points();
  bar.message =
      shown_->leaves_runs() && over ? tr("Had finished (%1); results were removed since.").arg(row->end) : row->end;
  if (!failed.isEmpty()) bar.message += (bar.message.isEmpty() ? "" : "; ") + failed;
  if (!bar.message.isEmpty()) bar.status = failed.isEmpty() ? row->status.value_or(Status::info) : Status::bad;
  if (!bar.blocked.isEmpty() && bar.message.isEmpty()) {
    bar.status = Status::info;
    bar.message = bar.blocked;
  }
  return bar;
}

}  // namespace n2nq::ui
