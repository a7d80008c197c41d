// The steps of the last test of a host: each with its mark, what was found, and what to do about what does not work.
// UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/run/host_test.h"

class QGridLayout;
class QLabel;

namespace n2nq::ui {

class TestView : public QWidget {
  Q_OBJECT

 public:
  explicit TestView(QWidget* parent = nullptr);

  // Null: it was not tested. `name`: empty where no host is chosen.
  void show_test(const QString& name, const run::HostTest* test);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Line {
    QLabel* icon;
    QLabel* name;
    QLabel* text;
    run::TestStep shown{};
  };
  void show_line(size_t index, const run::TestStep& step);
  void paint(Line& line) const;
  void set_shown(size_t count);

  QLabel* title_;
  QLabel* hint_;
  QGridLayout* grid_;
  std::vector<Line> lines_;
};

}  // namespace n2nq::ui
