// What a start would need and find, before it: how much of the disk, and how busy others keep this computer. UI thread.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <optional>
#include <string>

#include "app/place/others_load.h"
#include "app/plan/plan_file.h"

namespace n2nq::ui {

struct ForecastFacts {
  size_t runs = 1;               // that one press starts, one after another
  double bytes = 0;              // that all its runs leave on the disk at most
  double bytes_of_logs = 0;      // of which lines of messages
  double bytes_per_message = 0;  // of those of runs whose number of messages nobody knows; 0: of all it is known
  std::string theory{};          // of messages that wait for their service; empty: there is nothing to say
  bool overloads = false;        // its receivers
  QStringList of_plan{};         // sentences: why its runs will be in doubt, or lose messages
  bool measures_here = false;    // whatever else is busy here makes a run doubtful
  std::optional<int64_t> free_bytes{};
  std::optional<place::Busy> others{};
};
ForecastFacts facts_of(const plan::PlanFile& file, uint32_t repeats);

struct Forecast {
  size_t runs = 1;
  QString disk{}, theory{}, others{};  // sentences; others only where they disturb
  QString of_plan{};                   // the same of what the plan does
  bool disk_is_short = false;
  bool overloads = false;
  QString text() const;
  bool warns() const { return disk_is_short || overloads || !others.isEmpty() || !of_plan.isEmpty(); }
  bool operator==(const Forecast&) const = default;
};
Forecast forecast_of(const ForecastFacts& facts);

class StartForecast : public QObject {
  Q_OBJECT

 public:
  explicit StartForecast(std::string runs_folder, QObject* parent = nullptr);

  void show_plan(const plan::PlanFile& file, uint32_t repeats);
  void set_watching(bool on);  // others; while a run goes on its recorder does
  const Forecast& forecast() const { return forecast_; }

 Q_SIGNALS:
  void changed();

 private:
  std::optional<int64_t> free_bytes() const;
  void look();
  void tell();

  std::string runs_folder_;
  place::OthersLoad load_;
  ForecastFacts facts_;
  Forecast forecast_;
  QTimer timer_;
};

}  // namespace n2nq::ui
