#include "ui/results/results_page.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <utility>

#include "ui/files/file_job.h"
#include "ui/files/handing_on.h"
#include "ui/results/comparison_view.h"
#include "ui/results/result_actions.h"
#include "ui/results/result_details.h"
#include "ui/results/result_files.h"
#include "ui/results/result_list.h"
#include "ui/results/result_marks.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/invitation.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/removals.h"
#include "ui/theme/share_splitter.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"
#include "ui/theme/undo_keys.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;
using theme::Status;

// In proportion, until somebody moves them.
constexpr int kListHeight = 200;
constexpr int kDetailsHeight = 560;
constexpr std::chrono::milliseconds kLoadDelay{40};  // while one walks through the list nothing is loaded

}  // namespace

ResultsPage::ResultsPage(store::ResultStore& store, QWidget* parent)
    : QWidget(parent),
      store_(store),
      list_(new ResultList(this)),
      message_(theme::MessageBar::over(this)),
      actions_(new ResultActions(this)),
      details_(new ResultDetails(store, this)),
      lower_(new QWidget(this)),
      splitter_(new theme::ShareSplitter(Qt::Vertical, this)),
      export_(new FileJob(this)),
      handing_on_(new HandingOn(store.path(), message_, this)),
      marks_(new ResultMarks(store, *list_, this)),
      files_(new ResultFiles(*export_, *message_, this)),
      comparison_(new ComparisonView(store, this)),
      pages_(new QStackedWidget(this)),
      invitation_(new theme::Invitation(
          "results", tr("No results yet"),
          tr("Every run is saved here with its figures, settings and logs. Start one, or import an archive (.n2nq) of "
             "another bench; you can also drop it on this window."),
          this)),
      removals_(new theme::Removals(*message_, [this](const auto& ids) { bring_back(ids); }, this)) {
  store_.set_busy_timeout(store::ResultStore::kWindowPatience);
  auto* lower = theme::column_in(lower_, theme::kSpace3, {0, theme::kSpace1, 0, 0});
  lower->addWidget(actions_);
  lower->addWidget(details_, 1);
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(kGrid);
  splitter_->addWidget(list_);
  splitter_->addWidget(lower_);
  splitter_->share({kListHeight, kDetailsHeight});
  auto* column =
      theme::column_in(this, theme::kSpace2, {theme::kSpace4, theme::kSpace3, theme::kSpace4, theme::kSpace3});
  pages_->addWidget(splitter_);
  pages_->addWidget(comparison_);
  build_invitation();
  column->addWidget(pages_, 1);
  setFocusProxy(list_);
  load_soon_.setSingleShot(true);
  connect(&load_soon_, &QTimer::timeout, this, &ResultsPage::load_now);
  connect_list();
  connect_actions();
  connect_marks();
  connect_comparison();
  if (store_.read_only()) message_->say(Status::warning, qt(*store_.read_only()));
}

ResultsPage::~ResultsPage() = default;

void ResultsPage::build_invitation() {
  pages_->addWidget(invitation_);
  QPushButton* run = invitation_->add_choice(tr("Start a run"), "start", tr("Opens the Run page."));
  QPushButton* import = invitation_->add_choice(tr("Import…"), "import",
                                                tr("Adds the results of an archive (.n2nq) of this or another bench."),
                                                tr("Import an archive of results"));
  first_choice_ = run;
  connect(run, &QPushButton::clicked, this, &ResultsPage::run_wanted);
  connect(import, &QPushButton::clicked, this, &ResultsPage::import_wanted);
}

void ResultsPage::connect_list() {
  connect(list_, &ResultList::import_wanted, this, &ResultsPage::import_wanted);
  connect(list_, &ResultList::current_changed, this, &ResultsPage::load_soon);
  connect(list_, &ResultList::delete_wanted, this, &ResultsPage::remove_chosen);
  connect(list_, &ResultList::open_wanted, this, [this] {
    load_now();
    details_->setFocus();
  });
  connect(details_, &ResultDetails::open_log, this, &ResultsPage::request_log);
  connect(details_, &ResultDetails::moment_clicked, this, &ResultsPage::find_slowest_at);
  connect(comparison_, &ComparisonView::slowest_wanted, this, &ResultsPage::slowest_wanted);
  connect(details_, &ResultDetails::slowest_wanted, this, &ResultsPage::request_slowest);
  connect(details_, &ResultDetails::pin_baseline, this, &ResultsPage::pin_baseline);
  connect(details_, &ResultDetails::trouble, this, &ResultsPage::complain);
}

void ResultsPage::connect_comparison() {
  connect(list_, &ResultList::compare_wanted, this, &ResultsPage::compare_chosen);
  connect(list_, &ResultList::selection_changed, this, [this] { actions_->set_selected(list_->selection().size()); });
  connect(comparison_, &ComparisonView::back, this, &ResultsPage::show_list);
  connect(comparison_, &ComparisonView::trouble, this, &ResultsPage::complain);
  connect(comparison_, &ComparisonView::more_runs_wanted, this, &ResultsPage::more_runs_wanted);
  connect(comparison_, &ComparisonView::report_wanted, this, [this](const auto& results, const QString& name) {
    handing_on_->report({.results = results, .campaign = {}, .name = theme::utf8(name)});
  });
}

void ResultsPage::compare_chosen() {
  compare(list_->selection());
}

void ResultsPage::compare(const std::vector<int64_t>& chosen) {
  if (chosen.size() < 2) return message_->say(Status::info, tr("Select two or more results to compare them."));
  if (chosen.size() > compare::kMostRuns)
    return message_->say(Status::info, tr("At most %1 results can be compared at once.").arg(compare::kMostRuns));
  pages_->setCurrentWidget(comparison_);
  comparison_->compare(chosen);
  comparison_->setFocus();
}

void ResultsPage::show_list() {
  pages_->setCurrentIndex(0);
  show_list_or_invitation();
  setFocus();
}

// The focus goes along, so that keys still reach the page.
void ResultsPage::show_list_or_invitation() {
  if (pages_->currentWidget() == comparison_) return;
  const bool empty = list_->is_empty();
  const QWidget* focused = window()->focusWidget();
  const bool had_focus = focused != nullptr && isAncestorOf(focused);
  setFocusProxy(empty ? first_choice_ : list_);
  if ((pages_->currentWidget() == invitation_) == empty) return;
  if (empty)
    pages_->setCurrentWidget(invitation_);
  else
    pages_->setCurrentIndex(0);
  if (had_focus) setFocus();
}

void ResultsPage::connect_marks() {
  connect(list_, &ResultList::star_wanted, marks_, &ResultMarks::toggle_stars);
  build_menu();
  connect(details_, &ResultDetails::tags_wanted, marks_, &ResultMarks::set_tags);
  connect(details_, &ResultDetails::notes_kept, this, [this](int64_t id, const QString& notes) {
    list_->change(id, [&](store::ResultRow& row) { row.notes = theme::utf8(notes); });
  });
  connect(marks_, &ResultMarks::trouble, this, &ResultsPage::complain);
  connect(marks_, &ResultMarks::changed, this, [this](int64_t id) {
    if (record_ && record_->id == id) show_tags();
  });
}

void ResultsPage::show_tags() {
  const store::ResultRow* row = record_ ? list_->row_of(record_->id) : nullptr;
  details_->show_tags(row != nullptr ? row->tags : std::vector<std::string>(), read_only_text());
}

void ResultsPage::build_menu() {
  auto* marks = new theme::ContextMenu(*list_, [this](QMenu& menu) {
    const std::vector<int64_t> chosen = list_->selection();
    if (chosen.empty()) return QString();
    marks_->add_to(menu, chosen);
    return chosen.size() == 1 ? tr("result #%1").arg(chosen.front()) : tr("%1 results").arg(chosen.size());
  });
  const auto add_rest = [this](QMenu& menu) {
    QAction* compare = menu.addAction(theme::icon("compare"), tr("Compare (C)"), this, &ResultsPage::compare_chosen);
    compare->setEnabled(list_->selection().size() >= 2);
    menu.addSeparator();
    QAction* remove = menu.addAction(theme::icon("delete"), tr("Delete"), this, &ResultsPage::remove_chosen);
    remove->setEnabled(!store_.read_only().has_value());
  };
  connect(list_, &ResultList::menu_wanted, this, [this, marks, add_rest](const QPoint& at) {
    if (!list_->selection().empty()) marks->popup(at, add_rest);
  });
}

void ResultsPage::reload() {
  put_off_ = true;
  if (isVisible()) list_now();
}

void ResultsPage::choose(int64_t id) {
  if (pages_->currentWidget() == comparison_) pages_->setCurrentIndex(0);
  if (put_off_ || store_.changes_by_others() != seen_changes_) list_now();
  if (list_->select(id)) return;
  list_->select_nothing();
  load_now();
  say_deleted(id);
}

void ResultsPage::say_deleted(int64_t id) {
  const auto record = store_.summary(id);
  if (!record || store_.presence(id) == store::Presence::gone)
    return message_->say(Status::info, tr("This result was deleted with its files."));
  const QString text = tr("The result of \"%1\" from %2 was deleted.")
                           .arg(qt(record->plan.name), qt(record::local_time(record->started_utc_ns)));
  if (store_.read_only()) return message_->say(Status::info, text);
  message_->offer(Status::info, text, tr("Undo"), [this, id] {
    removals_->forget(id);
    bring_back({id});
  });
}

void ResultsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  const bool follow = list_->is_at_newest();
  const int64_t before = list_->newest();
  if (put_off_ || store_.changes_by_others() != seen_changes_) list_now();
  if (std::exchange(run_ended_, false) && list_->newest() > before)
    show_newest();
  else if (follow)
    list_->select_newest();
}

QByteArray ResultsPage::save_layout() const {
  return splitter_->state();
}

void ResultsPage::restore_layout(const QByteArray& layout) {
  splitter_->restore(layout);
}

void ResultsPage::run_ended() {
  const QWidget* focus = QApplication::focusWidget();
  const bool types = focus != nullptr && isAncestorOf(focus) && focus->testAttribute(Qt::WA_InputMethodEnabled);
  const bool follow = list_->is_at_newest() && !types;
  run_ended_ = !isVisible();
  reload();
  if (!run_ended_ && follow) list_->select_newest();
}

// A comparison from before that run is one click away.
void ResultsPage::show_newest() {
  const bool in_sight = list_->select_newest();
  if (pages_->currentWidget() != comparison_) return;
  show_list();
  message_->say(Status::info,
                in_sight ? tr("A run has ended since: the list shows its result.")
                         : tr("A run has ended since; the filter of the list hides its result."),
                {{.text = tr("Back to the comparison"), .help = tr("Shows the comparison again."), .chosen = [this] {
                    pages_->setCurrentWidget(comparison_);
                    comparison_->setFocus();
                  }}});
}

void ResultsPage::list_now() {
  seen_changes_ = store_.changes_by_others();
  auto listing = store_.list();
  if (!listing) return complain(qt(listing.error().text));
  put_off_ = false;
  lower_->setVisible(!listing->rows.empty());
  list_->set_listing(std::move(*listing));
  show_list_or_invitation();
  show_tags();
}

// The actions are there at once, so that nothing moves when the result is.
void ResultsPage::load_soon() {
  actions_->setVisible(list_->current().has_value());
  load_soon_.start(kLoadDelay);
}

void ResultsPage::load_now() {
  load_soon_.stop();
  const auto wanted = list_->current();
  if (wanted && record_ && record_->id == *wanted) return;
  std::unique_ptr<record::RunRecord> record;
  if (wanted) {
    if (auto loaded = store_.load(*wanted))
      record = std::make_unique<record::RunRecord>(std::move(*loaded));
    else
      complain(qt(loaded.error().text));
  }
  details_->show_record(record.get());
  actions_->show_record(record.get(), read_only_text());
  record_ = std::move(record);
  show_tags();
}

QString ResultsPage::read_only_text() const {
  return store_.read_only() ? qt(*store_.read_only()) : QString();
}

void ResultsPage::remove_chosen() {
  std::vector<int64_t> removed;
  for (const int64_t id : list_->selection()) {
    if (const auto done = store_.remove(id); !done) {
      complain(tr("Not deleted: %1").arg(qt(done.error().text)));
      break;
    }
    removed.push_back(id);
  }
  if (removed.empty()) return;
  const store::ResultRow* row = list_->row_of(removed.front());
  const QString what = removed.size() == 1 && row != nullptr
                           ? tr("Result of \"%1\" deleted; its files will be removed in a day.").arg(qt(row->name))
                           : tr("%1 results deleted; their files will be removed in a day.").arg(removed.size());
  list_now();
  removals_->add(std::move(removed), what);
}

void ResultsPage::bring_back(const std::vector<int64_t>& ids) {
  std::vector<int64_t> still_deleted;
  QString trouble;
  for (const int64_t id : ids) {
    const auto done = store_.restore(id);
    if (done) continue;
    trouble = tr("Not restored: %1").arg(qt(done.error().text));
    if (store_.presence(id) == store::Presence::deleted) still_deleted.push_back(id);
  }
  list_now();
  if (!still_deleted.empty()) {
    removals_->keep(std::move(still_deleted), trouble);
  } else if (!trouble.isEmpty()) {
    complain(trouble);
  }
  list_->select(ids.front());
  setFocus();
}

// On this page the keys of undo are for results, not for the plan, which is not in sight.
bool ResultsPage::event(QEvent* event) {
  return theme::claims(*event, theme::is_undo) || QWidget::event(event);
}

void ResultsPage::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo(*event)) return removals_->undo();
  QWidget::keyPressEvent(event);
}

void ResultsPage::complain(const QString& text) {
  message_->say(Status::bad, text);
}

}  // namespace n2nq::ui

#include "moc_results_page.cpp"
