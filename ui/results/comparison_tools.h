// How a comparison is looked at: whiskers, slow messages left out, runs and panels. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/compare/figures.h"

class QCheckBox;
class QComboBox;

namespace n2nq::ui {

class ComparisonTools : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonTools(QWidget* parent = nullptr);

  compare::View view() const;  // without a metric
  bool panels() const;
  bool same_axes() const;          // of panels
  void show_logarithmic(bool on);  // what the picture has by itself
  // Only what has a meaning for this picture can be set.
  void show_for(compare::Picture picture);

 Q_SIGNALS:
  void changed();

 private:
  QComboBox* add_choice(const QString& name, const QString& help);
  QCheckBox* add_switch(const QString& name, const QString& help);

  QComboBox* whiskers_;
  QComboBox* messages_;
  QCheckBox* logarithmic_ = nullptr;
  std::optional<bool> wants_logarithmic_{};  // nothing: nobody has said
  QCheckBox* each_run_;
  QCheckBox* panels_;
  QCheckBox* same_axes_;
};

}  // namespace n2nq::ui
