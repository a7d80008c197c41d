// Whoever has no mouse always sees where they are: each stop of Tab looks different with the focus.
#include <QAction>
#include <QSet>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

constexpr int kMostStops = 200;
constexpr int kMostLinks = 5;  // in one text

class Focus : public WindowRig {
 protected:
  static std::string name_of(const QWidget& widget) {
    return widget.accessibleName().isEmpty() ? widget.metaObject()->className() : widget.accessibleName().toStdString();
  }
  static QWidget* focus() { return QApplication::focusWidget(); }
  // From where the focus is until it comes back; those that look the same without it.
  QStringList walk(int least_stops) {
    QStringList alike;
    QStringList names;
    QSet<QWidget*> seen;
    while (focus() != nullptr && !seen.contains(focus()) && seen.size() < kMostStops) {
      QWidget* stop = focus();
      seen += stop;
      names << QString::fromStdString(name_of(*stop));
      const QImage with = stop->grab().toImage();
      for (int i = 0; i < kMostLinks && focus() == stop; i++) key(Qt::Key_Tab);
      if (focus() == stop) ADD_FAILURE() << "Tab stays in " << name_of(*stop);
      if (focus() == stop) break;
      if (stop->grab().toImage() == with) alike << QString::fromStdString(name_of(*stop));
    }
    SCOPED_TRACE(names.join(" > ").toStdString());
    EXPECT_GE(seen.size(), least_stops);
    return alike;
  }
  void expect_seen_everywhere(int least_stops) {
    for (const char* appearance : {"Light", "Dark"}) {
      choose_appearance(appearance);
      SCOPED_TRACE(appearance);
      EXPECT_EQ(walk(least_stops).join("; ").toStdString(), "");
    }
  }
  void choose_appearance(const QString& name) {
    for (auto* action : window().findChildren<QAction*>())
      if (action->text() == name) action->trigger();
    QApplication::processEvents();
  }
};

TEST_F(Focus, IsSeenAtEachStopOfTheRunPage) {
  open_window();
  click("Not now");
  key(Qt::Key_Tab);
  expect_seen_everywhere(30);
}

TEST_F(Focus, IsSeenAtEachStopOfAQuestion) {
  open_window();
  ASSERT_TRUE(shows("Not now"));
  expect_seen_everywhere(2);
}

TEST_F(Focus, IsSeenAfterARunAndOnTheOtherPages) {
  open_window();
  short_run();
  ASSERT_TRUE(wait([&] { return shows("Show result"); }));
  key(Qt::Key_Tab);
  expect_seen_everywhere(30);
  for (const auto& [page, shown] :
       {std::pair{Qt::Key_2, "Details of the result tabs"}, {Qt::Key_3, "Add a host"}, {Qt::Key_5, "Sweep"}}) {
    key(page, Qt::ControlModifier);
    ASSERT_TRUE(wait([&] { return shows(shown); })) << shown;
    key(Qt::Key_Tab);
    expect_seen_everywhere(4);
  }
}

TEST_F(Focus, IsWhereItWasWhenAPageComesBack) {
  open_window();
  click("Not now");
  find("Plan name")->setFocus();
  for (const Qt::Key other : {Qt::Key_3, Qt::Key_2}) {
    key(other, Qt::ControlModifier);
    key(Qt::Key_1, Qt::ControlModifier);
    EXPECT_EQ(focus(), find("Plan name"));
  }
  key(Qt::Key_F1);
  find("Search help")->setFocus();
  key(Qt::Key_1, Qt::ControlModifier);
  EXPECT_EQ(focus(), find("Plan name"));
  key(Qt::Key_F1);
  EXPECT_EQ(focus(), find("Search help"));
}

TEST_F(Focus, OfTheFirstStepsIsOnTheQuickRun) {
  open_window();
  EXPECT_TRUE(find("Try our queue")->hasFocus());
  QWidget* quick = find("Try our queue");
  const QImage with = quick->grab().toImage();
  for (const char* next : {"Compare two buses you have", "Measure your server", "Not now"}) {
    key(Qt::Key_Tab);
    EXPECT_TRUE(find(next)->hasFocus()) << next;
  }
  EXPECT_NE(quick->grab().toImage(), with) << "it is seen from the start";
  key(Qt::Key_Return);
  EXPECT_FALSE(shows("Not now"));
  EXPECT_FALSE(shows("Stop all"));
}

TEST_F(Focus, EnterStartsTheQuickRunAndEscapeDoesNot) {
  open_window();
  key(Qt::Key_Escape);
  EXPECT_FALSE(shows("Try our queue"));
  EXPECT_FALSE(shows("Stop all"));
  close_window();
  std::filesystem::remove_all(data());
  open_window();
  key(Qt::Key_Return);
  EXPECT_TRUE(wait([&] { return shows("Stop all"); }));
  click("Stop all");
  EXPECT_TRUE(wait([&] { return shows("Start all"); }));
}

TEST_F(Focus, GoesThroughTheFiltersByTab) {
  open_window();
  click("Not now");
  set_checked("Receiver requests", true);
  click("Edit filters");
  ASSERT_TRUE(wait([&] { return shows("Close filters"); }));
  EXPECT_EQ(name_of(*focus()), "Close filters") << "as they open";
  find("Filters as text or as a matrix tabs")->setFocus();
  QStringList names;
  for (int i = 0; i < 12; i++) {
    names << QString::fromStdString(name_of(*focus()));
    key(Qt::Key_Tab);
  }
  const std::string all = names.join("; ").toStdString();
  const QStringList wanted{"Filters as text or as a matrix tabs", "Close filters", "Add rule", "Pin one-to-one"};
  EXPECT_TRUE(names.contains("Filter rules")) << all;
  EXPECT_EQ(names.mid(0, wanted.size()), wanted) << all;
}

// Wherever two stops are in one column of the page, the next is below the one before it.
TEST_F(Focus, GoesThroughTheRunPageAsItIsRead) {
  open_window();
  short_run();
  ASSERT_TRUE(wait([&] { return shows("Show result"); }));
  const auto expect_in_order = [&](const QString& last, const QStringList& wanted) {
    find("Plan name")->setFocus();
    QStringList names;
    for (int i = 0; i < kMostStops && !names.contains(last); i++) {
      names << QString::fromStdString(name_of(*focus()));
      key(Qt::Key_Tab);
    }
    QStringList found;
    for (const QString& name : names)
      if (wanted.contains(name)) found << name;
    EXPECT_EQ(found, wanted) << names.join("; ").toStdString();
  };
  expect_in_order("Figure", {"Plan name", "Undo edit", "Figures", "Show run log", "Show result", "Start all", "Message",
                             "Tile Sent", "Tile Lost", "Settings of the senders", "Senders", "Settings of the queue",
                             "Process queue", "Settings of the receivers", "Receivers"});
  show_view("Edit plan");
  expect_in_order(
      "More settings of the receivers",
      {"Plan name", "Undo edit", "Edit plan", "Show run log", "Show result", "Start all", "Message", "Start senders",
       "Senders amount", "Senders delay", "More settings of the senders", "Start queue", "Bus",
       "More settings of the queue", "Start receivers", "Receivers amount", "More settings of the receivers"});
}

TEST_F(Focus, OfAButtonIsNotDrawnWhereTheMouseIs) {
  open_window();
  click("Not now");
  QWidget* log = find("Show run log");
  const QImage before = log->grab().toImage();
  click("Show run log");
  click("Show run log");
  EXPECT_TRUE(log->hasFocus());
  QEvent gone(QEvent::Leave);
  QApplication::sendEvent(log, &gone);
  EXPECT_EQ(log->grab().toImage(), before);
  key(Qt::Key_Tab);
  key(Qt::Key_Backtab);
  EXPECT_TRUE(log->hasFocus());
  EXPECT_NE(log->grab().toImage(), before);
}

}  // namespace
}  // namespace n2nq::test
