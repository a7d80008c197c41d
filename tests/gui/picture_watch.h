// Counts what the picture of a run costs, from outside: paint events of the charts and signals of the tables' models.
#pragma once

#include <QElapsedTimer>
#include <QGraphicsView>
#include <QObject>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <memory>
#include <string>
#include <vector>

namespace n2nq::test {

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
  std::string name() const { return view->accessibleName().toStdString(); }
};

struct WatchedTable {
  QTableView* view;
  std::unique_ptr<QSignalSpy> changes, resets;
  std::string name() const { return view->accessibleName().toStdString(); }
};

struct PictureWatch {
  static constexpr int kPicturesPerS = 10;

  // Looks on for so long.
  PictureWatch(const QWidget& window, int ms) {
    for (auto* view : window.findChildren<QGraphicsView*>())
      charts.push_back({view, std::make_unique<PaintCount>(*view->viewport())});
    for (auto* view : window.findChildren<QTableView*>())
      if (QAbstractItemModel* model = view->model())
        tables.push_back({view, std::make_unique<QSignalSpy>(model, &QAbstractItemModel::dataChanged),
                          std::make_unique<QSignalSpy>(model, &QAbstractItemModel::modelReset)});
    QElapsedTimer time;
    time.start();
    QTest::qWait(ms);
    watched_ms = time.elapsed();
    most = static_cast<int>(watched_ms * kPicturesPerS / 1000) + 2;
  }

  std::vector<WatchedChart> charts;
  std::vector<WatchedTable> tables;
  int64_t watched_ms = 0;
  int most = 0;  // as often as a tick came, at most
};

}  // namespace n2nq::test
