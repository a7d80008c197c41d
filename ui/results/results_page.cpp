#include "ui/results/results_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/figures/moment.h"
#include "app/record/run_command.h"
#include "ui/files/file_job.h"
#include "ui/files/handing_on.h"
#include "ui/results/comparison_view.h"
#include "ui/results/log_places.h"
#include "ui/results/result_actions.h"
#include "ui/results/result_details.h"
#include "ui/results/result_files.h"
#include "ui/results/result_list.h"
#include "ui/results/result_marks.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/invitation.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/removals.h"
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
  auto* lower = new QVBoxLayout(lower_);
  lower->setContentsMargins(0, theme::kSpace1, 0, 0);
  lower->setSpacing(theme::kSpace3);
  lower->addWidget(actions_);
  lower->addWidget(details_, 1);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(kGrid);
  splitter->addWidget(list_);
  splitter->addWidget(lower_);
  splitter->setSizes({kListHeight, kDetailsHeight});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(theme::kSpace4, theme::kSpace3, theme::kSpace4, theme::kSpace3);
  column->setSpacing(theme::kSpace2);
  pages_->addWidget(splitter);
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
  QPushButton* run = invitation_->add_choice(tr("Start a run"), "start");
  run->setAccessibleName(tr("Start a run"));
  run->setToolTip(tr("Opens the Run page."));
  QPushButton* import = invitation_->add_choice(tr("Import…"), "import");
  import->setAccessibleName(tr("Import an archive of results"));
  import->setToolTip(tr("Adds the results of an archive (.n2nq) of this or another bench."));
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

void ResultsPage::connect_actions() {
  connect(actions_, &ResultActions::open_log, this, &ResultsPage::request_log);
  connect(actions_, &ResultActions::open_folder, this, &ResultsPage::open_folder);
  connect(actions_, &ResultActions::load_plan, this, [this] {
    if (record_) Q_EMIT load_plan(record_->plan);
  });
  connect(actions_, &ResultActions::export_figures, this, [this] {
    if (record_) files_->write_figures_of(*record_);
  });
  connect(actions_, &ResultActions::export_master_file, this, [this] {
    if (record_) files_->copy_master_file_of(*record_);
  });
  connect(actions_, &ResultActions::export_record, this, [this] {
    if (record_) files_->write_json_of(*record_, store_.notes(record_->id));
  });
  connect(actions_, &ResultActions::export_distribution, this, [this] {
    if (record_) files_->write_distribution_of(*record_);
  });
  connect(actions_, &ResultActions::export_interval_log, this, [this] {
    if (record_) files_->copy_interval_log_of(*record_);
  });
  connect(actions_, &ResultActions::compare_wanted, this, &ResultsPage::compare_chosen);
  connect(actions_, &ResultActions::copy_command, this, &ResultsPage::copy_command);
  connect(actions_, &ResultActions::delete_wanted, this, &ResultsPage::remove_chosen);
  connect_handing_on();
}

void ResultsPage::connect_comparison() {
  connect(list_, &ResultList::compare_wanted, this, &ResultsPage::compare_chosen);
  connect(list_, &ResultList::selection_changed, this, [this] { actions_->set_selected(list_->selection().size()); });
  connect(comparison_, &ComparisonView::back, this, &ResultsPage::show_list);
  connect(comparison_, &ComparisonView::trouble, this, &ResultsPage::complain);
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
  if (put_off_ || store_.changes_by_others() != seen_changes_) list_now();
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
  if (event->type() == QEvent::ShortcutOverride && theme::is_undo(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

void ResultsPage::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo(*event)) return removals_->undo();
  QWidget::keyPressEvent(event);
}

void ResultsPage::request_log(Role role, uint32_t service) {
  if (!record_) return;
  const QString path = log_path(*record_, role, service);
  if (path.isEmpty()) return complain(no_log_text(*record_, role, service));
  Q_EMIT open_log(path, log_title(*record_, role, service));
}

void ResultsPage::request_slowest(Role role, uint32_t service) {
  if (!record_) return;
  const QString path = log_path(*record_, role, service);
  if (path.isEmpty()) return complain(no_log_text(*record_, role, service));
  Q_EMIT open_slowest(path, log_title(*record_, role, service));
}

void ResultsPage::find_slowest() {
  find_slowest(std::nullopt);
}

void ResultsPage::find_slowest_at(const figures::Figure& figure, double second) {
  if (const auto moment = figures::moment_at(figure, second))
    find_slowest(logs::RunStretch{.from_ns = moment->from_ns, .to_ns = moment->to_ns});
}

void ResultsPage::find_slowest(const std::optional<logs::RunStretch>& stretch) {
  if (!record_) return complain(tr("Select a result to find its slowest message."));
  logs::SlowestWish wish = slowest_wish_of(*record_);
  wish.stretch = stretch;
  Q_EMIT slowest_wanted(wish);
}

void ResultsPage::open_folder() {
  if (!record_) return;
  const QString folder = qt(record_->folder);
  if (!QFileInfo(folder).isDir()) return complain(tr("The folder %1 no longer exists.").arg(folder));
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
    complain(tr("No file manager was found; the files are in %1.").arg(folder));
}

void ResultsPage::copy_command() {
  if (!record_) return;
  QApplication::clipboard()->setText(qt(record::run_command(record_->plan)));
  message_->say(Status::good, tr("Copied; paste into a shell to run \"%1\" again.").arg(qt(record_->plan.name)));
}

void ResultsPage::connect_handing_on() {
  const auto what = [this] {
    return HandedOn{.results = chosen(), .campaign = {}, .name = record_ ? record_->plan.name : std::string()};
  };
  connect(actions_, &ResultActions::run_again, this, [this] {
    if (record_) Q_EMIT run_again(*record_);
  });
  connect(actions_, &ResultActions::report_wanted, this, [this, what] { handing_on_->report(what()); });
  connect(actions_, &ResultActions::export_archive, this,
          [this, what](bool logs) { handing_on_->archive(what(), logs); });
  connect(actions_, &ResultActions::about_to_export, this, [this] {
    uint64_t bytes = 0;
    const auto results = chosen();
    for (const int64_t id : results)
      if (const store::ResultRow* row = list_->row_of(id); row != nullptr) bytes += row->file_bytes;
    actions_->show_choice(results.size(), bytes);
  });
}

// In the order of their numbers, that reports do not depend on how they were picked.
std::vector<int64_t> ResultsPage::chosen() const {
  std::vector<int64_t> results = list_->selection();
  if (results.empty() && record_) results.push_back(record_->id);
  std::ranges::sort(results);
  return results;
}

void ResultsPage::complain(const QString& text) {
  message_->say(Status::bad, text);
}

}  // namespace n2nq::ui

#include "moc_results_page.cpp"
