#include "ui/run/start_forecast.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/plan/footprint.h"
#include "app/record/run_folder.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kLookEveryMs = 3000;
constexpr double kLarge = 1e9;  // bytes of which nobody should be surprised
constexpr double kMillion = 1e6;

QString shown(double bytes) {
  return theme::qt(text::bytes(bytes));
}

QString disk_text(const ForecastFacts& facts, bool large) {
  const QString free =
      facts.free_bytes ? QObject::tr(" (%1 free)").arg(shown(static_cast<double>(*facts.free_bytes))) : QString();
  if (facts.bytes_per_message > 0)
    return QObject::tr("The plan sends as fast as it can: the logs of a million messages take about %1 of disk%2.")
        .arg(shown(facts.bytes_per_message * kMillion), free);
  const QString text = QObject::tr("The plan takes at most %1 of disk%2").arg(shown(facts.bytes), free);
  return text + (large ? QObject::tr(", and little if summaries are logged instead of every message.") : ".");
}

}  // namespace

ForecastFacts facts_of(const plan::PlanFile& file, uint32_t repeats) {
  ForecastFacts facts;
  const auto runs = plan::runs_of(file);
  if (!runs) return facts;
  for (const plan::RunPlan& run : *runs) {
    const auto messages = plan::most_messages(run);
    facts.bytes += plan::most_bytes(run, messages) * repeats;
    if (!messages) facts.bytes_per_message = std::max(facts.bytes_per_message, plan::bytes_per_message(run));
  }
  return facts;
}

Forecast forecast_of(const ForecastFacts& facts) {
  if (facts.bytes == 0) return {};
  const bool full = facts.free_bytes && facts.bytes > static_cast<double>(*facts.free_bytes);
  const bool large = full || facts.bytes > kLarge;
  Forecast forecast{.text = disk_text(facts, large), .warns = large};
  if (facts.others && facts.others->cores > record::kOthersShare * facts.others->of) {
    forecast.warns = true;
    forecast.text +=
        QObject::tr(" Other programs keep %1 of %2 cores busy: figures would be in doubt.")
            .arg(theme::qt(text::decimals(facts.others->cores, 1)), theme::qt(text::decimals(facts.others->of, 0)));
  }
  return forecast;
}

StartForecast::StartForecast(std::string runs_folder, QObject* parent)
    : QObject(parent), runs_folder_(std::move(runs_folder)) {
  timer_.setInterval(kLookEveryMs);
  connect(&timer_, &QTimer::timeout, this, &StartForecast::look);
}

void StartForecast::show_plan(const plan::PlanFile& file, uint32_t repeats) {
  const auto others = facts_.others;
  facts_ = facts_of(file, repeats);
  facts_.others = others;
  facts_.free_bytes = free_bytes();
  tell();
}

void StartForecast::set_watching(bool on) {
  if (on == timer_.isActive()) return;
  facts_.others.reset();
  load_ = {};
  if (!on) return timer_.stop();
  (void)load_.look();
  timer_.start();
}

void StartForecast::look() {
  facts_.others = load_.look();
  facts_.free_bytes = free_bytes();
  tell();
}

// The folder of the runs is made by the first one.
std::optional<int64_t> StartForecast::free_bytes() const {
  const auto free = record::free_bytes(runs_folder_);
  return free ? free : record::free_bytes(std::filesystem::path(runs_folder_).parent_path().string());
}

void StartForecast::tell() {
  Forecast now = forecast_of(facts_);
  if (now == forecast_) return;
  forecast_ = std::move(now);
  Q_EMIT changed();
}

}  // namespace n2nq::ui

#include "moc_start_forecast.cpp"
