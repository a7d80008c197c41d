// Senders, queue and receivers side by side where there is room, as tabs where there is not; with the charts and the
// editor of the filters below, or where the window is low with the charts as one more tab and the editor beside the
// tabs, or without them. UI thread.
#pragma once

#include <QSettings>
#include <QWidget>
#include <array>

#include "app/plan/run_plan.h"

class QAbstractButton;
class QHBoxLayout;
class QStackedWidget;
class QTabBar;

namespace n2nq::ui::theme {
class ShareSplitter;
}

namespace n2nq::ui {

class RoleColumns : public QWidget {
  Q_OBJECT

 public:
  struct Parts {
    QWidget* senders;
    QWidget* queue;
    QWidget* receivers;
    QWidget* charts;
    QWidget* log;  // below all, or hidden
    QWidget* filters;
  };
  RoleColumns(const Parts& parts, QSettings& settings, QWidget* parent = nullptr);

  void show_mode(plan::Mode mode);  // what the tabs call the roles
  void show_column(int index);      // 0 senders, 1 queue, 2 receivers: brought to the front where there are tabs
  void show_charts();               // brought to the front where they are a tab
  void set_with_charts(bool with);
  void set_with_filters(bool with);
  bool with_filters() const { return with_filters_; }
  void set_charts_opened_by(QAbstractButton* opener);
  void save() const;                       // sizes of the splitters
  QSize minimumSizeHint() const override;  // as tabs

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;  // a role needs more or less room than before
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class Form { columns, tabs_above_charts, tabs };
  // A field in which somebody types stays where it is: what is due waits until the keys go elsewhere, or until the
  // window has another size (`resized`).
  void fit(bool resized = false);
  QWidget* with_keys() const;  // a part of this one that has the keys of the window
  Form fitting(const QSize& size) const;
  void arrange(Form form);
  void set_with(bool& what, bool with);
  void place_lower();
  void restore();
  std::array<QWidget*, 3> roles() const { return {parts_.senders, parts_.queue, parts_.receivers}; }

  Parts parts_;
  QSettings& settings_;
  theme::ShareSplitter* rows_;
  theme::ShareSplitter* columns_;
  theme::ShareSplitter* lower_;  // charts and filters
  QWidget* tabbed_;
  QTabBar* tabs_;
  QHBoxLayout* beside_tabs_;
  QStackedWidget* stack_;
  Form form_ = Form::columns;
  bool with_charts_ = true;
  bool with_filters_ = false;
  QAbstractButton* opener_ = nullptr;  // of the charts
  QSize window_size_;                  // when this one last had another
};

}  // namespace n2nq::ui
