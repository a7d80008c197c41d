#include "ui/buses/buses_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>

#include "app/hosts/host_list.h"
#include "ui/buses/bus_model.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/offer.h"
#include "ui/theme/scrolled_card.h"

namespace n2nq::ui {
namespace {

using run::InstalledServer;
using run::TestStep;
using theme::qt;
using theme::Status;
using theme::Tone;

// In proportion, until somebody moves them.
constexpr int kBusesHeight = 340;
constexpr int kBusTestHeight = 340;

TestState outcome_of(const run::BusTest& test) {
  switch (test.mark()) {
    case TestStep::Mark::good:
      return {Tone::good, BusesPage::tr("works")};
    case TestStep::Mark::bad:
      return {Tone::bad, BusesPage::tr("test failed")};
    case TestStep::Mark::under_way:
      return {Tone::info, BusesPage::tr("testing")};
    default:
      return {Tone::muted, BusesPage::tr("test abandoned")};
  }
}

}  // namespace

BusesPage::BusesPage(run::HostLinks& links, run::SessionOptions options, QWidget* parent)
    : QWidget(parent),
      links_(links),
      options_(std::move(options)),
      message_(theme::MessageBar::over(this)),
      model_(new BusModel(this)),
      list_(make_bus_table(*model_, this)),
      computer_(new QComboBox),
      test_view_(
          new TestView(tr("bus"), tr("What its last test found; before that, whether its server is installed."))) {
  build();
  setFocusProxy(list_);
  take_hosts();
  show_all();
  list_->choose_row(0);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
    show_test();
    show_actions();
  });
  connect(computer_, &QComboBox::currentIndexChanged, this, &BusesPage::choose_computer);
  auto* test_key = new QShortcut(QKeySequence("Ctrl+T"), this);
  test_key->setContext(Qt::WidgetWithChildrenShortcut);
  test_key->setAutoRepeat(false);
  connect(test_key, &QShortcut::activated, this, &BusesPage::test);
  show_test();
  show_actions();
}

BusesPage::~BusesPage() = default;

void BusesPage::build() {
  auto* actions = theme::inner_row(theme::kSpace2);
  build_actions(*actions);
  auto* column =
      theme::column_in(this, theme::kCardApart, {theme::kSpace4, theme::kSpace4, theme::kSpace4, theme::kSpace4});
  column->addWidget(theme::splitter(Qt::Vertical,
                                    {theme::card_below(*actions, list_), theme::scrolled_card(test_view_)},
                                    {kBusesHeight, kBusTestHeight}));
}

void BusesPage::build_actions(QHBoxLayout& row) {
  computer_->setAccessibleName(tr("Buses of"));
  computer_->setToolTip(tr("The computer or host whose servers are shown, and on which a bus is tested."));
  row.addWidget(computer_);
  again_ = add_button(row, "redo", tr("Look again"), tr("Look for servers again"));
  connect(again_, &QPushButton::clicked, this, &BusesPage::look);
  test_ = add_button(row, "start", tr("Test"), tr("Test bus"));
  theme::make_primary(*test_);
  connect(test_, &QPushButton::clicked, this, &BusesPage::test);
  stop_ = add_button(row, "stop", tr("Stop"), tr("Stop the test of the bus"));
  theme::make_danger(*stop_);
  stop_->setToolTip(tr("Ends the test of the bus."));
  connect(stop_, &QPushButton::clicked, this, [this] {
    if (testing()) testing_->stop();
    list_->setFocus();
  });
  row.addStretch(1);
  fetches_ = add_button(row, "import", tr("Fetch Kafka"), tr("Fetch Kafka"));
  connect(fetches_, &QPushButton::clicked, this, &BusesPage::fetch_or_stop);
  copy_ = add_button(row, "copy", tr("Copy install command"), tr("Copy install command"));
  connect(copy_, &QPushButton::clicked, this, &BusesPage::copy_install);
  use_ = add_button(row, "edit-plan", tr("Use in plan"), tr("Use bus in plan"));
  connect(use_, &QPushButton::clicked, this, [this] { Q_EMIT use_wanted(std::string(selected()->kind)); });
}

QPushButton* BusesPage::add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& name) {
  auto* button = theme::push_button(icon, text, {}, this, name);
  row.addWidget(button);
  return button;
}

void BusesPage::set_locked(const QString& reason) {
  if (reason == locked_) return;
  locked_ = reason;
  if (!locked_.isEmpty() && testing()) testing_->stop();
  if (!locked_.isEmpty() && fetching()) fetch_->stop();
  show_actions();
  if (locked_.isEmpty() && isVisible() && found() == nullptr) look();
}

void BusesPage::take_hosts() {
  // What was found on a host that is another one now says nothing any more.
  std::erase_if(found_, [](const auto& one) { return !one.first.empty(); });
  std::erase_if(tests_, [this](const auto& one) { return !one.first.first.empty() && one.second.get() != testing_; });
  {
    const QSignalBlocker quiet(computer_);
    computer_->clear();
    computer_->addItem(theme::icon("computer"), tr("This computer"), QString());
    for (const hosts::Host& host : links_.list().hosts) computer_->addItem(qt(host.name), qt(host.name));
    computer_->setCurrentIndex(std::max(0, computer_->findData(qt(host_))));
  }
  choose_computer();
}

// What another computer was asked is not awaited any more.
void BusesPage::choose_computer() {
  host_ = computer_->currentData().toString().toStdString();
  if (looking()) {
    look_.reset();
    Q_EMIT links_used();
  }
  if (isVisible() && locked_.isEmpty() && found() == nullptr) return look();
  show_all();
}

void BusesPage::look() {
  if (!locked_.isEmpty()) return;
  look_ = host_.empty() ? std::make_unique<run::ServerLook>(options_.programs)
                        : std::make_unique<run::ServerLook>(links_.to(host_));
  connect(look_.get(), &run::ServerLook::over, this, &BusesPage::on_looked);
  look_->start();
  Q_EMIT links_used();
  show_all();
}

void BusesPage::on_looked() {
  const Found& what = *look_->found();
  found_.insert_or_assign(host_, what);
  forget_tests_of_others();
  if (!what) message_->say(Status::bad, tr("Which servers are installed is not known: %1").arg(qt(what.error().text)));
  Q_EMIT links_used();
  show_all();
}

// What was tested before another server was installed, or none any more, says nothing of what there is now.
void BusesPage::forget_tests_of_others() {
  if (found() == nullptr || !*found()) return;
  const auto is_other = [this](const run::BusTest& test) {
    if (!test.over() || !test.servers() || test.host() != host_) return false;
    const InstalledServer* then = run::server_for(test.bus(), *test.servers());
    const InstalledServer* now = run::server_for(test.bus(), **found());
    return then != nullptr && now != nullptr && *then != *now;
  };
  if (testing_ != nullptr && is_other(*testing_)) testing_ = nullptr;
  std::erase_if(tests_, [&is_other](const auto& one) { return is_other(*one.second); });
}

// Somebody may have installed one meanwhile.
void BusesPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!looking() && (host_.empty() || found() == nullptr)) look();
}

void BusesPage::test() {
  const bus::BusTraits* bus = selected();
  if (bus == nullptr || !test_->isEnabled() || testing()) return;
  if (test_->hasFocus()) list_->setFocus();  // the button rests now, and the next one is for something else
  std::unique_ptr<run::BusTest>& test = tests_[{host_, std::string(bus->kind)}];
  test = std::make_unique<run::BusTest>(*bus, host_, options_);
  testing_ = test.get();
  connect(testing_, &run::BusTest::changed, this, [this] {
    if (testing_->over() && testing_->servers()) found_.insert_or_assign(testing_->host(), *testing_->servers());
    if (testing_->over()) Q_EMIT links_used();
    show_all();
  });
  testing_->start();
  Q_EMIT links_used();
  show_all();
}

void BusesPage::copy_install() {
  const QString command = install_of(*selected());
  QApplication::clipboard()->setText(command);
  message_->say(Status::good, tr("Copied: %1").arg(command));
}

void BusesPage::fetch_or_stop() {
  if (fetching()) return fetch_->stop();
  fetch_ = std::make_unique<run::KafkaFetch>();
  connect(fetch_.get(), &run::KafkaFetch::over, this, &BusesPage::on_fetched);
  fetch_->start();
  show_all();
}

void BusesPage::on_fetched() {
  const auto& outcome = *fetch_->outcome();
  message_->say(outcome ? Status::good : Status::bad,
                outcome ? qt(*outcome) : tr("Kafka was not fetched: %1").arg(qt(outcome.error().text)));
  if (outcome) found_.erase(std::string());
  if (outcome && host_.empty()) look();
  show_all();
}

void BusesPage::show_all() {
  show_rows();
  show_test();
  show_actions();
}

void BusesPage::show_rows() {
  std::vector<BusRow> rows;
  for (const bus::BusTraits& bus : bus::all_buses()) rows.push_back(row_of(bus));
  model_->set_rows(std::move(rows));
  list_->fit_columns();
}

BusRow BusesPage::row_of(const bus::BusTraits& bus) const {
  const std::string kept = bus::kept_by(bus, {});
  BusRow row{.name = qt(bus.title), .state = state_of(bus), .modes = qt(run::modes_of(bus)), .kept = qt(kept)};
  if (const run::BusTest* test = test_of(bus)) row.last_test = qt(test->summary());
  const InstalledServer* server = found() != nullptr && *found() ? run::server_for(bus, **found()) : nullptr;
  if (server == nullptr) return row;
  if (server->installed()) row.version = server->version.empty() ? QStringLiteral("-") : qt(server->version);
  row.program = server->installed() ? qt(server->file) : tr("install it with: %1").arg(qt(server->install));
  return row;
}

TestState BusesPage::state_of(const bus::BusTraits& bus) const {
  if (const run::BusTest* test = test_of(bus); test != nullptr && !test->over()) return {Tone::info, tr("testing")};
  if (bus.server.empty()) return {Tone::good, tr("no server needed")};
  if (fetching() && host_.empty() && bus.server == "kafka") return {Tone::info, tr("fetching")};
  if (found() == nullptr) return {Tone::muted, looking() ? tr("looking") : tr("not looked for")};
  const InstalledServer* server = *found() ? run::server_for(bus, **found()) : nullptr;
  if (server == nullptr) return {Tone::muted, tr("not known")};
  return server->installed() ? TestState{Tone::good, tr("installed")} : TestState{Tone::warning, tr("not installed")};
}

QString BusesPage::install_of(const bus::BusTraits& bus) const {
  if (found() == nullptr || !*found()) return {};
  const InstalledServer* server = run::server_for(bus, **found());
  return server == nullptr || server->installed() ? QString() : qt(server->install);
}

bool BusesPage::can_fetch(const bus::BusTraits& bus) const {
  return host_.empty() && install_of(bus) == qt(run::kFetchKafka);
}

QString BusesPage::hint_of(const bus::BusTraits& bus) const {
  const QString command = install_of(bus);
  if (!command.isEmpty())
    return tr("Its server is not installed on %1. Install it there with: %2").arg(computer_name(), command);
  return tr("Test (Ctrl+T) sends ten messages over it on %1, and shows step by step what works, and how to fix what "
            "does not. Nothing of it is saved as a result.")
      .arg(computer_name());
}

QString BusesPage::computer_name() const {
  return host_.empty() ? qt(hosts::kThisComputer) : qt(host_);
}

void BusesPage::show_test() {
  const bus::BusTraits* bus = selected();
  if (bus == nullptr) return test_view_->show_test({}, nullptr, {}, tr("Select a bus to see its test."));
  const QString where = host_.empty() ? QString() : tr(" on %1").arg(qt(host_));
  const run::BusTest* test = test_of(*bus);
  test_view_->show_test(qt(bus->title) + where, test, test != nullptr ? outcome_of(*test) : state_of(*bus),
                        hint_of(*bus));
}

void BusesPage::show_actions() {
  const bus::BusTraits* bus = selected();
  const QString no_bus = bus == nullptr ? tr("Select a bus first.") : QString();
  const QString install = bus == nullptr ? QString() : install_of(*bus);
  QString no_test = !locked_.isEmpty() ? locked_ : no_bus;
  if (no_test.isEmpty() && testing()) no_test = tr("%1 is being tested.").arg(qt(testing_->bus().title));
  theme::offer(*test_, tr("Tests the selected bus step by step, with ten messages (Ctrl+T)."), no_test);
  theme::offer(*again_, tr("Looks once more which servers are installed."),
               !locked_.isEmpty() ? locked_
               : looking()        ? tr("The answer is awaited.")
                                  : QString());
  theme::offer(*use_, tr("Makes it the bus of the plan, and opens its settings on the Run page."),
               !locked_.isEmpty() ? locked_ : no_bus);
  QString nothing_lacks = no_bus;
  if (nothing_lacks.isEmpty() && install.isEmpty())
    nothing_lacks = bus->server.empty()              ? tr("It needs no server.")
                    : found() != nullptr && *found() ? tr("Its server is installed.")
                                                     : tr("Whether its server is installed is not known.");
  theme::offer(*copy_,
               install.isEmpty() ? tr("Copies the command that installs its server.") : tr("Copies: %1").arg(install),
               nothing_lacks);
  stop_->setVisible(testing());
  fetches_->setVisible(fetching() || (bus != nullptr && can_fetch(*bus)));
  fetches_->setText(fetching() ? tr("Stop fetching") : tr("Fetch Kafka"));
  fetches_->setAccessibleName(fetches_->text());
  theme::offer(*fetches_,
               fetching()
                   ? tr("Ends Maven; no Kafka is put in place.")
                   : tr("Fetches the libraries of Kafka with Maven, some 53 MiB, for this user. It needs mvn and "
                        "java."),
               locked_);
}

const bus::BusTraits* BusesPage::selected() const {
  const auto row = list_->current_row();
  return row && *row < bus::all_buses().size() ? &bus::all_buses()[*row] : nullptr;
}

const BusesPage::Found* BusesPage::found() const {
  const auto found = found_.find(host_);
  return found == found_.end() ? nullptr : &found->second;
}

const run::BusTest* BusesPage::test_of(const bus::BusTraits& bus) const {
  const auto test = tests_.find({host_, std::string(bus.kind)});
  return test == tests_.end() ? nullptr : test->second.get();
}

bool BusesPage::uses_links() const {
  return (looking() && !host_.empty()) || (testing() && !testing_->host().empty());
}

}  // namespace n2nq::ui

#include "moc_buses_page.cpp"
