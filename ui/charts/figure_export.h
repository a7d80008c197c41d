// A figure as a picture or a file: title, chart and notes, dark on white unless it is wanted as on the screen. UI
// thread.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "app/figures/figure.h"
#include "app/figures/figure_files.h"
#include "ui/charts/auto_scale.h"
#include "ui/charts/axis_scale.h"

class QPainter;

namespace n2nq::ui::charts {

struct Picture {
  QSize size{1200, 640};         // logical pixels; a PNG has twice as many
  std::optional<Span> x{}, y{};  // what is zoomed to; else all of it
  bool dark = false;
  ScaleChoice scale = ScaleChoice::automatic;
  std::optional<QStringList> hidden{};  // series that are not drawn; else those that are drawn on demand
};

// As figure_image() paints it, for a painter whose unit is a logical pixel.
void paint_figure(QPainter& painter, const figures::Figure& figure, const Picture& picture = {});
QByteArray figure_svg(const figures::Figure& figure, const Picture& picture = {});
QImage figure_image(const figures::Figure& figure, const Picture& picture = {});

// The suffix chooses: .png, .svg, .pdf, .csv, .json. Whole or not there.
Result<void> export_figure(const figures::Figure& figure, const QString& path, const Picture& picture = {});

}  // namespace n2nq::ui::charts
