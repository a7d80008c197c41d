// The figures of a campaign, one at a time, with room for findings beside it. Asks for the figure that is chosen;
// shows it when it comes. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/figures/figure.h"

class QComboBox;

namespace n2nq::ui::theme {
class ShareSplitter;
}

namespace n2nq::ui::charts {
class FigureView;
}

namespace n2nq::ui {

class FigurePanel : public QWidget {
  Q_OBJECT

 public:
  explicit FigurePanel(QWidget* parent = nullptr);

  // For another campaign, or of the same one again: what was chosen stays chosen where it is still there.
  void set_figures(int64_t campaign, const std::vector<campaign::FigureSpec>& figures);
  void show_figure(int64_t campaign, int number, const figures::Figure& figure);
  int chosen() const;  // -1: there is none
  // What stands right of the figure.
  void set_beside(QWidget* findings);
  QByteArray save_state() const;
  void restore_state(const QByteArray& state);

 Q_SIGNALS:
  void wanted();  // the selected figure, which has not come yet
  void shown();   // the panel itself, now

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void show_nothing();

  int64_t campaign_ = 0;
  std::vector<campaign::FigureSpec> figures_;
  QComboBox* choice_;
  charts::FigureView* view_;
  theme::ShareSplitter* splitter_;
};

}  // namespace n2nq::ui
