// How far something is, as a thin line without text. What it says is for who does not see it too. UI thread.
#pragma once

#include <QProgressBar>

namespace n2nq::ui::theme {

class ProgressLine : public QProgressBar {
  Q_OBJECT

 public:
  explicit ProgressLine(const QString& accessible_name, QWidget* parent = nullptr);

  static constexpr int kSteps = 1000;
  void show_share(double share);  // 0 to 1

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace n2nq::ui::theme
