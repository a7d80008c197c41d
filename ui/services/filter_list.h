// The filters as rules in a table that is edited in place; what is wrong stands beside the field and in full below.
// UI thread.
#pragma once

#include <QWidget>

#include "ui/services/filter_draft.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace n2nq::ui::theme {
class TableView;
}

namespace n2nq::ui {

class FilterRules;

class FilterList : public QWidget {
  Q_OBJECT

 public:
  explicit FilterList(FilterDraft& draft, QWidget* parent = nullptr);

  void set_received(const ToldRates& received);  // in a run

 private:
  void build_table();
  QWidget* build_actions();
  void take_theme();
  void add_rule();
  void remove_rule();
  void show_removable();
  void say_wrong();
  void changeEvent(QEvent* event) override;

  FilterDraft& draft_;
  FilterRules* rules_;
  theme::TableView* table_;
  QLabel* wrong_;
  QPushButton* add_ = nullptr;
  QPushButton* remove_ = nullptr;
};

}  // namespace n2nq::ui
