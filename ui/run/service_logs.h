// Opens the logs of the services of the run that is shown. UI thread.
#pragma once

#include <QObject>

#include <optional>
#include <vector>

#include "app/figures/figure.h"
#include "app/logs/slowest_search.h"
#include "app/run/run_sequence.h"
#include "app/run/run_stage.h"

class QWidget;

namespace n2nq::ui {

class LiveView;

// A log that is on another host while the run goes on.
struct FarPlace {
  run::FarLog log{};
  QString title{};
};

// What is looked through for the slowest message of a run: logs on this computer, and those to be fetched first.
struct SlowestPlaces {
  logs::SlowestWish wish{};
  std::vector<FarPlace> far{};
};
// `active`: it goes on, and its hosts have their logs.
SlowestPlaces slowest_places(const run::RunSession& session, bool active, const logs::SlowestAim& aim);
// Of what a figure shows at that second; nothing: it shows no moment.
std::optional<SlowestPlaces> slowest_places_at(const run::RunSession& session, bool active,
                                               const figures::Figure& figure, double second);

class ServiceLogs : public QObject {
  Q_OBJECT

 public:
  // The tables of the services are on that page.
  ServiceLogs(const run::RunSequence& sequence, LiveView& live, QWidget* page);

  void open(Role role, uint32_t service);
  // For the table that has the focus; elsewhere, of the one table in which services are selected.
  void open_selected();
  // At its slowest message.
  void open_at_slowest(Role role, uint32_t service);
  // The slowest message of all receivers, of the whole run or of what a figure shows at that second.
  void find_slowest();
  void find_slowest_at(const figures::Figure& figure, double second);

 Q_SIGNALS:
  void open_log(const QString& path, const QString& title);
  void open_slowest(const QString& path, const QString& title);
  void slowest_wanted(const n2nq::ui::SlowestPlaces& places);
  void no_log(const QString& text);  // none of what was asked for, and why
  // One that is on another host, as long as the run goes on.
  void open_far_log(const n2nq::run::FarLog& log, const QString& collected, const QString& title);

 private:
  struct Place {
    QString path{};
    QString title{};
    std::optional<run::FarLog> far{};  // it is there as long as the run goes on
  };
  std::optional<Place> place_of(Role role, uint32_t service);  // nothing: no log, which is said

  const run::RunSequence& sequence_;
  LiveView& live_;
  QWidget* page_;
};

}  // namespace n2nq::ui
