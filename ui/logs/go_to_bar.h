// The row in which one types where to go: a line of the file, or an index of the log. UI thread.
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace n2nq::ui {

class GoToBar : public QWidget {
  Q_OBJECT

 public:
  explicit GoToBar(QWidget* parent = nullptr);

  void open();
  void set_has_index(bool has_index);  // the log has a column of that name
  void say(const QString& text);

 Q_SIGNALS:
  void line_wanted(qint64 number);
  void index_wanted(qint64 index);
  void closed();

 private:
  void go();

  QComboBox* what_;
  QLineEdit* number_;
  QLabel* note_;
};

}  // namespace n2nq::ui
