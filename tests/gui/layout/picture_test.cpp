// The picture of a run costs what it must, and nothing where nobody looks: counted from outside, by the paint events of
// the charts and the signals of the tables' models.
#include <QElapsedTimer>
#include <QGraphicsView>
#include <QSignalSpy>
#include <memory>
#include <vector>

#include "tests/gui/layout/tour.h"

namespace n2nq::test {
namespace {

constexpr int kPicturesPerS = 10;
constexpr int kWatchedMs = 2500;

class PaintCount : public QObject {
 public:
  explicit PaintCount(QWidget& widget) { widget.installEventFilter(this); }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) count_++;
    return false;
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

struct WatchedChart {
  QGraphicsView* view;
  std::unique_ptr<PaintCount> paints;
};

struct WatchedTable {
  QTableView* view;
  std::unique_ptr<QSignalSpy> changes, resets;
};

class Picture : public Tour {
 protected:
  void start_run() {
    set_appearance("light");
    open_window();
    click("Not now");
    type("Senders messages text", "60000");
    click("Start all");
    ASSERT_TRUE(wait([&] { return rows("Receivers") == 10 && number(cell("Receivers", 9, "Received")) > 200; }));
    settle();
  }
  void stop_run() {
    click("Stop all");
    ASSERT_TRUE(wait([&] { return text_of("Message").contains("stopped"); })) << text_of("Message").toStdString();
  }

  // What is painted and told from now on, and how much of that was for a tick of time.
  void watch() {
    charts_.clear();
    tables_.clear();
    for (auto* view : window().findChildren<QGraphicsView*>())
      charts_.push_back({view, std::make_unique<PaintCount>(*view->viewport())});
    for (auto* view : window().findChildren<QTableView*>())
      if (QAbstractItemModel* model = view->model())
        tables_.push_back({view, std::make_unique<QSignalSpy>(model, &QAbstractItemModel::dataChanged),
                           std::make_unique<QSignalSpy>(model, &QAbstractItemModel::modelReset)});
    QElapsedTimer time;
    time.start();
    QTest::qWait(kWatchedMs);
    most_ = static_cast<int>(time.elapsed() * kPicturesPerS / 1000) + 2;
  }

  void expect_nothing_was_done(const char* why) {
    for (const WatchedChart& chart : charts_)
      EXPECT_EQ(chart.paints->count(), 0) << why << ": " << chart.view->accessibleName().toStdString();
    for (const WatchedTable& table : tables_)
      EXPECT_EQ(table.changes->count(), 0) << why << ": " << table.view->accessibleName().toStdString();
  }

  std::vector<WatchedChart> charts_;
  std::vector<WatchedTable> tables_;
  int most_ = 0;  // as often as a tick came, at most
};

TEST_F(Picture, EachChartThatIsSeenIsPaintedOnceATickAndNoOther) {
  start_run();
  for (const QSize& size : {kUsual, kLarge}) {
    window().resize(size);
    settle();
    watch();
    int seen = 0;
    for (const WatchedChart& chart : charts_) {
      const std::string name = chart.view->accessibleName().toStdString();
      if (chart.view->isVisible()) {
        seen++;
        EXPECT_LE(chart.paints->count(), most_) << name;
        EXPECT_GT(chart.paints->count(), 0) << name;
      } else {
        EXPECT_EQ(chart.paints->count(), 0) << name;
      }
    }
    EXPECT_EQ(seen, size == kLarge ? 2 : 1);
  }
  stop_run();
}

TEST_F(Picture, EachTableIsToldOnceATickAndNeverStartsAnew) {
  start_run();
  watch();
  for (const WatchedTable& table : tables_) {
    const std::string name = table.view->accessibleName().toStdString();
    EXPECT_LE(table.changes->count(), most_) << name;
    EXPECT_EQ(table.resets->count(), 0) << name;
    if ((name == "Senders" || name == "Receivers") && table.view->isVisible()) {
      EXPECT_GT(table.changes->count(), 0) << name;
    }
  }
  stop_run();
}

TEST_F(Picture, NothingIsDrawnWhereNobodyLooks) {
  start_run();
  key(Qt::Key_2, Qt::ControlModifier);
  settle();
  watch();
  expect_nothing_was_done("another page");
  key(Qt::Key_1, Qt::ControlModifier);

  window().showMinimized();
  settle();
  watch();
  expect_nothing_was_done("minimised");
  window().showNormal();

  window().hide();
  settle();
  watch();
  expect_nothing_was_done("hidden");
  window().show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window()));
  const auto before = number(cell("Receivers", 0, "Received"));
  EXPECT_TRUE(wait([&] { return number(cell("Receivers", 0, "Received")) > before; })) << "it goes on when seen again";
  stop_run();
}

}  // namespace
}  // namespace n2nq::test
