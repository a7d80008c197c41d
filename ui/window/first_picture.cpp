#include "ui/window/first_picture.h"

#include <QPainter>
#include <array>

#include "ui/theme/label.h"
#include "ui/theme/shapes.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using figures::Hue;
using theme::kGrid;

constexpr int kHeight = 13 * kGrid;
constexpr int kWidth = 52 * kGrid;
constexpr int kProcess = 2 * kGrid;  // a sender or receiver
constexpr double kBusWidth = 16 * kGrid;
constexpr double kBusHeight = 7 * kGrid;
constexpr double kApart = 3.5 * kGrid;  // of a role's processes
constexpr std::array kProcesses{-1, 0, 1};

}  // namespace

FirstPicture::FirstPicture(QWidget* parent) : QWidget(parent) {
  setFixedHeight(kHeight);
  setMinimumWidth(kWidth);
}

void FirstPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double middle = width() / 2.0, line = (height() - 3.0 * kGrid) / 2.0;
  const QRectF bus(middle - kBusWidth / 2, line - kBusHeight / 2, kBusWidth, kBusHeight);
  const double left = middle - kWidth / 2.0 + 6 * kGrid, right = middle + kWidth / 2.0 - 6 * kGrid;
  for (const int i : kProcesses) {
    const double y = line + i * kApart;
    painter.setPen(QPen(theme::series_color(Hue::neutral, 1), 1.5));
    painter.drawLine(QPointF(left + kProcess, y), QPointF(bus.left(), line + i * kApart / 2));
    painter.drawLine(QPointF(bus.right(), line + i * kApart / 2), QPointF(right - kProcess, y));
    for (const auto& [x, hue] : {std::pair(left, Hue::sender), std::pair(right, Hue::receiver)}) {
      const QRectF process(x - kProcess / 2.0, y - kProcess / 2.0, kProcess, kProcess);
      theme::draw_round(painter, process, kProcess / 2.0, theme::series_color(hue), Qt::transparent);
    }
  }
  theme::draw_round(painter, bus, theme::kRadius, theme::surface(theme::Surface::card), theme::series_color(Hue::queue),
                    2);
  painter.setPen(theme::color(theme::Tone::plain));
  painter.setFont(theme::text_font(theme::TextSize::title));
  painter.drawText(bus, Qt::AlignCenter, QObject::tr("queue"));
  painter.setFont(theme::text_font(theme::TextSize::caption));
  painter.setPen(theme::muted_text());
  const auto name = [&](double x, const QString& text) {
    painter.drawText(QRectF(x - 10 * kGrid, height() - 2 * kGrid, 20 * kGrid, 2 * kGrid), Qt::AlignCenter, text);
  };
  name(left, QObject::tr("senders"));
  name(middle, QObject::tr("ours, or another bus"));
  name(right, QObject::tr("receivers"));
}

}  // namespace n2nq::ui
