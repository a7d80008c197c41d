// What is seen of a result first: its latencies as a picture, and what differs from the default settings; folded below,
// its totals, latencies and computers as tables. UI thread.
#pragma once

#include <QScrollArea>

#include "app/record/run_record.h"

class QPushButton;

namespace n2nq::ui::charts {
class FigureView;
}

namespace n2nq::ui {

class TextTable;

class ResultOverview : public QScrollArea {
  Q_OBJECT

 public:
  explicit ResultOverview(QWidget* parent = nullptr);

  void show_record(const record::RunRecord& record);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* build_first();
  QWidget* build_tables();
  void fold(bool open);

  charts::FigureView* picture_;
  TextTable* settings_;
  QPushButton* more_;
  QWidget* tables_;
  TextTable* totals_ = nullptr;
  TextTable* latencies_ = nullptr;
  TextTable* machine_ = nullptr;
};

}  // namespace n2nq::ui
