// The run of a campaign that is in progress: what all senders and receivers add up to, and the charts of a run. Pulls
// ten times a second while it is in sight. UI thread.
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>

#include "app/run/run_session.h"
#include "ui/run/run_totals.h"
#include "ui/run/service_logs.h"

namespace n2nq::ui::charts {
class ChartTabs;
}
namespace n2nq::ui {
class LiveCharts;
}

namespace n2nq::ui {

class LivePanel : public QWidget {
  Q_OBJECT

 public:
  using SessionOf = std::function<run::RunSession*()>;  // the current one, or null

  explicit LivePanel(SessionOf session, QWidget* parent = nullptr);

  // After each change; `which` tells one run from the next.
  void follow(bool active, const QString& which);

 Q_SIGNALS:
  void slowest_wanted(const n2nq::ui::SlowestPlaces& places);  // of a moment that was clicked

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void look();
  void find_slowest_at(const figures::Figure& figure, double second);

  SessionOf session_;
  RunTotals totals_;
  charts::ChartTabs* charts_;
  LiveCharts* figures_;  // that the charts show
  QString shown_;        // whose they are
  QTimer clock_;
};

}  // namespace n2nq::ui
