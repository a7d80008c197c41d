// What the page of campaigns shows by now, to wait for it.
#pragma once

#include <QObject>
#include <QWidget>

namespace n2nq::test {

double drawn_ns();    // how much of the run is in the visible chart over time
bool draws_points();  // in any visible figure
int runs_in_table();  // of which the table of points says how they went

// Of a campaign that is over: whether its figure and findings have come since it was looked at anew. What is asked for
// then has all of its runs.
class LookAnew : public QObject {
 public:
  explicit LookAnew(const QWidget& window);
  bool drawn() const { return looked_ && drawn_ && judged_; }

 private:
  bool looked_ = false, drawn_ = false, judged_ = false;
};

}  // namespace n2nq::test
