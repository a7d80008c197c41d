// How a picture of messages is looked at: whiskers, messages left out; of a comparison runs and panels too. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/compare/figures.h"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace n2nq::ui::charts {

class PictureTools : public QWidget {
  Q_OBJECT

 public:
  enum class Of { comparison, campaign };
  explicit PictureTools(Of of, QWidget* parent = nullptr);

  compare::View view() const;                // without a metric
  void set_view(const compare::View& view);  // as far as it is of messages; changed() does not follow
  bool panels() const;
  bool same_axes() const;          // of panels
  void show_logarithmic(bool on);  // what the picture has by itself
  // Only what has a meaning for this picture can be set.
  void show_for(compare::Picture picture);

 Q_SIGNALS:
  void axis_changed();  // that of latencies; changed() follows
  void changed();
  void refused(const QString& why);  // what was typed into them

 private:
  QComboBox* add_choice(const QString& name, const QString& help);
  void take_part();
  QCheckBox* add_switch(const QString& name, const QString& help);

  Of of_;
  QComboBox* whiskers_;
  QComboBox* messages_;
  QCheckBox* logarithmic_ = nullptr;
  std::optional<bool> wants_logarithmic_{};  // nothing: nobody has said
  QLineEdit* part_;
  compare::AxisPart wants_part_{};
  bool part_refused_ = false;
  QCheckBox* each_run_;
  QCheckBox* panels_;
  QCheckBox* same_axes_;
};

}  // namespace n2nq::ui::charts
