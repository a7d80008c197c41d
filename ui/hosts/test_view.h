// The steps of the last test of a host, or of a bus: each with its mark, what was found, what to do about what does not
// work, and how long it took. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/run/stepped_test.h"
#include "ui/theme/label.h"

class QGridLayout;

namespace n2nq::ui::theme {
class Chip;
}

namespace n2nq::ui {

// What is known of a thing, in a word or two.
struct TestState {
  theme::Tone tone = theme::Tone::muted;
  QString text{};
};

class TestView : public QWidget {
  Q_OBJECT

 public:
  // What can be tested: "host"; and what its state tells.
  TestView(const QString& subject, const QString& state_help, QWidget* parent = nullptr);

  // Null: it was not tested, and the hint says what to do. `name`: empty where nothing is chosen.
  void show_test(const QString& name, const run::SteppedTest* test, const TestState& state, const QString& hint);

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
