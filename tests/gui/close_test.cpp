// The window is closed, or told to end, in mid-run.
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/gui/widgets.h"
#include "tests/gui/window_rig.h"
#include "tests/helpers/process.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class Close : public WindowRig {
 protected:
  void start_long_run() {
    type("Senders amount text", "3");
    type("Receivers amount text", "3");
    type("Senders messages text", "6000");
    type("Senders delay", "10 ms");
    click("Start all");
    ASSERT_TRUE(wait([&] { return received() > 20; }));
  }
  void close_and_answer(const QString& answer) {
    key(Qt::Key_Q, Qt::ControlModifier);
    ASSERT_TRUE(wait([&] { return shows(answer); }));
    EXPECT_TRUE(window().isVisible()) << "it asks first";
    EXPECT_THAT(text_of("Notice").toStdString(), HasSubstr("A run is in progress"));
    click(answer);
  }
  int64_t received() const { return rows("Receivers") > 0 ? number(cell("Receivers", 0, "Received")) : -1; }
  // After the window was closed: what the next one shows.
  void expect_stored() {
    close_window();
    open_window();
    click("Page Results");
    ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1; }));
    EXPECT_THAT(cell("Results", 0, "Verdict").toStdString(), HasSubstr("stopped"));
    EXPECT_EQ(number(cell("Results", 0, "Received")), static_cast<int64_t>(lines_in_logs("receiver")));
  }
};

TEST_F(Close, StopAndKeepEndsTheRunStoresItAndClosesTheWindow) {
  open_window();
  start_long_run();
  close_and_answer("Stop and save results");
  ASSERT_TRUE(wait([&] { return !window().isVisible(); }));
  EXPECT_THAT(processes_left(), IsEmpty());
  EXPECT_EQ(lines_in_logs("receiver"), 3 * lines_in_logs("sender")) << "what was under way has arrived";
  expect_stored();
}

TEST_F(Close, SavesNotesThatWereTypedJustBefore) {
  open_window();
  short_run();
  click("Page Results");
  ASSERT_TRUE(wait([&] { return shows("Details of the result tabs"); }));
  auto* tabs = qobject_cast<QTabBar*>(find("Details of the result tabs"));
  ASSERT_NE(tabs, nullptr);
  tabs->setCurrentIndex(tabs->count() - 1);
  ASSERT_TRUE(wait([&] { return shows("Notes on this result"); }));
  QTest::keyClicks(find("Notes on this result"), "cable 2");
  close_window();
  Process store({"/usr/bin/env", "sqlite3", (data() / "results.sqlite").string(), "SELECT text FROM user_notes"});
  EXPECT_EQ(store.next_line(std::chrono::seconds(20)), "cable 2");
}

// The second press falls on what has come in the place of the first.
TEST_F(Close, ADoubleClickOnStopAndKeepKillsNothing) {
  open_window();
  start_long_run();
  close_and_answer("Stop and save results");
  ASSERT_TRUE(wait([&] { return shows("Kill now"); }));
  EXPECT_FALSE(find("Kill now")->isEnabled());
  QTest::mouseDClick(find("Kill now"), Qt::LeftButton);
  ASSERT_TRUE(wait([&] { return !window().isVisible(); }));
  EXPECT_EQ(lines_in_logs("receiver"), 3 * lines_in_logs("sender"));
}

TEST_F(Close, KeepRunningLeavesTheRunAndTheWindow) {
  open_window();
  start_long_run();
  const auto place_of = [this](const QString& name) {
    return QRect(find(name)->mapTo(&window(), QPoint()), find(name)->size());
  };
  const QRect before_asked = place_of("Stop all");
  const QRect rows_before = place_of("Receivers");
  window().close();
  ASSERT_TRUE(wait([&] { return shows("Keep running"); }));
  EXPECT_EQ(place_of("Stop all"), before_asked) << "a click hits what it was meant for";
  EXPECT_EQ(place_of("Receivers"), rows_before);
  EXPECT_NEAR(place_of("Notice").center().y(), window().height() / 2, 60) << "it cannot be missed";
  EXPECT_TRUE(find("Keep running")->hasFocus());
  EXPECT_TRUE(window().rect().contains(place_of("Keep running")));
  close_and_answer("Keep running");
  EXPECT_FALSE(shows("Notice"));
  const int64_t before = received();
  EXPECT_TRUE(wait([&] { return received() > before + 50; }));
  EXPECT_TRUE(window().isVisible());
  click("Stop all");
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("stopped"); }));
  EXPECT_TRUE(window().isVisible()) << "only the run was to stop";
}

// The first of two runs is over, and somebody else holds the store for now.
class CloseWhileSaving : public Close {
 protected:
  void save_the_first_of_two_runs() {
    const auto plan = dir_ / "two.json";
    std::ofstream(plan) << R"({"version":1,"base":{"name":"two","senders":{"count":2,"messages":20,"delay":"5ms"},
                               "receivers":{"count":2}},"runs":[{"name":"first"},{"name":"second"}]})";
    open_window(plan.string());
    locker_.emplace(hold_store());
    click("Start all");
    ASSERT_TRUE(wait([&] { return text_of("Run state").contains("Saving"); })) << text_of("Run state").toStdString();
  }
  void expect_only_the_first_is_stored() {
    ASSERT_TRUE(wait([&] { return shows("Notice") && text_of("Notice").contains("Saving the result"); }));
    locker_->close_stdin();
    ASSERT_TRUE(locker_->wait_exit(std::chrono::seconds(20)));
    ASSERT_TRUE(wait([&] { return !window().isVisible(); }));
    close_window();
    open_window();
    click("Page Results");
    ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") > 0; }));
    EXPECT_EQ(rows("Results"), 1);
    EXPECT_THAT(cell("Results", 0, "Verdict").toStdString(), HasSubstr("passed"));
  }
  std::optional<Process> locker_;
};

TEST_F(CloseWhileSaving, ByTheFrameKeepsTheResultAndStartsNoFurtherRun) {
  save_the_first_of_two_runs();
  window().close();
  expect_only_the_first_is_stored();
}

// As a signal does.
TEST_F(CloseWhileSaving, ByAQuitKeepsTheResultAndStartsNoFurtherRun) {
  save_the_first_of_two_runs();
  QEvent quit(QEvent::Quit);
  QCoreApplication::sendEvent(qApp, &quit);
  expect_only_the_first_is_stored();
}

// A bench of its own, which gets signals as from a terminal or a desktop that ends.
class Signalled : public Close {
 protected:
  void start_bench_with_a_run() {
    std::filesystem::create_directories(data());
    // With a receiver that is frozen it would take a minute to end.
    const auto plan = data() / "long.json";
    std::ofstream(plan) << R"({"version":1,"base":{"name":"long","senders":{"count":3,"messages":6000,"delay":"10ms"},
                               "receivers":{"count":3},"queue":{"drain_timeout":"60s"}}})";
    bench.emplace(start_bench("SignalledBench.DISABLED_Runs", plan));
    ASSERT_TRUE(wait([&] {
      std::error_code error;
      const auto folder = run_folder();
      return !folder.empty() && std::filesystem::file_size(folder / "receiver-1.log", error) > 4096 && !error;
    }));
  }
  std::optional<Process> bench;
};

TEST_F(Signalled, OnceItEndsTheRunWithoutAQuestionStoresItAndCloses) {
  start_bench_with_a_run();
  bench->signal(SIGTERM);
  EXPECT_EQ(bench->wait_exit(60s), Exit{.code = 0});
  EXPECT_THAT(processes_left(), IsEmpty());
  EXPECT_EQ(lines_in_logs("receiver"), 3 * lines_in_logs("sender"));
  expect_stored();
}

TEST_F(Signalled, TwiceItEndsAtOnceAndLeavesNoProcess) {
  start_bench_with_a_run();
  const auto receivers = pids_of("n2nq-receiver", bench->pid());
  ASSERT_EQ(receivers.size(), 1u);
  ::kill(static_cast<pid_t>(receivers.front()), SIGSTOP);
  bench->signal(SIGTERM);
  ASSERT_TRUE(wait([&] { return pids_of("n2nq-sender", bench->pid()).empty(); })) << "the run is stopping";
  EXPECT_TRUE(bench->running()) << "it waits for the receiver";
  std::this_thread::sleep_for(600ms);  // within half a second it would be the same wish
  bench->signal(SIGTERM);
  EXPECT_EQ(bench->wait_exit(60s), Exit{.code = 5});
  EXPECT_THAT(processes_left(), IsEmpty());
}

// In the loop of the program, as another window opens in the place of the first one. A run that was made before is
// imported there.
TEST_F(Close, ADamagedResultsFileIsMovedAsideAndTheNextWindowHasTheResults) {
  std::filesystem::create_directories(data());
  const std::string damaged(8192, 'x');
  std::ofstream(data() / "results.sqlite") << damaged;
  std::ofstream(data() / "plan.json")
      << R"({"version": 1, "base": {"name": "kept", "senders": {"count": 1, "messages": 5},
    "receivers": {"count": 1}}})";
  const char* const kMove = "Move it aside and start anew";
  const auto said = [](const char* name) {
    const auto* label = qobject_cast<QLabel*>(named(name));
    return label != nullptr ? label->text() : QString();
  };
  // There may be another, of the run that was imported.
  const auto notice_with = [](const char* part) {
    for (QWidget* widget : QApplication::allWidgets())
      if (const auto* label = qobject_cast<QLabel*>(widget);
          label != nullptr && label->accessibleName() == "Notice" && label->isVisible() && label->text().contains(part))
        return label->text();
    return QString();
  };
  const auto press = [](const char* name) { QTest::mouseClick(named(name), Qt::LeftButton); };
  const auto starts = [&] {
    if (!shows(kMove)) return false;
    EXPECT_FALSE(shows("Page Results")) << "there is nowhere to save results";
    press("Start all");
    return true;
  };
  const auto moves = [&] {
    if (!said("Message").contains("passed")) return false;
    press(kMove);
    return true;
  };
  const auto opens_the_results = [&] {
    const QString moved = notice_with("is now");
    if (moved.isEmpty()) return false;
    EXPECT_THAT(moved.toStdString(), HasSubstr("results.sqlite.damaged"));
    EXPECT_EQ(qobject_cast<QLineEdit*>(named("Plan name"))->text(), "kept");
    press("Page Results");
    return true;
  };
  const auto has_the_run = [&] {
    const auto* list = qobject_cast<QTableView*>(named("Results"));
    if (list == nullptr || list->model()->rowCount() != 1) return false;
    qApp->quit();
    return true;
  };
  const std::vector<std::function<bool()>> steps{starts, moves, opens_the_results, has_the_run};
  QTimer timer;
  size_t done = 0;
  QObject::connect(&timer, &QTimer::timeout, qApp, [&] {
    if (done < steps.size() && steps[done]()) done++;
  });
  timer.start(50);
  QTimer::singleShot(kPatienceMs, &timer, [] { qApp->quit(); });
  QApplication::setQuitOnLastWindowClosed(true);
  EXPECT_EQ(ui::run_window(*qApp, {.data_dir = data().string(),
                                   .programs = N2NQ_BUILT_BIN_DIR,
                                   .open_file = (data() / "plan.json").string()}),
            0);
  EXPECT_EQ(done, steps.size());
  const auto contents_of = [this](const char* name) {
    std::ifstream file(data() / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(contents_of("results.sqlite.damaged"), damaged);
  EXPECT_TRUE(contents_of("results.sqlite").starts_with("SQLite format 3"));
}

TEST(SignalledBench, DISABLED_Runs) {
  QApplication::setQuitOnLastWindowClosed(true);
  QTimer::singleShot(0, qApp, [] { QTest::mouseClick(named("Start all"), Qt::LeftButton); });
  const int code = ui::run_window(*qApp, {.data_dir = qEnvironmentVariable("N2NQ_GUI_TEST_DATA").toStdString(),
                                          .programs = N2NQ_BUILT_BIN_DIR,
                                          .open_file = qEnvironmentVariable("N2NQ_GUI_TEST_START").toStdString(),
                                          .metrics_port = std::nullopt});
  std::fflush(nullptr);
  ::_exit(code);  // as the program would, without the tests' own end
}

}  // namespace
}  // namespace n2nq::test
