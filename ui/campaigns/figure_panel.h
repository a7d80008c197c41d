// The figures of a campaign, one at a time, with room for findings beside it. Asks for the figure that is chosen;
// shows it when it comes. UI thread.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/figures/figure.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace n2nq::ui::theme {
class ShareSplitter;
}

namespace n2nq::ui::charts {
class FigureView;
class PictureTools;
}  // namespace n2nq::ui::charts

namespace n2nq::ui {

class FigurePanel : public QWidget {
  Q_OBJECT

 public:
  explicit FigurePanel(QWidget* parent = nullptr);

  // For another campaign, or of the same one again: what was chosen stays chosen where it is still there.
  void set_figures(int64_t campaign, const std::vector<campaign::FigureSpec>& figures, uint32_t repeats);
  void show_figure(int64_t campaign, int number, const figures::Figure& figure);
  int chosen() const;                         // -1: there is none
  campaign::FigureSpec figure() const;        // the chosen one, as it is looked at
  void offer_others(const QString& why_not);  // figures of a file; empty: they can be had
  // What stands right of the figure.
  void set_beside(QWidget* findings);
  QByteArray save_state() const;
  void restore_state(const QByteArray& state);

 Q_SIGNALS:
  void other_figures_wanted();  // those of a file, for this campaign
  void wanted();                // the selected figure, which has not come yet
  void shown();                 // the panel itself, now

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void show_nothing();
  void begin_look();
  void take_repeats();
  void say(const QString& why);  // what was typed cannot be taken; empty: it can

  int64_t campaign_ = 0;
  std::vector<campaign::FigureSpec> figures_;
  uint32_t most_repeats_ = 0;
  QComboBox* choice_;
  QPushButton* others_;
  charts::FigureView* view_;
  QWidget* look_;  // of the chosen figure: how its messages are looked at
  charts::PictureTools* tools_;
  QLineEdit* repeats_;
  NumberRanges wanted_repeats_{};
  theme::ShareSplitter* splitter_;
};

}  // namespace n2nq::ui
