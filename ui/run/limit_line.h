// One limit of the plan as a person edits it. UI thread.
#pragma once

#include <QWidget>
#include <optional>
#include <string>

#include "app/plan/run_limit.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace n2nq::ui::theme {
class StatusLabel;
}

namespace n2nq::ui {

class LimitLine : public QWidget {
  Q_OBJECT

 public:
  LimitLine(int number, const std::string& metric, QWidget* parent);

  void show_limit(const plan::RunLimit& limit);
  std::string metric_name() const;
  bool is_empty() const;  // no value was typed yet
  Result<plan::RunLimit> limit() const;
  void show_trouble(const QString& text);  // empty: none
  void focus_value();

 Q_SIGNALS:
  void edited();
  void removed();

 private:
  void say_form();

  QComboBox* metric_;
  QComboBox* side_;
  QLineEdit* value_;
  QCheckBox* stop_;
  QToolButton* remove_;
  theme::StatusLabel* trouble_;
};

}  // namespace n2nq::ui
