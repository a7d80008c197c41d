#include "ui/hosts/hosts_page.h"

#include <QDir>
#include <QFile>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/hosts/ssh_config.h"
#include "app/plan/whole_file.h"
#include "ui/hosts/host_editor.h"
#include "ui/hosts/host_model.h"
#include "ui/hosts/test_view.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/undo_keys.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;
using theme::Status;

// In proportion, until somebody moves them.
constexpr int kListHeight = 280;
constexpr int kLowerHeight = 400;
constexpr int kFormWidth = 600;
constexpr int kTestWidth = 560;
constexpr int kWidestForm = 760;
constexpr int kWidestTest = 760;
constexpr size_t kMostNamed = 5;

QString user_config() {
  return QDir::homePath() + "/.ssh/config";
}

QString names(const std::vector<std::string>& all) {
  QStringList shown;
  for (size_t i = 0; i < std::min(all.size(), kMostNamed); i++) shown += qt(all[i]);
  if (all.size() > kMostNamed) shown += HostsPage::tr("%1 more").arg(all.size() - kMostNamed);
  return shown.join(", ");
}

std::vector<hosts::Host> way_of(const hosts::HostList& list, const std::string& name) {
  std::vector<hosts::Host> way;
  if (const hosts::Host* host = hosts::find_host(list, name))
    for (const hosts::Host* each : hosts::way_to(list, *host)) way.push_back(*each);
  return way;
}

QScrollArea* scrolled(QWidget* content, int widest) {
  content->setMaximumWidth(widest);
  auto* holder = new QWidget;
  auto* row = new QHBoxLayout(holder);
  row->setContentsMargins(0, 0, kGrid, 0);
  row->addWidget(content, 1);
  row->addStretch(0);
  auto* area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(holder);
  area->setMinimumWidth(holder->minimumSizeHint().width());
  return area;
}

}  // namespace

HostsPage::HostsPage(hosts::HostBook& book, run::HostLinks& links, QWidget* parent)
    : QWidget(parent),
      book_(book),
      links_(links),
      message_(theme::MessageBar::over(this)),
      model_(new HostModel(
          [this](const std::string& name) {
            const auto test = tests_.find(name);
            return test == tests_.end() ? nullptr : test->second.get();
          },
          this)),
      list_(make_host_table(*model_, this)),
      form_(new HostEditor),
      test_view_(new TestView),
      lower_(build_lower()) {
  auto* actions = new QHBoxLayout;
  actions->setSpacing(kGrid / 2);
  build_actions(*actions);
  auto* upper = new QWidget(this);
  auto* upper_column = new QVBoxLayout(upper);
  upper_column->setContentsMargins(0, 0, 0, 0);
  upper_column->setSpacing(kGrid);
  upper_column->addLayout(actions);
  upper_column->addWidget(list_, 1);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(kGrid);
  splitter->addWidget(upper);
  splitter->addWidget(lower_);
  splitter->setSizes({kListHeight, kLowerHeight});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
  column->setSpacing(kGrid);
  column->addWidget(splitter, 1);
  setFocusProxy(list_);
  list_->on_key({Qt::Key_Delete}, [this] { remove(); });
  list_->on_key({Qt::Key_Return}, [this] { form_->ask_for_name(); });
  connect(list_, &QTableView::doubleClicked, form_, &HostEditor::ask_for_name);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HostsPage::show_current);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HostsPage::show_actions);
  connect(form_, &HostEditor::edited, this, &HostsPage::edit);
  // Lists of choices would take the key for the beginning of a word.
  auto* test_key = new QShortcut(QKeySequence("Ctrl+T"), this);
  test_key->setContext(Qt::WidgetWithChildrenShortcut);
  test_key->setAutoRepeat(false);
  connect(test_key, &QShortcut::activated, this, &HostsPage::test);
  show_list();
  if (book_.trouble()) complain(qt(*book_.trouble()));
}

HostsPage::~HostsPage() = default;

QWidget* HostsPage::build_lower() {
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(2 * kGrid);
  splitter->addWidget(scrolled(form_, kWidestForm));
  splitter->addWidget(scrolled(test_view_, kWidestTest));
  splitter->setSizes({kFormWidth, kTestWidth});
  return splitter;
}

void HostsPage::build_actions(QHBoxLayout& row) {
  connect(add_button(row, "add", tr("Add"), tr("Adds a host to the list.")), &QPushButton::clicked, this,
          &HostsPage::add);
  connect(add_button(row, "copy", tr("Duplicate"), tr("Adds a copy of the selected host.")), &QPushButton::clicked,
          this, &HostsPage::duplicate);
  actions_.back().of_chosen = true;
  connect(add_button(row, "start", tr("Test"),
                     tr("Tests the selected hosts step by step: login, upload, clock and more (Ctrl+T).")),
          &QPushButton::clicked, this, &HostsPage::test);
  actions_.back().of_chosen = true;
  actions_.back().button->setAccessibleName(tr("Test host"));
  row.addStretch(1);
  import_ =
      add_button(row, "import", tr("Import"), tr("Adds hosts from an OpenSSH configuration or an exported list."));
  import_->setAccessibleName(tr("Import hosts"));
  build_import();
  QPushButton* exported =
      add_button(row, "export", tr("Export\u2026"), tr("Writes the list to a file, without key file paths."));
  exported->setAccessibleName(tr("Export hosts"));
  actions_.back().in_a_run = true;
  connect(exported, &QPushButton::clicked, this, &HostsPage::ask_for_export);
  QPushButton* removed =
      add_button(row, "delete", tr("Remove"), tr("Removes the selected hosts from the list (Delete). Can be undone."));
  removed->setAccessibleName(tr("Remove host"));
  actions_.back().of_chosen = true;
  connect(removed, &QPushButton::clicked, this, &HostsPage::remove);
  actions_[0].button->setAccessibleName(tr("Add host"));
  actions_[1].button->setAccessibleName(tr("Duplicate host"));
}

QPushButton* HostsPage::add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& help) {
  auto* button = new QPushButton(theme::icon(icon), text, this);
  button->setAutoDefault(false);
  row.addWidget(button);
  actions_.push_back({.button = button, .help = help});
  return button;
}

void HostsPage::build_import() {
  auto* menu = new QMenu(this);
  menu->addAction(theme::icon("computer"), tr("From ~/.ssh/config"), this, &HostsPage::import_user_config);
  menu->addAction(theme::icon("open"), tr("From a file\u2026"), this, &HostsPage::ask_for_import);
  import_->setMenu(menu);
}

void HostsPage::set_locked(const QString& reason) {
  if (reason == locked_) return;
  locked_ = reason;
  form_->set_locked(locked_);
  show_actions();
}

void HostsPage::show_actions() {
  const bool chosen = !list_->chosen_rows().empty();
  for (const Action& action : actions_) {
    const bool locked = !locked_.isEmpty() && !action.in_a_run;
    action.button->setEnabled(!locked && (chosen || !action.of_chosen));
    action.button->setToolTip(locked                        ? theme::plain_tip(locked_)
                              : action.of_chosen && !chosen ? tr("%1 Select one first.").arg(action.help)
                                                            : action.help);
  }
}

// What goes wrong is said on the page.
bool HostsPage::change(const QString& what, hosts::HostList next) {
  if (message_->asks()) message_->close_bar();  // its Undo would take back this
  const hosts::HostList before = book_.list();
  const auto changed = book_.change(what.toStdString(), std::move(next));
  drop_tests(before);
  take_list();
  if (!changed) complain(tr("Not saved: %1").arg(qt(changed.error().text)));
  return changed.has_value();
}

// A test says nothing any more of a host that is reached in another way now; one that goes on may use any link.
void HostsPage::drop_tests(const hosts::HostList& before) {
  std::erase_if(tests_, [&](const auto& test) {
    return !test.second->over() || way_of(before, test.first).empty() ||
           way_of(before, test.first) != way_of(book_.list(), test.first);
  });
}

void HostsPage::take_list() {
  if (links_.list() != book_.list()) links_.set_list(book_.list());
  show_list();
  Q_EMIT list_changed();
}

void HostsPage::show_list() {
  const auto row = list_->current_row();
  model_->set_list(book_.list());
  list_->fit_columns();
  lower_->setVisible(!book_.list().hosts.empty());
  if (!book_.list().hosts.empty() && !list_->current_row())
    list_->choose_row(std::min(row.value_or(0), book_.list().hosts.size() - 1));
  show_current();
}

void HostsPage::show_current() {
  auto row = list_->current_row();
  if (row && *row >= book_.list().hosts.size()) row.reset();
  form_->show_host(book_.list(), row);
  show_test();
  show_actions();
}

void HostsPage::show_test() {
  const auto row = list_->current_row();
  const bool known = row && *row < book_.list().hosts.size();
  const std::string name = known ? book_.list().hosts[*row].name : std::string();
  const auto test = tests_.find(name);
  test_view_->show_test(qt(name), test == tests_.end() ? nullptr : test->second.get());
  model_->show_tests();
}

void HostsPage::choose(const std::string& name) {
  const auto& all = book_.list().hosts;
  const auto found = std::ranges::find(all, name, &hosts::Host::name);
  if (found != all.end()) list_->choose_row(static_cast<size_t>(found - all.begin()));
}

void HostsPage::edit(const std::string& key, const hosts::Host& host) {
  const auto row = list_->current_row();
  if (!row) return;
  hosts::HostList next = hosts::with_host(book_.list(), *row, host);
  if (const auto trouble = hosts::trouble_of(next)) {
    const bool own = !trouble->host || *trouble->host == *row;
    const std::string other = own ? std::string() : next.hosts[*trouble->host].name + ": ";
    form_->refuse(key, qt(other + trouble->text));
    return;
  }
  change(tr("%1 of %2").arg(qt(key).replace(u'_', u' '), qt(host.name)), std::move(next));
}

void HostsPage::add() {
  add_host(hosts::free_name(book_.list(), "host1"));
}

void HostsPage::add_host(const std::string& name) {
  hosts::HostList next = book_.list();
  next.hosts.push_back({.name = name, .address = name});
  if (!change(tr("add %1").arg(qt(name)), std::move(next))) return;
  list_->choose_row(book_.list().hosts.size() - 1);
  form_->ask_for_name();
}

void HostsPage::duplicate() {
  const auto row = list_->current_row();
  if (!row) return;
  hosts::HostList next = book_.list();
  hosts::Host host = next.hosts[*row];
  const std::string before = host.name;
  host.name = hosts::free_name(next, before);
  next.hosts.insert(next.hosts.begin() + static_cast<ptrdiff_t>(*row) + 1, host);
  if (!change(tr("duplicate %1").arg(qt(before)), std::move(next))) return;
  list_->choose_row(*row + 1);
  form_->ask_for_name();
}

void HostsPage::remove() {
  if (!locked_.isEmpty()) return;
  const auto rows = list_->chosen_rows();
  if (rows.empty()) return;
  hosts::HostList next = book_.list();
  std::vector<std::string> gone;
  for (size_t i = rows.size(); i > 0; i--) {
    gone.insert(gone.begin(), next.hosts[rows[i - 1]].name);
    next.hosts.erase(next.hosts.begin() + static_cast<ptrdiff_t>(rows[i - 1]));
  }
  if (const auto trouble = hosts::trouble_of(next)) {
    const std::string who = trouble->host ? next.hosts[*trouble->host].name : std::string();
    return complain(
        tr("Not removed: it is the jump host of %1; remove that one too, or change its jump host first.").arg(qt(who)));
  }
  if (!change(tr("remove %1").arg(names(gone)), std::move(next))) return;
  list_->setFocus();
  message_->offer(Status::info,
                  gone.size() == 1 ? tr("%1 removed.").arg(qt(gone.front()))
                                   : tr("%1 hosts removed: %2.").arg(gone.size()).arg(names(gone)),
                  tr("Undo"), [this] { take_back(false); });
}

void HostsPage::test() {
  if (!locked_.isEmpty()) return;
  form_->hand_over();
  for (const size_t row : list_->chosen_rows()) {
    const std::string name = book_.list().hosts[row].name;
    std::unique_ptr<run::HostTest>& test = tests_[name];
    test.reset();
    test = std::make_unique<run::HostTest>(links_.to(name), trial_ ? std::optional(trial_()) : std::nullopt);
    connect(test.get(), &run::HostTest::changed, this, &HostsPage::show_test);
    test->start();
  }
  show_test();
}

void HostsPage::import_user_config() {
  if (!QFile::exists(user_config()))
    return complain(tr("%1 does not exist; import another file, or add hosts by hand.").arg(user_config()));
  import_from(user_config());
}

QFileDialog* HostsPage::dialog(const QString& title) {
  delete dialog_;
  dialog_ = theme::file_dialog(this, title);
  return dialog_;
}

void HostsPage::ask_for_import() {
  QFileDialog* open = dialog(tr("Hosts to import"));
  open->setFileMode(QFileDialog::ExistingFile);
  open->setFilter(QDir::Files | QDir::AllDirs | QDir::Hidden);
  connect(open, &QFileDialog::fileSelected, this, &HostsPage::import_from);
  open->open();
}

void HostsPage::import_from(const QString& path) {
  const std::string file = path.toStdString();
  const auto text = plan::read_whole_file(file);
  if (!text) return complain(qt(text.error().text));
  if (QString::fromStdString(*text).trimmed().startsWith('{')) {
    const auto list = hosts::parse_host_list(*text);
    if (!list) return complain(tr("%1: %2").arg(path, qt(list.error().text)));
    return take_in(path, list->hosts, {});
  }
  const auto imported = hosts::import_ssh_config(file, QDir::homePath().toStdString());
  if (!imported) return complain(qt(imported.error().text));
  take_in(path, imported->hosts, imported->notes);
}

void HostsPage::take_in(const QString& path, const std::vector<hosts::Host>& found,
                        const std::vector<std::string>& notes) {
  hosts::HostList next = book_.list();
  const hosts::Merged merged = hosts::merge(next, found);
  if (!merged.added.empty() && !change(tr("import %1").arg(names(merged.added)), std::move(next))) return;
  QStringList lines;
  lines += merged.added.empty() ? tr("Nothing new in %1.").arg(path)
                                : tr("Added from %1: %2.").arg(path, names(merged.added));
  if (!merged.there_already.empty())
    lines += tr("Already in the list, left unchanged: %1.").arg(names(merged.there_already));
  for (const std::string& refused : merged.refused) lines += tr("Not imported: %1.").arg(qt(refused));
  for (const std::string& note : notes) lines += qt(note);
  constexpr qsizetype kMostLines = 6;
  if (lines.size() > kMostLines) lines = QStringList(lines.mid(0, kMostLines)) << tr("\u2026 and more.");
  const bool amiss = !merged.refused.empty() || !notes.empty();
  const Status status = amiss ? Status::warning : Status::info;
  if (merged.added.empty()) return message_->say(status, lines.join('\n'));
  choose(merged.added.front());
  list_->setFocus();
  message_->offer(status, lines.join('\n'), tr("Undo"), [this] { take_back(false); });
}

void HostsPage::ask_for_export() {
  form_->hand_over();
  QFileDialog* save = dialog(tr("Export hosts"));
  save->setAcceptMode(QFileDialog::AcceptSave);
  save->setDefaultSuffix(QStringLiteral("json"));
  save->setNameFilter(QStringLiteral("JSON (*.json)"));
  save->selectFile(QStringLiteral("hosts.json"));
  connect(save, &QFileDialog::fileSelected, this, &HostsPage::export_to);
  save->open();
}

void HostsPage::export_to(const QString& path) {
  const auto written =
      plan::write_whole_file(path.toStdString(), hosts::to_json(book_.list(), hosts::KeyFiles::left_out));
  if (!written) return complain(qt(written.error().text));
  message_->say_written(tr("Hosts exported to %1, without key file paths.").arg(path), path);
}

void HostsPage::take_back(bool redo) {
  if (!locked_.isEmpty()) return complain(locked_);
  const std::string what = redo ? book_.redo_text() : book_.undo_text();
  if (what.empty()) return message_->say(Status::info, redo ? tr("Nothing to redo.") : tr("Nothing to undo."));
  const hosts::HostList before = book_.list();
  const auto done = redo ? book_.redo() : book_.undo();
  drop_tests(before);
  take_list();
  if (!done) return complain(qt(done.error().text));
  message_->say(Status::info, (redo ? tr("Redone: %1.") : tr("Undone: %1.")).arg(qt(what)));
}

void HostsPage::hand_over() {
  form_->hand_over();
}

// On this page the keys of undo are for the list of hosts, not for the plan, which is not in sight.
bool HostsPage::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    if (theme::is_undo_or_redo(*static_cast<QKeyEvent*>(event))) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void HostsPage::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo(*event)) return take_back(false);
  if (theme::is_redo(*event)) return take_back(true);
  QWidget::keyPressEvent(event);
}

// Another bench, or a person with an editor, may have written into the file meanwhile.
void HostsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!locked_.isEmpty()) return;
  const hosts::HostList before = book_.list();
  if (!book_.look()) return;
  drop_tests(before);
  take_list();
}

void HostsPage::hideEvent(QHideEvent* event) {
  form_->hand_over();
  QWidget::hideEvent(event);
}

void HostsPage::complain(const QString& text) {
  message_->say(Status::bad, text);
}

}  // namespace n2nq::ui

#include "moc_hosts_page.cpp"
