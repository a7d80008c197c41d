// The header of a table that reaches as far as the table does, not only as far as its columns. UI thread.
#pragma once

#include <QHeaderView>

namespace n2nq::theme {

class WholeHeader : public QHeaderView {
 public:
  explicit WholeHeader(QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace n2nq::theme
