// The short list of rules for lines that stand out, a row each: on or off, how, which lines. What is changed holds at
// once, in all windows of logs. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/logs/line_rules.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace n2nq::ui {

class RulesBar : public QWidget {
  Q_OBJECT

 public:
  explicit RulesBar(QWidget* parent = nullptr);

  void open();
  void show_p99(const QString& text);  // what "p99" stands for in this log; empty: not known

 Q_SIGNALS:
  void closed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    QCheckBox* on;
    QLabel* number;
    QComboBox* mark;
    QLineEdit* condition;
    QToolButton* remove;
    QLabel* trouble;
  };
  void show_rules();
  void add_row(const logs::LineRule& rule);
  void remove_row(size_t row);
  void keep();
  static void show_marks(QComboBox& marks);
  void show_troubles();
  std::vector<logs::LineRule> rules() const;

  QGridLayout* grid_;
  QLabel* p99_;
  QToolButton* add_;
  std::vector<Row> rows_;
  bool keeping_ = false;
};

}  // namespace n2nq::ui
