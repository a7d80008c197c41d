#include "ui/logs/log_window.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QScrollBar>
#include <QToolButton>
#include <QUrl>
#include <QtTest/QTest>
#include <chrono>

#include "tests/unit/app/logs/await.h"
#include "tests/unit/app/logs/made_log.h"
#include "ui/logs/log_preferences.h"
#include "ui/logs/log_view.h"

namespace n2nq::ui {
namespace {

using logs::test::await;
using n2nq::test::TempDir;

class LogWindowTest : public testing::Test {
 protected:
  ~LogWindowTest() override { delete window_; }

  std::filesystem::path path() const { return folder_ / "receiver-1.log"; }
  void write(const std::string& text) { logs::test::write_file(path(), text); }
  // A log that nobody writes any more.
  void write_old(const std::string& text) {
    write(text);
    std::filesystem::last_write_time(path(), std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }
  void open() {
    window_ = LogWindow::open(QString::fromStdString(path().string()), "receiver 1", nullptr);
    view_ = window_->findChild<LogView*>("log_view");
    window_->resize(1000, 600);
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window_));
  }
  QString shown() const { return view_->visible_text(); }
  bool shows(const QString& text) const {
    return await([&] { return shown().contains(text); });
  }
  QString label(const QString& name) const { return window_->findChild<QLabel*>(name)->text(); }
  bool says(const QString& name, const QString& text) const {
    const bool said = await([&] { return label(name).contains(text); });
    if (!said) ADD_FAILURE() << name.toStdString() << " says: " << label(name).toStdString();
    return said;
  }
  template <class Widget>
  Widget* named(const QString& name) const {
    for (Widget* widget : window_->findChildren<Widget*>()) {
      if (widget->accessibleName() == name) return widget;
    }
    ADD_FAILURE() << "nothing is called " << name.toStdString();
    return nullptr;
  }
  void keys(const char* sequence) { QTest::keySequence(window_, QKeySequence(sequence)); }
  void type_into(const QString& name, const QString& text) {
    auto* edit = named<QLineEdit>(name);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
  }

  TempDir folder_;
  LogWindow* window_ = nullptr;
  LogView* view_ = nullptr;
};

TEST_F(LogWindowTest, AFinishedLogIsReadFromItsBeginning) {
  write(logs::test::receiver_log(3'000));
  open();
  EXPECT_TRUE(shows("1 # program: n2nq-receiver 0.1.0"));
  EXPECT_TRUE(says("status", "line 1 of 3,005"));
  EXPECT_TRUE(says("status", "complete"));
  EXPECT_FALSE(view_->following());
}

TEST_F(LogWindowTest, ALogThatIsBeingWrittenIsFollowed) {
  write(logs::test::kReceiverHead + logs::test::receiver_row({}));
  open();
  ASSERT_TRUE(await([&] { return view_->following(); }));
  for (int64_t i = 2; i <= 300; ++i)
    logs::test::append_file(path(), logs::test::receiver_row({.index = i, .latency_ns = 10 * i}));
  EXPECT_TRUE(shows("304 300 "));
  EXPECT_TRUE(says("status", "line 304 of 304"));
  EXPECT_TRUE(says("status", "following"));
  QTest::keyClick(view_, Qt::Key_PageUp);
  EXPECT_FALSE(view_->following());
  EXPECT_TRUE(await([&] { return !shown().contains("\n304 "); }));
}

TEST_F(LogWindowTest, ALogIsFollowedHoweverMuchIsWritten) {
  write(logs::test::kReceiverHead + logs::test::receiver_row({}));
  open();
  ASSERT_TRUE(await([&] { return view_->following(); }));
  for (int64_t i = 2; i <= 12; ++i) {
    std::string more;
    for (int row = 1; row < 1'000; ++row) more += logs::test::receiver_row({.index = i});
    logs::test::append_file(path(),
                            more + logs::test::receiver_row({.index = i, .content = "piece " + std::to_string(i)}));
    ASSERT_TRUE(shows("piece " + QString::number(i)));
  }
  EXPECT_GT(std::filesystem::file_size(path()), 1'000'000U);
}

TEST_F(LogWindowTest, TheSlowestCanBeAskedForOnceItIsKnownThatThereAreTimes) {
  open();
  const auto* slowest = named<QToolButton>("Slowest");
  EXPECT_FALSE(slowest->isEnabled());
  EXPECT_TRUE(slowest->toolTip().contains("has a time"));
  write(logs::test::receiver_log(5));
  EXPECT_TRUE(await([&] { return slowest->isEnabled(); }));
  EXPECT_TRUE(slowest->toolTip().contains("highest latency"));
}

TEST_F(LogWindowTest, AFileThatIsNotThereYetIsWaitedFor) {
  open();
  EXPECT_TRUE(shows("The service has not written anything yet; lines appear here as soon as it does."));
  EXPECT_TRUE(says("status", "waiting"));
  write("");
  write(logs::test::receiver_log(5));
  EXPECT_TRUE(shows("# end"));
}

TEST_F(LogWindowTest, AnOldLogWithoutItsEndIsNotFollowed) {
  write_old(logs::test::kReceiverHead + logs::test::receiver_row({}));
  open();
  EXPECT_TRUE(shows("# program"));
  EXPECT_FALSE(view_->following());
}

TEST_F(LogWindowTest, TheSameFileIsOpenedOnce) {
  write(logs::test::receiver_log(5));
  open();
  EXPECT_EQ(LogWindow::open(QString::fromStdString((folder_ / "./receiver-1.log").string()), "again", nullptr),
            window_);
  EXPECT_TRUE(window_->windowTitle().contains("receiver-1.log"));
  EXPECT_TRUE(window_->windowTitle().contains("receiver 1"));
}

TEST_F(LogWindowTest, KeysGoEverywhere) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  QTest::keyClick(view_, Qt::Key_End);
  EXPECT_TRUE(shows("3,005 # end"));
  QTest::keyClick(view_, Qt::Key_Home);
  EXPECT_TRUE(shows("1 # program"));
  QTest::keyClick(view_, Qt::Key_PageDown);
  ASSERT_TRUE(await([&] { return !shown().startsWith("1 "); }));
  const QString second = shown();
  QTest::keyClick(view_, Qt::Key_PageDown);
  ASSERT_TRUE(await([&] { return shown() != second; }));
  QTest::keyClick(view_, Qt::Key_PageUp);
  EXPECT_TRUE(await([&] { return shown() == second; }));
  QTest::keyClick(view_, Qt::Key_Home);
  ASSERT_TRUE(await([&] { return shown().startsWith("1 "); }));
  for (int i = 0; i < 100; ++i) QTest::keyClick(view_, Qt::Key_Down);
  EXPECT_TRUE(says("status", "line 101 of"));
}

TEST_F(LogWindowTest, KeysThatComeFasterThanPagesAreNotLost) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  auto* bar = view_->verticalScrollBar();
  for (int i = 0; i < 200; ++i) bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
  EXPECT_TRUE(await([&] { return shown().startsWith("201 "); }));
  for (int i = 0; i < 200; ++i) bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
  EXPECT_TRUE(await([&] { return shown().startsWith("1 "); }));
}

TEST_F(LogWindowTest, TheScrollBarReachesBothEnds) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  auto* bar = view_->verticalScrollBar();
  bar->setValue(bar->maximum());
  EXPECT_TRUE(shows("# end"));
  bar->setValue(bar->maximum() / 2);
  EXPECT_TRUE(await([&] { return shown().contains(" 150 "); }));
  bar->setValue(0);
  EXPECT_TRUE(shows("1 # program"));
}

TEST_F(LogWindowTest, FindGoesFromLineToLineAndRoundTheEnd) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  keys("Ctrl+F");
  type_into("Text to find", "149999");
  ASSERT_TRUE(await([&] { return view_->selection().has_value(); }));
  const int64_t first = view_->selection()->first;
  EXPECT_TRUE(shown().remove(',').remove('.').contains("149999"));
  keys("F3");
  keys("Shift+F3");
  EXPECT_TRUE(await([&] { return !view_->selection() || view_->selection()->first == first; }));
  type_into("Text to find", "nowhere at all");
  EXPECT_TRUE(await([&] {
    for (const QLabel* note : window_->findChildren<QLabel*>()) {
      if (note->isVisible() && note->text() == "not found") return true;
    }
    return false;
  }));
  keys("Esc");
  EXPECT_FALSE(named<QLineEdit>("Text to find")->isVisible());
}

TEST_F(LogWindowTest, GoesToALineAndToAnIndex) {
  write_old(logs::test::receiver_log(30'000));
  open();
  ASSERT_TRUE(shows("# program"));
  keys("Ctrl+G");
  type_into("Number to go to", "12,345");
  EXPECT_TRUE(says("status", "line 12,345 of"));
  type_into("Number to go to", "nine");
  EXPECT_TRUE(await([&] {
    for (const QLabel* note : window_->findChildren<QLabel*>()) {
      if (note->text().contains("whole number")) return true;
    }
    return false;
  }));
}

TEST_F(LogWindowTest, TheSlowestMessageIsOneKeyAway) {
  std::string text = logs::test::kReceiverHead;
  for (int64_t i = 1; i <= 5'000; ++i)
    text += logs::test::receiver_row({.index = i, .latency_ns = i == 3'210 ? 7'654'321 : 50'000});
  write_old(text);
  open();
  ASSERT_TRUE(shows("# program"));
  keys("Ctrl+M");
  EXPECT_TRUE(says("note", "slowest: 7.65 ms latency"));
  EXPECT_TRUE(shows("7,654.321"));
  EXPECT_TRUE(says("status", "line 3,214 of"));
}

TEST_F(LogWindowTest, TimesAreThoseSomebodyWants) {
  write_old("# origin_monotonic_ns=1000000000 origin_utc=-\n" + logs::test::receiver_log(30));
  open();
  ASSERT_TRUE(shows(" 1,000.000 1,057.919 57.919 ")) << shown().toStdString();
  auto* times = named<QComboBox>("Times");
  const auto choose = [&](const char* text) {
    times->setFocus();
    QTest::keyClick(times, Qt::Key_Home);
    while (!times->currentText().startsWith(text) && times->currentIndex() + 1 < times->count())
      QTest::keyClick(times, Qt::Key_Down);
    EXPECT_TRUE(times->currentText().startsWith(text));
  };
  choose("since the sel");
  QTest::mouseClick(view_->viewport(), Qt::LeftButton, {}, QPoint(200, 140));
  ASSERT_TRUE(view_->selection().has_value());
  EXPECT_TRUE(shows(" 0.000 ")) << "the selected line is where times begin";
  choose("as in");
  EXPECT_TRUE(shows(" 1001000000 1001057919 57919 "));
  EXPECT_EQ(LogPreferences::shared().time_base(), logs::TimeBase::file);
  choose("since the run");
  EXPECT_TRUE(shows(" 1,000.000 1,057.919 57.919 "));
}

TEST_F(LogWindowTest, HitsAreCountedAsOneTypesAndNumberedAsOneGoes) {
  std::string text = logs::test::kReceiverHead;
  for (int64_t i = 1; i <= 2'500; ++i)
    text += logs::test::receiver_row({.index = i, .content = i % 2 == 0 ? "needle" : "hay"});
  write_old(text);
  open();
  ASSERT_TRUE(shows("# program"));
  keys("Ctrl+F");
  auto* edit = named<QLineEdit>("Text to find");
  QTest::keyClicks(edit, "need");
  EXPECT_TRUE(says("hits", "1,250 lines"));
  QTest::keyClicks(edit, "le");
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_TRUE(says("hits", "1 of 1,250"));
  keys("F3");
  EXPECT_TRUE(says("hits", "2 of 1,250"));
  keys("Shift+F3");
  EXPECT_TRUE(says("hits", "1 of 1,250"));
  keys("Shift+F3");
  EXPECT_TRUE(says("hits", "1,250 of 1,250"));
  edit->selectAll();
  QTest::keyClicks(edit, "nowhere");
  EXPECT_TRUE(says("hits", "0 lines"));
}

TEST_F(LogWindowTest, LinesAreMarkedByRulesThatCanBeChanged) {
  std::string text = logs::test::kReceiverHead;
  for (int64_t i = 1; i <= 500; ++i)
    text +=
        logs::test::receiver_row({.index = i, .latency_ns = i == 7 ? 90'000 : 1'000, .flags = i == 9 ? "again" : "-"});
  write_old(text);
  open();
  EXPECT_TRUE(shows("[warning: latency > p99]"));
  EXPECT_TRUE(shows("[info: flags = again]"));
  keys("Ctrl+Shift+M");
  auto* condition = named<QLineEdit>("Condition of rule 1");
  ASSERT_TRUE(condition->isVisible());
  condition->selectAll();
  QTest::keyClicks(condition, "index = 12");
  QTest::keyClick(condition, Qt::Key_Return);
  EXPECT_TRUE(shows("[error: index = 12]"));
  EXPECT_EQ(LogPreferences::shared().rules().front().condition, "index = 12");
  QTest::mouseClick(named<QToolButton>("Default rules"), Qt::LeftButton);
  EXPECT_EQ(LogPreferences::shared().rules(), logs::default_rules());
  EXPECT_FALSE(shown().contains("index = 12"));
  keys("Esc");
  EXPECT_FALSE(named<QLineEdit>("Condition of rule 1")->isVisible());
}

TEST_F(LogWindowTest, TheSlowestOfSomeSecondsIsGoneTo) {
  write_old("# origin_monotonic_ns=1000000000 origin_utc=-\n" + logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  keys("Ctrl+G");
  auto* target = named<QComboBox>("Go to target");
  ASSERT_TRUE(await([&] { return target->isEnabled(); }));
  target->setCurrentText("slowest between");
  type_into("Number to go to", "nonsense");
  type_into("Number to go to", "0.15 to 0.16");
  EXPECT_TRUE(says("note", "slowest from 0.150 to 0.160 s: "));
  EXPECT_TRUE(says("status", "line 1,5"));
}

TEST_F(LogWindowTest, AMessageCanBeShownRightAfterOpening) {
  const std::string text = logs::test::receiver_log(3'000);
  write(text);  // just now: it would be followed otherwise
  open();
  window_->show_message(static_cast<int64_t>(text.find("\n151\t")) + 1, "the slowest of all");
  EXPECT_TRUE(says("note", "the slowest of all"));
  EXPECT_TRUE(says("status", "line 1,505 of"));
  EXPECT_FALSE(view_->following());
}

TEST_F(LogWindowTest, WhatHappenedToMessagesIsAFilterAway) {
  write_old(logs::test::kReceiverHead + logs::test::receiver_row({}) +
            logs::test::receiver_row({.index = 2, .flags = "again"}));
  open();
  ASSERT_TRUE(shows("# program"));
  auto* menu = named<QToolButton>("Show only")->menu();
  Q_EMIT menu->aboutToShow();
  for (QAction* action : menu->actions())
    if (action->text() == "Sent again") action->trigger();
  EXPECT_EQ(named<QLineEdit>("Filter")->text(), "flags = again");
  EXPECT_TRUE(says("filter_note", "1 line matches"));
}

TEST_F(LogWindowTest, AFilterShowsOnlyWhatMatchesAndCounts) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  type_into("Filter", "sender = 3, latency > 100us");
  EXPECT_TRUE(says("filter_note", "lines match"));
  ASSERT_TRUE(
      await([&] { return !shown().contains("# program") && !shown().contains("No line") && !shown().isEmpty(); }));
  for (const QString& line : shown().split('\n', Qt::SkipEmptyParts)) {
    EXPECT_EQ(line.section(' ', 2, 2), "3") << line.toStdString();
  }
  type_into("Filter", "latncy > 3");
  EXPECT_TRUE(says("filter_note", "there is no column"));
  QTest::keyClick(view_, Qt::Key_Home);
  EXPECT_TRUE(shows("# program"));
  type_into("Filter", "sender = 99");
  EXPECT_TRUE(shows("No line matches the filter."));
  named<QLineEdit>("Filter")->clear();
  EXPECT_TRUE(shows("# program"));
}

TEST_F(LogWindowTest, SelectedLinesAreCopiedWhole) {
  const std::string content(100'000, 'z');
  write_old(logs::test::kReceiverHead + logs::test::receiver_row({.content = content}) +
            logs::test::receiver_row({.index = 2}));
  open();
  ASSERT_TRUE(shows("# program"));
  EXPECT_TRUE(shown().contains("97.7 KiB in total; Ctrl+C copies all of it"));
  QTest::keyClick(view_, Qt::Key_End);
  ASSERT_TRUE(await([&] { return view_->selection().has_value(); }));
  QTest::keyClick(view_, Qt::Key_Up, Qt::ShiftModifier);
  QGuiApplication::clipboard()->clear();
  QTest::keySequence(view_, QKeySequence::Copy);
  const QString wanted =
      QString::fromStdString(logs::test::receiver_row({.content = content}) + logs::test::receiver_row({.index = 2}));
  EXPECT_TRUE(await([&] { return QGuiApplication::clipboard()->text() == wanted; }));
  EXPECT_TRUE(says("note", "copied 2 lines"));
}

TEST_F(LogWindowTest, AllLinesThatPassAFilterAreCopied) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  type_into("Filter", "sender = 3, index <= 200");
  ASSERT_TRUE(says("filter_note", "200 lines match"));
  QTest::keySequence(view_, QKeySequence::SelectAll);
  QTest::keySequence(view_, QKeySequence::Copy);
  EXPECT_TRUE(says("note", "copied 200 lines"));
  EXPECT_EQ(QGuiApplication::clipboard()->text().count('\n'), 200);
}

TEST_F(LogWindowTest, AFilteredLogIsFollowed) {
  write(logs::test::kReceiverHead + logs::test::receiver_row({}));
  open();
  ASSERT_TRUE(await([&] { return view_->following(); }));
  type_into("Filter", "sender = 5");
  EXPECT_TRUE(shows("No line matches the filter."));
  std::string more;
  for (int64_t i = 2; i <= 400; ++i) more += logs::test::receiver_row({.index = i, .sender = i % 2 == 0 ? 5 : 6});
  logs::test::append_file(path(), more);
  EXPECT_TRUE(says("filter_note", "200 lines match"));
  EXPECT_TRUE(shows("404 400 5"));
}

TEST_F(LogWindowTest, AClosedWindowIsNotBroughtBack) {
  write_old(logs::test::receiver_log(5));
  open();
  QPointer<LogWindow> closed = window_;
  window_->close();
  open();
  EXPECT_NE(window_, closed);
  EXPECT_TRUE(await([&] { return closed.isNull(); }));
  EXPECT_TRUE(shows("# end"));
}

TEST_F(LogWindowTest, AMouseSelectsLines) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  QTest::mouseClick(view_->viewport(), Qt::LeftButton, {}, QPoint(200, 100));
  ASSERT_TRUE(view_->selection().has_value());
  const auto one = *view_->selection();
  EXPECT_EQ(one.first, one.last);
  QTest::mouseClick(view_->viewport(), Qt::LeftButton, Qt::ShiftModifier, QPoint(200, 200));
  EXPECT_GT(view_->selection()->last, one.last);
  EXPECT_EQ(view_->selection()->first, one.first);
}

TEST_F(LogWindowTest, WhatBecomesOfTheFileIsSaid) {
  write_old(logs::test::receiver_log(3'000));
  open();
  ASSERT_TRUE(shows("# program"));
  write(logs::test::receiver_log(5));
  EXPECT_TRUE(says("message", "truncated"));
  EXPECT_TRUE(says("status", " of 10,"));
  logs::test::write_file(folder_ / "other", logs::test::receiver_log(6));
  std::filesystem::rename(folder_ / "other", path());
  EXPECT_TRUE(says("message", "The file was replaced"));
  std::filesystem::remove(path());
  EXPECT_TRUE(says("message", "deleted"));
  EXPECT_TRUE(says("status", "deleted"));
  EXPECT_TRUE(shows("# end"));
}

TEST_F(LogWindowTest, AFolderIsNoLog) {
  std::filesystem::create_directory(path());
  open();
  EXPECT_TRUE(shows("is not a file"));
}

TEST_F(LogWindowTest, NobodyLooksAtTheFileOfAHiddenWindow) {
  write_old(logs::test::receiver_log(5));
  open();
  ASSERT_TRUE(shows("# end"));
  const auto timers = window_->findChildren<QTimer*>();
  window_->hide();
  for (const QTimer* timer : timers) EXPECT_FALSE(timer->isActive());
  window_->show();
  logs::test::append_file(path(), "more\n");
  EXPECT_TRUE(shows("more"));
}

TEST_F(LogWindowTest, WithoutAnEditorThePathIsOffered) {
  write_old(logs::test::receiver_log(5));
  open();
  QUrl handed;
  window_->set_opener([&](const QUrl& url) {
    handed = url;
    return false;
  });
  QTest::mouseClick(named<QToolButton>("Open in editor"), Qt::LeftButton);
  EXPECT_EQ(handed.toLocalFile(), window_->path());
  EXPECT_TRUE(says("message", window_->path()));
  QTest::mouseClick(named<QToolButton>("Copy path"), Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), window_->path());
}

TEST_F(LogWindowTest, EverythingThatTakesInputHasAName) {
  write_old(logs::test::receiver_log(5));
  open();
  keys("Ctrl+F");
  for (const QWidget* widget : window_->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || widget == view_->viewport()) continue;
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));  // NOLINT
    if (qobject_cast<const QLabel*>(widget) != nullptr) continue;
    EXPECT_FALSE(face->text(QAccessible::Name).isEmpty()) << widget->metaObject()->className();
  }
}

TEST_F(LogWindowTest, TheLinesCanBeReadByThoseWhoCannotSeeThem) {
  write_old(logs::test::receiver_log(5));
  open();
  ASSERT_TRUE(shows("# end"));
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(view_);
  ASSERT_NE(face, nullptr);
  QAccessibleTextInterface* text = face->textInterface();
  ASSERT_NE(text, nullptr);
  EXPECT_TRUE(text->text(0, text->characterCount()).startsWith("1 # program: n2nq-receiver"));
  EXPECT_TRUE(face->state().readOnly);
}

TEST_F(LogWindowTest, BytesThatAreNoTextAreShownAsDots) {
  write_old(std::string("a\0b\x01\xff\xfe\tend\n", 11) + "next\n");
  open();
  EXPECT_TRUE(shows("next"));
  EXPECT_TRUE(shown().contains(QString::fromUtf8("a·b·")));
}

TEST_F(LogWindowTest, ABrokersLogIsPlainText) {
  write_old("2026-11-20T12:24:39.672765Z start n2nq-broker port=7461\n");
  open();
  EXPECT_TRUE(shows("start n2nq-broker"));
  type_into("Filter", "port=7461");
  EXPECT_TRUE(says("filter_note", "1 line matches"));
  EXPECT_FALSE(named<QToolButton>("Slowest")->isEnabled());
}

}  // namespace
}  // namespace n2nq::ui
