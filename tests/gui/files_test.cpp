// Logs opened, plans saved and opened, results listed.
#include <QTabBar>
#include <fstream>

#include "tests/gui/files_rig.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

using Files = FilesRig;

TEST_F(Files, TheLogOfAServiceOpensFromItsRow) {
  open_window();
  short_run();
  auto* table = find_as<QTableView>("Receivers");
  table->setFocus();
  table->selectRow(0);
  QTest::keyClick(table, Qt::Key_Return);
  QWidget* log = nullptr;
  ASSERT_TRUE(wait([&] {
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (widget->isVisible() && widget != &window() && widget->windowTitle().contains("receiver-1")) log = widget;
    return log != nullptr;
  }));
  log->close();
}

TEST_F(Files, APlanIsSavedAndOpenedAgain) {
  open_window();
  type("Senders amount text", "7");
  type("Plan name", "seven");
  EXPECT_TRUE(shows("Unsaved"));
  key(Qt::Key_S, Qt::ControlModifier);
  const auto path = data() / "seven.json";
  answer_file_dialog(path);
  ASSERT_TRUE(wait([&] { return std::filesystem::exists(path) && !shows("Unsaved"); }));

  type("Senders amount text", "9");
  EXPECT_TRUE(shows("Unsaved"));
  key(Qt::Key_O, Qt::ControlModifier);
  answer_file_dialog(path);
  ASSERT_TRUE(wait([&] { return text_of("Senders amount text") == "7"; }))
      << text_of("Senders amount text").toStdString();
  EXPECT_FALSE(shows("Unsaved"));
}

// A plan of somebody else, which names a file of the user and the address of a stranger.
struct PlanOfOthers : Files {
  PlanOfOthers() {
    std::filesystem::create_directories(dir_ / "download");
    std::ofstream(secret) << "password";
  }
  std::string hostile(const std::string& name) const {
    return R"({"version": 1, "base": {"name": ")" + name + R"(", "join_timeout": "2s", "senders": {"messages": 5},
      "bus": {"kind": "redis-streams", "address": ")" +
           address() + R"(", "user": "me", "password_file": ")" + secret + "\"}}}";
  }
  // The question that is shown names both.
  void expect_asked(const QString& safe) {
    ASSERT_TRUE(wait([&] { return shows(safe); }));
    EXPECT_TRUE(find(safe)->hasFocus()) << "Enter changes nothing";
    const auto labels = window().findChildren<QLabel*>();
    EXPECT_TRUE(std::ranges::any_of(labels, [this](const QLabel* label) {
      return label->isVisible() && label->text().contains(QString::fromStdString(secret)) &&
             label->text().contains(QString::fromStdString(address()));
    }));
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_.number()); }

  const std::string secret = std::filesystem::weakly_canonical(dir_.path()).string() + "/secret";
  ReservedPort port_;
};

TEST_F(PlanOfOthers, IsOpenedOnceTheUserAllowsWhatItSendsAndIsNotAskedAboutAgain) {
  const auto path = dir_ / "download/given.json";
  std::ofstream(path) << hostile("given");
  open_window(path);
  expect_asked("Do not open");
  click("Do not open");
  ASSERT_TRUE(wait([&] { return !shows("Do not open"); }));
  EXPECT_NE(text_of("Plan name"), "given");
  const QPoint middle = window().rect().center();
  drop(path, middle);
  expect_asked("Do not open");
  click("Allow and open");
  ASSERT_TRUE(wait([&] { return text_of("Plan name") == "given"; }));
  type("Plan name", "other");
  drop(path, middle);
  ASSERT_TRUE(wait([&] { return text_of("Plan name") == "given"; }));
  EXPECT_FALSE(shows("Do not open"));
}

TEST_F(PlanOfOthers, IsStartedOnlyOnceTheUserAllowsWhatItSends) {
  std::filesystem::create_directories(data());
  std::ofstream(data() / "last-plan.json") << hostile("kept");
  open_window();
  ASSERT_EQ(text_of("Plan name"), "kept");
  click("Start all");
  expect_asked("Do not start");
  click("Do not start");
  ASSERT_TRUE(wait([&] { return !shows("Do not start"); }));
  EXPECT_FALSE(std::filesystem::exists(data() / "allowed.json"));
  click("Start all");
  expect_asked("Do not start");
  click("Send and start");
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("failed"); }));
  EXPECT_TRUE(std::filesystem::exists(data() / "allowed.json"));
}

TEST_F(PlanOfOthers, IsRunAgainFromItsResultOnceTheUserAllowsWhatItSends) {
  std::filesystem::create_directories(data());
  std::ofstream(data() / "last-plan.json") << hostile("kept");
  open_window();
  click("Start all");
  expect_asked("Do not start");
  click("Send and start");
  ASSERT_TRUE(wait([&] { return sql("SELECT count(*) FROM results") == "1\n" && shows("Start all"); }));
  close_window();
  std::filesystem::remove(data() / "allowed.json");
  open_window();
  for (const char* answer : {"Do not start", "Send and start"}) {
    click("Page Results");
    ASSERT_TRUE(wait([&] { return shows("Results") && find("Run again")->isEnabled(); }));
    click("Run again");
    expect_asked("Do not start");
    const auto labels = window().findChildren<QLabel*>();
    EXPECT_FALSE(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->isVisible() && label->text().contains("cannot be started");
    })) << "it was not decided yet";
    click(answer);
  }
  ASSERT_TRUE(wait([&] { return sql("SELECT count(*) FROM results") == "2\n"; }));
  EXPECT_THAT(sql("SELECT text FROM run_log WHERE result_id = 2"), testing::HasSubstr("result #1 again"));
}

// That this process holds; whoever closes any descriptor of a file takes them all.
size_t locks_on(const std::filesystem::path& file) {
  struct stat status{};
  EXPECT_EQ(::stat(file.c_str(), &status), 0);
  const std::string process = " " + std::to_string(::getpid()) + " ";
  const std::string inode = ":" + std::to_string(status.st_ino) + " ";
  std::ifstream locks("/proc/locks");
  size_t found = 0;
  for (std::string line; std::getline(locks, line);)
    found += line.find(process) != std::string::npos && line.find(inode) != std::string::npos;
  return found;
}

TEST_F(Files, NeitherAListOfTheDataFolderNorADropTakesTheStoreItsLocks) {
  open_window();
  if (shows("Not now")) click("Not now");
  const auto store = data() / "results.sqlite";
  std::ofstream(data() / "some.json") << "{}";
  const size_t before = locks_on(store);
  ASSERT_GT(before, 0u);
  key(Qt::Key_O, Qt::ControlModifier);
  QFileDialog* dialog = file_dialog();
  ASSERT_NE(dialog, nullptr);
  dialog->setDirectory(QString::fromStdString(data().string()));
  auto* list = dialog->findChild<QAbstractItemView*>("listView");
  ASSERT_TRUE(wait([&] {
    for (int row = 0; row < list->model()->rowCount(list->rootIndex()); row++)
      if (list->model()->index(row, 0, list->rootIndex()).data() == "some.json") return true;
    return false;
  }));
  const QPointer<QFileDialog> open = dialog;
  dialog->reject();
  ASSERT_TRUE(wait([&] { return open == nullptr && QTest::qWaitForWindowActive(&window(), 100); }));
  EXPECT_EQ(locks_on(store), before);
  drop(store, QPoint(300, 300));
  EXPECT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("is a results store"); }))
      << text_of("Notice").toStdString();
  EXPECT_EQ(locks_on(store), before);
}

class Dropped : public Files {
 protected:
  std::filesystem::path plan_file() const {
    const auto path = dir_ / "dropped.json";
    std::ofstream(path) << R"({"version":1,"base":{"name":"dropped","senders":{"count":17}}})";
    return path;
  }
  void drop_on(const QString& name) const {
    QWidget* widget = find(name);
    ASSERT_NE(widget, nullptr);
    drop(plan_file(), widget->mapTo(&window(), widget->rect().center()));
    EXPECT_EQ(text_of("Plan name"), "dropped");
    EXPECT_EQ(text_of("Senders amount text"), "17");
  }
};

TEST_F(Dropped, APlanIsOpened) {
  open_window();
  drop_on("Run state");
}

TEST_F(Dropped, APlanIsOpenedOverAFieldToo) {
  open_window();
  const QString before = text_of("Senders delay");
  drop_on("Senders delay");
  EXPECT_EQ(text_of("Senders delay"), before);
}

TEST_F(Dropped, AFileThatIsNoPlanIsSaidToBeNone) {
  open_window();
  click("Not now");
  const auto path = dir_ / "holiday.txt";
  std::ofstream(path) << "sun";
  drop(path, QPoint(5, 5));
  EXPECT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("holiday.txt"); }));
}

TEST_F(Files, TheLastPlanIsThereAtTheNextStart) {
  open_window();
  type("Senders amount text", "23");
  type("Senders delay", "37 ms");
  close_window();
  open_window();
  EXPECT_EQ(text_of("Senders amount text"), "23");
  EXPECT_EQ(text_of("Senders delay").remove(' '), "37ms");
}

TEST_F(Files, FiltersThatWereNotSentAreThereAtTheNextStartAndWithTheirPlan) {
  open_window();
  set_checked("Receiver requests", true);
  click("Edit filters");
  auto* tabs = find_as<QTabBar>("Filters as text or as a matrix tabs");
  ASSERT_NE(tabs, nullptr);
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  click("Pin one-to-one");
  click("Close filters");
  const QString pinned = text_of("Filters");
  close_window();
  open_window();
  ASSERT_TRUE(shows("Request state"));
  EXPECT_EQ(text_of("Request state"), "not sent");
  EXPECT_EQ(text_of("Filters"), pinned);
  type("Senders amount text", "4");
  EXPECT_TRUE(shows("Request state")) << "another edit";
  key(Qt::Key_N, Qt::ControlModifier);
  EXPECT_FALSE(shows("Request state")) << "another plan";
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(shows("Request state"));
  EXPECT_EQ(text_of("Filters"), pinned);
  click("Make request");
  EXPECT_FALSE(shows("Request state"));
  close_window();
  open_window();
  EXPECT_FALSE(shows("Request state"));
  EXPECT_EQ(text_of("Filters"), pinned);
}

TEST_F(Files, UndoTakesBackAndRedoBringsAgain) {
  open_window();
  const QString before = text_of("Receivers amount text");
  type("Receivers amount text", "42");
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text_of("Receivers amount text"), before);
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(text_of("Receivers amount text"), "42");
}

TEST_F(Files, UndoTakesBackAWrongTextAndNotTheEditBeforeIt) {
  open_window();
  set_checked("Receiver requests", true);
  const QString before = text_of("Senders delay");
  type("Senders delay", "soon");
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text_of("Senders delay"), before);
  EXPECT_TRUE(find_as<QAbstractButton>("Receiver requests")->isChecked());
  EXPECT_TRUE(find("Start all")->isEnabled());
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(find_as<QAbstractButton>("Receiver requests")->isChecked());
}

TEST_F(Files, AWrongFieldIsMarkedAndBlocksTheStartWithAReason) {
  open_window();
  type("Senders delay", "soon");
  QWidget* start = find("Start all");
  EXPECT_FALSE(start->isEnabled());
  EXPECT_FALSE(start->toolTip().isEmpty());
  EXPECT_EQ(text_of("Senders delay"), "soon") << "what was typed is not lost";
  type("Senders delay", "20 ms");
  EXPECT_TRUE(start->isEnabled());
}

TEST_F(Files, AResultIsListedAfterItsRunAndAtTheNextStart) {
  open_window();
  short_run();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
  EXPECT_THAT(cell("Results", 0, "Verdict").toStdString(), HasSubstr("passed"));
  EXPECT_EQ(number(cell("Results", 0, "Received")), static_cast<int64_t>(lines_in_logs("receiver")));
  close_window();
  open_window();
  click("Page Results");
  EXPECT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
}

}  // namespace
}  // namespace n2nq::test
