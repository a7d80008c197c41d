// A whole number with arrows, shown in groups of thousands. Takes any text while it is typed, so that nothing typed is
// lost; who reads it says whether it is a number. UI thread.
#pragma once

#include <QAbstractSpinBox>
#include <cstdint>
#include <optional>

namespace n2nq::ui {

class PlanLineEdit;

class CountField : public QAbstractSpinBox {
  Q_OBJECT

 public:
  CountField(uint64_t min, uint64_t max, QWidget* parent = nullptr);

  PlanLineEdit* edit() const { return edit_; }
  std::optional<uint64_t> value() const;  // of the text, if it is one in range

  void stepBy(int steps) override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;  // of six digits; more are scrolled

 protected:
  StepEnabled stepEnabled() const override;

 private:
  QSize size_for(const QString& digits) const;
  uint64_t min_;
  uint64_t max_;
  PlanLineEdit* edit_;
};

}  // namespace n2nq::ui
