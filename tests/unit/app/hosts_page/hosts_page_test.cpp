#include "ui/hosts/hosts_page.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <fstream>

#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/hosts_page/fake_host_link.h"
#include "ui/hosts/host_exchange.h"
#include "ui/hosts/host_model.h"
#include "ui/hosts/import_dialog.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct HostsPageTest : testing::Test {
  HostsPageTest() { qputenv("HOME", (dir / "home").c_str()); }
  ~HostsPageTest() override { test::forget_fake_hosts(); }

  test::TempDir dir;
  std::unique_ptr<hosts::HostBook> book;
  std::unique_ptr<run::HostLinks> links;
  std::unique_ptr<HostsPage> page;

  void open(const hosts::HostList& list = {}) {
    if (!list.hosts.empty()) {
      ASSERT_TRUE(hosts::write_host_list(path(), list));
    }
    book = std::make_unique<hosts::HostBook>(path());
    links = std::make_unique<run::HostLinks>(book->list(), launch::LinkOptions{});
    page = std::make_unique<HostsPage>(*book, *links);
    page->resize(1280, 800);
    page->show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page.get()));
  }
  std::string path() const { return (dir / "hosts.json").string(); }
  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    const auto list = hosts::read_host_list(path());
    for (const hosts::Host& host : list.value_or(hosts::HostList()).hosts) names.push_back(host.name);
    return names;
  }
  template <class Widget>
  Widget& named(const QString& name) {
    for (auto* widget : page->findChildren<Widget*>())
      if (widget->accessibleName() == name) return *widget;
    throw std::runtime_error("no " + name.toStdString());
  }
  void press(const QString& name) { QTest::mouseClick(&named<QPushButton>(name), Qt::LeftButton); }
  void type(const QString& name, const QString& text) {
    auto& line = named<QLineEdit>(name);
    line.setFocus();
    QTest::keyClick(&line, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&line, Qt::Key_Delete);
    QTest::keyClicks(&line, text);
    QTest::keyClick(&line, Qt::Key_Tab);
  }
  QTableView& rows() { return named<QTableView>("Hosts"); }
  QString cell(int row, int column) { return rows().model()->index(row, column).data().toString(); }
  QString said() {
    QStringList texts;
    for (auto* message : page->findChildren<theme::MessageBar*>())
      if (message->isVisible())
        for (auto* label : message->findChildren<QLabel*>()) texts += label->text();
    return texts.join('\n');
  }
  std::string trouble() {
    QStringList texts;
    for (auto* line : page->findChildren<theme::StatusLabel*>())
      if (line->isVisible()) texts += line->text();
    return texts.join('\n').toStdString();
  }
  QString config() const { return QString::fromStdString((dir / "home" / ".ssh" / "config").string()); }
  void write_config(const char* text) const {
    QDir().mkpath(QString::fromStdString((dir / "home" / ".ssh").string()));
    std::ofstream(dir / "home" / ".ssh" / "config") << text;
  }
  ImportDialog* asked() const { return page->findChild<ImportDialog*>(); }
  void undo() { QTest::keyClick(page->focusWidget(), Qt::Key_Z, Qt::ControlModifier); }
};

const hosts::HostList kTwo{{{.name = "gate", .address = "203.0.113.1"},
                            {.name = "vm1", .address = "10.0.0.5", .user = "lab", .jump = "gate"}}};

TEST_F(HostsPageTest, AddsAHostAndAsksForItsName) {
  open();
  press("Add a host");
  EXPECT_THAT(kept(), ElementsAre("host1"));
  EXPECT_TRUE(named<QLineEdit>("Host name").hasFocus());
  type("Host name", "vm7");
  EXPECT_THAT(kept(), ElementsAre("vm7"));
  EXPECT_EQ(book->list().hosts.front().address, "vm7") << "until an address is given, it is the name";
}

TEST_F(HostsPageTest, IsTestedByItsKeyWhicheverFieldHasTheFocus) {
  for (const char* field : {"Host kind", "Host jump", "Host name", "Host notes", "Hosts"}) {
    open(kTwo);
    rows().selectRow(1);
    auto& widget = named<QWidget>(field);
    widget.setFocus();
    QTest::keyClick(&widget, Qt::Key_T, Qt::ControlModifier);
    EXPECT_TRUE(QTest::qWaitFor([this] { return cell(1, HostModel::last_test) != "not tested"; })) << field;
    EXPECT_EQ(book->list(), kTwo) << field;
  }
}

TEST_F(HostsPageTest, SaysWhichStepOfATestFailsWhateverIsAmissBesides) {
  test::fake_host("vm1").clock = launch::ClockState{.text = "not known: no chrony"};
  test::fake_host("vm1").port_there = test::fake_host("vm1").port_anywhere = fail("all ports are taken");
  open(kTwo);
  rows().selectRow(1);
  press("Test host");
  EXPECT_TRUE(QTest::qWaitFor([this] {
    return named<QLabel>("Test of the host").text() == "Test of vm1: failed: queue address";
  })) << named<QLabel>("Test of the host").text().toStdString();
  EXPECT_THAT(cell(1, HostModel::last_test).toStdString(), HasSubstr("queue address: all ports are taken"));
  test::fake_host("vm1").port_there = uint16_t{7400};
  press("Test host");
  EXPECT_TRUE(QTest::qWaitFor([this] {
    return named<QLabel>("Test of the host").text() == "Test of vm1: passed with a warning: clock";
  })) << named<QLabel>("Test of the host").text().toStdString();
}

TEST_F(HostsPageTest, KeepsEachFieldAsItIsLeft) {
  open(kTwo);
  rows().selectRow(1);
  type("Host data address", "192.168.7.5");
  type("Host data ports", "7400-7410");
  type("Host survive", "30 min");
  auto& notes = named<QPlainTextEdit>("Host notes");
  notes.setFocus();
  QTest::keyClicks(&notes, "in the cellar");
  rows().setFocus();
  const hosts::Host host = hosts::read_host_list(path())->hosts[1];
  EXPECT_EQ(host.data_address, "192.168.7.5");
  EXPECT_EQ(host.data_ports.last, 7410);
  EXPECT_EQ(host.survive_ns, 1'800'000'000'000);
  type("Host survive", "2 s");
  EXPECT_THAT(trouble(), HasSubstr("from 10s to 24h"));
  EXPECT_EQ(host.notes, "in the cellar");
}

TEST_F(HostsPageTest, SaysWhatIsWrongBeneathItsFieldAndKeepsTheText) {
  open(kTwo);
  type("Host port", "ssh");
  EXPECT_THAT(trouble(), HasSubstr("1 to 65535"));
  rows().selectRow(1);
  EXPECT_EQ(trouble(), "");
  rows().selectRow(0);
  EXPECT_EQ(named<QLineEdit>("Host port").text(), "ssh");
  EXPECT_THAT(trouble(), HasSubstr("1 to 65535"));
  type("Host port", "2222");
  EXPECT_EQ(trouble(), "");
  EXPECT_EQ(hosts::read_host_list(path())->hosts[0].port, 2222);
}

TEST_F(HostsPageTest, RefusesANameThatIsTaken) {
  open(kTwo);
  type("Host name", "vm1");
  EXPECT_THAT(trouble(), HasSubstr("twice"));
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1"));
}

TEST_F(HostsPageTest, ARenamedHostIsStillGoneThrough) {
  open(kTwo);
  type("Host name", "door");
  EXPECT_EQ(hosts::read_host_list(path())->hosts[1].jump, "door");
}

TEST_F(HostsPageTest, RemovesAndBringsBack) {
  open(kTwo);
  rows().selectRow(1);
  rows().setFocus();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  EXPECT_THAT(kept(), ElementsAre("gate"));
  EXPECT_THAT(said().toStdString(), HasSubstr("vm1 removed"));
  press("Undo");
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1"));
  rows().selectRow(1);
  press("Remove host");
  undo();
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1"));
}

TEST_F(HostsPageTest, UndoOfARemovalIsOfferedUntilSomethingElseIsChanged) {
  open(kTwo);
  QTest::keyClick(&rows(), Qt::Key_Down);  // not with the Ctrl of the test before
  press("Remove host");
  ASSERT_TRUE(named<QPushButton>("Undo").isVisible());
  rows().selectRow(0);
  type("Host user", "me");
  EXPECT_EQ(book->list().hosts[0].user, "me");
  EXPECT_FALSE(named<QPushButton>("Undo").isVisible()) << "it would take back the user";
}

TEST_F(HostsPageTest, RemovesNoHostThatAnotherIsReachedThrough) {
  open(kTwo);
  rows().selectRow(0);
  press("Remove host");
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1"));
  EXPECT_THAT(said().toStdString(), HasSubstr("it is the jump host of vm1"));
}

TEST_F(HostsPageTest, DuplicatesUnderAnotherName) {
  open(kTwo);
  rows().selectRow(1);
  press("Duplicate host");
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1", "vm1-2"));
  EXPECT_EQ(book->list().hosts[2].user, "lab");
}

TEST_F(HostsPageTest, ACommandHostHasACommandAndNoWayThroughOthers) {
  open(kTwo);
  rows().selectRow(1);
  auto& kind = named<QComboBox>("Host kind");
  kind.setFocus();
  QTest::keyClick(&kind, Qt::Key_Down);
  EXPECT_EQ(named<QLineEdit>("Host command").text(), "docker exec -i vm1 {command}");
  EXPECT_TRUE(named<QLineEdit>("Host command").isVisible());
  EXPECT_FALSE(named<QLineEdit>("Host user").isVisible());
  EXPECT_EQ(book->list().hosts[1].jump, "");
}

TEST_F(HostsPageTest, ImportsTheUsersConfiguration) {
  write_config("Host lab1 lab2\n  User me\nHost *\n  Port 2200\n");
  open(kTwo);
  page->exchange().import_from(config());
  ASSERT_NE(asked(), nullptr);
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1")) << "nothing is taken before it is accepted";
  press("Import checked hosts");
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1", "lab1", "lab2"));
  EXPECT_THAT(said().toStdString(), HasSubstr("lab1, lab2"));
  press("Undo");
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1"));
}

TEST_F(HostsPageTest, OfAConfigurationOnlyWhatIsCheckedIsTakenWithItsJumpHosts) {
  write_config(
      "Host lab1\n  ProxyJump door\nHost lab2\nHost vm1\n  HostName elsewhere\nHost door\n  IdentityFile ~/k\n");
  open(kTwo);
  page->exchange().import_from(config());
  auto& found = named<QTableView>("Hosts to import");
  const auto last = [&](int row) {
    return found.model()->index(row, found.model()->columnCount() - 1).data().toString();
  };
  EXPECT_EQ(last(3), "already in the list: stays as it is");
  EXPECT_EQ(last(1), "is added; jump host of lab1");
  EXPECT_EQ(named<QPushButton>("Import checked hosts").text(), "Import 3 hosts");
  press("Select none");
  EXPECT_FALSE(named<QPushButton>("Import checked hosts").isEnabled());
  found.setFocus();
  found.selectRow(0);
  QTest::keyClick(&found, Qt::Key_Space);
  EXPECT_EQ(last(2), "left out");
  EXPECT_EQ(named<QPushButton>("Import checked hosts").text(), "Import 2 hosts");
  press("Import checked hosts");
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1", "door", "lab1"));
  EXPECT_EQ(book->list().hosts[1].address, "10.0.0.5");
}

TEST_F(HostsPageTest, AConfigurationWithNothingNewIsSaidToBeSo) {
  write_config("Host vm1\n");
  open(kTwo);
  page->exchange().import_from(config());
  EXPECT_EQ(asked(), nullptr);
  EXPECT_THAT(said().toStdString(), AllOf(HasSubstr("Nothing new in ~/.ssh/config"), HasSubstr("left unchanged: vm1")));
}

TEST_F(HostsPageTest, WithoutHostsInvitesToBegin) {
  open();
  EXPECT_FALSE(rows().isVisible());
  EXPECT_FALSE(named<QPushButton>("Test host").isVisible());
  write_config("Host lab1\n");
  press("Take over from SSH config");
  press("Import checked hosts");
  EXPECT_TRUE(rows().isVisible());
  QTest::keyClick(&rows(), Qt::Key_Delete);
  EXPECT_TRUE(named<QPushButton>("Add a host").isVisible());
  EXPECT_TRUE(named<QPushButton>("Add a host").hasFocus());
  undo();
  EXPECT_THAT(kept(), ElementsAre("lab1"));
}

TEST_F(HostsPageTest, SaysInAWordHowEachHostIs) {
  test::fake_host("gate").failure = launch::LinkFailure{.step = launch::LinkStep::reach, .text = "no", .host = "gate"};
  open(kTwo);
  EXPECT_EQ(cell(1, HostModel::state), "never tested");
  rows().selectAll();
  press("Test host");
  EXPECT_TRUE(QTest::qWaitFor([this] { return cell(0, HostModel::state) == "unreachable"; }));
  EXPECT_TRUE(QTest::qWaitFor([this] { return cell(1, HostModel::state) == "tested"; }));
}

TEST_F(HostsPageTest, ATestShowsItsStepsAndItsOutcomeInTheList) {
  open(kTwo);
  rows().selectRow(1);
  press("Test host");
  ASSERT_TRUE(QTest::qWaitFor([this] { return cell(1, HostModel::last_test) == "everything works"; }));
  EXPECT_EQ(named<QLabel>("Test step login").text(), "login found");
  EXPECT_EQ(cell(0, HostModel::last_test), "not tested");
  type("Host user", "other");
  EXPECT_EQ(cell(1, HostModel::last_test), "not tested") << "it was another login that worked";
}

TEST_F(HostsPageTest, ATestThatFailsSaysWhereAndWhatToDo) {
  test::fake_host("gate").failure =
      launch::LinkFailure{.step = launch::LinkStep::reach,
                          .text = "nobody listens at 203.0.113.1 port 22; start sshd there",
                          .host = "gate"};
  open(kTwo);
  rows().selectRow(0);
  rows().setFocus();
  QTest::keyClick(&rows(), Qt::Key_T, Qt::ControlModifier);
  ASSERT_TRUE(QTest::qWaitFor([this] { return cell(0, HostModel::last_test).startsWith("reach:"); }));
  EXPECT_THAT(named<QLabel>("Test step reach").text().toStdString(), HasSubstr("start sshd there"));
  EXPECT_EQ(named<QLabel>("Test step login").text(), "not tried");
}

TEST_F(HostsPageTest, NothingIsChangedWhileARunHasLinks) {
  open(kTwo);
  page->set_locked("Cannot be changed during a run.");
  EXPECT_FALSE(named<QPushButton>("Add host").isEnabled());
  EXPECT_EQ(named<QPushButton>("Test host").toolTip(), "Cannot be changed during a run.");
  EXPECT_FALSE(named<QLineEdit>("Host name").isEnabled());
  EXPECT_TRUE(named<QPushButton>("Export hosts").isEnabled());
  rows().setFocus();
  QTest::keyClick(&rows(), Qt::Key_Delete);
  EXPECT_THAT(kept(), ElementsAre("gate", "vm1"));
}

TEST_F(HostsPageTest, AFileThatIsNoListIsLeftAlone) {
  std::ofstream(path()) << "{\"version\": 1, \"hosts\": [{]}";
  open();
  EXPECT_THAT(said().toStdString(), HasSubstr("hosts.json"));
  press("Add a host");
  EXPECT_TRUE(book->list().hosts.empty());
  std::ifstream file(path());
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}), HasSubstr("[{]}"));
}

}  // namespace
}  // namespace n2nq::ui
