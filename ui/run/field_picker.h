// A field of the plan, or several, by the names that the window gives them: a list in groups, each with what it does,
// which typing searches by name, key and help. Typed keys are taken as well. UI thread.
#pragma once

#include <QComboBox>

class QStandardItemModel;

namespace n2nq::ui {

class PlanLineEdit;

class FieldPicker : public QComboBox {
  Q_OBJECT

 public:
  // `name`: what it is called by those who cannot see it.
  explicit FieldPicker(const QString& name, QWidget* parent = nullptr);

  // Offered above all others.
  void offer_first(const QString& keys);
  // As the plan has them, separated by commas. A text that means the same stays as it was typed.
  void show_keys(const QString& keys);
  QString keys() const;

 Q_SIGNALS:
  void picked();  // or typed

 private:
  void fill();
  void search(QStandardItemModel& fields);

  PlanLineEdit* edit_;
};

}  // namespace n2nq::ui
