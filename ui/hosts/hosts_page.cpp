#include "ui/hosts/hosts_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <algorithm>

#include "ui/hosts/host_editor.h"
#include "ui/hosts/host_exchange.h"
#include "ui/hosts/host_fields.h"
#include "ui/hosts/host_model.h"
#include "ui/hosts/test_view.h"
#include "ui/theme/buttons.h"
#include "ui/theme/invitation.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/offer.h"
#include "ui/theme/scrolled_card.h"
#include "ui/theme/undo_keys.h"

namespace n2nq::ui {
namespace {

using theme::qt;
using theme::Status;

// In proportion, until somebody moves them.
constexpr int kListHeight = 240;
constexpr int kLowerHeight = 440;
constexpr int kFormWidth = 640;
constexpr int kTestWidth = 520;

std::vector<hosts::Host> way_of(const hosts::HostList& list, const std::string& name) {
  std::vector<hosts::Host> way;
  if (const hosts::Host* host = hosts::find_host(list, name))
    for (const hosts::Host* each : hosts::way_to(list, *host)) way.push_back(*each);
  return way;
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
      form_title_(new theme::Label({}, theme::TextSize::title)),
      form_(new HostEditor),
      test_view_(
          new TestView(tr("host"), tr("Whether the host was tested since the bench started, and could be reached."))),
      exchange_(new HostExchange(
          {.book = book_,
           .message = *message_,
           .change = [this](const QString& what, hosts::HostList next) { return change(what, std::move(next)); },
           .undo = [this] { take_back(false); }},
          this)),
      stack_(new QStackedWidget(this)) {
  build();
  list_->on_key({Qt::Key_Delete}, [this] { remove(); });
  list_->on_key({Qt::Key_Return}, [this] { form_->ask_for_name(); });
  connect(list_, &QTableView::doubleClicked, form_, &HostEditor::ask_for_name);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HostsPage::show_current);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HostsPage::show_actions);
  connect(form_, &HostEditor::edited, this, &HostsPage::edit);
  connect(exchange_, &HostExchange::imported, this, [this](const std::string& first) {
    choose(first);
    list_->setFocus();
  });
  // Lists of choices would take the key for the beginning of a word.
  auto* test_key = new QShortcut(QKeySequence("Ctrl+T"), this);
  test_key->setContext(Qt::WidgetWithChildrenShortcut);
  test_key->setAutoRepeat(false);
  connect(test_key, &QShortcut::activated, this, &HostsPage::test);
  show_list();
  if (book_.trouble()) complain(qt(*book_.trouble()));
}

void HostsPage::build() {
  stack_->addWidget(build_invitation());
  stack_->addWidget(theme::splitter(Qt::Vertical, {build_list(), build_lower()}, {kListHeight, kLowerHeight}));
  auto* column =
      theme::column_in(this, theme::kCardApart, {theme::kSpace4, theme::kSpace4, theme::kSpace4, theme::kSpace4});
  column->addWidget(stack_);
}

QWidget* HostsPage::build_list() {
  auto* actions = theme::inner_row(theme::kSpace2);
  build_actions(*actions);
  return theme::card_below(*actions, list_);
}

QWidget* HostsPage::build_lower() {
  theme::Card* form = theme::scrolled_card(form_);
  form->body()->insertWidget(0, form_title_);
  return theme::splitter(Qt::Horizontal, {form, theme::scrolled_card(test_view_)}, {kFormWidth, kTestWidth});
}

QWidget* HostsPage::build_invitation() {
  auto* none = new theme::Invitation(
      "computer", tr("Everything runs on this computer"),
      tr("Queue, senders and receivers can each run on other computers. A host needs nothing but an SSH server."),
      this);
  const auto choice = [&](const char* icon, const QString& text, const QString& help, const auto& chosen) {
    QPushButton* button = none->add_choice(text, icon, help);
    actions_.push_back({.button = button, .help = help});
    connect(button, &QPushButton::clicked, this, chosen);
    return button;
  };
  begin_ =
      choice("add", tr("Add a host"), tr("Adds a host to the list, and goes to its fields."), [this] { add_host({}); });
  choice("import", tr("Take over from SSH config"), tr("Lets you choose from the hosts of ~/.ssh/config."),
         [this] { exchange_->import_user_config(); });
  choice("open", tr("Import from a file\u2026"), tr("Adds hosts from an OpenSSH configuration or an exported list."),
         [this] { exchange_->ask_for_import(); });
  return none;
}

void HostsPage::build_actions(QHBoxLayout& row) {
  connect(add_button(row, "add", tr("Add"), tr("Add host"), tr("Adds a host to the list.")), &QPushButton::clicked,
          this, [this] { add_host({}); });
  connect(add_button(row, "copy", tr("Duplicate"), tr("Duplicate host"), tr("Adds a copy of the selected host.")),
          &QPushButton::clicked, this, &HostsPage::duplicate);
  actions_.back().of_chosen = true;
  QPushButton* tested =
      add_button(row, "start", tr("Test"), tr("Test host"),
                 tr("Tests the selected hosts step by step: login, upload, clock and more (Ctrl+T)."));
  theme::make_primary(*tested);
  connect(tested, &QPushButton::clicked, this, &HostsPage::test);
  actions_.back().of_chosen = true;
  row.addStretch(1);
  build_import(*add_button(row, "import", tr("Import"), tr("Import hosts"),
                           tr("Adds hosts from an OpenSSH configuration or an exported list.")));
  QPushButton* exported = add_button(row, "export", tr("Export\u2026"), tr("Export hosts"),
                                     tr("Writes the list to a file, without key file paths."));
  actions_.back().in_a_run = true;
  connect(exported, &QPushButton::clicked, this, [this] {
    form_->hand_over();
    exchange_->ask_for_export();
  });
  QPushButton* removed = add_button(row, "delete", tr("Remove"), tr("Remove host"),
                                    tr("Removes the selected hosts from the list (Delete). Can be undone."));
  actions_.back().of_chosen = true;
  connect(removed, &QPushButton::clicked, this, &HostsPage::remove);
}

QPushButton* HostsPage::add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& name,
                                   const QString& help) {
  auto* button = theme::push_button(icon, text, help, this, name);
  row.addWidget(button);
  actions_.push_back({.button = button, .help = help});
  return button;
}

void HostsPage::build_import(QPushButton& button) {
  auto* menu = new QMenu(this);
  menu->addAction(theme::icon("computer"), tr("From ~/.ssh/config"), exchange_, &HostExchange::import_user_config);
  menu->addAction(theme::icon("open"), tr("From a file\u2026"), exchange_, &HostExchange::ask_for_import);
  button.setMenu(menu);
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
    theme::offer(*action.button, action.help,
                 locked                        ? locked_
                 : action.of_chosen && !chosen ? tr("Select a host first.")
                                               : QString());
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
  const bool any = !book_.list().hosts.empty();
  setFocusProxy(any ? static_cast<QWidget*>(list_) : begin_);
  stack_->setCurrentIndex(any ? 1 : 0);
  if (any && !list_->current_row()) list_->choose_row(std::min(row.value_or(0), book_.list().hosts.size() - 1));
  show_current();
}

void HostsPage::show_current() {
  auto row = list_->current_row();
  if (row && *row >= book_.list().hosts.size()) row.reset();
  form_title_->setText(row ? tr("Settings of %1").arg(qt(book_.list().hosts[*row].name)) : QString());
  form_->show_host(book_.list(), row);
  show_test();
  show_actions();
}

void HostsPage::show_test() {
  const auto row = list_->current_row();
  const bool known = row && *row < book_.list().hosts.size();
  const std::string name = known ? book_.list().hosts[*row].name : std::string();
  const auto test = tests_.find(name);
  const run::HostTest* shown = test == tests_.end() ? nullptr : test->second.get();
  test_view_->show_test(qt(name), shown, state_of(shown),
                        known ? tr("Test (Ctrl+T) shows step by step what works, and how to fix what does not.")
                              : tr("Select a host to see its fields and its test."));
  model_->show_tests();
}

void HostsPage::choose(const std::string& name) {
  const auto& all = book_.list().hosts;
  for (size_t i = 0; i < all.size(); i++)
    if (all[i].name == name) return list_->choose_row(i);
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

void HostsPage::add_host(const std::string& wanted) {
  const std::string name = wanted.empty() ? hosts::free_name(book_.list(), "host1") : wanted;
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
  if (!change(tr("remove %1").arg(few_names(gone)), std::move(next))) return;
  setFocus();
  message_->offer(Status::info,
                  gone.size() == 1 ? tr("%1 removed.").arg(qt(gone.front()))
                                   : tr("%1 hosts removed: %2.").arg(gone.size()).arg(few_names(gone)),
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
  return theme::claims(*event, theme::is_undo_or_redo) || QWidget::event(event);
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
