#include "ui/results/interval_bar.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "app/text/quantity.h"
#include "ui/theme/label.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using analysis::Better;
using analysis::RunComparison;
using theme::TextSize;

constexpr int kDot = 5;  // its radius
constexpr int kCap = 5;  // half of what ends an interval
constexpr int kLeastAxis = 160;
constexpr int kMostOfSide = 22 * theme::kGrid;
constexpr double kLeastReach = 1.01;  // a ratio: no axis is shorter
constexpr double kTicks = 5;
constexpr int kMostTicks = 9;
constexpr double kApart = 0.08;  // of the axis, left free at its ends

double percent_of(double ratio) {
  return (ratio - 1) * 100;
}

// "+202 %", "−3.1 %", "0 %".
QString difference_text(double percent) {
  const double size = std::abs(percent);
  const int places = size < 9.95 ? 1 : 0;
  const QString digits = size < 1000 ? theme::qt(text::decimals(size, places))
                                     : theme::qt(text::count(static_cast<int64_t>(std::llround(size))));
  if (digits == "0.0") return QStringLiteral("0 %");
  return (percent < 0 ? QStringLiteral("−") : QStringLiteral("+")) + digits + QStringLiteral(" %");
}

// "3.2×", "1/4.1", "1/1,500".
QString times_text(double ratio) {
  const QString digits = theme::qt(analysis::times_text(analysis::factor(ratio)));
  return ratio < 1 ? QStringLiteral("1/") + digits : digits + QStringLiteral("×");
}

// Of damaged figures.
bool can_be_drawn(const RunComparison& one) {
  constexpr double kMost = 1e15;
  return one.low > 1 / kMost && one.high < kMost;
}

QString interval_text(const RunComparison& one, bool with_ratio) {
  const bool in_times = analysis::is_in_times(one);
  const auto said = [in_times](double ratio) {
    return in_times ? times_text(ratio) : difference_text(percent_of(ratio));
  };
  if (!with_ratio) return IntervalBar::tr("%1 to %2").arg(said(one.low), said(one.high));
  return IntervalBar::tr("%1 (%2 to %3)").arg(said(one.ratio), said(one.low), said(one.high));
}

QString row_text(const RunComparison& one) {
  return interval_text(one, /*with_ratio=*/true);
}

// 1, 2 or 5 times a power of ten, so that there are about so many.
double tick_step(double reach) {
  const double rough = reach / kTicks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

// Ratios from low to high: whole per cents near 1, else 1, 2 and 5 times powers of ten either way, or these powers.
std::vector<double> ticks_of(double low, double high, bool in_times) {
  std::vector<double> ticks;
  if (!in_times) {
    const double step = tick_step(percent_of(high) - percent_of(low));
    for (double at = std::ceil(percent_of(low) / step) * step; at <= percent_of(high); at += step)
      ticks.push_back(1 + (std::abs(at) < step / 2 ? 0 : at) / 100);
    return ticks;
  }
  const auto powers = [&](std::initializer_list<double> factors, int apart) {
    ticks = {1};
    for (double power = 1; power <= std::max(analysis::factor(low), analysis::factor(high));
         power *= std::pow(10, apart))
      for (const double times : factors)
        for (const double ratio : {power * times, 1 / (power * times)})
          if (times * power > 1 && ratio >= low && ratio <= high) ticks.push_back(ratio);
    return ticks.size() <= kMostTicks;
  };
  if (powers({1, 2, 5}, 1)) return ticks;
  for (int apart = 1; !powers({1}, apart);) apart++;
  return ticks;
}

}  // namespace

IntervalBar::IntervalBar(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Difference of the sides"));
  setToolTip(
      tr("How far a side differs from the one that it is measured against: a dot, with its 95 % confidence interval. "
         "Where that reaches \"same\", the runs show no difference. The band is how far two sets of runs of the same "
         "side would differ by chance. The axis is logarithmic."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void IntervalBar::show_rows(const QString& first, std::vector<Row> rows, const std::optional<RunComparison>& by_itself,
                            Better better, analysis::Reads reads) {
  first_ = first;
  reads_ = reads;
  std::erase_if(rows, [](const Row& row) { return !can_be_drawn(row.against_first); });
  rows_ = std::move(rows);
  by_itself_ = by_itself && can_be_drawn(*by_itself) ? by_itself : std::nullopt;
  better_ = better;
  setVisible(!rows_.empty());
  setAccessibleDescription(said());
  updateGeometry();
  update();
}

QString IntervalBar::said() const {
  QStringList all;
  for (const Row& row : rows_) all.append(tr("%1 against %2: %3").arg(row.side, first_, row_text(row.against_first)));
  if (by_itself_) all.append(tr("%1 against itself: %2").arg(first_, interval_text(*by_itself_, /*with_ratio=*/false)));
  return all.join(QStringLiteral("; "));
}

int IntervalBar::row_height() const {
  return std::max(QFontMetrics(theme::figure_font()).height() + theme::kSpace1, 2 * (kDot + theme::kSpace1));
}

int IntervalBar::top() const {
  return QFontMetrics(theme::text_font(TextSize::caption)).height() + theme::kSpace1;
}

int IntervalBar::side_width() const {
  int width = 0;
  for (const Row& row : rows_) width = std::max(width, QFontMetrics(theme::text_font()).horizontalAdvance(row.side));
  return std::min(width, kMostOfSide) + theme::kSpace3;
}

int IntervalBar::value_width() const {
  int width = 0;
  for (const Row& row : rows_)
    width = std::max(width, QFontMetrics(theme::figure_font()).horizontalAdvance(row_text(row.against_first)));
  return width + theme::kSpace4;
}

QSize IntervalBar::sizeHint() const {
  const int captions = QFontMetrics(theme::text_font(TextSize::caption)).height();
  return {side_width() + value_width() + 2 * kLeastAxis,
          top() + static_cast<int>(rows_.size()) * row_height() + theme::kSpace1 + captions};
}

QSize IntervalBar::minimumSizeHint() const {
  return {side_width() + value_width() + kLeastAxis, sizeHint().height()};
}

IntervalBar::Scale IntervalBar::scale() const {
  Scale scale{.left = static_cast<double>(side_width()), .right = static_cast<double>(width() - value_width())};
  scale.low = -std::log(kLeastReach);
  scale.high = std::log(kLeastReach);
  const auto take = [&](const RunComparison& one) {
    scale.low = std::min(scale.low, std::log(one.low));
    scale.high = std::max(scale.high, std::log(one.high));
  };
  for (const Row& row : rows_) take(row.against_first);
  if (by_itself_) take(*by_itself_);
  const double apart = kApart * (scale.high - scale.low);
  scale.low -= apart;
  scale.high += apart;
  return scale;
}

QColor IntervalBar::color_of(const RunComparison& comparison) const {
  if (!comparison.differs()) return theme::series_color(figures::Hue::neutral, 1);
  const bool good = (comparison.ratio < 1) == (better_ == Better::lower);
  return theme::color(good ? theme::Status::good : theme::Status::bad);
}

void IntervalBar::paintEvent(QPaintEvent*) {
  if (rows_.empty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Scale of = scale();
  paint_by_itself(painter, of);
  paint_axis(painter, of);
  for (size_t i = 0; i < rows_.size(); i++) paint_row(painter, of, i);
}

void IntervalBar::paint_by_itself(QPainter& painter, const Scale& scale) const {
  if (!by_itself_) return;
  const double left = scale.at(by_itself_->low), right = scale.at(by_itself_->high);
  const QRectF band(left, top(), right - left, static_cast<double>(rows_.size()) * row_height());
  painter.fillRect(band, theme::surface(theme::Surface::selected));
}

// Ticks below, what the ends mean above.
void IntervalBar::paint_axis(QPainter& painter, const Scale& scale) const {
  const int bottom = top() + static_cast<int>(rows_.size()) * row_height();
  const QFont small = theme::text_font(TextSize::caption);
  const QFontMetrics metrics(small);
  painter.setFont(small);
  const bool in_times =
      std::ranges::any_of(rows_, [](const Row& row) { return analysis::is_in_times(row.against_first); });
  std::vector<double> ticks = ticks_of(std::exp(scale.low), std::exp(scale.high), in_times);
  // "same" comes first, then by how far they are from it: what would lie on another is left out.
  std::ranges::sort(ticks, {}, analysis::factor);
  std::vector<QRectF> taken;
  for (const double ratio : ticks) {
    const double x = scale.at(ratio);
    painter.setPen(theme::grid_line());
    painter.drawLine(QPointF(x, top()), QPointF(x, bottom));
    painter.setPen(theme::muted_text());
    const QString text = ratio == 1 ? tr("same")
                         : in_times ? times_text(ratio).replace(".0", "")
                                    : difference_text(percent_of(ratio)).replace(".0", "");
    const double width = metrics.horizontalAdvance(text) + 1;
    const QRectF label(x - width / 2, bottom + theme::kSpace1, width, metrics.height());
    const QRectF apart = label.adjusted(-theme::kSpace1, 0, theme::kSpace1, 0);
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(apart); })) continue;
    taken.push_back(label);
    painter.drawText(label, Qt::AlignCenter, text);
  }
  painter.setPen(QPen(theme::color(theme::Tone::plain), 1.5));
  painter.drawLine(QPointF(scale.at(1), top() - 2), QPointF(scale.at(1), bottom + 2));
  painter.setPen(theme::muted_text());
  const QRectF line(scale.left, 0, scale.right - scale.left, metrics.height());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   reads_ == analysis::Reads::speed   ? tr("← faster")
                   : reads_ == analysis::Reads::level ? tr("← lower")
                                                      : tr("← less"));
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                   reads_ == analysis::Reads::speed   ? tr("slower →")
                   : reads_ == analysis::Reads::level ? tr("higher →")
                                                      : tr("more →"));
  if (!by_itself_) return;
  const QString name = tr("%1 against itself").arg(first_);
  const double x = scale.at(1), half = metrics.horizontalAdvance(name) / 2.0 + 1;
  const double ends = metrics.horizontalAdvance(tr("slower →")) + theme::kSpace2;
  if (x - half < scale.left + ends || x + half > scale.right - ends) return;
  painter.drawText(QRectF(x - half, 0, 2 * half, metrics.height()), Qt::AlignCenter, name);
}

void IntervalBar::paint_row(QPainter& painter, const Scale& scale, size_t number) const {
  const Row& row = rows_[number];
  const int from = top() + static_cast<int>(number) * row_height();
  const double middle = from + row_height() / 2.0;
  painter.setFont(theme::text_font());
  painter.setPen(theme::color(theme::Tone::plain));
  painter.drawText(QRect(0, from, side_width(), row_height()), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(row.side, Qt::ElideRight, kMostOfSide));
  const QColor color = color_of(row.against_first);
  const double low = scale.at(row.against_first.low), high = scale.at(row.against_first.high);
  painter.setPen(QPen(color, 2));
  painter.drawLine(QPointF(low, middle), QPointF(high, middle));
  for (const double end : {low, high}) painter.drawLine(QPointF(end, middle - kCap), QPointF(end, middle + kCap));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawEllipse(QPointF(scale.at(row.against_first.ratio), middle), kDot, kDot);
  painter.setBrush(Qt::NoBrush);
  painter.setFont(theme::figure_font());
  painter.setPen(theme::color(theme::Tone::plain));
  painter.drawText(QRect(width() - value_width(), from, value_width(), row_height()), Qt::AlignRight | Qt::AlignVCenter,
                   row_text(row.against_first));
}

void IntervalBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

}  // namespace n2nq::ui

#include "moc_interval_bar.cpp"
