#include "ui/window/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QScreen>
#include <algorithm>

#include "app/run/cut_off_search.h"
#include "ui/buses/buses_page.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/hosts/hosts_page.h"
#include "ui/hosts/link_questions.h"
#include "ui/results/results_page.h"
#include "ui/run/run_page.h"
#include "ui/run/service_logs.h"
#include "ui/theme/layouts.h"
#include "ui/theme/lower_edge.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"
#include "ui/window/archive_taker.h"
#include "ui/window/closing.h"
#include "ui/window/command_palette.h"
#include "ui/window/file_intake.h"
#include "ui/window/first_steps.h"
#include "ui/window/folded.h"
#include "ui/window/help_page.h"
#include "ui/window/host_questions.h"
#include "ui/window/log_opener.h"
#include "ui/window/long_work_watch.h"
#include "ui/window/look_choice.h"
#include "ui/window/notice_stack.h"
#include "ui/window/page_bar.h"
#include "ui/window/page_locks.h"
#include "ui/window/plan_control.h"
#include "ui/window/rail_button.h"
#include "ui/window/saved_pages.h"
#include "ui/window/settings_button.h"

namespace n2nq::ui {
namespace {

constexpr QSize kUsualSize(1280, 800);
constexpr QSize kFrame(16, 40);  // around it, at most; it is known only when the window is shown
constexpr const char* kGeometryKey = "window/geometry";
constexpr const char* kPageKey = "window/page";

}  // namespace

MainWindow::MainWindow(const WindowOptions& options)
    : state_(options),
      pages_(new PageBar(this)),
      notices_(new NoticeStack(this)),
      search_(new run::CutOffSearch(state_.folder().store(), state_.folder().runs(), state_.folder().begun(), this)),
      logs_(new LogOpener(state_.links(), state_.sequence(), *notices_, state_.settings(), this)) {
  look_ = new LookChoice(state_.settings(), this);
  setWindowIcon(theme::application_icon());
  build_pages();
  build_rail();
  build_plan();
  auto* layout = theme::row_in(this, 0);
  layout->addWidget(pages_);
  layout->addWidget(&pages_->pages(), 1);
  lay_notices();
  add_actions();
  files_ = new FileIntake({.pages = *pages_,
                           .notices = *notices_,
                           .plan = *plan_,
                           .archives = saved_ != nullptr ? &saved_->archives() : nullptr,
                           .campaigns = campaigns()},
                          this);
  closing_ = new Closing(state_, *notices_, this);
  new PageLocks(state_, {.run = *run_page_, .hosts = *hosts_page_, .buses = *buses_page_, .campaigns = campaigns()},
                *search_, this);
  watch(state_.sequence(), this);
  if (state_.desk() != nullptr) watch(*state_.desk(), this);
  restore();
  show_title();
  for (const QString& trouble : state_.troubles()) notices_->say(trouble);
  if (state_.damaged_store()) offer_new_store(*state_.damaged_store());
  if (!options.notice.empty())
    notices_->add(theme::Status::info, QString::fromStdString(options.notice),
                  {{.text = tr("Close"), .help = tr("Closes this notice.")}});
  if (!options.open_file.empty()) files_->take(QString::fromStdString(options.open_file));
  ask_for_hosts();
  if (options.open_file.empty() && FirstSteps::is_wanted(state_)) show_first_steps();
  if (state_.store() != nullptr) search_->start();
}

// What is being typed still finds the plan, notes the store, and what is in progress on hosts goes before the links to
// them.
MainWindow::~MainWindow() {
  if (QWidget* field = focusWidget()) field->clearFocus();
  for (theme::MessageBar* bar : notices_->findChildren<theme::MessageBar*>()) bar->close_bar();
  delete logs_;
  delete buses_page_;
  delete hosts_page_;
  delete saved_;
}

CampaignsPage* MainWindow::campaigns() {
  return saved_ != nullptr ? &saved_->campaigns() : nullptr;
}

void MainWindow::build_pages() {
  run_page_ = new RunPage(state_.editor(), state_.sequence(), state_.permissions(), state_.settings(), this);
  help_ = new HelpPage(this);
  hosts_page_ = new HostsPage(state_.hosts(), state_.links(), this);
  buses_page_ = new BusesPage(state_.links(), state_.session_options(), this);
  connect_run();
  connect_hosts();
  connect_buses();
  if (state_.store() != nullptr)
    saved_ = new SavedPages(state_, {.pages = *pages_, .notices = *notices_, .run = *run_page_, .logs = *logs_},
                            *search_, this);
  connect(help_, &HelpPage::closed, pages_, &PageBar::back);
}

void MainWindow::build_rail() {
  add_pages();
  auto* find =
      new RailButton("search", tr("Find"), tr("Finds any action, page, result or campaign by name (Ctrl+K)."), this);
  find->setAccessibleName(tr("Find a command"));
  pages_->add_below(find);
  connect(find, &QToolButton::clicked, this, &MainWindow::open_palette);
  auto* settings = new SettingsButton(*look_, saved_ != nullptr, this);
  pages_->add_below(settings);
  if (saved_ != nullptr)
    connect(settings, &SettingsButton::import_wanted, &saved_->archives(), &ArchiveTaker::ask_for_file);
  connect(settings, &SettingsButton::help_wanted, this, &MainWindow::show_help);
}

// The plan stands at the head of the Run page.
void MainWindow::build_plan() {
  plan_ = new PlanControl(state_.editor(), state_.permissions(), state_.settings(), this);
  run_page_->put_plan_control(plan_);
  connect(plan_, &PlanControl::trouble, notices_, &NoticeStack::say);
  connect(plan_, &PlanControl::replaced, this, &MainWindow::offer_plan_back);
  connect(&pages_->pages(), &QStackedWidget::currentChanged, plan_,
          [this] { plan_->take_undo_keys(pages_->shows(Page::run)); });
}

// Until the next edit, which undo would take back instead.
void MainWindow::offer_plan_back(const QString& name) {
  plan::PlanEditor& editor = state_.editor();
  auto* bar = notices_->toast(theme::Status::info, tr("The plan \"%1\" was not saved. Undo brings it back.").arg(name),
                              {{.text = tr("Undo"),
                                .help = tr("Brings back the plan as it was (Ctrl+Z)."),
                                .chosen = [&editor] { editor.undo(); }},
                               {.text = tr("Close"), .help = tr("Closes this notice.")}});
  connect(&editor, &plan::PlanEditor::changed, bar, &theme::MessageBar::close_bar);
}

void MainWindow::add_pages() {
  pages_->add(Page::run, run_page_, "start", tr("Run"), tr("The plan and its run (Ctrl+1)."));
  if (saved_ != nullptr)
    pages_->add(Page::results, &saved_->results(), "results", tr("Results"), tr("All saved results (Ctrl+2)."));
  pages_->add(Page::hosts, hosts_page_, "computer", tr("Hosts"),
              tr("The computers on which queue, senders and receivers can run (Ctrl+3)."));
  pages_->add(Page::buses, buses_page_, "queue", tr("Buses"),
              tr("What messages can travel over: which servers are installed here and on hosts, and a test (Ctrl+4)."));
  if (saved_ != nullptr)
    pages_->add(Page::campaigns, campaigns(), "table", tr("Campaigns"),
                tr("Series of runs with varying settings: the cases of the thesis, and your own (Ctrl+5)."));
  pages_->pages().addWidget(help_);
}

// The messages of pages stand above those of the window.
void MainWindow::lay_notices() {
  new theme::LowerEdge(*notices_, pages_->pages(), [notices = notices_] { return notices->wanted_width(); });
  connect(&pages_->pages(), &QStackedWidget::currentChanged, notices_, &NoticeStack::set_page);
  for (auto* message : findChildren<theme::MessageBar*>()) message->keep_above(notices_);
}

void MainWindow::add_actions() {
  const auto add = [this](const QKeySequence& keys, auto* of, auto what) {
    auto* action = new QAction(this);
    action->setShortcut(keys);
    action->setAutoRepeat(false);  // Shift+F5 held down must not kill what it has just asked to stop
    addAction(action);
    connect(action, &QAction::triggered, of, what);
  };
  add(QKeySequence("F5"), this, &MainWindow::start);
  add(QKeySequence("Shift+F5"), run_page_, &RunPage::stop_all);
  add(QKeySequence("F7"), run_page_, [this] {
    if (pages_->shows(Page::run)) run_page_->change_view();
  });
  add(QKeySequence("Ctrl+R"), run_page_, &RunPage::make_request);
  add(QKeySequence("Ctrl+L"), run_page_, &RunPage::open_selected_log);
  auto* palette = new QAction(this);
  palette->setShortcut(QKeySequence("Ctrl+K"));
  addAction(palette);
  connect(palette, &QAction::triggered, this, &MainWindow::open_palette);
  auto* quit = new QAction(theme::icon("close"), tr("Quit"), this);
  quit->setShortcut(QKeySequence("Ctrl+Q"));
  quit->setShortcutContext(Qt::ApplicationShortcut);  // from the window of a log too
  quit->setToolTip(tr("Closes the bench; asks first while a run or a campaign is in progress."));
  addAction(quit);
  connect(quit, &QAction::triggered, this, &QWidget::close);
  auto* slowest = new QAction(theme::icon("clock"), tr("Find the slowest message"), this);
  slowest->setShortcut(QKeySequence("Ctrl+M"));
  slowest->setToolTip(tr("Opens the log of the receiver that has the slowest message of the run or result, at it."));
  addAction(slowest);
  connect(slowest, &QAction::triggered, this, &MainWindow::find_slowest);
}

// The campaign that is looked at; from any other page the plan, which comes in sight.
void MainWindow::start() {
  if (saved_ != nullptr && pages_->shows(Page::campaigns)) return campaigns()->start_selected();
  pages_->go_to(Page::run);
  run_page_->start_all();
}

void MainWindow::show_help(const QString& topic) {
  if (!topic.isEmpty()) help_->show_topic(topic);
  pages_->show_beside(help_);
}

// Results, campaigns, topics of the help.
std::vector<Command> MainWindow::found_by_name() {
  auto commands = saved_ != nullptr ? saved_->commands() : std::vector<Command>();
  for (const HelpPage::Topic& topic : help_->topics())
    commands.push_back({.id = QStringLiteral("help ") + topic.title,
                        .text = topic.title,
                        .where = tr("Help"),
                        .help = topic.words,
                        .icon = theme::icon("help"),
                        .run = [this, title = topic.title] { show_help(title); }});
  return commands;
}

void MainWindow::open_palette() {
  CommandPalette::open(*this, *pages_, state_.settings(), [this] { return found_by_name(); });
}

// Of what is looked at: a result, or else the run.
void MainWindow::find_slowest() {
  if (saved_ != nullptr && pages_->shows(Page::results)) return saved_->results().find_slowest();
  run_page_->logs().find_slowest();
}

void MainWindow::connect_run() {
  connect(&run_page_->logs(), &ServiceLogs::open_log, logs_, &LogOpener::open);
  connect(&run_page_->logs(), &ServiceLogs::open_far_log, logs_, &LogOpener::open_far);
  connect(&run_page_->logs(), &ServiceLogs::open_slowest, logs_, &LogOpener::open_slowest);
  connect(&run_page_->logs(), &ServiceLogs::slowest_wanted, logs_, &LogOpener::find_slowest_far);
  connect(&run_page_->logs(), &ServiceLogs::no_log, notices_, &NoticeStack::say);
  connect(&state_.editor(), &plan::PlanEditor::changed, this, &MainWindow::show_title);
  connect(&state_.sequence(), &run::RunSequence::kept, this, &MainWindow::tell_if_not_saved);
}

void MainWindow::connect_hosts() {
  hosts_page_->set_trial([this] {
    const plan::QueuePlan& queue = state_.editor().plan().queue;
    return run::HostTrial{.options = state_.session_options(), .queue = queue.host, .listen = queue.listen};
  });
  new LinkQuestions(state_.links(), this);
  run_page_->set_hosts(state_.hosts().list());
  connect(hosts_page_, &HostsPage::list_changed, this, [this] {
    run_page_->set_hosts(state_.hosts().list());
    if (saved_ != nullptr) campaigns()->set_hosts(state_.hosts().list());
    buses_page_->take_hosts();
  });
  connect(run_page_, &RunPage::show_host, this, [this](const QString& name) {
    pages_->go_to(Page::hosts);
    hosts_page_->choose(name.toStdString());
  });
}

void MainWindow::connect_buses() {
  connect(buses_page_, &BusesPage::use_wanted, this, [this](const std::string& kind) {
    run_page_->choose_bus(kind);
    show_bus();
  });
}

void MainWindow::show_title() {
  const QString name = QString::fromStdString(state_.editor().plan().name);
  setWindowTitle(tr("%1%2 - N2NQ Bench").arg(name, state_.editor().modified() ? "*" : ""));
}

// The run itself is well; what is amiss is said beside its verdict, and everything goes on.
void MainWindow::tell_if_not_saved() {
  const record::RunRecord& record = state_.sequence().records().back();
  if (record.id != 0) return;
  const auto error = std::find_if(record.notes.rbegin(), record.notes.rend(),
                                  [](const record::RunNote& note) { return note.severity == record::Severity::error; });
  if (state_.store() != nullptr && error != record.notes.rend()) notices_->say(QString::fromStdString(error->text));
}

void MainWindow::ask_for_hosts() {
  auto* questions = new HostQuestions(state_.editor(), state_.hosts(), *run_page_, this);
  connect(hosts_page_, &HostsPage::list_changed, questions, &HostQuestions::look);
  connect(questions, &HostQuestions::add_wanted, this, [this](const std::string& name) {
    pages_->go_to(Page::hosts);
    hosts_page_->add_host(name);
  });
}

void MainWindow::show_first_steps() {
  auto* steps = new FirstSteps(state_, *run_page_);
  connect(steps, &FirstSteps::quick_run_wanted, this, [this](const QString& plan) {
    plan_->open_bundled(plan);
    pages_->go_to(Page::run);
    run_page_->start_all();
  });
  connect(steps, &FirstSteps::compare_wanted, this, [this](const std::vector<std::string>& servers) {
    pages_->go_to(Page::campaigns);
    campaigns()->compare(campaign::buses_with(servers));
  });
  connect(steps, &FirstSteps::server_wanted, this, [this] {
    show_bus();
    notices_->toast(theme::Status::info,
                    tr("Choose the bus of your server, and enter its address under Server; F5 starts the run."),
                    {{.text = tr("Close"), .help = tr("Closes this notice.")}});
  });
  if (saved_ != nullptr) connect(&saved_->archives(), &ArchiveTaker::taken, steps, &QWidget::hide);
}

// In the plan.
void MainWindow::show_bus() {
  pages_->go_to(Page::run);
  QWidget& field = run_page_->open_bus();
  bring_in_sight(field, *run_page_);
  field.setFocus();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!closing_->may_close()) return event->ignore();
  remember();
  event->accept();
}

void MainWindow::offer_new_store(const QString& trouble) {
  notices_->add(
      theme::Status::bad, trouble,
      {{.text = tr("Move it aside and start anew"),
        .help = tr("Keeps the damaged file under another name beside it, and opens the window with a new results "
                   "file. The plan stays as it is."),
        .chosen = [this] { start_store_anew(); },
        .primary = true},
       {.text = tr("Close"), .help = tr("Closes this notice. Results are not saved.")}});
}

// All pages are made for the store that there is: a new window has them. Meanwhile somebody may have put another store
// in its place, another window say.
void MainWindow::start_store_anew() {
  if (state_.busy())
    return offer_new_store(
        tr("A run is in progress. Once it has ended, you can move the damaged results file aside; its result is then "
           "imported."));
  const std::string path = state_.folder().store();
  const auto now = store::ResultStore::open(path);
  if (now) {
    successor_notice_ = tr("The results file %1 opens again.").arg(theme::qt(path));
  } else {
    if (now.error().error_number != store::kDamaged) return offer_new_store(theme::qt(now.error().text));
    const auto aside = store::move_aside(path);
    if (!aside) return offer_new_store(theme::qt(aside.error().text));
    successor_notice_ =
        tr("The damaged results file is now %1. New results are saved in a new file.").arg(theme::qt(*aside));
  }
  if (QWidget* field = focusWidget()) field->clearFocus();
  remember();
  QApplication::exit();
}

// Where nothing has the focus a key comes here first.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (!pages_->shows(Page::run) || !run_page_->take_key(*event)) QWidget::keyPressEvent(event);
}

// What has gone has no place among the others: Qt finds its neighbour. Out of its page nobody went; a page that goes
// itself keeps what had the focus for when it comes back.
bool MainWindow::focusNextPrevChild(bool next) {
  const QWidget* focus = focusWidget();
  QWidget* page = pages_->pages().currentWidget();
  if (page->isHidden()) return QWidget::focusNextPrevChild(next);
  QWidget* stop = focus != nullptr ? theme::tab_stop_beside(*this, *focus, next) : nullptr;
  const bool gone = focus != nullptr && page->isAncestorOf(focus) && !(focus->isVisible() && focus->isEnabled());
  if (gone && focus->focusPolicy() != Qt::NoFocus && (stop == nullptr || !page->isAncestorOf(stop))) {
    page->setFocus(Qt::OtherFocusReason);
    return true;
  }
  if (stop == nullptr) return QWidget::focusNextPrevChild(next);
  stop->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

void MainWindow::restore() {
  if (!restoreGeometry(state_.settings().value(kGeometryKey).toByteArray())) {
    const QSize room = screen()->availableSize() - kFrame;
    resize(kUsualSize.boundedTo(room));
  }
  pages_->go_to(Page::run);  // the other one may not be there without a store
  pages_->go_to(static_cast<Page>(state_.settings().value(kPageKey, static_cast<int>(Page::run)).toInt()));
}

void MainWindow::remember() {
  QSettings& settings = state_.settings();
  settings.setValue(kGeometryKey, saveGeometry());
  settings.setValue(kPageKey, static_cast<int>(pages_->selected()));
  run_page_->save_layout();
  hosts_page_->hand_over();
  if (saved_ != nullptr) saved_->save_layout();
}

}  // namespace n2nq::ui

#include "moc_main_window.cpp"
