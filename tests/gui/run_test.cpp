// Complete runs by clicks, and their ends.
#include <QContextMenuEvent>
#include <QGraphicsView>
#include <QRegularExpression>
#include <QTabBar>
#include <algorithm>
#include <map>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Run : public WindowRig {
 protected:
  // A fifth of a second's work in three, so that its figures can be watched.
  void set_plan(int senders, int receivers, int messages, const QString& delay) {
    type("Senders amount text", QString::number(senders));
    type("Senders messages text", QString::number(messages));
    type("Senders delay", delay);
    type("Receivers amount text", QString::number(receivers));
  }
  std::string message() const { return text_of("Message").toStdString(); }
  bool wait_message(const char* part) {
    return wait([&] { return shows("Message") && text_of("Message").contains(QLatin1String(part)); });
  }
  // Bar, totals and rows, of whatever moment they are, are of the same.
  void expect_figures_of_one_moment() {
    for (const char* role : {"senders", "receivers"}) show_totals(role);
    const QString sent = text_of("Senders: sent");
    int64_t in_rows = 0;
    for (int row = 0; row < rows("Senders"); row++) in_rows += number(cell("Senders", row, "Sent"));
    EXPECT_EQ(number(sent), in_rows);
    EXPECT_THAT(text_of("Sent").toStdString(), StartsWith("sent " + sent.toStdString() + " of"));
    EXPECT_THAT(text_of("Received").toStdString(),
                StartsWith("received " + text_of("Receivers: received").toStdString() + " of"));
  }
  int64_t received_by_first() const { return number(cell("Receivers", 0, "Received")); }

  // Over all receivers, as their rows show it.
  int64_t responses_given() const {
    int64_t all = 0;
    for (int row = 0; row < rows("Receivers"); row++) all += number(cell("Receivers", row, "Confirmed"));
    return all;
  }

  // Every row's count is that of its own log file.
  void expect_rows_as_logged(const QString& table, const QString& column, const std::string& role) {
    const auto logs = read_logs(run_folder(), role);
    ASSERT_EQ(rows(table), static_cast<int>(logs.size()));
    for (int row = 0; row < rows(table); row++) {
      const QString name = cell(table, row, "Name");
      const auto service = static_cast<uint32_t>(name.mid(1).split(' ').first().toUInt());
      ASSERT_TRUE(logs.contains(service)) << name.toStdString();
      EXPECT_EQ(number(cell(table, row, column)), static_cast<int64_t>(logs.at(service).rows.size()))
          << name.toStdString();
    }
  }
};

class RunInMode : public Run, public testing::WithParamInterface<std::string> {};

TEST_P(RunInMode, ByClicksShowsRisingFiguresAndEndsWithThoseOfTheLogs) {
  open_window();
  set_plan(6, 4, 80, "25 ms");
  set_checked(QString::fromStdString("Queue mode " + GetParam()), true);
  click("Start all");
  // Each figure as it changes on screen, in the order in which it was shown.
  std::map<std::string, std::vector<int64_t>> shown;
  const auto note = [&](const std::string& name, int64_t value) {
    if (shown[name].empty() ? value > 0 : value != shown[name].back()) shown[name].push_back(value);
  };
  QSet<QString> lost;
  ASSERT_TRUE(wait([&] {
    for (int row = 0; row < rows("Receivers"); row++)
      note("received " + std::to_string(row), number(cell("Receivers", row, "Received")));
    for (int row = 0; row < rows("Senders"); row++)
      note("sent " + std::to_string(row), number(cell("Senders", row, "Sent")));
    if (rows("Receivers") > 0 && received_by_first() > 0) {
      expect_figures_of_one_moment();
      if (GetParam() == "load balancer") {
        EXPECT_LE(number(text_of("Receivers: received")), number(text_of("Senders: sent")));
        if (!shows("Start all") && text_of("Run state") != "Saving the result")
          lost.insert(find("Tile Lost")->accessibleDescription());
      }
    }
    return shows("Message") && text_of("Message").contains("passed");
  })) << message();
  EXPECT_EQ(shown.size(), 10u);
  if (GetParam() == "load balancer") {
    EXPECT_EQ(lost, QSet<QString>{"no value, told at the end"}) << "what the receivers cannot know";
  }
  EXPECT_EQ(find("Tile Lost")->accessibleDescription(), "0");
  for (const auto& [name, values] : shown) {
    EXPECT_GE(values.size(), 5u) << name << ": " << testing::PrintToString(values);
    EXPECT_TRUE(std::ranges::is_sorted(values)) << name << " rises: " << testing::PrintToString(values);
  }
  expect_rows_as_logged("Senders", "Sent", "sender");
  expect_rows_as_logged("Receivers", "Received", "receiver");
  const size_t owed = GetParam() == "broadcaster" ? 6 * 80 * 4 : 6 * 80;
  EXPECT_EQ(lines_in_logs("receiver"), owed);
  EXPECT_THAT(text_of("Sent").toStdString(), HasSubstr("480"));
}

INSTANTIATE_TEST_SUITE_P(Modes, RunInMode, testing::Values("broadcaster", "load balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "Broadcaster" : "LoadBalancer"; });

TEST_F(Run, RolesStartOneByOneInAnyOrder) {
  open_window();
  set_plan(3, 3, 20, "10 ms");
  click("Start receivers");
  ASSERT_TRUE(wait([&] { return text_of("Receivers status").contains("waiting for queue"); }))
      << text_of("Receivers status").toStdString();
  click("Start senders");
  click("Start queue");
  ASSERT_TRUE(wait_message("passed")) << message();
  EXPECT_EQ(lines_in_logs("receiver"), 180u);
}

TEST_F(Run, StopInMidRunEndsItEarlyAndLosesNothing) {
  open_window();
  set_plan(4, 4, 5000, "10 ms");
  key(Qt::Key_F5);
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && received_by_first() > 50; }));
  click("Stop all");
  ASSERT_TRUE(wait_message("stopped")) << message();
  expect_rows_as_logged("Senders", "Sent", "sender");
  expect_rows_as_logged("Receivers", "Received", "receiver");
  EXPECT_EQ(lines_in_logs("receiver"), 4 * lines_in_logs("sender"));
}

TEST_F(Run, ResponsesAreGivenWhereTheyAreOn) {
  open_window();
  set_plan(3, 2, 30, "5 ms");
  set_checked("Receiver responses", true);
  click("Start all");
  ASSERT_TRUE(wait_message("passed")) << message();
  EXPECT_EQ(lines_in_logs("receiver"), 180u);
  EXPECT_EQ(responses_given(), 180);
}

TEST_F(Run, ResponsesAreNotGivenWhereTheyAreOff) {
  open_window();
  set_plan(3, 2, 30, "5 ms");
  click("Start all");
  ASSERT_TRUE(wait_message("passed")) << message();
  EXPECT_EQ(lines_in_logs("receiver"), 180u);
  EXPECT_EQ(responses_given(), 0);
}

TEST_F(Run, AFirstStartOffersAQuickRun) {
  open_window();
  ASSERT_TRUE(shows("Try our queue"));
  click("Try our queue");
  EXPECT_TRUE(wait([&] { return rows("Receivers") > 0 && received_by_first() > 0; }));
  ASSERT_TRUE(wait_message("passed")) << message();
  ASSERT_TRUE(wait([&] { return text_of("Message").contains("Both runs passed"); })) << message();
  EXPECT_THAT(message(), HasSubstr("received: 12,500 (broadcaster), 1,250 (load balancer); shown here: load-balancer"));
  EXPECT_TRUE(find_as<QLabel>("Message")->text().contains("<a href=\"compare:\">"));
  key(Qt::Key_2, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 2; }));
  key(Qt::Key_1, Qt::ControlModifier);
  Q_EMIT find_as<QLabel>("Message")->linkActivated("compare:");
  EXPECT_TRUE(wait([&] { return text_of("Comparison title") == "load balancer against broadcaster, 2 runs"; }))
      << text_of("Comparison title").toStdString();
}

TEST_F(Run, AFirstStartLeadsToAComparisonThatCanBeMadeHere) {
  open_window();
  click("Compare two buses you have");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  EXPECT_FALSE(shows("Compare two buses you have"));
  EXPECT_EQ(text_of("Axis 1 values").split(", ").size(), 2);
  ASSERT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); }));
  EXPECT_FALSE(text_of("Campaign state").contains("not installed")) << text_of("Campaign state").toStdString();
}

TEST_F(Run, AFirstStartLeadsToTheBusOfTheUsersServer) {
  open_window();
  click("Measure your server");
  EXPECT_FALSE(shows("Measure your server"));
  EXPECT_TRUE(find("Bus")->hasFocus());
}

TEST_F(Run, WhatCannotBeChangedIsLockedWithAReason) {
  open_window();
  set_plan(2, 2, 5000, "10 ms");
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && received_by_first() > 10; }));
  show_view("Edit plan");
  for (const char* name : {"Senders amount", "Senders delay", "Receivers amount", "Receiver responses"}) {
    QWidget* field = find(name);
    ASSERT_NE(field, nullptr);
    EXPECT_FALSE(field->isEnabled()) << name;
    EXPECT_THAT(field->toolTip().toStdString(), HasSubstr("run")) << name;
  }
  click("Stop all");
  ASSERT_TRUE(wait_message("stopped"));
  EXPECT_TRUE(find("Senders amount")->isEnabled());
}

TEST_F(Run, ThePlanGivesWayToTheFiguresAsItBeginsAndComesBackByAClick) {
  open_window();
  set_plan(2, 2, 5000, "10 ms");
  for (const char* of_figures : {"Senders in short", "Figure", "Senders", "Process queue"})
    EXPECT_FALSE(shows(of_figures)) << of_figures;
  click("Start all");
  ASSERT_TRUE(wait([&] { return shows("Senders in short"); }));
  EXPECT_EQ(text_of("Senders in short").toStdString(), "2 senders · 5,000 × 50 B · every 10 ms · even");
  EXPECT_FALSE(shows("Senders amount"));
  EXPECT_TRUE(shows("Figure"));
  EXPECT_TRUE(wait([&] { return shows("Process queue") && number(text_of("Queue: delivered")) > 10; }));
  click("Edit plan");
  EXPECT_TRUE(shows("Senders amount") && !shows("Figure"));
  click("Stop all");
  ASSERT_TRUE(wait_message("stopped")) << "told beside the plan, too";
  key(Qt::Key_F7);
  EXPECT_TRUE(shows("Senders in short") && shows("Figure")) << "after a run, too";
  EXPECT_EQ(text_of("Queue: in flight"), "0");
  click("Settings of the senders");
  EXPECT_TRUE(find("Senders amount")->isEnabled());
  EXPECT_FALSE(shows("Senders in short"));
  type("Senders amount text", "0");
  EXPECT_FALSE(find("Start all")->isEnabled());
}

// Though the plan has something wrong, and what is typed last adds to it.
TEST_F(Run, TheFiguresComeByAKeyWhateverIsTyped) {
  open_window();
  type("Senders delay", "soon");
  QWidget* source = find("Senders source text");
  source->setFocus();
  QTest::keyClick(source, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(source, "nowhere");
  key(Qt::Key_F7);
  EXPECT_TRUE(wait([&] { return shows("Figure"); }));
  EXPECT_TRUE(find_as<QAbstractButton>("Figures")->isChecked());
  EXPECT_FALSE(shows("Senders delay"));
  key(Qt::Key_F7);
  EXPECT_TRUE(shows("Senders delay") && !shows("Figure"));
  EXPECT_THAT(text_of("Plan of the senders").toStdString(),
              testing::AllOf(StartsWith("Source: there is no host"), HasSubstr("; Delay: ")));
}

// The second of two repeats begins while somebody looks at the plan.
TEST_F(Run, RepeatsLeaveWhoIsAtThePlanThere) {
  open_window();
  set_plan(2, 2, 20, "10 ms");
  type("Repeats of the plan", "2");
  click("Start all");
  ASSERT_TRUE(wait([&] { return shows("Figure"); }));
  click("Edit plan");
  ASSERT_TRUE(wait([&] { return shows("Compare runs"); }));
  EXPECT_TRUE(shows("Senders delay") && !shows("Figure"));
}

// What happened at a moment is said where the pointer rests: while the run goes on, held, and in its result.
class Moments : public Run {
 protected:
  QString said_at_the_middle_of(const QString& lane) {
    QGraphicsView* view = nullptr;
    for (auto* one : window().findChildren<QGraphicsView*>())
      if (one->isVisible() && one->accessibleName() == lane) view = one;
    if (view == nullptr) return {};
    QString said;
    const QPoint middle = view->viewport()->rect().center();
    for (const int x : {0, 40}) {
      QTest::mouseMove(view->viewport(), middle - QPoint(x, 0));
      wait(
          [&] {
            for (const auto* widget : window().findChildren<QWidget*>())
              if (widget->isVisible() && widget->toolTip().startsWith("At ")) said = widget->toolTip();
            return !said.isEmpty();
          },
          2000);
    }
    return said;
  }
};

TEST_F(Moments, AreToldInARunInAPauseAndInItsResult) {
  open_window();
  set_plan(2, 2, 300, "20 ms");
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && received_by_first() > 150; }));
  EXPECT_THAT(said_at_the_middle_of("Rate").toStdString(), testing::AllOf(StartsWith("At "), HasSubstr(" s: ")));
  click("Pause charts");
  EXPECT_THAT(said_at_the_middle_of("Rate").toStdString(), StartsWith("At "));
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("passed"); }));
  click("Show result");
  ASSERT_TRUE(wait([&] { return shows("Details of the result tabs"); }));
  choose_tab("Details of the result tabs", 1);
  EXPECT_THAT(said_at_the_middle_of("Rate").toStdString(), StartsWith("At "));
}

// A plan that did not run is not told beside what another one did.
TEST_F(Run, BesideAnotherPlanNothingIsToldOfTheLastRun) {
  open_window();
  short_run();
  EXPECT_TRUE(shows("Run state"));
  EXPECT_TRUE(shows("Progress"));
  key(Qt::Key_N, Qt::ControlModifier);
  EXPECT_TRUE(shows("Senders amount")) << "the plan is there";
  EXPECT_FALSE(shows("Run state") || shows("Progress"));
  EXPECT_THAT(text_of("Message").toStdString(), testing::Not(HasSubstr("passed")));
  click("Figures");
  EXPECT_TRUE(shows("Show result"));
  EXPECT_THAT(text_of("Message").toStdString(),
              testing::AllOf(HasSubstr("those of the last run"), HasSubstr("passed")));
}

TEST_F(Run, TheButtonThatIsThereIsTheNextSensibleStep) {
  open_window();
  EXPECT_FALSE(shows("Stop all"));
  EXPECT_FALSE(shows("Show result"));
  set_plan(2, 2, 5000, "10 ms");
  click("Start senders");
  ASSERT_TRUE(wait([&] { return shows("Stop all"); }));
  EXPECT_TRUE(shows("Start all")) << "the other roles are still to be started";
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && received_by_first() > 10; }));
  EXPECT_FALSE(shows("Start all"));
  click("Stop all");
  ASSERT_TRUE(wait_message("stopped"));
  EXPECT_FALSE(shows("Stop all"));
  EXPECT_TRUE(shows("Start all"));
  ASSERT_TRUE(shows("Show result"));
  click("Show result");
  EXPECT_TRUE(wait([&] { return shows("Details of the result tabs"); }));
}

TEST_F(Run, TilesSayWhatItDoesAndShowTheirCharts) {
  open_window();
  show_view("Figures");
  const auto said = [&](const char* tile) { return find(tile)->accessibleDescription().toStdString(); };
  EXPECT_THAT(said("Tile Latency p99"), StartsWith("no value"));
  set_plan(2, 2, 5000, "10 ms");
  click("Start all");
  ASSERT_TRUE(wait([&] { return find("Tile Latency p99")->accessibleDescription().contains("s"); }));
  EXPECT_TRUE(wait([&] { return find("Tile Received")->accessibleDescription().contains("/s"); }));
  EXPECT_EQ(said("Tile Lost"), "0");
  EXPECT_THAT(said("Tile Mean / trimmed"), testing::MatchesRegex("[0-9.,]+ / [0-9.,]+ [µnm]*s"));
  auto* figures = find_as<QTabBar>("Figure");
  click("Tile Latency p99");
  EXPECT_EQ(figures->tabText(figures->currentIndex()), "Latency over time");
  click("Tile Sent");
  EXPECT_EQ(figures->tabText(figures->currentIndex()), "Rate");
  click("Stop all");
  ASSERT_TRUE(wait_message("stopped"));
  EXPECT_THAT(said("Tile Sent"), testing::ContainsRegex(" /s, over [0-9.]+ m?s")) << "of the whole run";
}

class Charts : public Run {
 protected:
  void start_watched_run() {
    open_window();
    set_plan(3, 3, 6000, "10 ms");
    click("Start all");
    ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && received_by_first() > 30; }));
  }
  void stop() {
    click("Stop all");
    ASSERT_TRUE(wait_message("stopped")) << message();
  }
  void choose_figure(int tab) { choose_tab("Figure", tab); }
  // How many messages it is made of is among them.
  QString notes() const {
    for (const QLabel* label : window().findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains("p95-trimmed mean") && label->text().contains("messages"))
        return label->text();
    return {};
  }
  static constexpr int kPercentiles = 4, kHistogram = 5;
};

TEST_F(Charts, WhilePausedEveryFigureIsAsItWas) {
  start_watched_run();
  choose_figure(kHistogram);
  ASSERT_FALSE(notes().isEmpty());
  click("Pause charts");
  const QString histogram = notes();
  choose_figure(kPercentiles);
  const QString percentiles = notes();
  ASSERT_FALSE(percentiles.isEmpty());
  const int64_t before = received_by_first();
  ASSERT_TRUE(wait([&] { return received_by_first() > before + 100; })) << "the run goes on";
  choose_figure(kHistogram);
  EXPECT_EQ(notes(), histogram);
  choose_figure(kPercentiles);
  EXPECT_EQ(notes(), percentiles);
  click("Charts are paused");
  EXPECT_NE(notes(), percentiles);
  stop();
}

TEST_F(Charts, OfALoadTheRateThatItAsksForIsDrawnBeforeTheRun) {
  open_window();
  const auto asked_for = [&](const char* messages) {
    for (const QLabel* label : window().findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(QLatin1String(messages))) return true;
    return false;
  };
  EXPECT_TRUE(shows("Senders delay"));
  type("Senders load text", "ramp 100/s..300/s over 2 s");
  show_view("Figures");
  EXPECT_TRUE(wait([&] { return asked_for("400 messages asked for"); }));
  show_view("Edit plan");
  EXPECT_FALSE(shows("Senders delay")) << "the load has the rate";
  EXPECT_FALSE(shows("Senders send"));
  type("Senders load text", "ramp 100/s..soon over 2 s");
  EXPECT_TRUE(wait([&] { return asked_for("is not a rate; write it like 5000/s"); }));
  type("Senders load text", "ramp 100/s..500/s over 2 s");
  show_view("Figures");
  EXPECT_TRUE(wait([&] { return asked_for("600 messages asked for"); }));
  click("Start all");
  ASSERT_TRUE(wait_message("600 messages")) << message();
  EXPECT_FALSE(asked_for("next run: "));
  type("Senders load text", "ramp 100/s..700/s over 2 s");
  show_view("Figures");
  EXPECT_TRUE(wait([&] { return asked_for("next run: 800 messages asked for"); })) << "beside the run that is over";
}

TEST_F(Charts, WhatItsHostsDoIsOneOfThem) {
  open_window();
  click("More settings of the queue");
  type("Time between readings", "100 ms");
  set_plan(3, 3, 6000, "10 ms");
  click("Start all");
  const auto* tabs = find_as<QTabBar>("Figure");
  int hosts = 0;
  while (hosts < tabs->count() && tabs->tabText(hosts) != "Hosts") hosts++;
  choose_figure(hosts);
  const auto said = [&](const QRegularExpression& words) {
    const auto labels = window().findChildren<QLabel*>();
    return std::ranges::any_of(
        labels, [&](const QLabel* label) { return label->isVisible() && words.match(label->text()).hasMatch(); });
  };
  static const QRegularExpression kBusy("this computer [0-9.]+ % busy");
  EXPECT_TRUE(wait([&] { return said(kBusy); })) << "while the run goes on";
  stop();
  EXPECT_TRUE(said(kBusy));
}

TEST_F(Charts, ASpaceThatNothingElseUsesPausesThem) {
  start_watched_run();
  key(Qt::Key_Space);
  EXPECT_TRUE(shows("Charts are paused")) << "by whoever clicked Start and nothing else since";
  ASSERT_NE(window().focusWidget(), nullptr);
  window().focusWidget()->clearFocus();
  key(Qt::Key_Space);
  EXPECT_TRUE(shows("Pause charts"));
  find("Figure")->setFocus();  // tabs have no use for it
  key(Qt::Key_Space);
  EXPECT_TRUE(shows("Charts are paused"));
  type("Plan name", "two words");
  EXPECT_EQ(text_of("Plan name"), "two words");
  EXPECT_TRUE(shows("Charts are paused")) << "a field keeps its blanks";
  stop();
}

TEST_F(Run, TheLogOfTheOnlySelectionOpensWhereverTheFocusIs) {
  open_window();
  short_run();
  const auto logs = [&] {
    QWidgetList others;
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (widget->isVisible() && widget != &window() && widget->windowType() == Qt::Window) others << widget;
    return others;
  };
  find_as<QTableView>("Receivers")->selectRow(1);
  find_as<QTableView>("Senders")->selectRow(0);
  find("Show run log")->setFocus();
  key(Qt::Key_L, Qt::ControlModifier);
  EXPECT_THAT(logs(), testing::IsEmpty()) << "which of the two?";
  find_as<QTableView>("Senders")->clearSelection();
  key(Qt::Key_L, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return logs().size() == 1; }));
  EXPECT_THAT(logs().front()->windowTitle().toStdString(), HasSubstr("receiver-2"));
  logs().front()->close();
}

TEST_F(Run, RepeatsAreSavedAndComparedByOneClick) {
  open_window();
  set_plan(2, 2, 20, "10 ms");
  type("Repeats of the plan", "3");
  click("Start all");
  ASSERT_TRUE(wait([&] { return text_of("Run of the plan") == "run 2 of 3"; }));
  EXPECT_FALSE(shows("Repeats of the plan")) << "a run is on";
  ASSERT_TRUE(wait_message("All 3 runs passed")) << message();
  click("Compare runs");
  ASSERT_TRUE(wait([&] { return shows("Runs compared") && rows("Runs compared") == 3; }));
}

TEST_F(Run, ALimitThatIsPassedTurnsItsTileRedAndEndsTheRun) {
  open_window();
  set_plan(2, 2, 3000, "10 ms");
  show_view("Figures");
  QWidget* tile = find("Tile Latency p50");
  QContextMenuEvent menu_key(QContextMenuEvent::Keyboard, tile->rect().center(), tile->mapToGlobal(QPoint()));
  QApplication::sendEvent(tile, &menu_key);
  ASSERT_TRUE(wait([] { return QApplication::activePopupWidget() != nullptr; }));
  QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
  QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
  ASSERT_TRUE(wait([&] { return shows("Plan limit 1 value"); }));
  type("Plan limit 1 value", "0 s");
  choose("Plan limit 1 action", "Run fails and stops");
  QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
  EXPECT_FALSE(shows("Plan limit 1 value"));
  show_view("Edit plan");
  EXPECT_EQ(text_of("Limits"), "p50 <= 0 s stop");
  click("Start all");
  ASSERT_TRUE(wait_message("<b>failed</b>: p50 &lt;= 0 s: it was ")) << message();
  EXPECT_THAT(message(), HasSubstr("; the run was stopped: "));
  EXPECT_THAT(find("Tile Latency p50")->accessibleDescription().toStdString(), HasSubstr("above 0 s"));
}

}  // namespace
}  // namespace n2nq::test
