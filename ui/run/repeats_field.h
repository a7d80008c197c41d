// How often the plan is run, beside what starts it. Kept over restarts; not a part of the plan. UI thread.
#pragma once

#include <QWidget>
#include <cstdint>

class QSettings;
class QSpinBox;

namespace n2nq::ui {

class RepeatsField : public QWidget {
  Q_OBJECT

 public:
  explicit RepeatsField(QSettings& settings, QWidget* parent = nullptr);

  uint32_t repeats() const;
  void set_repeats(uint32_t repeats);      // for this plan: not kept
  void set_locked(const QString& reason);  // empty: it can be changed

 Q_SIGNALS:
  void changed();

 private:
  QSettings& settings_;
  QSpinBox* count_;
};

}  // namespace n2nq::ui
