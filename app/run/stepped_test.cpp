#include "app/run/stepped_test.h"

#include <algorithm>

namespace n2nq::run {

using Mark = TestStep::Mark;

std::string to_text(Mark mark) {
  switch (mark) {
    case Mark::waiting:
      return "not yet";
    case Mark::under_way:
      return "under way";
    case Mark::good:
      return "works";
    case Mark::warning:
      return "passed with a warning";
    case Mark::bad:
      return "failed";
    case Mark::not_tried:
      break;
  }
  return "not tried";
}

void SteppedTest::begin_step(size_t step) {
  begun_.resize(steps_.size());
  steps_[step].mark = Mark::under_way;
  begun_[step] = std::chrono::steady_clock::now();
}

void SteppedTest::end_step(size_t step, Mark mark, const std::string& text) {
  using std::chrono::nanoseconds;
  TestStep& ended = steps_[step];
  if (ended.mark == Mark::under_way)
    ended.duration_ns = duration_cast<nanoseconds>(std::chrono::steady_clock::now() - begun_[step]).count();
  ended.mark = mark;
  ended.text = text;
}

void SteppedTest::end_test() {
  over_ = true;
  for (TestStep& step : steps_)
    if (step.mark <= Mark::under_way) step.mark = Mark::not_tried;
  Q_EMIT changed();
}

void SteppedTest::abandon_test() {
  abandoned_ = true;
  end_test();
}

Mark SteppedTest::mark() const {
  if (!over_) return Mark::under_way;
  if (abandoned_) return Mark::not_tried;
  Mark gravest = Mark::good;
  for (const TestStep& step : steps_)
    if (step.mark == Mark::bad || (step.mark == Mark::warning && gravest == Mark::good)) gravest = step.mark;
  const bool none = std::ranges::all_of(steps_, [](const TestStep& step) { return step.mark == Mark::not_tried; });
  return none ? Mark::not_tried : gravest;
}

std::string SteppedTest::summary() const {
  const Mark overall = mark();
  if (overall == Mark::good) return "everything works";
  if (overall == Mark::not_tried) return "abandoned";
  const auto at = std::ranges::find(steps_, overall, &TestStep::mark);
  if (at == steps_.end()) return {};
  return overall == Mark::under_way ? at->name + "\u2026" : at->name + ": " + at->text;
}

}  // namespace n2nq::run

#include "moc_stepped_test.cpp"
