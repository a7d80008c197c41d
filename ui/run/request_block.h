// What the receivers ask for, while requests are on: the filters in a few lines, whether they were sent, and the button
// that sends them. The edited filters are a draft until then. UI thread.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>
#include <vector>

#include "ui/services/filter_summary.h"

namespace n2nq::ui {

class RequestBlock : public QWidget {
  Q_OBJECT

 public:
  explicit RequestBlock(QWidget* parent = nullptr);

  // What is asked for now; a change of it takes the place of the draft.
  void show_mode(plan::Mode mode) { summary_->set_mode(mode); }
  void show_asked(const std::vector<plan::ReceiverFilter>& filters);
  void show_asked(const std::vector<plan::ReceiverFilter>& filters, const std::vector<plan::ReceiverFilter>& draft);
  void set_draft(std::vector<plan::ReceiverFilter> draft);
  const std::vector<plan::ReceiverFilter>& draft() const { return draft_; }
  bool unsent() const { return draft_ != asked_; }
  void set_running(bool running);
  void revert();  // the draft, to what is asked for now

 Q_SIGNALS:
  void edit();  // open the editor on draft()
  void make_request();
  void draft_changed();
  void reverted();  // by a person; after draft_changed()

 private:
  void build_buttons();
  void show_draft();

  std::vector<plan::ReceiverFilter> asked_;
  std::vector<plan::ReceiverFilter> draft_;
  bool running_ = false;
  FilterSummary* summary_;
  QLabel* unsent_;
  QPushButton* revert_;
  QPushButton* make_;
};

}  // namespace n2nq::ui
