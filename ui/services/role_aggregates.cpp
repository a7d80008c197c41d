#include "ui/services/role_aggregates.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStyleOptionFocusRect>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/text/quantity.h"
#include "ui/services/figure_label.h"
#include "ui/services/service_columns.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

// Value and bound in one unit, with as many decimals as the bound needs, which is rounded up: "3.120 ± 0.003 ms".
std::string with_bound(double value, double bound, text::Scale scale) {
  double step = std::pow(10, scale.decimals);
  while (scale.decimals < 3 && scale.divisor > 1 && bound / scale.divisor * step < 1) {
    scale.decimals++;
    step *= 10;
  }
  const double shown = std::ceil(bound / scale.divisor * step - 1e-9) / step * scale.divisor;
  return text::scaled(value, scale) + " ± " + text::with_unit(shown, scale);
}

SteadyScale::Of scale_kind(bool rate, bool bytes) {
  if (rate) return SteadyScale::Of::rate;
  return bytes ? SteadyScale::Of::bytes : SteadyScale::Of::duration;
}

}  // namespace

std::vector<RoleAggregates::Spec> RoleAggregates::specs_of(Role role) {
  const Spec rate{
      .caption = "rate",
      .help = "Messages per second of all together, over the last second, in whole intervals between messages.",
      .kind = Kind::rate,
      .value = [](const Given& g) { return std::optional(g.totals.rate_per_s); },
      .shown = "rate now",
      .whole_shown = "mean rate",
      .whole_help =
          "Messages per second of all together, from the start of the run to its last message. The tile and the "
          "result count up to the end of the run, when the queue is empty."};
  const auto count = [](const Given& g) { return std::optional(static_cast<double>(g.totals.count)); };
  const Spec bytes{.caption = "payload",
                   .help = "Payload of all these messages, excluding headers.",
                   .kind = Kind::bytes,
                   .value = [](const Given& g) { return std::optional(static_cast<double>(g.totals.bytes)); }};
  if (role == Role::sender) {
    return {
        {.caption = "delay",
         .help =
             "Measured time between two messages of a sender, mean of all senders since the start, excluding warm-up.",
         .kind = Kind::delay,
         .value = [](const Given& g) { return text::real(g.totals.delay_ns); },
         .shown = "mean delay"},
        {"sent", "Messages sent by all senders.", Kind::count, count},
        rate,
        bytes,
        {.caption = "turnaround",
         .help = "Mean time from the actual send of a request to its reply, of all requests since the start, excluding "
                 "warm-up.",
         .kind = Kind::delay,
         .value = [](const Given& g) { return text::real(g.totals.turnaround_ns); },
         .shown = "mean turnaround",
         .needs = Needs::replies},
        {.caption = "replies",
         .help = "Requests that were answered.",
         .kind = Kind::count,
         .value = [](const Given& g) { return std::optional(static_cast<double>(g.totals.replies)); },
         .needs = Needs::replies},
        {.caption = "timed out",
         .help = "Requests whose reply did not come in time.",
         .kind = Kind::trouble,
         .value = [](const Given& g) { return std::optional(static_cast<double>(g.totals.timeouts)); },
         .needs = Needs::replies}};
  }
  return {{"mean", "Mean latency of all messages since the start, excluding warm-up.", Kind::latency,
           [](const Given& g) { return g.latency.mean; }},
          {"p50", "Half of all messages since the start were faster than this, excluding warm-up.", Kind::latency,
           [](const Given& g) { return text::real(g.latency.p50); }},
          {"trimmed", "Mean latency of the fastest 95 % of all messages since the start, excluding warm-up.",
           Kind::latency, [](const Given& g) { return g.latency.trimmed_mean_p95; }},
          {"p99", "99 of 100 messages since the start were faster than this, excluding warm-up.", Kind::latency,
           [](const Given& g) { return text::real(g.latency.p99); }},
          rate,
          {"received", "Messages received by all receivers, each counted once per receiver.", Kind::count, count},
          {.caption = "lost",
           .help = "Messages that the queue removed before a receiver got them, summed over the receivers.",
           .kind = Kind::trouble,
           .value = [](const Given& g) { return std::optional(static_cast<double>(g.totals.lost)); },
           .needs = Needs::own_queue},
          bytes,
          {.caption = "confirmed",
           .help = "Deliveries that the receivers have confirmed.",
           .kind = Kind::count,
           .value = [](const Given& g) { return std::optional(static_cast<double>(g.totals.responses)); },
           .needs = Needs::responses},
          {.caption = "resent",
           .help = "Messages that were sent again because nobody had confirmed them, summed over the receivers.",
           .kind = Kind::count,
           .value = [](const Given& g) { return std::optional(static_cast<double>(g.totals.redelivered)); },
           .needs = Needs::again},
          {.caption = "outstanding",
           .help = "Deliveries that have come to the receivers and are not confirmed yet.",
           .kind = Kind::count,
           .value = [](const Given& g) { return text::real(live::outstanding(g.totals)); },
           .needs = Needs::responses}};
}

RoleAggregates::RoleAggregates(Role role, QWidget* parent) : QWidget(parent), role_(role), specs_(specs_of(role)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(role == Role::sender ? QStringLiteral("All senders") : QStringLiteral("All receivers"));
  setAccessibleDescription(QStringLiteral("Totals; Ctrl+C copies them."));
  menu_ = new theme::ContextMenu(*this, [this](QMenu& menu) {
    connect(menu.addAction(theme::icon("copy"), QStringLiteral("Copy figures")), &QAction::triggered, this,
            &RoleAggregates::copy);
    return QString(plural(role_, told_.replies));
  });
  auto* grid = theme::grid_in(this, kGrid, kGrid / 4, {kGrid / 2, kGrid / 2, kGrid / 2, kGrid / 2});
  grid->setColumnMinimumWidth(2, theme::kSpace1);
  grid->setColumnStretch(5, 1);
  shown_.reserve(specs_.size());
  for (const Spec& spec : specs_) add(spec, *grid);
  clear();
}

// Two figures a row, each with its caption at its left.
void RoleAggregates::add(const Spec& spec, QGridLayout& grid) {
  const auto place = static_cast<int>(shown_.size());
  const int row = place / 2;
  const int column = place % 2 * 3;
  auto* caption = new theme::Label(caption_of(spec), theme::TextSize::body, theme::Tone::muted, this);
  for (const char* text : {spec.shown, spec.whole_shown})
    if (text != nullptr)
      caption->setMinimumWidth(qMax(caption->minimumWidth(), caption->fontMetrics().horizontalAdvance(text)));
  caption->setToolTip(spec.help);
  const QString role = role_ == Role::sender ? QStringLiteral("Senders") : QStringLiteral("Receivers");
  auto* label = new FigureLabel(QStringLiteral("%1: %2").arg(role, spec.caption), this);
  if (spec.kind == Kind::trouble) label->may_be_marked();
  caption->setBuddy(label);
  grid.addWidget(caption, row, column);
  grid.addWidget(label, row, column + 1, Qt::AlignRight);
  shown_.push_back({.spec = &spec,
                    .label = label,
                    .caption = caption,
                    .scale = SteadyScale(scale_kind(spec.kind == Kind::rate, spec.kind == Kind::bytes))});
  for (QWidget* part : {static_cast<QWidget*>(caption), static_cast<QWidget*>(label)})
    part->setVisible(!comes_by_itself(spec.needs));
}

void RoleAggregates::set_told(const ToldFigures& told) {
  if (told_ == told) return;
  told_ = told;
  for (const Shown& shown : shown_)
    for (QWidget* part : {static_cast<QWidget*>(shown.caption), static_cast<QWidget*>(shown.label)})
      part->setVisible(told.has(shown.spec->needs));
}

void RoleAggregates::show_figures(const live::ServiceFigures& totals, const measure::LatencySummary& latency,
                                  std::optional<uint64_t> clock_bound_ns) {
  clock_bound_ns_ = clock_bound_ns;
  coarse_ = clock_bound_ns && latency.p50 && static_cast<double>(*clock_bound_ns) > static_cast<double>(*latency.p50);
  for (Shown& shown : shown_) {
    shown.value = shown.spec->value({.totals = totals, .latency = latency});
  }
  put_off_ = testAttribute(Qt::WA_WState_ExplicitShowHide) && isHidden();
  if (!put_off_) show_values();
}

void RoleAggregates::show_values() {
  look_at_latencies();
  for (Shown& shown : shown_) show_one(shown);
}

void RoleAggregates::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (std::exchange(put_off_, false)) show_values();
}

// The unit of the usual ones, as long as the largest does not become unreadable in it.
void RoleAggregates::look_at_latencies() {
  constexpr double kMostOfUsual = 100;
  std::vector<double> values;
  for (const Shown& shown : shown_)
    if (shown.spec->kind == Kind::latency && shown.value) values.push_back(std::fabs(*shown.value));
  if (values.empty()) return;
  std::ranges::sort(values);
  const auto least = std::ranges::find_if(values, [](double value) { return value > 0; });
  latency_scale_.look(std::max(values[(values.size() - 1) / 2], values.back() / kMostOfUsual),
                      least == values.end() ? 0 : *least);
}

const text::Scale& RoleAggregates::scale_of(const Shown& shown) const {
  return shown.spec->kind == Kind::latency ? latency_scale_.scale() : shown.scale.scale();
}

void RoleAggregates::set_over(Over over) {
  if (over == over_) return;
  over_ = over;
  latency_scale_.reset();
  for (Shown& shown : shown_) {
    shown.scale.reset();
    shown.caption->setText(caption_of(*shown.spec));
    shown.caption->setToolTip(help_of(*shown.spec));
    say_clock(shown);
  }
}

void RoleAggregates::set_intended(bool intended) {
  if (std::exchange(intended_, intended) == intended) return;
  for (Shown& shown : shown_) say_clock(shown);
}

const char* RoleAggregates::help_of(const Spec& spec) const {
  return over_ == Over::whole_run && spec.whole_help != nullptr ? spec.whole_help : spec.help;
}

const char* RoleAggregates::caption_of(const Spec& spec) const {
  if (over_ == Over::whole_run && spec.whole_shown != nullptr) return spec.whole_shown;
  return spec.shown != nullptr ? spec.shown : spec.caption;
}

void RoleAggregates::clear() {
  for (Shown& shown : shown_) {
    shown.scale.reset();
    shown.largest = 0;
  }
  latency_scale_.reset();
  show_figures({});
}

void RoleAggregates::show_one(Shown& shown) {
  const double value = shown.value.value_or(0);
  shown.largest = std::max(shown.largest, std::fabs(value));
  if (shown.value && shown.spec->kind != Kind::latency) shown.scale.look(value, value);
  shown.label->reserve(widest_of(shown));
  shown.label->show_figure(text_of(shown));
  if (shown.spec->kind == Kind::trouble) shown.label->mark(value > 0);
  if (shown.spec->kind == Kind::latency) {
    if (coarse_) shown.label->may_be_marked();
    shown.label->mark(coarse_);
  }
  say_clock(shown);
}

void RoleAggregates::say_clock(Shown& shown) const {
  QString tip = help_of(*shown.spec);
  if (shown.spec->kind == Kind::latency)
    tip += (intended_ ? QStringLiteral(" From the intended send.") : QStringLiteral(" From the actual send.")) +
           clock_tip();
  if (tip != shown.label->toolTip()) shown.label->setToolTip(tip);
}

QString RoleAggregates::clock_tip() const {
  if (!clock_bound_ns_)
    return clocks_differ_ ? QStringLiteral(" Clocks differ: the error bound is not known yet.")
                          : QStringLiteral(" Both ends share one clock.");
  const QString bound = qt(text::duration(static_cast<double>(*clock_bound_ns_)));
  return coarse_
             ? QStringLiteral(
                   " Clocks differ: the error may be ± %1, more than the median; do not compare anything below that.")
                   .arg(bound)
             : QStringLiteral(" Clocks differ: the error may be ± %1.").arg(bound);
}

std::string RoleAggregates::text_of(const Shown& shown) const {
  if (!shown.value) return "-";
  switch (shown.spec->kind) {
    case Kind::latency:
      if (clock_bound_ns_) return with_bound(*shown.value, static_cast<double>(*clock_bound_ns_), scale_of(shown));
      [[fallthrough]];
    case Kind::delay:
    case Kind::bytes:
      return text::with_unit(*shown.value, scale_of(shown));
    case Kind::rate:
      return *shown.value == 0 ? text::rate(0) : text::with_unit(*shown.value, scale_of(shown));
    case Kind::count:
    case Kind::trouble:
      return text::count(static_cast<int64_t>(*shown.value));
  }
  return {};
}

std::string RoleAggregates::widest_of(const Shown& shown) const {
  switch (shown.spec->kind) {
    case Kind::latency:
      return clock_bound_ns_ ? "-9,999.9 ± 99.9 ms" : "-99,999.9 ms";
    case Kind::delay:
      return "-999.9 ms";
    case Kind::rate:
      return nines(shown.largest, 6) + " /s";
    case Kind::bytes:
      return "1,023.9 MiB";
    case Kind::count:
      return nines(shown.largest, 8);
    case Kind::trouble:
      return nines(shown.largest, 5);
  }
  return {};
}

QString RoleAggregates::as_tsv() const {
  QString text;
  for (const Shown& shown : shown_)
    if (!shown.label->isHidden()) text += QStringLiteral("%1\t%2\n").arg(shown.caption->text(), shown.label->text());
  return text;
}

void RoleAggregates::copy() const {
  QApplication::clipboard()->setText(as_tsv());
}

void RoleAggregates::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    copy();
  } else {
    QWidget::keyPressEvent(event);
  }
}

void RoleAggregates::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (!hasFocus()) return;
  QPainter painter(this);
  QStyleOptionFocusRect focus;
  focus.initFrom(this);
  focus.backgroundColor = palette().color(QPalette::Window);
  style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
}

void RoleAggregates::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void RoleAggregates::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void RoleAggregates::contextMenuEvent(QContextMenuEvent* event) {
  menu_->popup(event->globalPos());
}

}  // namespace n2nq::ui

#include "moc_role_aggregates.cpp"
