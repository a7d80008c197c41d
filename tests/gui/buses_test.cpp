// The page of buses: what is installed, what installs the rest, and the test of a bus.
#include <gmock/gmock.h>

#include <QClipboard>
#include <QComboBox>
#include <fstream>

#include "tests/gui/window_rig.h"
#include "tests/helpers/bus_servers.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class BusesPage : public WindowRig {
 protected:
  static void SetUpTestSuite() { put_servers_into_path(); }
  ~BusesPage() override {
    close_window();
    qputenv("PATH", path_);
    qputenv("KAFKA_HOME", kafka_home_);
    qunsetenv("XDG_DATA_HOME");
  }
  void open_buses() {
    open_window();
    if (shows("Not now")) click("Not now");
    key(Qt::Key_4, Qt::ControlModifier);
    ASSERT_TRUE(shows("Buses"));
    ASSERT_TRUE(wait([&] { return find("Look for servers again")->isEnabled(); }));
  }
  int row_of(const QString& bus) const {
    for (int row = 0; row < rows("Buses"); row++)
      if (cell("Buses", row, "Bus") == bus) return row;
    ADD_FAILURE() << "no row " << bus.toStdString();
    return 0;
  }
  QString of(const QString& bus, const QString& column) const { return cell("Buses", row_of(bus), column); }
  void choose_bus(const QString& bus) const {
    auto* table = find_as<QTableView>("Buses");
    table->setFocus();
    table->selectRow(row_of(bus));
  }
  void leave_nothing_in_path() const { qputenv("PATH", (dir_ / "nothing").c_str()); }

 private:
  QByteArray path_ = qgetenv("PATH");
  QByteArray kafka_home_ = qgetenv("KAFKA_HOME");
};

TEST_F(BusesPage, SaysWhatIsInstalledAndTestsABusAndPutsItIntoThePlan) {
  open_buses();
  EXPECT_EQ(of("N2NQ", "State"), "no server needed");
  EXPECT_EQ(of("Redis Streams", "State"), "installed");
  EXPECT_TRUE(of("Redis Streams", "Version").contains('.'));
  EXPECT_TRUE(of("Redis Streams", "Program").endsWith("/redis-server"));
  EXPECT_EQ(of("Redis Streams", "Last test"), "not tested");
  choose_bus("Redis Streams");
  EXPECT_FALSE(find("Copy install command")->isEnabled());
  EXPECT_THAT(find("Copy install command")->toolTip().toStdString(), HasSubstr("Its server is installed."));
  key(Qt::Key_T, Qt::ControlModifier);
  EXPECT_TRUE(shows("Stop the test of the bus"));
  EXPECT_FALSE(find("Test bus")->isEnabled());
  ASSERT_TRUE(wait([&] { return !shows("Stop the test of the bus"); }));
  EXPECT_EQ(of("Redis Streams", "Last test"), "everything works");
  EXPECT_THAT(text_of("Test step program").toStdString(), HasSubstr("redis-server"));
  EXPECT_THAT(text_of("Test step messages").toStdString(), HasSubstr("10 sent, 10 accepted, 10 received, none lost"));
  EXPECT_THAT(text_of("Test step end").toStdString(), HasSubstr("all processes have ended"));
  EXPECT_TRUE(find("Test bus")->isEnabled());
  click("Use bus in plan");
  EXPECT_EQ(find_as<QComboBox>("Bus")->currentText(), "Redis Streams");
  EXPECT_TRUE(find("Bus")->hasFocus());
  key(Qt::Key_4, Qt::ControlModifier);
  click("Use bus in plan");
  EXPECT_TRUE(find("Bus")->hasFocus());
  key(Qt::Key_2, Qt::ControlModifier);
  EXPECT_FALSE(shows("Results") && rows("Results") > 0) << "a test is no result";
}

TEST_F(BusesPage, SaysWhatInstallsAServerThatIsNotThere) {
  leave_nothing_in_path();
  open_buses();
  EXPECT_EQ(of("Redis pub/sub", "State"), "not installed");
  EXPECT_EQ(of("Redis pub/sub", "Program"), "install it with: sudo apt install redis-server");
  EXPECT_EQ(of("WebSocket", "State"), "no server needed");
  choose_bus("Redis pub/sub");
  click("Copy install command");
  EXPECT_EQ(QApplication::clipboard()->text(), "sudo apt install redis-server");
  click("Test bus");
  ASSERT_TRUE(wait([&] { return of("Redis pub/sub", "Last test").startsWith("program: "); }));
  EXPECT_THAT(text_of("Test step program").toStdString(),
              HasSubstr("redis-server is not installed here; install it with: sudo apt install redis-server"));
  EXPECT_EQ(text_of("Test step messages"), "not tried");
  choose_bus("WebSocket");
  click("Test bus");
  EXPECT_TRUE(find("Buses")->hasFocus()) << "and nothing that Enter would do";
  ASSERT_TRUE(wait([&] { return of("WebSocket", "Last test") == "everything works"; }));
}

// By a Maven that lacks at first.
TEST_F(BusesPage, FetchesKafka) {
  const auto share = dir_ / "share";
  const auto programs = dir_ / "programs";
  std::filesystem::create_directories(programs);
  qputenv("XDG_DATA_HOME", share.c_str());
  qunsetenv("KAFKA_HOME");
  qputenv("PATH", programs.c_str());
  const auto put = [&](const std::string& name, const std::string& script) {
    std::ofstream(programs / name) << "#!/bin/sh\nPATH=/usr/bin:/bin\n" << script << "\n";
    std::filesystem::permissions(programs / name, std::filesystem::perms::owner_all);
  };
  put("java", "exit 0");
  open_buses();
  choose_bus("NATS");
  EXPECT_FALSE(shows("Fetch Kafka"));
  choose_bus("Kafka");
  EXPECT_EQ(of("Kafka", "Program"), "install it with: n2nq-bench buses fetch kafka");
  click("Test bus");
  ASSERT_TRUE(wait([&] { return of("Kafka", "Last test").startsWith("program: "); }));
  click("Fetch Kafka");
  ASSERT_TRUE(wait([&] {
    return shows(
        "Kafka was not fetched: mvn is not installed, and is needed to fetch Kafka; install it with: sudo apt install "
        "maven "
        "default-jre-headless");
  }));

  put("mvn", "sleep 60");
  click("Fetch Kafka");
  EXPECT_EQ(of("Kafka", "State"), "fetching");
  click("Stop fetching");
  ASSERT_TRUE(wait([&] { return shows("Kafka was not fetched: this was stopped"); }));
  EXPECT_TRUE(std::filesystem::is_empty(share / "n2nq"));

  put("mvn",
      "for word in \"$@\"; do case $word in -DoutputDirectory=*) to=${word#*=};; esac; done\n"
      "mkdir -p \"$to\"; echo 12 > \"$to/kafka_2.13-3.7.0.jar\"; echo 34 > \"$to/a.jar\"");
  click("Fetch Kafka");
  ASSERT_TRUE(wait([&] { return of("Kafka", "State") == "installed"; }));
  EXPECT_FALSE(shows("Fetch Kafka"));
  EXPECT_EQ(of("Kafka", "Last test"), "not tested") << "that one was of a computer without Kafka";
  EXPECT_TRUE(shows(QString("Kafka 3.7.0 fetched: %1 (2 files, 6 B)").arg((share / "n2nq/kafka/libs").c_str())));
}

// This computer once more, behind a link.
TEST_F(BusesPage, LooksAtHostsAndTestsThere) {
  std::filesystem::create_directories(data());
  std::ofstream(data() / "hosts.json") << R"({"version": 1, "hosts": [{"name": "box", "kind": "command",
    "command": "env {command}", "data_address": "127.0.0.1", "work_folder": ")" +
                                              (dir_ / "box").string() + R"("}]})";
  open_buses();
  choose("Buses of", "box");
  ASSERT_TRUE(wait([&] { return of("NATS", "State") == "installed"; }));
  choose_bus("NATS");
  click("Test bus");
  key(Qt::Key_3, Qt::ControlModifier);
  EXPECT_FALSE(find("Remove host")->isEnabled());
  EXPECT_THAT(find("Remove host")->toolTip().toStdString(), HasSubstr("while the Buses page uses a host"));
  ASSERT_TRUE(wait([&] { return find("Remove host")->isEnabled(); }));
  key(Qt::Key_4, Qt::ControlModifier);
  EXPECT_EQ(of("NATS", "Last test"), "everything works");
  EXPECT_THAT(text_of("Test of the bus").toStdString(), HasSubstr("NATS on box"));
  key(Qt::Key_3, Qt::ControlModifier);
  click("Remove host");
  key(Qt::Key_4, Qt::ControlModifier);
  EXPECT_EQ(find_as<QComboBox>("Buses of")->count(), 1);
  EXPECT_EQ(of("NATS", "Last test"), "not tested") << "here it was not";
}

TEST_F(BusesPage, TestsNothingDuringARun) {
  open_buses();
  choose_bus("N2NQ");
  EXPECT_TRUE(find("Test bus")->isEnabled());
  key(Qt::Key_1, Qt::ControlModifier);
  click("Start all");
  key(Qt::Key_4, Qt::ControlModifier);
  for (const char* name : {"Test bus", "Use bus in plan", "Look for servers again"}) {
    EXPECT_FALSE(find(name)->isEnabled()) << name;
    EXPECT_THAT(find(name)->toolTip().toStdString(), HasSubstr("Cannot be tested during a run")) << name;
  }
  key(Qt::Key_F5, Qt::ShiftModifier);
  ASSERT_TRUE(wait([&] { return find("Test bus")->isEnabled(); }));
}

TEST_F(BusesPage, ATestIsEndedByItsButtonAndByARun) {
  open_buses();
  choose_bus("RabbitMQ");
  const auto begin = [&] {
    click("Test bus");
    ASSERT_TRUE(wait([&] { return of("RabbitMQ", "Last test").startsWith("server"); })) << "its program was found";
  };
  begin();
  click("Stop the test of the bus");
  ASSERT_TRUE(wait([&] { return !shows("Stop the test of the bus"); }));
  EXPECT_EQ(of("RabbitMQ", "Last test"), "abandoned");
  EXPECT_THAT(text_of("Test step program").toStdString(), HasSubstr("rabbitmq-server"));
  EXPECT_EQ(text_of("Test step server"), "not tried");
  begin();
  key(Qt::Key_F5);
  key(Qt::Key_4, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return !shows("Stop the test of the bus"); }));
  EXPECT_EQ(of("RabbitMQ", "Last test"), "abandoned");
  key(Qt::Key_F5, Qt::ShiftModifier);
  ASSERT_TRUE(wait([&] { return find("Test bus")->isEnabled(); }));
}

}  // namespace
}  // namespace n2nq::test
