// The steps of the last test of a host: each with its mark, what was found, what to do about what does not work, and
// how long it took. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/run/host_test.h"

class QGridLayout;

namespace n2nq::ui::theme {
class Chip;
class Label;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class TestView : public QWidget {
  Q_OBJECT

 public:
  explicit TestView(QWidget* parent = nullptr);

  // Null: it was not tested. `name`: empty where no host is chosen.
  void show_test(const QString& name, const run::HostTest* test);

 private:
  struct Line {
    theme::Chip* mark;  // hidden where there is nothing to say yet
    theme::Label* name;
    theme::Label* text;
    theme::Label* duration;
  };
  void show_line(size_t index, const run::TestStep& step);
  void add_line();
  void set_shown(size_t count);

  theme::Label* title_;
  theme::Chip* state_;
  theme::Label* hint_;
  QGridLayout* grid_;
  std::vector<Line> lines_;
};

}  // namespace n2nq::ui
