// A test that goes step by step, as the window and the command line show it. UI thread.
#pragma once

#include <QObject>
#include <chrono>
#include <string>
#include <vector>

namespace n2nq::run {

struct TestStep {
  enum class Mark { waiting, under_way, good, warning, bad, not_tried };
  std::string name{};  // "login"
  Mark mark = Mark::waiting;
  std::string text{};       // what was found, or what is wrong and what to do
  int64_t duration_ns = 0;  // of what has ended
  bool operator==(const TestStep&) const = default;
};
std::string to_text(TestStep::Mark mark);  // "works"

class SteppedTest : public QObject {
  Q_OBJECT

 public:
  bool over() const { return over_; }
  const std::vector<TestStep>& steps() const { return steps_; }
  // The gravest of its marks; under_way until it is over, not_tried if it was abandoned.
  TestStep::Mark mark() const;
  // "everything works", "login: no key was taken", "login…"
  std::string summary() const;

 Q_SIGNALS:
  void changed();  // steps(), over()

 protected:
  using QObject::QObject;

  void begin_step(size_t step);
  void end_step(size_t step, TestStep::Mark mark, const std::string& text);
  // -> over. What has not ended was not tried.
  void end_test();
  void abandon_test();  // the same, before it could say anything

  std::vector<TestStep> steps_;

 private:
  std::vector<std::chrono::steady_clock::time_point> begun_;  // the steps, in their order
  bool over_ = false;
  bool abandoned_ = false;
};

}  // namespace n2nq::run
