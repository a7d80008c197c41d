// The queue of a run as a flow: sent -> in flight -> delivered, pulled at each look. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/run/in_flight.h"
#include "app/run/run_session.h"

class QGridLayout;

namespace n2nq::ui {

class GrowingLabel;

class QueueFlow : public QWidget {
  Q_OBJECT

 public:
  explicit QueueFlow(QWidget* parent = nullptr);

  void start_anew(const run::RunSession* session);  // null: there was no run yet, nothing is shown
  void request_changed();                           // what is in flight can no longer be told
  void look_at(const run::RunSession& session);

 private:
  GrowingLabel* add_figure(const QString& caption, const QString& help, int column);
  void add_arrow(int column);

  QGridLayout* grid_;
  GrowingLabel* sent_;
  GrowingLabel* in_flight_;
  GrowingLabel* delivered_;
  std::optional<run::InFlight> due_;
};

}  // namespace n2nq::ui
