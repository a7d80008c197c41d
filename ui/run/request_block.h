// What the receivers ask for, while requests are on: the filters in a few lines, and whether they were sent; the button
// that sends them is in the run's bar. The edited filters are a draft until then. UI thread.
#pragma once

#include <QPushButton>
#include <QWidget>

#include "ui/services/filter_draft.h"
#include "ui/services/filter_summary.h"

namespace n2nq::ui::theme {
class Chip;
}

namespace n2nq::ui {

class RequestBlock : public QWidget {
  Q_OBJECT

 public:
  explicit RequestBlock(FilterDraft& draft, QWidget* parent = nullptr);

  void show_mode(plan::Mode mode) { summary_->set_mode(mode); }
  void set_open(bool open);  // the editor, which has a Revert of its own

 Q_SIGNALS:
  void edit();  // opens the editor of the draft

 private:
  void show_state();

  FilterDraft& draft_;
  FilterSummary* summary_;
  theme::Chip* unsent_;
  QPushButton* revert_;
  bool open_ = false;
};

}  // namespace n2nq::ui
