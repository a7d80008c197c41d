#include "tests/gui/layout/tour.h"

#include <QSettings>
#include <QTabBar>
#include <utility>

namespace n2nq::test {
namespace {

constexpr int kMostRounds = 100, kRoundsAtRest = 3;

std::vector<QRect> places_of_all() {
  std::vector<QRect> places;
  for (const QWidget* widget : QApplication::allWidgets())
    if (widget->isVisible()) places.push_back(widget->geometry());
  return places;
}

std::vector<QWidget*> other_windows(const QWidget& main) {
  std::vector<QWidget*> windows;
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (widget != &main && widget->isVisible() && widget->windowType() == Qt::Window) windows.push_back(widget);
  return windows;
}

// The way to what keeps a window from becoming smaller.
std::string widest_in(const QWidget& window) {
  std::string way;
  for (const QWidget* one = &window; one != nullptr;) {
    const QWidget* widest = nullptr;
    int width = -1;
    for (const QObject* child : one->children())
      if (const auto* widget = qobject_cast<const QWidget*>(child); widget != nullptr && !widget->isWindow()) {
        const int least = std::max(widget->minimumWidth(), widget->minimumSizeHint().width());
        if (!widget->isHidden() && least > width) {
          widest = widget;
          width = least;
        }
      }
    if (widest != nullptr)
      way += std::string(" > ") + widest->metaObject()->className() + " \"" + widest->accessibleName().toStdString() +
             "\" " + std::to_string(width);
    one = widest;
  }
  return way;
}

}  // namespace

// Until nothing has moved for some rounds: a run that goes on changes texts, and with them the room of others.
void Tour::settle() {
  std::vector<QRect> places;
  for (int round = 0, still = 0; round < kMostRounds && still < kRoundsAtRest; round++) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);  // of what these events changed
    still = std::exchange(places, places_of_all()) == places ? still + 1 : 0;
  }
}

void Tour::walk(const QString& appearance, const std::vector<QSize>& sizes, const Look& look) {
  sizes_ = sizes;
  look_ = look;
  set_appearance(appearance);
  open_window();
  before_a_run();
  settings_of_the_plan();
  wrong_settings();
  filters();
  run();
  charts();
  log_window();
  results();
  command_palette();
  comparison();
  judged_runs();
  campaigns();
  failed_run();
  hosts();
  buses();
  help();
}

void Tour::set_appearance(const QString& appearance) {
  std::filesystem::create_directories(data());
  QSettings(QString::fromStdString((data() / "window.ini").string()), QSettings::IniFormat)
      .setValue("window/appearance", appearance);
}

void Tour::look_at(const std::string& stop) {
  for (const QSize& size : sizes_) {
    window().resize(size);
    settle();
    const std::string where = stop + ", " + std::to_string(size.width()) + " x " + std::to_string(size.height()) +
                              ", scale " + std::to_string(window().devicePixelRatio()).substr(0, 3);
    EXPECT_EQ(window().size(), size) << where << ": the window does not become so small for " << widest_in(window());
    if (shows("Roles"))
      look_at_columns(where);
    else
      look_(where, window());
    for (QWidget* other : other_windows(window())) {
      other->resize(size);
      settle();
      EXPECT_EQ(other->size(), size) << where << ": " << other->windowTitle().toStdString();
      look_(where + ", window " + other->windowTitle().toStdString(), *other);
    }
  }
  window().resize(kUsual);
  settle();
}

// In a small window one column is seen at a time.
void Tour::look_at_columns(const std::string& stop) {
  auto* roles = find_as<QTabBar>("Roles");
  const int before = roles->currentIndex();
  for (int i = 0; i < roles->count(); i++) {
    choose_tab("Roles", i);
    look_(stop + ", " + roles->tabText(i).toStdString(), window());
  }
  choose_tab("Roles", before);
}

void Tour::choose_tab(const QString& tabs, int index) {
  WindowRig::choose_tab(tabs, index);
  settle();
}

void Tour::before_a_run() {
  look_at("first start");
  key(Qt::Key_2, Qt::ControlModifier);
  look_at("no results");
  key(Qt::Key_1, Qt::ControlModifier);
  click("Not now");
  look_at("idle");
}

void Tour::settings_of_the_plan() {
  for (const char* more :
       {"More settings of the senders", "More settings of the queue", "More settings of the receivers"})
    click(more);
  set_checked("Queue mode load balancer", true);
  choose("Senders send", "for a duration");
  look_at("load balancer, more");
  choose("Bus", "HTTP/1.1");
  set_checked("Bus TLS", true);
  look_at("another bus, more");
  choose("Bus", "NATS JetStream");
  look_at("a bus with a server, more");
  choose("Bus", "RabbitMQ");
  look_at("a bus with many settings, more");
  choose("Bus", "N2NQ");
  for (const char* more :
       {"More settings of the senders", "More settings of the queue", "More settings of the receivers"})
    click(more);
  set_checked("Queue mode broadcaster", true);
  choose("Senders send", "messages");
  set_checked("Receiver requests", true);
  set_checked("Receiver responses", true);
  click("Show run log");
  look_at("requests, responses, run log");
  click("Show run log");
}

void Tour::wrong_settings() {
  choose("Senders source", "by address");
  choose("Receivers source", "by address");
  look_at("attached without an address");
  type("Senders address", "127.0.0.1:4711");
  type("Receivers address", "127.0.0.1:4712");
  type("Queue listen", "0.0.0.0:4710");
  look_at("attached");
  choose("Senders source", "this computer");
  choose("Receivers source", "this computer");
  type("Queue listen", "127.0.0.1:0");
  click("More settings of the queue");
  type("Senders delay", "as fast as you can");
  type("Senders smallest size", "9 GiB");
  look_at("wrong settings");
  type("Senders smallest size", "50 B");
  type("Senders delay", "10 ms");
}

void Tour::filters() {
  click("Edit filters");
  choose_tab("Filters as text or as a matrix tabs", 0);
  look_at("filters as text, none");
  click("Add rule");
  look_at("filters as text");
  choose_tab("Filters as text or as a matrix tabs", 1);
  click("Pin one-to-one");
  look_at("filters as matrix");
  click("Close filters");
  look_at("request not sent");
  click("Revert filters");
}

void Tour::run() {
  type("Senders messages text", "6000");
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && number(cell("Receivers", 0, "Received")) > 1000; }))
      << text_of("Message").toStdString();
  look_at("running");
  window().close();
  look_at("closing while running");
  click("Keep running");
  click("Filter receivers");
  type("Show only these receivers", "1-7");
  look_at("running, filter of receivers");
}

void Tour::charts() {
  auto* figures = find_as<QTabBar>("Figure");
  ASSERT_NE(figures, nullptr);
  for (int i = 0; i < figures->count(); i++) {
    choose_tab("Figure", i);
    look_at("running, figure " + figures->tabText(i).toStdString());
  }
  click("Table");
  look_at("running, figure as table");
  click("Chart");
  click("Stop all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("stopped"); })) << text_of("Message").toStdString();
  look_at("stopped");
}

void Tour::log_window() {
  auto* table = find_as<QTableView>("Receivers");
  table->setFocus();
  table->selectRow(0);
  QTest::keyClick(table, Qt::Key_Return);
  ASSERT_TRUE(wait([&] { return !other_windows(window()).empty(); }));
  QWidget* log = other_windows(window()).front();
  ASSERT_TRUE(QTest::qWaitForWindowActive(log));
  look_at("log");
  type("Filter", "sender = 1, latency > 1us");
  click("Find");
  look_at("log, find");
  click("Go to");
  ASSERT_TRUE(wait([&] { return shows("Number to go to"); }));
  look_at("log, go to");
  click("Marks");
  ASSERT_TRUE(wait([&] { return shows("Condition of rule 1"); }));
  look_at("log, marks");
  log->close();
  window().activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
}

void Tour::results() {
  key(Qt::Key_2, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1 && shows("Details of the result tabs"); }));
  auto* details = find_as<QTabBar>("Details of the result tabs");
  ASSERT_NE(details, nullptr);
  for (int i = 0; i < details->count(); i++) {
    choose_tab("Details of the result tabs", i);
    look_at("result, " + details->tabText(i).toStdString());
  }
  choose_tab("Details of the result tabs", 0);
  type("Filter results", "stopped");
  look_at("results, filtered");
  click("Delete");
  look_at("result deleted");
}

void Tour::hosts() {
  key(Qt::Key_3, Qt::ControlModifier);
  look_at("no hosts");
  click("Add a host");
  type("Host name", "vm2");
  type("Host user", "lab");
  type("Host port", "1");
  look_at("a host");
  type("Host data ports", "many");
  look_at("a wrong field of a host");
  click("Duplicate host");
  choose("Host kind", "command");
  type("Host command", "env {command}");
  look_at("a command host");
  auto* list = find_as<QTableView>("Hosts");
  list->setFocus();
  list->selectRow(0);
  type("Host address", "127.0.0.1");
  click("Test host");
  ASSERT_TRUE(wait([&] { return text_of("Test step login") == "not tried"; }));
  look_at("a test that failed");
  list->selectRow(1);
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Delete);
  look_at("host removed");
  key(Qt::Key_1, Qt::ControlModifier);
  choose("Senders source", "vm2");
  choose("Queue host", "vm2");
  look_at("roles on hosts");
  click("Page Hosts");
  click("Remove host");
  click("Page Run");
  look_at("roles on hosts that are not there");
}

void Tour::buses() {
  click("Page Buses");
  ASSERT_TRUE(wait([&] { return find("Look for servers again")->isEnabled(); }));
  auto* list = find_as<QTableView>("Buses");
  list->setFocus();
  list->selectRow(5);
  look_at("buses");
  list->selectRow(0);
  click("Test bus");
  ASSERT_TRUE(wait([&] { return cell("Buses", 0, "Last test") == "everything works"; }));
  look_at("a bus that works");
}

void Tour::help() {
  key(Qt::Key_F1);
  look_at("help");
}

}  // namespace n2nq::test
