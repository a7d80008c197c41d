// Opens the logs of the services of the run that is shown. UI thread.
#pragma once

#include <QObject>

#include "app/run/run_sequence.h"

class QWidget;

namespace n2nq::ui {

class LiveView;

class ServiceLogs : public QObject {
  Q_OBJECT

 public:
  // The tables of the services are on that page.
  ServiceLogs(const run::RunSequence& sequence, LiveView& live, QWidget* page);

  void open(Role role, uint32_t service);
  // For the table that has the focus; elsewhere, of the one table in which services are selected.
  void open_selected();

 Q_SIGNALS:
  void open_log(const QString& path, const QString& title);
  void no_log(const QString& text);  // none of what was asked for, and why
  // One that is on another host, as long as the run goes on.
  void open_far_log(const n2nq::run::FarLog& log, const QString& collected, const QString& title);

 private:
  const run::RunSequence& sequence_;
  LiveView& live_;
  QWidget* page_;
};

}  // namespace n2nq::ui
