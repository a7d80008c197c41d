#include "ui/run/run_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/figures/headlines.h"
#include "app/figures/metric.h"
#include "app/text/quantity.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/layouts.h"
#include "ui/theme/sparkline.h"
#include "ui/theme/theme.h"
#include "ui/theme/tile.h"

namespace n2nq::ui {
namespace {

struct TileSpec {
  const char* name;
  figures::Hue hue;
  const char* chart;
  const char* before;  // a run: what there will be
  const char* help;
  const char* does;  // a click, by name; null: another one does it too
};

const TileSpec& tile_spec(RunFigure figure) {
  static const std::array<TileSpec, kRunFigures.size()> specs{{
      {"Sent", figures::Hue::sender, "rate", "a second",
       "Messages sent each second, by all senders; after the run from its start to its end. A click shows the rate "
       "chart.",
       "Show the chart of sent messages"},
      {"Received", figures::Hue::receiver, "rate", "a second",
       "Messages received each second, by all receivers; after the run from its start to its end. A click shows the "
       "rate chart.",
       "Show the chart of received messages"},
      {"Mean / trimmed", figures::Hue::receiver, "latency-by-percentile", "latency",
       "The mean latency of all messages so far, and after the slash the trimmed mean: without the slowest 5 %. A "
       "click "
       "shows the percentiles.",
       "Show the chart of latency by percentile"},
      {"Latency p50", figures::Hue::receiver, "latency-over-time", "half are faster",
       "Half of all messages so far took no longer; the line is that of each moment. A click shows the latency over "
       "time.",
       "Show the chart of the latency over time"},
      {"Latency p99", figures::Hue::receiver, "latency-over-time", "1 % are slower",
       "99 % of all messages so far took no longer; the line is that of each moment. A click shows the latency over "
       "time.",
       nullptr},
      {"Lost", figures::Hue::neutral, "rate", "never delivered",
       "Deliveries that the queue skipped; the messages never arrived there. A click shows the rate chart.", nullptr},
  }};
  return specs[static_cast<size_t>(figure)];
}

struct TileWords {
  const char* name;
  const char* before;
  const char* help;
};
constexpr std::array<TileWords, kRunFigures.size()> kOfReplies{{
    {"Requests", "a second",
     "Requests sent each second, by all requesters; after the run from its start to its end. A click shows the rate "
     "chart."},
    {"Replies", "a second",
     "Requests answered each second; after the run from its start to its end. A click shows the rate chart."},
    {"Mean / trimmed", "turnaround",
     "The mean turnaround of all requests so far, and after the slash the trimmed mean: without the slowest 5 %. A "
     "click shows the percentiles."},
    {"Turnaround p50", "half are faster",
     "Half of all requests so far were answered within this time; the line is that of each moment. A click shows the "
     "turnaround over time."},
    {"Turnaround p99", "1 % are slower",
     "99 % of all requests so far were answered within this time; the line is that of each moment. A click shows the "
     "turnaround over time."},
    {"Timed out", "no reply in time", "Requests whose reply did not come in time. A click shows the rate chart."},
}};

// Of the sparklines: a second, in whole slots of the series.
int64_t step_of(const live::TimeSeries& series) {
  const int64_t width = series.width_ns();
  return (std::max<int64_t>(1'000'000'000, width) + width - 1) / width * width;
}

live::SeriesPoint slot_of(const live::TimeSeries& series, int64_t from_ns, int64_t step_ns) {
  const auto points = series.points(from_ns, from_ns + step_ns, 1);
  return points.empty() ? live::SeriesPoint{.width_ns = step_ns} : points.front();
}

bool is_latency(RunFigure figure) {
  return figure == RunFigure::mean || figure == RunFigure::p50 || figure == RunFigure::p99;
}

std::optional<double> value_of(RunFigure figure, bool replies, const figures::RunView& run) {
  return figures::limit_metric(metric_of(figure, replies)).now(run);
}

double or_gap(const std::optional<int64_t>& value) {
  return value ? static_cast<double>(*value) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string_view metric_of(RunFigure figure, bool replies) {
  switch (figure) {
    case RunFigure::sent:
      return "sent-rate";
    case RunFigure::received:
      return replies ? "reply-rate" : "rate";
    case RunFigure::mean:
      return replies ? "turnaround-mean" : "mean";
    case RunFigure::p50:
      return replies ? "turnaround-p50" : "p50";
    case RunFigure::p99:
      return replies ? "turnaround-p99" : "p99";
    case RunFigure::lost:
      break;
  }
  return replies ? "timeouts" : "lost";
}

RunTiles::RunTiles(QWidget* parent) : QWidget(parent) {
  auto* row = theme::row_in(this, theme::kCardApart);
  for (const RunFigure figure : kRunFigures) {
    const TileSpec& spec = tile_spec(figure);
    auto* tile = new theme::Tile(tr(spec.name), spec.hue, this);
    theme::set_command_text(*tile, spec.does != nullptr ? tr(spec.does) : QString());
    tile->show_nothing(tr(spec.before));
    connect(tile, &QAbstractButton::clicked, this, [this, &spec] { Q_EMIT chart_wanted(spec.chart); });
    row->addWidget(tile, 1);
    tiles_[static_cast<size_t>(figure)] = tile;
  }
  name_tiles();
}

void RunTiles::show_mode(bool replies) {
  if (replies == replies_) return;
  replies_ = replies;
  name_tiles();
  for (const RunFigure figure : kRunFigures)
    tile(figure).show_nothing(replies ? tr(kOfReplies[static_cast<size_t>(figure)].before)
                                      : tr(tile_spec(figure).before));
}

void RunTiles::name_tiles() {
  for (const RunFigure figure : kRunFigures) {
    const TileSpec& spec = tile_spec(figure);
    const TileWords& words = kOfReplies[static_cast<size_t>(figure)];
    QString name = replies_ ? tr(words.name) : tr(spec.name), help = replies_ ? tr(words.help) : tr(spec.help);
    if (is_latency(figure)) {
      if (intended_) name += theme::qt(std::string(record::kIntended));
      help += u' ' + (intended_ ? tr("It is from the intended send, which differs by more than 10 % from that from the "
                                     "actual send.")
                                : tr("It is from the actual send; from the intended send where the two differ by more "
                                     "than 10 %."));
    }
    tile(figure).set_name(name);
    tile(figure).set_help(help);
  }
}

void RunTiles::start_anew() {
  told_until_ns_ = 0;
  intended_ = false;
  name_tiles();
  for (theme::Tile* tile : tiles_) tile->clear();
}

void RunTiles::look_at(const run::RunSession& session) {
  const auto run = session.view();
  show_mode(plan::asks_for_replies(run->plan()));
  choose_latency(session.live().series(), *run);
  if (run->began()) {
    show_values(*run);
    show_lost(*run);
  }
  show_course(session, *run);
}

// "84.1 µs": the figure large, its unit small.
void RunTiles::show(RunFigure figure, const std::string& with_unit) {
  const QString text = theme::qt(with_unit);
  tile(figure).show_value(text.section(' ', 0, 0), text.section(' ', 1));
}

// In one unit, so that they can be compared at a glance.
void RunTiles::show_means(const measure::LatencySummary& latency) {
  if (!latency.mean || !latency.trimmed_mean_p95) return;
  const auto [least, largest] = std::minmax(*latency.mean, *latency.trimmed_mean_p95);
  text::Scale scale = text::column_scale(text::Unit::duration, least, largest);
  if (least >= 100 * scale.divisor) scale.decimals = 0;
  tile(RunFigure::mean)
      .show_value(
          theme::qt(text::scaled(*latency.mean, scale) + " / " + text::scaled(*latency.trimmed_mean_p95, scale)),
          theme::qt(std::string(scale.unit)));
}

void RunTiles::show_rate(RunFigure figure, const figures::RunView& run) {
  const auto per_s = value_of(figure, replies_, run);
  if (!per_s && run.stage() == figures::Stage::over) return tile(figure).show_nothing(tr("cannot be told"));
  tile(figure).show_value(QString::fromStdString(text::rate(per_s.value_or(0))).section(' ', 0, 0), tr("/s"));
  if (run.stage() != figures::Stage::over) return;
  const auto length = text::duration(static_cast<double>(run.length_ns().value_or(0)));
  tile(figure).set_state(theme::TileState::plain, tr("over %1").arg(theme::qt(length)));
}

void RunTiles::show_values(const figures::RunView& run) {
  show_rate(RunFigure::sent, run);
  show_rate(RunFigure::received, run);
  const measure::LatencySummary& latency = run.summary(record::first_latency(replies_, intended_));
  show_means(latency);
  if (latency.p50) show(RunFigure::p50, text::duration(static_cast<double>(*latency.p50)));
  if (latency.p99) show(RunFigure::p99, text::duration(static_cast<double>(*latency.p99)));
}

void RunTiles::choose_latency(const live::TimeSeries& series, const figures::RunView& run) {
  if (std::exchange(intended_, run.intended()) == run.intended()) return;
  name_tiles();
  // The course so far was that of the other.
  const int64_t step = step_of(series);
  const auto most = static_cast<int64_t>(theme::Sparkline::kMost);
  for (const RunFigure figure : {RunFigure::p50, RunFigure::p99}) tile(figure).set_trend({});
  for (int64_t from = std::max<int64_t>(told_until_ns_ / step - most, 0) * step; from + step <= told_until_ns_;
       from += step)
    push_latencies(slot_of(series, from, step));
}

std::optional<double> RunTiles::lost_of(const figures::RunView& run) const {
  return value_of(RunFigure::lost, replies_, run);
}

// For a load balancer only the queue knows what was lost, and tells at the end, as all tell over another bus; a run
// that was cut off may never learn.
void RunTiles::show_lost(const figures::RunView& run) {
  const bool over = run.stage() == figures::Stage::over;
  const auto lost = lost_of(run);
  if (!lost) return tile(RunFigure::lost).show_nothing(over ? tr("cannot be counted") : tr("told at the end"));
  show(RunFigure::lost, text::count(std::llround(*lost)));
  if (replies_ || !over) return;  // until then an answer may yet come
  const std::string not_accepted =
      figures::not_accepted_text(run.totals().refused.value_or(0), run.totals().unanswered.value_or(0));
  if (!not_accepted.empty()) tile(RunFigure::lost).set_state(theme::TileState::warning, theme::qt(not_accepted));
}

void RunTiles::push_latencies(const live::SeriesPoint& point) {
  const live::LatencyOverTime& of = live::over_time(record::first_latency(replies_, intended_));
  tile(RunFigure::p50).push(or_gap(point.*of.p50));
  tile(RunFigure::p99).push(or_gap(point.*of.p99));
}

// Step by step, also those that nobody saw.
void RunTiles::show_course(const run::RunSession& session, const figures::RunView& run) {
  const live::TimeSeries& series = session.live().series();
  const int64_t step = step_of(series);
  const int64_t end = run.stage() == figures::Stage::over ? series.end_ns() : run.known_until_ns();
  const auto most = static_cast<int64_t>(theme::Sparkline::kMost);
  int64_t from = std::max(told_until_ns_, (end / step - most) * step);
  from = (from + step - 1) / step * step;
  const auto lost = lost_of(run);
  for (; from + step <= end; from += step) {
    const live::SeriesPoint point = slot_of(series, from, step);
    const double seconds = static_cast<double>(std::max<int64_t>(point.width_ns, 1)) * 1e-9;
    tile(RunFigure::sent).push(point.sent / seconds);
    tile(RunFigure::received).push((replies_ ? point.replies.value_or(0) : point.received) / seconds);
    push_latencies(point);
    if (lost) tile(RunFigure::lost).push(*lost);
    told_until_ns_ = from + step;
  }
}

}  // namespace n2nq::ui

#include "moc_run_tiles.cpp"
