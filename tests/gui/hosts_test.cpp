// The page of hosts, and runs on hosts. A command host whose command is `env` is this computer once more, behind a link
// like any other.
#include <gmock/gmock.h>

#include <QComboBox>
#include <QLineEdit>
#include <QTimer>
#include <fstream>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class Hosts : public WindowRig {
 protected:
  Hosts() {
    std::filesystem::create_directories(dir_ / "home");
    qputenv("HOME", (dir_ / "home").c_str());
  }
  ~Hosts() override {
    close_window();
    qputenv("HOME", home_);
  }

  // Two hosts that are there, one that is not, and one that nobody finds a queue on.
  void write_hosts() const {
    std::filesystem::create_directories(data());
    const auto here = [this](const char* name) {
      return R"({"name": ")" + std::string(name) + R"(", "kind": "command", "command": "env {command}",
        "data_address": "127.0.0.1", "work_folder": ")" +
             (dir_ / name).string() + R"("})";
    };
    const std::string box = R"({"name": "box", "kind": "command", "command": "env {command}", "work_folder": ")" +
                            (dir_ / "box").string() + R"("})";
    std::ofstream(data() / "hosts.json") << R"({"version": 1, "hosts": [)" << here("vm2") << "," << here("vm3")
                                         << R"(, {"name": "gone", "address": "127.0.0.1", "port": 1}, )" << box << "]}";
  }
  void open_hosts() {
    open_window();
    if (shows("Not now")) click("Not now");
    key(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(shows("Hosts") || shows("Add a host"));
  }
  QString test_of(const QString& host) const {
    for (int row = 0; row < rows("Hosts"); row++)
      if (cell("Hosts", row, "Name") == host) return cell("Hosts", row, "Last test");
    return {};
  }
  void choose_row(int row) {
    auto* table = find_as<QTableView>("Hosts");
    table->setFocus();
    table->selectRow(row);
  }
  std::string kept() const {
    std::ifstream file(data() / "hosts.json");
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  QByteArray home_ = qgetenv("HOME");
};

TEST_F(Hosts, AreAddedEditedRemovedAndBroughtBack) {
  open_hosts();
  EXPECT_FALSE(shows("Hosts"));
  click("Add a host");
  type("Host name", "vm7");
  type("Host address", "192.0.2.7");
  EXPECT_EQ(cell("Hosts", 0, "Name"), "vm7");
  EXPECT_EQ(cell("Hosts", 0, "Address"), "192.0.2.7");
  EXPECT_THAT(kept(), HasSubstr("192.0.2.7"));
  choose_row(0);
  key(Qt::Key_Delete);
  EXPECT_FALSE(shows("Hosts"));
  EXPECT_EQ(kept().find("vm7"), std::string::npos);
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(rows("Hosts"), 1);
  EXPECT_THAT(kept(), HasSubstr("vm7"));
  close_window();
  open_hosts();
  EXPECT_EQ(rows("Hosts"), 1) << "they are there at the next start";
}

TEST_F(Hosts, AreImportedFromTheUsersConfiguration) {
  std::filesystem::create_directories(dir_ / "home" / ".ssh");
  std::ofstream(dir_ / "home" / ".ssh" / "config") << "Host lab1\n  HostName 192.0.2.1\nHost lab2\n  ProxyJump lab1\n";
  open_hosts();
  click("Take over from SSH config");
  ASSERT_TRUE(shows("Hosts to import"));
  EXPECT_EQ(cell("Hosts to import", 0, "What happens"), "is added; jump host of lab2");
  click("Import checked hosts");
  ASSERT_TRUE(wait([&] { return shows("Hosts") && rows("Hosts") == 2; }));
  EXPECT_EQ(cell("Hosts", 1, "Jump host"), "lab1");
  std::ofstream(dir_ / "home" / ".ssh" / "config", std::ios::app) << "Host lab3\n";
  find("Import hosts")->setFocus();
  // The menu has an event loop of its own until something is chosen.
  QTimer::singleShot(0, [] {
    QWidget* menu = QApplication::activePopupWidget();
    ASSERT_NE(menu, nullptr);
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
  });
  key(Qt::Key_Space);
  ASSERT_TRUE(wait([&] { return shows("Hosts to import"); }));
  click("Import checked hosts");
  ASSERT_TRUE(wait([&] { return rows("Hosts") == 3; }));
}

TEST_F(Hosts, ATestSaysWhatWorksAndWhatDoesNot) {
  write_hosts();
  open_hosts();
  choose_row(0);
  key(Qt::Key_T, Qt::ControlModifier);
  // Whether a time source can be asked, and this computer be reached from behind a command, is not in our hand.
  const auto over = [&] {
    const QString said = test_of("vm2");
    return said == "everything works" || said.startsWith("clock: ") || said.startsWith("queue of the plan: ");
  };
  ASSERT_TRUE(wait(over)) << test_of("vm2").toStdString();
  EXPECT_THAT(text_of("Test step queue address").toStdString(), HasSubstr("for example at port"));
  EXPECT_THAT(text_of("Test step queue there").toStdString(), HasSubstr("this computer reaches a queue there"));
  choose_row(2);
  click("Test host");
  ASSERT_TRUE(wait([&] { return test_of("gone").startsWith("reach:"); })) << test_of("gone").toStdString();
  EXPECT_EQ(text_of("Test step login"), "not tried");
}

TEST_F(Hosts, ARunTakesPlaceOnThem) {
  write_hosts();
  open_hosts();
  key(Qt::Key_1, Qt::ControlModifier);
  choose("Queue host", "vm3");
  choose("Receivers source", "vm2");
  choose("Receivers source", "vm2, vm3");
  choose("Senders source", "internal");
  EXPECT_EQ(text_of("Senders source text"), "vm3") << "where the queue is";
  EXPECT_EQ(text_of("Receivers source text"), "vm2, vm3");
  short_run();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
  EXPECT_THAT(cell("Results", 0, "Verdict").toStdString(), HasSubstr("passed"));
  EXPECT_EQ(number(cell("Results", 0, "Received")), static_cast<int64_t>(lines_in_logs("receiver")))
      << "the logs were collected";
}

TEST_F(Hosts, AQueueHereIsFoundByACommandHostThatHasAnAddressForItsData) {
  write_hosts();
  open_hosts();
  key(Qt::Key_1, Qt::ControlModifier);
  choose("Receivers source", "vm2");
  short_run();
}

TEST_F(Hosts, AQueueHereThatACommandHostCannotFindIsPutElsewhereByAClick) {
  write_hosts();
  open_hosts();
  key(Qt::Key_1, Qt::ControlModifier);
  choose("Senders source", "vm3");
  choose("Receivers source", "box");
  click("Start all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("failed"); })) << text_of("Message").toStdString();
  EXPECT_THAT(text_of("Message").toStdString(),
              testing::AllOf(HasSubstr("Listen on"), HasSubstr("data address"), HasSubstr("Show host box"),
                             HasSubstr("Move queue to vm3")));
  click_link("Message", [&] { return said_by("Queue host text") == "vm3"; });
  EXPECT_EQ(text_of("Queue host text"), "vm3");
  short_run();
}

TEST_F(Hosts, ChoicesAreUndoneLikeOtherFields) {
  write_hosts();
  open_hosts();
  key(Qt::Key_1, Qt::ControlModifier);
  choose("Queue host", "vm3");
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text_of("Queue host text"), "this computer");
}

TEST_F(Hosts, AnUnknownOneKeepsThePlanFromStarting) {
  write_hosts();
  open_hosts();
  key(Qt::Key_1, Qt::ControlModifier);
  type("Senders source text", "vm9");
  EXPECT_FALSE(find("Start all")->isEnabled());
  EXPECT_THAT(text_of("Message").toStdString(), HasSubstr("vm9"));
  type("Senders source text", "this computer");
  EXPECT_TRUE(find("Start all")->isEnabled());
}

TEST_F(Hosts, APlanThatNamesUnknownOnesAsksWhichAreMeant) {
  write_hosts();
  const auto plan = dir_ / "lab.json";
  std::ofstream(plan) << R"({"version": 1, "base": {"name": "lab", "queue": {"host": "old1"},
    "senders": {"hosts": ["old2"]}}})";
  open_window(plan.string());
  ASSERT_TRUE(shows("Host for old1"));
  EXPECT_FALSE(find("Start all")->isEnabled());
  choose("Host for old1", "vm3");
  click("Use these");
  EXPECT_EQ(text_of("Queue host text"), "vm3");
  EXPECT_EQ(text_of("Senders source text"), "this computer");
  EXPECT_FALSE(shows("Host for old1"));
  EXPECT_TRUE(find("Start all")->isEnabled());
}

TEST_F(Hosts, ARunThatFailsBecauseOfOneShowsIt) {
  write_hosts();
  open_hosts();
  key(Qt::Key_1, Qt::ControlModifier);
  choose("Senders source", "gone");
  click("Start all");
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("failed"); })) << text_of("Message").toStdString();
  EXPECT_THAT(text_of("Message").toStdString(), HasSubstr("Show host gone"));
  click_link("Message", [&] { return shows("Hosts"); });
  ASSERT_TRUE(shows("Hosts"));
  EXPECT_EQ(text_of("Host name"), "gone");
}

}  // namespace
}  // namespace n2nq::test
