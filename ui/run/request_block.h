// What the receivers ask for, while requests are on: the filters in a few lines, whether they were sent, and the button
// that sends them. The edited filters are a draft until then. UI thread.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "ui/services/filter_draft.h"
#include "ui/services/filter_summary.h"

namespace n2nq::ui {

class RequestBlock : public QWidget {
  Q_OBJECT

 public:
  explicit RequestBlock(FilterDraft& draft, QWidget* parent = nullptr);

  void show_mode(plan::Mode mode) { summary_->set_mode(mode); }
  void set_running(bool running);

 Q_SIGNALS:
  void edit();  // opens the editor of the draft
  void make_request();

 private:
  void build_buttons();
  void show_state();

  FilterDraft& draft_;
  bool running_ = false;
  FilterSummary* summary_;
  QLabel* unsent_;
  QPushButton* revert_;
  QPushButton* make_;
};

}  // namespace n2nq::ui
