// The row in which one types where to go: a line of the file, an index of the log, or the slowest message of some
// seconds of the run. UI thread.
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
  // The log has a column of that name; it says what the slowest message of a part of the run is.
  void set_targets(bool has_index, bool has_slowest);
  void say(const QString& text);

 Q_SIGNALS:
  void line_wanted(qint64 number);
  void index_wanted(qint64 index);
  void slowest_wanted(double from_s, double to_s);
  void closed();

 private:
  enum Target { kLine, kIndex, kSlowest };

  void go();
  void go_to_slowest();
  void enable(Target target, bool on);
  void show_target();

  QComboBox* what_;
  QLineEdit* number_;
  QLabel* note_;
};

}  // namespace n2nq::ui
