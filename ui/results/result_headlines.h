// The five figures that a result begins with, as tiles with their course over the run. A click asks for the chart that
// shows more. UI thread.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::ui::theme {
class Tile;
}

namespace n2nq::ui {

class ResultHeadlines : public QWidget {
  Q_OBJECT

 public:
  explicit ResultHeadlines(QWidget* parent = nullptr);

  void show_record(const record::RunRecord* record);  // null: none

 Q_SIGNALS:
  void figure_wanted(const std::string& id);  // of figures_of()
  void losses_wanted();

 private:
  std::vector<theme::Tile*> tiles_;
};

}  // namespace n2nq::ui
