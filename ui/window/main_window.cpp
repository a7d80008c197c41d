#include "ui/window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "app/campaign/campaign_file.h"
#include "app/hosts/plan_hosts.h"
#include "app/launch/host_link.h"
#include "app/run/cut_off_search.h"
#include "app/text/quantity.h"
#include "ui/campaigns/campaign_files.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/hosts/hosts_page.h"
#include "ui/hosts/link_questions.h"
#include "ui/logs/log_window.h"
#include "ui/results/results_page.h"
#include "ui/run/run_page.h"
#include "ui/theme/lower_edge.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/theme.h"
#include "ui/window/archive_taker.h"
#include "ui/window/far_logs.h"
#include "ui/window/help_page.h"
#include "ui/window/host_mapping.h"
#include "ui/window/long_work_watch.h"
#include "ui/window/plan_control.h"
#include "ui/window/shell_command.h"

namespace n2nq::ui {
namespace {

constexpr int kRunPage = 0;
constexpr int kResultsPage = 1;
constexpr int kHostsPage = 2;
constexpr int kCampaignsPage = 3;
constexpr QSize kUsualSize(1280, 800);
constexpr const char* kGeometryKey = "window/geometry";
constexpr const char* kPageKey = "window/page";
constexpr const char* kAppearanceKey = "window/appearance";
constexpr const char* kOfferedKey = "window/quick-run-offered";
constexpr const char* kQuickPlan = ":/plans/quick.json";

theme::Appearance parse_appearance(const QString& word) {
  return word == "light"  ? theme::Appearance::light
         : word == "dark" ? theme::Appearance::dark
                          : theme::Appearance::system;
}

// Empty: there is none in it.
QString dropped_file(const QDropEvent& event) {
  for (const QUrl& url : event.mimeData()->urls())
    if (url.isLocalFile()) return url.toLocalFile();
  return {};
}

// What is neither is opened as a plan, which says what is wrong with it.
bool is_campaign_file(const QString& path) {
  return campaign::read_campaign_file(path.toStdString()).has_value();
}

}  // namespace

MainWindow::MainWindow(const WindowOptions& options)
    : state_(options),
      page_buttons_(new QButtonGroup(this)),
      pages_(new QStackedWidget(this)),
      notices_(new NoticeStack(this)),
      search_(new run::CutOffSearch(state_.folder().store(), state_.folder().runs(), state_.folder().begun(), this)) {
  theme::apply(*qApp, parse_appearance(state_.settings().value(kAppearanceKey).toString()));
  setWindowIcon(theme::application_icon());
  setAcceptDrops(true);
  qApp->installEventFilter(this);
  build_pages();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(build_top());
  layout->addWidget(pages_, 1);
  lay_notices();
  add_actions();
  connect_run();
  watch(state_.sequence(), this);
  if (state_.desk() != nullptr) watch(*state_.desk(), this);
  restore();
  show_title();
  for (const QString& trouble : state_.troubles()) say(trouble);
  if (!options.open_file.empty()) open_file(QString::fromStdString(options.open_file));
  look_for_unknown_hosts();
  if (state_.first_start() && options.open_file.empty()) offer_quick_run();
  start_search();
}

// What is being typed still finds the plan, and what is in progress on hosts goes before the links to them.
MainWindow::~MainWindow() {
  if (QWidget* field = focusWidget()) field->clearFocus();
  for (theme::MessageBar* bar : notices_->findChildren<theme::MessageBar*>()) bar->close_bar();
  delete far_logs_;
  delete hosts_page_;
  delete campaigns_page_;
}

// The messages of pages stand above those of the window.
void MainWindow::lay_notices() {
  new theme::LowerEdge(*notices_, *pages_);
  connect(pages_, &QStackedWidget::currentChanged, notices_, &NoticeStack::set_page);
  for (auto* message : findChildren<theme::MessageBar*>()) message->keep_above(notices_);
}

void MainWindow::build_pages() {
  run_page_ = new RunPage(state_.editor(), state_.sequence(), state_.settings(), this);
  help_ = new HelpPage(this);
  pages_->addWidget(run_page_);
  if (state_.store() != nullptr) add_results_page();
  add_hosts_page();
  if (state_.desk() != nullptr) add_campaigns_page();
  pages_->addWidget(help_);
  connect(run_page_, &RunPage::open_log, this, &MainWindow::open_log);
  connect(run_page_, &RunPage::no_log, this, &MainWindow::say);
  connect(help_, &HelpPage::closed, this, [this] { show_page(page_buttons_->checkedId()); });
}

void MainWindow::add_results_page() {
  results_page_ = new ResultsPage(*state_.store(), this);
  pages_->addWidget(results_page_);
  connect(results_page_, &ResultsPage::open_log, this, &MainWindow::open_log);
  connect(results_page_, &ResultsPage::load_plan, this, [this](const plan::RunPlan& plan) {
    state_.editor().reset({.base = plan, .runs = {}});
    show_page(kRunPage);
  });
  connect(results_page_, &ResultsPage::run_again, this, &MainWindow::run_again);
  connect_archives();
  connect(run_page_, &RunPage::show_result, this, &MainWindow::show_result);
  connect(&state_.sequence(), &run::RunSequence::kept, results_page_, &ResultsPage::reload);
  connect(search_, &run::CutOffSearch::found, results_page_, &ResultsPage::reload);
}

void MainWindow::add_hosts_page() {
  hosts_page_ = new HostsPage(state_.hosts(), state_.links(), this);
  pages_->addWidget(hosts_page_);
  hosts_page_->set_trial([this] {
    const plan::QueuePlan& queue = state_.editor().plan().queue;
    return run::HostTrial{.options = state_.session_options(), .queue = queue.host, .listen = queue.listen};
  });
  new LinkQuestions(state_.links(), this);
  connect_far_logs();
  run_page_->set_hosts(state_.hosts().list());
  connect(hosts_page_, &HostsPage::list_changed, this, [this] { run_page_->set_hosts(state_.hosts().list()); });
  connect(run_page_, &RunPage::show_host, this, [this](const QString& name) {
    show_page(kHostsPage);
    hosts_page_->choose(name.toStdString());
  });
  connect(&state_.sequence(), &run::RunSequence::changed, this, &MainWindow::show_locks);
}

void MainWindow::show_result(qint64 id) {
  show_page(kResultsPage);
  results_page_->choose(id);
}

void MainWindow::connect_far_logs() {
  far_logs_ = new FarLogs(state_.links(), this);
  connect(run_page_, &RunPage::open_far_log, far_logs_, &FarLogs::open);
  connect(far_logs_, &FarLogs::trouble, this, &MainWindow::say);
  connect(far_logs_, &FarLogs::far_behind, this, &MainWindow::offer_whole_log);
  connect(&state_.sequence(), &run::RunSequence::kept, far_logs_, &FarLogs::collect);
}

// For a plan that was opened; what is typed is told beneath its field.
void MainWindow::look_for_unknown_hosts() {
  const auto unknown = hosts::unknown_hosts(state_.editor().file(), state_.hosts().list());
  if (mapping_ != nullptr && mapping_->unknown() == unknown) return;
  if (mapping_ != nullptr) mapping_->close_bar();
  if (unknown.empty() || unknown == put_off_ || state_.editor().modified()) return;
  mapping_ = new HostMapping(unknown, state_.hosts().list(), this);
  notices_->add(mapping_);
  connect(mapping_, &HostMapping::chosen, this, [this](const std::map<std::string, std::string>& places) {
    state_.editor().edit("hosts of the plan", [&places](plan::PlanFile& file) { hosts::replace_hosts(file, places); });
  });
  connect(mapping_, &HostMapping::put_off, this, [this, unknown] { put_off_ = unknown; });
  connect(mapping_, &HostMapping::add_wanted, this, [this](const std::string& name) {
    show_page(kHostsPage);
    hosts_page_->add_host(name);
  });
}

void MainWindow::offer_whole_log(const run::FarLog& log, const QString& title, qint64 bytes) {
  notice(theme::Status::info,
         tr("%1 of the log of %2 have yet to be fetched, which is too much to follow live.")
             .arg(theme::qt(text::bytes(static_cast<double>(bytes))), title),
         {{.text = tr("Fetch entire log"),
           .help = tr("Fetches the log as it is now, compressed in transit, and opens it."),
           .chosen = [this, log, title] { fetch_log(log, title); }},
          {.text = tr("Close"), .help = tr("Closes this notice.")}});
}

void MainWindow::fetch_log(const run::FarLog& log, const QString& title) {
  auto* bar = new theme::MessageBar(tr("Fetching"), this);
  const auto job = std::make_shared<launch::Job>();
  const auto show_progress = [bar, title](const launch::FetchProgress& progress) {
    const auto bytes = [](int64_t count) { return theme::qt(text::bytes(static_cast<double>(count))); };
    bar->show_progress(
        tr("Fetching the log of %1: %2 of %3").arg(title, bytes(progress.bytes), bytes(progress.of_bytes)),
        static_cast<double>(progress.bytes) / static_cast<double>(std::max<int64_t>(1, progress.of_bytes)));
  };
  bar->say(theme::Status::info, {},
           {{.text = tr("Cancel"),
             .help = tr("Leaves the log where it is; it is fetched automatically after the run."),
             .name = tr("Cancel fetching")}});
  bar->show_progress(tr("Fetching the log of %1").arg(title), 0);
  notices_->add(bar);
  connect(bar, &theme::MessageBar::closed, bar, [bar, job] {
    job->reset();  // cancels what is under way
    bar->deleteLater();
  });
  connect(&state_.sequence(), &run::RunSequence::finished, bar, &theme::MessageBar::close_bar);
  *job = far_logs_->fetch(log, title, show_progress, [bar] { bar->close_bar(); });
}

QWidget* MainWindow::build_top() {
  auto* top = new QWidget(this);
  auto* row = new QHBoxLayout(top);
  row->setContentsMargins(theme::kGrid, theme::kGrid / 2, theme::kGrid, theme::kGrid / 2);
  row->setSpacing(theme::kGrid / 2);
  add_page_button(*row, kRunPage, run_page_, "start", tr("Run"), tr("The plan and its run (Ctrl+1)."));
  if (results_page_ != nullptr)
    add_page_button(*row, kResultsPage, results_page_, "results", tr("Results"), tr("All saved results (Ctrl+2)."));
  add_page_button(*row, kHostsPage, hosts_page_, "computer", tr("Hosts"),
                  tr("The computers on which queue, senders and receivers can run (Ctrl+3)."));
  if (campaigns_page_ != nullptr)
    add_page_button(*row, kCampaignsPage, campaigns_page_, "table", tr("Campaigns"),
                    tr("Series of runs with varying settings: the cases of the thesis, and your own (Ctrl+4)."));
  row->addStretch(1);
  plan_ = new PlanControl(state_.editor(), state_.settings(), this);
  row->addWidget(plan_);
  auto* settings = new QToolButton(top);
  settings->setIcon(theme::icon("settings"));
  settings->setAccessibleName(tr("Settings"));
  settings->setToolTip(tr("Appearance, import of results, and help."));
  settings->setPopupMode(QToolButton::InstantPopup);
  settings->setAutoRaise(true);
  settings->setFocusPolicy(Qt::TabFocus);
  settings->setMenu(build_settings_menu());
  row->addWidget(settings);
  connect(plan_, &PlanControl::trouble, this, &MainWindow::say);
  connect(plan_, &PlanControl::copy_command, this, &MainWindow::copy_command);
  return top;
}

void MainWindow::add_page_button(QHBoxLayout& row, int page, QWidget* widget, const char* icon, const QString& text,
                                 const QString& help) {
  page_widgets_[page] = widget;
  auto* button = new QToolButton(this);
  button->setText(text);
  button->setIcon(theme::icon(icon));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setCheckable(true);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(tr("Page %1").arg(text));
  button->setToolTip(help);
  auto* action = new QAction(this);
  action->setShortcut(QKeySequence(QString("Ctrl+%1").arg(page + 1)));
  connect(action, &QAction::triggered, this, [this, page] { show_page(page); });
  addAction(action);
  page_buttons_->addButton(button, page);
  row.addWidget(button);
  connect(button, &QToolButton::clicked, this, [this, page] { show_page(page); });
}

QMenu* MainWindow::build_settings_menu() {
  auto* menu = new QMenu(this);
  auto* appearance = menu->addMenu(tr("Appearance"));
  auto* group = new QActionGroup(this);
  const QString chosen = state_.settings().value(kAppearanceKey, "system").toString();
  const std::pair<const char*, QString> words[] = {
      {"system", tr("Follow system")}, {"light", tr("Light")}, {"dark", tr("Dark")}};
  for (const auto& [word, text] : words) {
    QAction* action = appearance->addAction(text);
    action->setCheckable(true);
    action->setChecked(chosen == word);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, name = QString(word)] {
      state_.settings().setValue(kAppearanceKey, name);
      theme::apply(*qApp, parse_appearance(name));
    });
  }
  menu->addSeparator();
  QAction* import = menu->addAction(theme::icon("import"), tr("Import results…"));
  import->setEnabled(archives_ != nullptr);
  connect(import, &QAction::triggered, this, [this] { archives_->ask_for_file(); });
  menu->addSeparator();
  QAction* help = menu->addAction(theme::icon("help"), tr("Help"));
  help->setShortcut(QKeySequence::HelpContents);
  addAction(help);
  connect(help, &QAction::triggered, this, [this] { pages_->setCurrentWidget(help_); });
  connect(menu->addAction(tr("About")), &QAction::triggered, this, [this] {
    help_->show_topic(tr("About"));
    pages_->setCurrentWidget(help_);
  });
  return menu;
}

void MainWindow::add_actions() {
  const auto add = [this](const QKeySequence& keys, void (RunPage::*what)()) {
    auto* action = new QAction(this);
    action->setShortcut(keys);
    action->setAutoRepeat(false);  // Shift+F5 held down must not kill what it has just asked to stop
    addAction(action);
    connect(action, &QAction::triggered, run_page_, what);
  };
  add(QKeySequence("F5"), &RunPage::start_all);
  add(QKeySequence("Shift+F5"), &RunPage::stop_all);
  add(QKeySequence("Ctrl+R"), &RunPage::make_request);
  add(QKeySequence("Ctrl+L"), &RunPage::open_selected_log);
}

void MainWindow::connect_run() {
  connect(&state_.editor(), &plan::PlanEditor::changed, this, &MainWindow::show_title);
  connect(pages_, &QStackedWidget::currentChanged, plan_,
          [this] { plan_->take_undo_keys(pages_->currentWidget() == run_page_); });
  connect(&state_.editor(), &plan::PlanEditor::changed, this, &MainWindow::look_for_unknown_hosts);
  connect(hosts_page_, &HostsPage::list_changed, this, &MainWindow::look_for_unknown_hosts);
  connect(&state_.sequence(), &run::RunSequence::finished, this, [this] {
    if (closing_ != nullptr) closing_->close_bar();
    if (closing_soon_) close();
  });
  connect(&state_.sequence(), &run::RunSequence::kept, this, &MainWindow::check_kept);
  connect(&state_.sequence(), &run::RunSequence::session_changed, this, &MainWindow::take_offer_back);
}

// The run itself is well; what is amiss is said beside its verdict, and everything goes on.
void MainWindow::check_kept() {
  const record::RunRecord& record = state_.sequence().records().back();
  if (record.id != 0) return;
  const auto error = std::find_if(record.notes.rbegin(), record.notes.rend(),
                                  [](const record::RunNote& note) { return note.severity == record::Severity::error; });
  if (state_.store() != nullptr && error != record.notes.rend()) say(QString::fromStdString(error->text));
}

void MainWindow::start_search() {
  if (state_.store() == nullptr) return;
  connect(search_, &run::CutOffSearch::trouble, this, &MainWindow::say);
  connect(search_, &run::CutOffSearch::found, this, [this](int runs) {
    notice(theme::Status::info,
           runs == 1 ? tr("A cut-off run was found; what it recorded is saved as a result.")
                     : tr("%1 cut-off runs were found; what they recorded is saved as results.").arg(runs),
           {{.text = tr("Show results"),
             .help = tr("Goes to the results list."),
             .chosen = [this] { show_page(kResultsPage); }},
            {.text = tr("Close"), .help = tr("Closes this notice.")}});
  });
  search_->start();
}

void MainWindow::show_page(int page) {
  auto* button = page_buttons_->button(page);
  if (button == nullptr) return;
  button->setChecked(true);
  pages_->setCurrentWidget(page_widgets_.at(page));
}

void MainWindow::show_title() {
  const QString name = QString::fromStdString(state_.editor().plan().name);
  setWindowTitle(tr("%1%2 - N2NQ Bench").arg(name, state_.editor().modified() ? "*" : ""));
}

theme::MessageBar* MainWindow::notice(theme::Status status, const QString& text,
                                      const std::vector<theme::MessageBar::Choice>& choices) {
  return notices_->add(status, text, choices);
}

void MainWindow::say(const QString& trouble) {
  notice(theme::Status::warning, trouble, {{.text = tr("Close"), .help = tr("Closes this notice.")}});
}

void MainWindow::offer_quick_run() {
  if (state_.settings().value(kOfferedKey, false).toBool()) return;
  offer_ = notice(theme::Status::info, tr("New here? Try a five-second run of both queue modes."),
                  {{.text = tr("Quick run"),
                    .help = tr("Opens the plan \"quick\" and starts it."),
                    .chosen =
                        [this] {
                          plan_->open_bundled(kQuickPlan);
                          show_page(kRunPage);
                          run_page_->start_all();
                        }},
                   {.text = tr("Not now"),
                    .help = tr("Closes this offer; the plan \"quick\" is in the plan menu."),
                    .chosen = [this] { state_.settings().setValue(kOfferedKey, true); }}});
}

// Whoever has started something needs it no longer.
void MainWindow::take_offer_back() {
  if (offer_ != nullptr) offer_->close_bar();
}

void MainWindow::show_run() {
  show_page(kRunPage);
}

void MainWindow::show_results() {
  show_page(kResultsPage);
}

void MainWindow::show_campaigns() {
  show_page(kCampaignsPage);
}

// A plan, or an archive of results.
void MainWindow::open_file(const QString& path) {
  if (ArchiveTaker::takes(path)) return take_archive(path);
  if (campaigns_page_ != nullptr && is_campaign_file(path)) {
    show_page(kCampaignsPage);
    campaigns_page_->files().open_path(path);
    return;
  }
  plan_->open_path(path);
  show_page(kRunPage);
}

void MainWindow::open_log(const QString& path, const QString& title) {
  if (path.isEmpty()) return say(tr("This log is on the attached worker's computer and cannot be shown here."));
  LogWindow::open(path, title, this);
}

void MainWindow::copy_command() {
  const auto command = shell_command(state_.editor());
  if (!command) return say(QString::fromStdString(command.error().text));
  QApplication::clipboard()->setText(QString::fromStdString(*command));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!dropped_file(*event).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString path = dropped_file(*event);
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  open_file(path);
}

// Fields would take a file as text, and write its address into the plan.
bool MainWindow::take_from_field(QObject* watched, QEvent* event) {
  const bool drop = event->type() == QEvent::Drop;
  if (!drop && event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove) return false;
  auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget == this || widget->window() != this) return false;
  auto* dragged = static_cast<QDropEvent*>(event);
  if (dropped_file(*dragged).isEmpty()) return false;
  dragged->acceptProposedAction();
  if (drop) dropEvent(dragged);
  return true;
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (take_from_field(watched, event)) return true;
  // Asked to quit from outside, by a signal say: there is nobody to answer a question.
  if (watched != qApp || event->type() != QEvent::Quit || !busy()) return QWidget::eventFilter(watched, event);
  stop_and_close();
  return true;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (busy()) {
    event->ignore();
    ask_before_closing();
    return;
  }
  remember();
  event->accept();
}

// Where nothing has the focus a key comes here first.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (pages_->currentWidget() != run_page_ || !run_page_->take_key(*event)) QWidget::keyPressEvent(event);
}

void MainWindow::restore() {
  if (!restoreGeometry(state_.settings().value(kGeometryKey).toByteArray())) {
    const QSize room = screen()->availableSize();
    resize(kUsualSize.boundedTo(room));
  }
  show_page(state_.settings().value(kPageKey, kRunPage).toInt());
}

void MainWindow::remember() const {
  auto& settings = const_cast<BenchState&>(state_).settings();
  settings.setValue(kGeometryKey, saveGeometry());
  settings.setValue(kPageKey, page_buttons_->checkedId());
  run_page_->save_layout();
  hosts_page_->hand_over();
  if (campaigns_page_ != nullptr) campaigns_page_->save_layout();
}

}  // namespace n2nq::ui

#include "moc_main_window.cpp"
