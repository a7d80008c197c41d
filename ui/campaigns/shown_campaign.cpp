#include "ui/campaigns/shown_campaign.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <utility>

#include "app/campaign/campaign_figures.h"
#include "app/campaign/point_notes.h"
#include "app/findings/judge.h"
#include "app/findings/study.h"
#include "ui/campaigns/bar_texts.h"
#include "ui/campaigns/figure_panel.h"
#include "ui/campaigns/findings_panel.h"
#include "ui/campaigns/live_panel.h"
#include "ui/campaigns/point_table.h"
#include "ui/campaigns/search_panel.h"
#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/current_page.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui {
namespace {

constexpr std::chrono::seconds kBetweenDrawings{5};

using theme::qt;

Outcome outcome_of(const findings::CaseFindings& found, bool leaves_runs) {
  const size_t agree = found.count(findings::Outcome::agrees);
  const size_t differ = found.count(findings::Outcome::differs);
  const QString what =
      leaves_runs ? ShownCampaign::tr("Findings of the %1 so far") : ShownCampaign::tr("Findings of the %1");
  return {.what = what.arg(qt(findings::study_word(found.study_case))),
          .value = ShownCampaign::tr("%1 agree, %2 differ, %3 inconclusive")
                       .arg(agree)
                       .arg(differ)
                       .arg(found.count(findings::Outcome::unknown)),
          .tone = differ > 0  ? theme::Tone::warning
                  : agree > 0 ? theme::Tone::good
                              : theme::Tone::plain};
}

QString inconclusive_text(const findings::CaseFindings& found) {
  return found.why_inconclusive.empty() ? QString()
                                        : ShownCampaign::tr("inconclusive: %1").arg(qt(found.why_inconclusive));
}

}  // namespace

ShownCampaign::ShownCampaign(campaign::CampaignDesk& desk, campaign::CampaignReader& reader, const std::string& store,
                             QWidget* parent)
    : QWidget(parent),
      desk_(desk),
      reader_(reader),
      figures_(new FigurePanel(this)),
      findings_(new FindingsPanel(store, this)),
      points_(new PointTable(this)),
      live_(new LivePanel([&desk] { return desk.run() != nullptr ? desk.run()->session() : nullptr; }, this)),
      search_(new SearchPanel(this)),
      tabs_(new QTabWidget(this)),
      search_card_(new theme::Card(this)) {
  build();
  drawn_lately_.setSingleShot(true);
  connect(&drawn_lately_, &QTimer::timeout, this, &ShownCampaign::draw_if_seen);
  connect(figures_, &FigurePanel::wanted, this, &ShownCampaign::draw);
  connect(figures_, &FigurePanel::shown, this, &ShownCampaign::draw_if_seen);
  connect(figures_, &FigurePanel::other_figures_wanted, this, &ShownCampaign::other_figures_wanted);
  connect(findings_, &FindingsPanel::trouble, this, &ShownCampaign::trouble);
  connect(findings_, &FindingsPanel::judged, this, &ShownCampaign::outcome_changed);
  points_->setFrameShape(QFrame::NoFrame);
  connect(points_, &PointTable::open_result, this, &ShownCampaign::open_result);
  connect(live_, &LivePanel::slowest_wanted, this, &ShownCampaign::slowest_wanted);
  connect(&reader_, &campaign::CampaignReader::drawn, this,
          [this](qint64 campaign, int number, const figures::Figure& figure) {
            figures_->show_figure(campaign, number, figure);
          });
}

void ShownCampaign::build() {
  figures_->set_beside(findings_);
  tabs_->setAccessibleName(tr("Parts of the campaign"));
  tabs_->tabBar()->setAccessibleName(tr("Parts of the campaign tabs"));
  tabs_->setDocumentMode(true);
  theme::make_tabs_flat(*tabs_->tabBar());
  tabs_->setTabToolTip(tabs_->addTab(figures_, tr("Figures")), tr("The campaign's figures, from the runs so far."));
  tabs_->setTabToolTip(tabs_->addTab(points_, tr("Points")), tr("Each point, with its repeats."));
  tabs_->addTab(live_, tr("Current run"));
  theme::need_only_current(*tabs_->findChild<QStackedWidget*>());
  auto* column = theme::column_in(this, theme::kCardApart);
  search_card_->body()->addWidget(search_);
  column->addWidget(search_card_);
  auto* card = new theme::Card(this);
  card->body()->addWidget(tabs_);
  column->addWidget(card, 1);
  search_card_->hide();
}

QByteArray ShownCampaign::save_state() const {
  return figures_->save_state();
}

void ShownCampaign::restore_state(const QByteArray& state) {
  figures_->restore_state(state);
}

bool ShownCampaign::shows_run() const {
  return chosen_ && desk_.run() != nullptr && desk_.run()->id() == *chosen_;
}

bool ShownCampaign::watches_run() const {
  return shows_run() && desk_.making();
}

void ShownCampaign::choose(std::optional<int64_t> id) {
  chosen_ = id;
  if (look_ && look_->row.id != id) forget();
  show_live_tab();
}

void ShownCampaign::show_live_tab() {
  const int live = tabs_->indexOf(live_);
  if (tabs_->isTabEnabled(live) == shows_run() && !tabs_->tabToolTip(live).isEmpty()) return;
  tabs_->setTabEnabled(live, shows_run());
  tabs_->setTabToolTip(live,
                       shows_run() ? tr("What the run that is on does now.") : tr("This campaign is not running."));
}

void ShownCampaign::forget() {
  look_.reset();
  judged_.reset();
  leaves_runs_ = false;
  drawn_lately_.stop();
  rows_.clear();
  points_->show_points({}, {});
  figures_->set_figures(chosen_.value_or(0), {}, 0);
  findings_->look_at(nullptr);
  limit_.clear();
  verdict_ = {};
  compared_.clear();
  search_card_->hide();
}

void ShownCampaign::offer_other_figures(const QString& why_not) {
  const bool search = look_ && look_->campaign.search;
  figures_->offer_others(search ? tr("A search has figures of its own.") : why_not);
}

void ShownCampaign::look_at_run() {
  if (!shows_run()) return;
  const campaign::CampaignRun& run = *desk_.run();
  auto look = std::make_shared<campaign::Look>();
  look->row.id = run.id();
  look->row.name = run.campaign().name;
  look->row.end_text = run.end_text();
  look->campaign = run.campaign();
  look->points = run.points();
  look->records = run.records();
  take_look(std::move(look));
}

void ShownCampaign::follow_run() {
  show_live_tab();
  const campaign::CampaignRun* run = desk_.run();
  QString which;
  if (run != nullptr && run->current())
    which = QString("%1 %2 %3 %4")
                .arg(run->id())
                .arg(run->current()->point)
                .arg(run->current()->repeat)
                .arg(run->attempt());
  live_->follow(desk_.making(), which);
  draw_if_seen();
}

void ShownCampaign::take_look(campaign::SharedLook look) {
  look_ = std::move(look);
  figures_->set_figures(look_->row.id, campaign::figure_specs(look_->campaign), look_->campaign.repeats);
  const campaign::Ledger ledger(look_->campaign, look_->records);
  const campaign::Ledger& known = watches_run() ? desk_.run()->ledger() : ledger;
  leaves_runs_ = known.next().has_value();
  rows_ = point_rows(look_->campaign, look_->points, look_->records, known);
  show_search(known);
  take_compared();
  show_points();
  undrawn_ = true;
  draw_if_seen();
  if (isVisible() && !desk_.active()) judge();  // while runs are made none is read for it
}

// Runs are read for it, on the computer that makes the next one: not where nobody looks, and not after each run.
void ShownCampaign::draw_if_seen() {
  if (!undrawn_ || !figures_->isVisible()) return;
  if (desk_.active() && (drawn_lately_.isActive() || window()->isMinimized())) return;
  undrawn_ = false;
  // The first results are seen as soon as there are any.
  if (desk_.active() && look_ && !look_->records.empty()) drawn_lately_.start(kBetweenDrawings);
  draw();
  judge();
}

// The head says how many agree, whatever part is looked at.
void ShownCampaign::judge() {
  if (std::exchange(judged_, look_) != look_) findings_->look_at(look_);
}

void ShownCampaign::show_search(const campaign::Ledger& ledger) {
  limit_.clear();
  if (ledger.search()) {
    const campaign::SearchFacts facts = facts_of(*ledger.search());
    search_->show_facts(facts);
    limit_ = qt(facts.bracket).section(", ", 0, 0);
  }
  search_card_->setVisible(ledger.search().has_value());
}

// A study has its findings instead.
void ShownCampaign::take_compared() {
  verdict_ = {};
  compared_.clear();
  if (findings::study_case_of(look_->campaign) != nullptr) return;
  const auto sides = campaign::compared_points(look_->campaign, look_->points, look_->records);
  if (sides.empty()) return;
  verdict_ = compare::verdict_of_latencies(sides);
  measured_against_ = qt(sides.front().name);
  for (const compare::Side& side : sides)
    for (const record::RunRecord& run : side.runs) compared_.push_back(run.id);
}

void ShownCampaign::draw() {
  if (look_ && figures_->chosen() >= 0)
    reader_.draw(look_, static_cast<size_t>(figures_->chosen()), figures_->figure());
}

void ShownCampaign::show_points() {
  if (!look_) return;
  std::optional<CurrentRun> current;
  if (shows_run() && desk_.run()->state() == campaign::CampaignRun::State::running && desk_.run()->current())
    current = CurrentRun{.run = *desk_.run()->current(), .attempt = desk_.run()->attempt()};
  points_->show_points(rows_, current);
}

Outcome ShownCampaign::outcome() const {
  if (!look_) return {};
  if (!limit_.isEmpty()) return {.what = tr("Limit"), .value = limit_};
  if (const auto& found = findings_->shown()) {
    Outcome outcome = outcome_of(*found, leaves_runs_);
    outcome.next = leaves_runs_ ? tr("the remaining runs may change the verdicts") : inconclusive_text(*found);
    return outcome;
  }
  if (!compared_.empty())
    return {.what = (leaves_runs_ ? tr("Against %1 so far") : tr("Against %1")).arg(measured_against_),
            .value = qt(verdict_.word),
            .tone = verdict_.is_doubtful() ? theme::Tone::warning : theme::Tone::plain};
  const auto failed = std::ranges::count_if(rows_, [](const campaign::PointRow& row) { return row.failed() > 0; });
  if (rows_.empty()) return {};
  return {.what = tr("Points that failed"),
          .value = tr("%1 of %2").arg(failed).arg(rows_.size()),
          .tone = failed > 0 ? theme::Tone::bad : theme::Tone::plain};
}

QString ShownCampaign::failed_points() const {
  constexpr qsizetype kMostNamed = 3;
  QStringList names;
  qsizetype failed = 0;
  for (const campaign::PointRow& row : rows_) {
    if (row.failed() == 0) continue;
    const auto repeat = std::ranges::find(row.repeats, campaign::RunState::failed, &campaign::RepeatRow::state);
    if (++failed <= kMostNamed) names += tr("%1 (%2)").arg(qt(row.label), qt(repeat->last_reason));
  }
  if (failed == 0) return {};
  if (failed > kMostNamed) names += tr("and %1 more").arg(failed - kMostNamed);
  return tr("failed on every try: %1").arg(names.join("; "));
}

QString ShownCampaign::doubtful_runs() const {
  size_t doubtful = 0, done = 0;
  for (const campaign::PointRow& row : rows_) {
    doubtful += row.doubtful();
    done += row.done();
  }
  return doubtful_text(doubtful, done);
}

}  // namespace n2nq::ui

#include "moc_shown_campaign.cpp"
