// The draft of a plan's filters in the few lines that a narrow panel has for them, and the way to edit them. UI thread.
#pragma once

#include <QWidget>

#include "app/plan/run_plan.h"

class QLabel;
class QPushButton;

namespace n2nq::ui {

class FilterDraft;

class FilterSummary : public QWidget {
  Q_OBJECT

 public:
  static constexpr size_t kLines = 3;

  explicit FilterSummary(const FilterDraft& draft, QWidget* parent = nullptr);

  void set_mode(plan::Mode mode);  // says who gets what without filters

  // "r1-3: from 1-5,9, 10B..1KiB", as shown.
  static QString line(const plan::ReceiverFilter& filter);
  // "15 senders reach no receiver."; empty: all reach one.
  static QString unheard_text(const plan::FilterMatrix& matrix);

 Q_SIGNALS:
  void edit_requested();

 private:
  void fill();
  void resizeEvent(QResizeEvent* event) override;

  const FilterDraft& draft_;
  plan::Mode mode_ = plan::Mode::broadcaster;
  QLabel* text_;
  QPushButton* edit_;
  QString unheard_;
};

}  // namespace n2nq::ui
