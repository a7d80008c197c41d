// The bus as a choice: what another one has no place for is not offered, comes back with our own, and a run says what
// its messages travelled over.
#include <QAccessible>
#include <QAction>
#include <QContextMenuEvent>
#include <QGraphicsView>
#include <QMenu>
#include <QTextBrowser>
#include <map>

#include "tests/gui/window_rig.h"
#include "tests/helpers/bus_servers.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class Bus : public WindowRig {};

TEST_F(Bus, OffersWhatItHasAndGivesTheRestBackWithOurOwn) {
  open_window();
  type("Remove after text", "30 s");
  set_checked("Receiver requests", true);
  EXPECT_FALSE(shows("What the bus is"));
  choose("Bus", "HTTP/1.1");
  EXPECT_TRUE(shows("What the bus is"));
  for (const char* gone : {"Remove after", "Receiver responses", "Receiver requests", "Edit filters", "Make request"})
    EXPECT_FALSE(shows(gone)) << gone;
  EXPECT_FALSE(find("Queue mode broadcaster")->isEnabled());
  EXPECT_THAT(find("Queue mode broadcaster")->toolTip().toStdString(), HasSubstr("HTTP/1.1 has no broadcaster"));
  EXPECT_TRUE(find("Start all")->isEnabled()) << "a plan that can be run";
  choose("Bus connection", "fresh");
  type("Bus quiet time", "1 ms");
  EXPECT_FALSE(find("Start all")->isEnabled());
  choose("Bus", "N2NQ");
  EXPECT_TRUE(find("Start all")->isEnabled()) << "nobody looks at it";
  EXPECT_EQ(text_of("Remove after text"), "30 s");
  EXPECT_TRUE(find_as<QAbstractButton>("Receiver requests")->isChecked());
  EXPECT_TRUE(find_as<QAbstractButton>("Queue mode broadcaster")->isChecked());
  choose("Bus", "HTTP/1.1");
  EXPECT_EQ(text_of("Bus quiet time"), "1 ms");
  EXPECT_EQ(find_as<QComboBox>("Bus connection")->currentText(), "fresh");
}

TEST_F(Bus, HasFieldsThatFollowItsProfileUnlessTheyAreSet) {
  open_window();
  choose("Bus", "Redis Streams");
  EXPECT_EQ(text_of("Bus unanswered text"), "1,000");
  choose("Bus profile", "throughput");
  EXPECT_EQ(text_of("Bus unanswered text"), "10,000");
  EXPECT_EQ(text_of("Bus read at once text"), "1,000");
  type("Bus read at once text", "50");
  EXPECT_TRUE(shows("Reset to the profile"));
  choose("Bus profile", "latency");
  EXPECT_EQ(text_of("Bus unanswered text"), "100");
  EXPECT_EQ(text_of("Bus read at once text"), "50");
  EXPECT_TRUE(find("Start all")->isEnabled());
  click("Reset to the profile");
  EXPECT_EQ(text_of("Bus read at once text"), "100");
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text_of("Bus read at once text"), "50");
}

TEST_F(Bus, LeavesTheThreeRolesSideBySideInTheUsualWindow) {
  open_window();
  window().resize(1280, 800);
  const auto* buses = find_as<QComboBox>("Bus");
  for (int i = 0; i < buses->count(); i++) {
    const QString bus = buses->itemText(i);
    choose("Bus", bus.toUtf8().constData());
    EXPECT_TRUE(wait([&] { return !shows("Roles") && shows("Senders amount text"); })) << bus.toStdString();
    for (const char* role : {"senders", "queue", "receivers"})
      EXPECT_TRUE(shows(("Start " + std::string(role)).c_str())) << bus.toStdString() << ": " << role;
  }
}

TEST_F(Bus, IsFoundByTheNameOfOneThatIsNotThereYet) {
  open_window();
  key(Qt::Key_K, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Command"); }));
  QTest::keyClicks(find("Command"), "zeromq");
  key(Qt::Key_Return);
  ASSERT_TRUE(wait([&] { return shows("Help text"); }));
  const QString page = find_as<QTextBrowser>("Help text")->toPlainText();
  EXPECT_TRUE(page.contains("Not measured yet: MQTT and ZeroMQ"));
  for (const char* there : {"n2nq", "redis-pubsub", "redis-streams", "nats", "jetstream", "rabbitmq", "kafka", "relay",
                            "http", "websocket"})
    EXPECT_TRUE(page.contains(there)) << there;
}

// Several servers of the run, one of which is killed at its chip.
class BusCluster : public WindowRig {
 protected:
  static void SetUpTestSuite() { put_servers_into_path(); }
  void start_three(const char* bus) {
    open_window();
    choose("Bus", bus);
    type("Bus servers text", "3");
    if (shows("Bus replicas text")) type("Bus replicas text", "3");
    type("Senders amount text", "2");
    type("Receivers amount text", "2");
    type("Senders messages text", "100000");
    type("Senders delay", "10 ms");
    click("Start all");
    ASSERT_TRUE(wait([&] { return received() > 100; })) << text_of("Message").toStdString();
    for (int server = 1; server <= 3; server++) {
      pids_[server] = text_of(chip(server)).section(' ', 2, 2).toInt();
      ASSERT_TRUE(is_there(server)) << text_of(chip(server)).toStdString();
    }
  }
  int64_t received() const { return rows("Receivers") > 0 ? number(cell("Receivers", 0, "Received")) : 0; }
  static QString chip(int server) { return "Process nats-server " + QString::number(server); }
  bool is_there(int server) const { return comm_of(pids_.at(server)) == "nats-server"; }
  std::vector<int> gone() const {
    std::vector<int> all;
    for (const auto& [server, pid] : pids_)
      if (!is_there(server)) all.push_back(server);
    return all;
  }
  QStringList menu_of(int server, const QString& chosen = {}) {
    QWidget* widget = find(chip(server));
    QContextMenuEvent menu_key(QContextMenuEvent::Keyboard, widget->rect().center(), widget->mapToGlobal(QPoint()));
    QApplication::sendEvent(widget, &menu_key);
    QMenu* menu = nullptr;
    EXPECT_TRUE(wait([&] { return (menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) != nullptr; }));
    QStringList texts;
    QAction* wanted = nullptr;
    if (menu == nullptr) return texts;
    for (QAction* action : menu->actions()) {
      texts << action->text();
      if (action->text() == chosen) wanted = action;
    }
    if (wanted != nullptr) {
      QTest::mouseMove(menu, menu->actionGeometry(wanted).center());
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(wanted).center());
    } else {
      QTest::keyClick(menu, Qt::Key_Escape);
    }
    EXPECT_EQ(wanted == nullptr, chosen.isEmpty()) << texts.join("; ").toStdString();
    EXPECT_TRUE(wait([] { return QApplication::activePopupWidget() == nullptr; }));
    return texts;
  }
  // The server of that number is, and the run goes on without it, and says so wherever it says what happened.
  void expect_killed(const std::vector<int>& killed, const QString& name) {
    ASSERT_THAT(killed, testing::SizeIs(1));
    const QString said = name.arg(killed[0]);
    EXPECT_TRUE(wait([&] { return text_of(chip(killed[0])).endsWith("ended: killed by the bench"); }));
    EXPECT_THAT(menu_of(killed[0]).join("; ").toStdString(), testing::Not(HasSubstr("Kill")));
    const int64_t before = received();
    ASSERT_TRUE(wait([&] { return received() > before + 300; })) << "the run goes on";
    EXPECT_THAT(gone(), testing::SizeIs(1));
    click("Show run log");
    EXPECT_THAT(events().toStdString(), HasSubstr((said + ": killed by the bench").toStdString()));
    EXPECT_TRUE(wait([&] { return told_by("Rate").contains(said + " killed at "); })) << told_by("Rate").toStdString();
    click("Stop all");
    ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("stopped"); }));
    EXPECT_THAT(text_of("Message").toStdString(), HasSubstr((said + " killed at ").toStdString()));
    click("Page Results");
    ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
    EXPECT_EQ(sql("SELECT subject, killed, gap_ns IS NOT NULL FROM outages"), (said + "|1|1\n").toStdString());
  }
  QString events() const {
    QStringList all;
    for (int row = 0; row < rows("Run log"); row++) all << cell("Run log", row, "Event");
    return all.join('\n');
  }
  // What a chart says of itself to who does not see it: its marks, too.
  QString told_by(const QString& chart) const {
    for (auto* view : window().findChildren<QGraphicsView*>())
      if (view->isVisible() && view->accessibleName() == chart)
        return QAccessible::queryAccessibleInterface(view)->text(QAccessible::Description);
    return {};
  }

  std::map<int, int> pids_;
};

TEST_F(BusCluster, LosesItsLeaderAtAClickAndTheRunGoesOn) {
  ASSERT_NO_FATAL_FAILURE(start_three("NATS JetStream"));
  menu_of(2, "Kill the leader (SIGKILL)");
  ASSERT_TRUE(wait([&] { return !gone().empty(); }));
  expect_killed(gone(), "server %1 (leader)");
}

TEST_F(BusCluster, LosesTheServerWhoseMenuItIsAndHasNoLeaderToOffer) {
  ASSERT_NO_FATAL_FAILURE(start_three("NATS"));
  EXPECT_THAT(menu_of(3, "Kill this server (SIGKILL)").join("; ").toStdString(), testing::Not(HasSubstr("leader")));
  ASSERT_TRUE(wait([&] { return !gone().empty(); }));
  EXPECT_EQ(gone(), std::vector<int>{3});
  expect_killed({3}, "server %1");
}

class OwnServer : public WindowRig {};

TEST_F(OwnServer, IsUsedByItsAddressAndNothingStaysThere) {
  BusServer& server = shared_server("kafka");
  open_window();
  choose("Bus", "Kafka");
  type("Bus server", QString::fromStdString(server.address()));
  short_run();
  EXPECT_FALSE(shows("Process Kafka"));
  EXPECT_TRUE(server.process().wait_line(
      [](const std::string& line) { return line.find("Created log for partition n2nq.") != std::string::npos; }, 20s))
      << "it had the topic of the run";
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1 && shows("Changed settings"); }));
  std::map<QString, QString> settings;
  for (int row = 0; row < rows("Changed settings"); row++)
    settings[cell("Changed settings", row, "Setting")] = cell("Changed settings", row, "Value");
  EXPECT_EQ(settings["Bus server"].toStdString(), server.address());
  EXPECT_EQ(dynamic_cast<KafkaServer&>(server).of_runs(), "");
}

// Nobody is owed what a bus did not take: it is not lost, and must not be overlooked.
TEST_F(OwnServer, ThatHasNoMoreRoomIsSaidWhereLossesStand) {
  const JetStreamServer server("max_memory_store: 1MB");
  open_window();
  choose("Bus", "NATS JetStream");
  choose("Bus storage", "memory");
  type("Bus server", QString::fromStdString(server.address()));
  type("Senders amount text", "1");
  type("Senders messages text", "1000");
  type("Senders delay", "0 s");
  for (const char* end : {"Senders largest size", "Senders smallest size"}) type(end, "4 KiB");
  click("Start all");
  ASSERT_TRUE(wait([&] { return text_of("Run state") == "Failed"; })) << text_of("Message").toStdString();
  const std::string refused = sql("SELECT refused FROM results");
  ASSERT_NE(refused, "0\n");
  QString said = find("Tile Lost")->accessibleDescription();
  EXPECT_THAT(said.remove(',').toStdString(), HasSubstr(refused.substr(0, refused.size() - 1) + " refused"));
}

class BusRun : public WindowRig, public testing::WithParamInterface<const char*> {
 protected:
  static void SetUpTestSuite() { put_servers_into_path(); }
  std::string server() const {
    const std::string bus = GetParam();
    if (bus == "RabbitMQ") return "rabbitmq-server";
    if (bus == "Kafka") return "Kafka";
    if (bus == "Bare relay") return "n2nq-relay";
    return bus.starts_with("Redis") ? "redis-server" : bus.starts_with("NATS") ? "nats-server" : "";
  }
  bool answers() const {
    const std::string bus = GetParam();
    return bus != "WebSocket" && bus != "NATS" && bus != "Bare relay";
  }
  QString value(const QString& table, const QString& name) const {
    for (int row = 0; row < rows(table); row++)
      if (cell(table, row, "Total") == name) return cell(table, row, "Value");
    ADD_FAILURE() << "no row " << name.toStdString();
    return {};
  }
};

TEST_P(BusRun, SaysWhatItsMessagesTravelledOverAndNothingThatItCannotKnow) {
  open_window();
  choose("Bus", GetParam());
  if (std::string(GetParam()) != "Redis pub/sub") set_checked("Queue mode load balancer", true);
  short_run();
  EXPECT_THAT(text_of("Queue in short").toStdString(), HasSubstr(GetParam()));
  EXPECT_EQ(text_of("Queue: in flight"), "0");
  for (const std::string program : {"redis-server", "nats-server", "rabbitmq-server", "Kafka", "n2nq-relay"})
    EXPECT_EQ(shows(("Process " + program).c_str()), program == server());
  key(Qt::Key_2, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1 && shows("All figures of the result"); }));
  click("All figures of the result");
  ASSERT_TRUE(wait([&] { return shows("Totals") && rows("Totals") > 0; }));
  EXPECT_EQ(cell("Results", 0, "Bus"), GetParam());
  // Partitions overtake each other, and that is no loss.
  if (std::string(GetParam()) != "Kafka") {
    EXPECT_EQ(value("Totals", "Losses"), "No losses");
  }
  EXPECT_EQ(value("Totals", "Messages accepted"), answers() ? "40" : "not known");
  // Receivers of Kafka ask while they wait, so that few messages may take kilobytes each.
  const QString unit = std::string(GetParam()) == "Kafka" ? "B" : " B";
  EXPECT_TRUE(value("Totals", "On the wire, a message").endsWith(unit)) << "with headers, more than its payload";
}

INSTANTIATE_TEST_SUITE_P(Buses, BusRun,
                         testing::Values("HTTP/1.1", "WebSocket", "Redis pub/sub", "Redis Streams", "NATS",
                                         "NATS JetStream", "RabbitMQ", "Kafka", "Bare relay"),
                         [](const auto& one) {
                           std::string name(one.param);
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace n2nq::test
