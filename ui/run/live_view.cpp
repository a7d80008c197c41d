#include "ui/run/live_view.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/figures/figures.h"
#include "ui/run/live_figure.h"
#include "ui/run/queue_flow.h"
#include "ui/run/role_panel.h"
#include "ui/run/run_bar.h"
#include "ui/run/run_tiles.h"
#include "ui/run/tile_limits.h"

namespace n2nq::ui {
namespace {

constexpr int kTickMs = 100;
constexpr const char* kChartsKey = "run/charts";
constexpr const char* kSenderColumnsKey = "run/senders-columns";
constexpr const char* kReceiverColumnsKey = "run/receivers-columns";
constexpr int kTicksPerSecond = 10;  // words that change ten times a second cannot be read

}  // namespace

LiveView::LiveView(run::RunSequence& sequence, Parts parts, QWidget* page)
    : QObject(page),
      sequence_(sequence),
      parts_(std::move(parts)),
      page_(page),
      totals_(page),
      sender_table_(new ServiceTable(Role::sender, source(Role::sender), page)),
      receiver_table_(new ServiceTable(Role::receiver, source(Role::receiver), page)),
      charts_(new charts::ChartTabs(page)),
      figures_(new LiveCharts(*charts_, [&sequence] { return sequence.session(); })) {
  show_session();
  clock_.setInterval(kTickMs);
  clock_.setTimerType(Qt::PreciseTimer);
  connect(&clock_, &QTimer::timeout, this, &LiveView::tick);
  connect(sender_table_, &ServiceTable::open_log, this, &LiveView::open_log);
  connect(receiver_table_, &ServiceTable::open_log, this, &LiveView::open_log);
  for (const auto* table : {sender_table_, receiver_table_})
    connect(table, &ServiceTable::slowest_wanted, this, &LiveView::slowest_wanted);
  connect(sender_table_, &ServiceTable::selected, this, &LiveView::highlight);
  connect(receiver_table_, &ServiceTable::selected, this, &LiveView::highlight);
  connect(&sequence_, &run::RunSequence::session_changed, this, &LiveView::show_session);
}

void LiveView::take_back_to(std::vector<live::ServiceFigures>& senders, std::span<const int64_t> sent) {
  for (size_t i = 0; i < std::min(senders.size(), sent.size()); i++)
    live::take_back(senders[i], static_cast<uint64_t>(senders[i].count - sent[i]));
}

FiguresSource LiveView::source(Role role) const {
  return [this, role]() -> std::span<const live::ServiceFigures> {
    return role == Role::sender ? sender_rows_ : receiver_rows_;
  };
}

void LiveView::take_rows(const run::RunSession& session) {
  const auto run = session.view();
  for (const auto& [role, rows] :
       {std::pair(Role::sender, &sender_rows_), std::pair(Role::receiver, &receiver_rows_)}) {
    const auto now = run->services(role);
    rows->assign(now.begin(), now.end());
  }
  receiver_table_->set_actual(run->intended() && !plan::asks_for_replies(run->plan()));
  if (run->stage() != figures::Stage::over)
    take_back_to(sender_rows_, session.live().sent_then());  // as the totals beside them
}

void LiveView::show_session() {
  for (auto* table : {sender_table_, receiver_table_}) table->start_anew();
  figures_->start_anew();
  warnings_.clear();
  if (!previous_.empty()) charts_->offer_baseline({.name = "previous run", .figures = std::exchange(previous_, {})});
  if (sequence_.session() != nullptr) parts_.tiles.start_anew();
  parts_.flow.start_anew(sequence_.session());
  look_at_warnings();  // those of the former run are no longer true
  look();              // nor are its rows
}

void LiveView::follow() {
  if (sequence_.active() == clock_.isActive()) return;
  charts_->set_live(sequence_.active());
  if (sequence_.active()) {
    ticks_ = 0;
    clock_.start();
  } else {
    clock_.stop();
    look();
    show_warnings();
    remember_figures();
    Q_EMIT second_passed({}, {});
  }
}

// The next run may have them behind its own.
void LiveView::remember_figures() {
  const run::RunSession* session = sequence_.session();
  if (session != nullptr && session->state() == run::State::over) previous_ = figures::figures_of(session->record());
}

// Services are told apart in the figures by the names that the tables give them.
void LiveView::highlight() {
  QStringList names;
  for (const uint32_t service : receiver_table_->selection())
    names += QString::fromStdString(service_name(Role::receiver, service));
  charts_->highlight(names);
}

void LiveView::save(QSettings& settings) const {
  settings.setValue(kChartsKey, charts_->save_state());
  settings.setValue(kSenderColumnsKey, sender_table_->shown_columns());
  settings.setValue(kReceiverColumnsKey, receiver_table_->shown_columns());
}

void LiveView::restore(const QSettings& settings) {
  charts_->restore_state(settings.value(kChartsKey).toByteArray());
  const auto show_columns = [&](ServiceTable& table, const char* key) {
    if (const QStringList columns = settings.value(key).toStringList(); !columns.isEmpty()) table.show_columns(columns);
  };
  show_columns(*sender_table_, kSenderColumnsKey);
  show_columns(*receiver_table_, kReceiverColumnsKey);
}

void LiveView::show_plan(const plan::RunPlan& plan) {
  figures_->show_plan(plan);
  if (sequence_.session() != nullptr) return;
  const ToldFigures told = told_figures(plan);
  for (auto* table : {sender_table_, receiver_table_}) table->set_told(told);
  for (auto* totals : {totals_.senders(), totals_.receivers()}) totals->set_told(told);
}

bool LiveView::in_sight() const {
  return page_->isVisible() && !page_->window()->isMinimized();
}

void LiveView::tick() {
  if (!in_sight()) return pass_by();
  const bool second = ticks_++ % kTicksPerSecond == 0;
  if (second) look_at_warnings();
  look();
  if (second) tell_rates();
}

// The trends of the rows go on, a pass a second: a gap in them would look like an outage.
void LiveView::pass_by() {
  const run::RunSession* session = sequence_.session();
  if (session == nullptr) return;
  for (auto* table : {sender_table_, receiver_table_}) table->set_over(over_of(*session));
  if (!sender_table_->trends_due()) return;
  take_rows(*session);
  for (auto* table : {sender_table_, receiver_table_}) table->pass_by();
}

void LiveView::look() {
  const run::RunSession* session = sequence_.session();
  if (!in_sight() || session == nullptr) return;
  parts_.bar.show_progress(sequence_);
  parts_.tiles.look_at(*session);
  parts_.limits.look_at(*session);
  parts_.flow.look_at(*session);
  for (auto* table : {sender_table_, receiver_table_}) {
    table->set_over(over_of(*session));
    table->set_told(told_figures(session->plan()));
  }
  totals_.look_at(*session);
  take_rows(*session);
  sender_table_->refresh();
  receiver_table_->refresh();
  charts_->refresh();
}

void LiveView::tell_rates() {
  const auto told = [](const std::vector<live::ServiceFigures>& rows) {
    ToldRates rates;
    for (const live::ServiceFigures& row : rows)
      rates.push_back(row.state == live::ServiceState::absent || row.state == live::ServiceState::gone
                          ? std::nullopt
                          : std::optional(row.rate_per_s));
    return rates;
  };
  Q_EMIT second_passed(told(sender_rows_), told(receiver_rows_));
}

void LiveView::look_at_warnings() {
  const run::RunSession* session = sequence_.session();
  if (session == nullptr) return;
  std::vector<live::LiveWarning> now =
      live::at_their_largest(live::warnings_of(session->live(), session->plan()), warnings_);
  // What was true as long as they sent is still worth knowing: nobody is late any more who has nothing left to send.
  if (session->state() >= run::State::draining) {
    for (live::LiveWarning& before : warnings_)
      if (!TileLimits::is_of_limit(before) && std::ranges::find(now, before.id, &live::LiveWarning::id) == now.end())
        now.push_back(std::move(before));
  }
  warnings_ = TileLimits::warnings_of(*session);
  std::ranges::move(now, std::back_inserter(warnings_));
  show_warnings();
}

std::vector<live::LiveWarning> LiveView::for_cards(std::vector<live::LiveWarning> warnings, bool active, size_t runs) {
  if (active) {
    if (!warnings.empty()) warnings.erase(warnings.begin());
  } else if (runs == 1) {
    std::erase_if(warnings, TileLimits::is_of_limit);
  }
  return warnings;
}

void LiveView::show_warnings() {
  if (sequence_.active()) parts_.bar.show_warnings(warnings_);
  const auto in_cards = for_cards(warnings_, sequence_.active(), sequence_.records().size());
  for (RolePanel* panel : parts_.panels) panel->show_warnings(in_cards);
}

}  // namespace n2nq::ui

#include "moc_live_view.cpp"
