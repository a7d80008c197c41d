// How far sides differ from the first, as ratios on a logarithmic axis: for each a dot with its confidence interval,
// the line where nothing differs, and how far two sets of the first's own runs would differ, where that is known. UI
// thread.
#pragma once

#include <QWidget>
#include <cmath>
#include <optional>
#include <vector>

#include "app/analysis/run_comparison.h"
#include "app/figures/figure.h"

namespace n2nq::ui {

class IntervalBar : public QWidget {
  Q_OBJECT

 public:
  struct Row {
    QString side{};
    analysis::RunComparison against_first{};
  };

  explicit IntervalBar(QWidget* parent = nullptr);

  // `by_itself`: the first against itself. `better`: which of the two ends is good. Without rows it takes no room.
  void show_rows(const QString& first, std::vector<Row> rows, const std::optional<analysis::RunComparison>& by_itself,
                 analysis::Better better, analysis::Reads reads = analysis::Reads::speed);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  QString said() const;  // all that it shows, in words

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Scale {
    double low = 0, high = 0;  // logarithms of ratios
    double left = 0, right = 0;
    double at(double ratio) const { return left + (std::log(ratio) - low) / (high - low) * (right - left); }
  };
  Scale scale() const;
  int top() const;
  int row_height() const;
  int side_width() const;
  int value_width() const;
  void paint_axis(QPainter& painter, const Scale& scale) const;
  void paint_by_itself(QPainter& painter, const Scale& scale) const;
  void paint_row(QPainter& painter, const Scale& scale, size_t number) const;
  QColor color_of(const analysis::RunComparison& comparison) const;

  QString first_;
  std::vector<Row> rows_;
  std::optional<analysis::RunComparison> by_itself_;
  analysis::Better better_ = analysis::Better::lower;
  analysis::Reads reads_ = analysis::Reads::speed;
};

}  // namespace n2nq::ui
