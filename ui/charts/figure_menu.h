// The menu of a figure: everything that can be done with it, also without a mouse. UI thread.
#pragma once

#include <QMenu>

class QActionGroup;

namespace n2nq::ui::charts {

class ChartCanvas;
class FigureView;

// All series of the chart, also those that its legend has no room for, with the keys that do the same in it.
void add_series(QMenu& menu, ChartCanvas& canvas);

class FigureMenu : public QMenu {
  Q_OBJECT

 public:
  explicit FigureMenu(FigureView* view);

 private:
  void add_files();
  void add_sight();
  void add_scale();
  void update_actions();

  FigureView* view_;
  QList<QAction*> of_contents_;  // that need something in the figure
  QAction* as_on_screen_ = nullptr;
  QAction* highest_ = nullptr;
  QAction* to_highest_ = nullptr;
  QAction* table_ = nullptr;
  QAction* zoom_in_ = nullptr;
  QAction* zoom_out_ = nullptr;
  QAction* show_all_ = nullptr;
  QMenu* series_ = nullptr;
  QMenu* scale_ = nullptr;
  QActionGroup* scales_ = nullptr;
};

}  // namespace n2nq::ui::charts
