// One setting that the runs of a plan differ in, with its value in each of them. UI thread.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QLineEdit;
class QToolButton;

namespace n2nq::ui {

class FieldPicker;

class VaryLine : public QWidget {
  Q_OBJECT

 public:
  VaryLine(int number, QWidget* parent);

  void show_setting(const std::string& key, const std::vector<std::string>& values);
  std::string key() const;                  // as it was picked or typed
  std::vector<std::string> values() const;  // of the runs, in order; empty: as in the form
  void focus_field();

 Q_SIGNALS:
  void edited();
  void removed();

 private:
  void say_form();

  FieldPicker* field_;
  QLineEdit* values_;
  QToolButton* remove_;
};

}  // namespace n2nq::ui
