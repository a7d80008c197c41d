#include "ui/run/start_forecast.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/figures/setting_text.h"
#include "app/figures/waiting.h"
#include "app/plan/footprint.h"
#include "app/record/run_folder.h"
#include "app/record/run_record.h"
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

bool has_room(const ForecastFacts& facts, double bytes) {
  return !facts.free_bytes || bytes <= static_cast<double>(*facts.free_bytes);
}

void say_disk(const ForecastFacts& facts, Forecast& forecast) {
  const QString free =
      facts.free_bytes ? QObject::tr(" (%1 free)").arg(shown(static_cast<double>(*facts.free_bytes))) : QString();
  const double million = facts.bytes_per_message * kMillion;
  const double known = facts.bytes;
  forecast.disk_is_short = known > kLarge || !has_room(facts, known + million);
  if (million > 0)
    forecast.disk = QObject::tr(
                        "How much disk the plan takes cannot be known: the logs of a million messages take about "
                        "%1, all else at most %2%3.")
                        .arg(shown(million), shown(known), free);
  else if (forecast.disk_is_short && facts.bytes_of_logs > known / 2)
    forecast.disk = QObject::tr(
                        "The plan takes at most %1 of disk%2, and little if summaries are logged instead of every "
                        "message.")
                        .arg(shown(known), free);
  else
    forecast.disk = QObject::tr("The plan takes at most %1 of disk%2.").arg(shown(known), free);
}

bool is_here(const std::vector<std::string>& hosts) {
  return hosts.empty() || std::ranges::find(hosts, record::kThisPlace) != hosts.end();
}

// Trust looks at the computers of a run that have a recorder; beside attached workers it knows nothing of others.
bool measures_here(const plan::RunPlan& run) {
  if (!run.recorder.on || plan::has_attached(run)) return false;
  return run.queue.host.empty() || is_here(run.senders.fleet.hosts) || is_here(run.receivers.fleet.hosts);
}

// What the plan itself lets one expect, whatever happens in its runs.
void say_plan(const plan::RunPlan& run, QStringList& said) {
  std::string copies;
  if (!run.bus.kills().empty() && run.bus.setting("replicas") == "1")
    copies = "the killed server keeps the only copies of its messages (bus.replicas 1): they are lost, or out of reach";
  for (const std::string& text : {copies, record::cold_server_text(run)})
    if (!text.empty()) said << theme::qt(text::capital(figures::with_names(text))) + '.';
  said.removeDuplicates();
}

}  // namespace

ForecastFacts facts_of(const plan::PlanFile& file, uint32_t repeats) {
  ForecastFacts facts;
  const auto runs = plan::runs_of(file);
  if (!runs) return facts;
  facts.runs = runs->size() * repeats;
  for (const plan::RunPlan& run : *runs) {
    const auto messages = plan::most_messages(run);
    const double each = plan::bytes_per_message(run);
    facts.bytes += plan::most_bytes(run, messages) * repeats;
    facts.bytes_of_logs += messages.value_or(0) * each * repeats;
    if (!messages) facts.bytes_per_message = std::max(facts.bytes_per_message, each);
    facts.measures_here = facts.measures_here || measures_here(run);
    say_plan(run, facts.of_plan);
  }
  if (runs->size() != 1) return facts;
  if (const auto expected = figures::expected_of(runs->front())) {
    facts.theory = figures::expected_text(*expected);
    facts.overloads = expected->busiest_overloaded();
  }
  return facts;
}

Forecast forecast_of(const ForecastFacts& facts) {
  Forecast forecast{.runs = facts.runs};
  if (facts.bytes == 0) return forecast;
  say_disk(facts, forecast);
  forecast.of_plan = facts.of_plan.join(' ');
  if (!facts.theory.empty()) forecast.theory = theme::qt(text::capital(facts.theory)) + '.';
  forecast.overloads = facts.overloads;
  if (facts.measures_here && facts.others && facts.others->cores > record::kOthersShare * facts.others->of)
    forecast.others =
        QObject::tr("Other programs keep %1 of %2 cores busy: the run may be doubtful.")
            .arg(theme::qt(text::decimals(facts.others->cores, 1)), theme::qt(text::decimals(facts.others->of, 0)));
  return forecast;
}

// Warnings first.
QString Forecast::text() const {
  QStringList all{of_plan, disk, others, theory};
  if (overloads) all = {theory, of_plan, others, disk};
  all.removeAll(QString());
  return all.join(' ');
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
  if (on) {
    (void)load_.look();
    timer_.start();
  } else {
    timer_.stop();
  }
  tell();
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
