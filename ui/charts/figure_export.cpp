#include "ui/charts/figure_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QGraphicsScene>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "app/figures/figure_notes.h"
#include "app/plan/whole_file.h"
#include "ui/charts/figure_chart.h"
#include "ui/charts/look.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Figure;

constexpr int kPixelsPerPoint = 2;  // of PNG
constexpr int kMargin = 2 * theme::kGrid;

QFont title_font(const ChartLook& look) {
  QFont font = look.font;
  font.setBold(true);
  font.setPixelSize(font.pixelSize() + 3);
  return font;
}

double text_height(const QFont& font, int flags, double width, const QString& text) {
  if (text.isEmpty()) return 0;
  return std::ceil(QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 10'000), flags, text).height());
}

void paint_chart(QPainter& painter, const QRectF& area, const Figure& figure, const Picture& picture,
                 const ChartLook& look) {
  QGraphicsScene scene;
  auto* chart = new FigureChart(look);
  scene.addItem(chart);
  scene.setSceneRect(QRectF(QPointF(), area.size()));
  chart->resize(area.size());
  chart->set_scale(picture.scale);
  chart->draw(figure);
  for (const figures::Series& series : figure.series)
    if (picture.hidden) chart->set_hidden(theme::qt(series.name), picture.hidden->contains(theme::qt(series.name)));
  chart->zoom(picture.x, picture.y);
  scene.render(&painter, area, scene.sceneRect());
}

QByteArray png(const Figure& figure, const Picture& picture) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  figure_image(figure, picture).save(&buffer, "PNG");
  return bytes;
}

QByteArray pdf(const Figure& figure, const Picture& picture) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  constexpr double kPointsPerPixel = 72.0 / 96;
  writer.setTitle(theme::qt(figure.title));
  writer.setCreator("N2NQ Bench");
  writer.setPageSize(QPageSize(QSizeF(picture.size) * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  writer.setResolution(96);
  QPainter painter(&writer);
  paint_figure(painter, figure, picture);
  painter.end();
  return bytes;
}

Result<void> write(const QString& path, const QByteArray& bytes) {
  return plan::write_whole_file(theme::utf8(path), bytes.toStdString());
}

}  // namespace

void paint_figure(QPainter& painter, const Figure& figure, const Picture& picture) {
  const ChartLook look = print_look(picture.dark);
  const QRectF page(QPointF(), QSizeF(picture.size));
  painter.setFont(look.font);  // of the painter itself, which formats write even where there is no text
  painter.fillRect(page, look.background());
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  QRectF area = page.adjusted(kMargin, kMargin, -kMargin, -kMargin);

  const QString title = theme::qt(figure.title);
  const int flags = Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap;
  const QString notes = theme::qt(figures::notes_text(figure));
  const QFont bold = title_font(look);
  const QRectF notes_area = area.adjusted(theme::kGrid, 0, -theme::kGrid, 0);
  QRectF chart = area;
  chart.setTop(area.top() + text_height(bold, 0, area.width(), title) + theme::kGrid);
  chart.setBottom(area.bottom() - text_height(look.font, flags, notes_area.width(), notes));
  if (!figure.empty()) {
    paint_chart(painter, chart, figure, picture, look);
    // What left the chart, where the format cannot clip.
    for (const QRectF& beside : {QRectF(page.topLeft(), QPointF(page.right(), chart.top())),
                                 QRectF(QPointF(page.left(), chart.bottom()), page.bottomRight())})
      painter.fillRect(beside, look.background());
  }
  // In line with what the chart says at its left.
  painter.setFont(bold);
  painter.setPen(look.text());
  painter.drawText(area.adjusted(theme::kGrid, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop, title);
  painter.setFont(look.font);
  painter.setPen(look.muted());
  painter.drawText(notes_area, flags, notes);
  if (figure.empty()) painter.drawText(chart, Qt::AlignCenter | Qt::TextWordWrap, theme::qt(figure.empty_text));
}

QByteArray figure_svg(const Figure& figure, const Picture& picture) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(picture.size);
  generator.setViewBox(QRect(QPoint(), picture.size));
  generator.setTitle(theme::qt(figure.title));
  generator.setDescription(theme::qt(figures::notes_text(figure)));
  QPainter painter(&generator);
  paint_figure(painter, figure, picture);
  painter.end();
  return bytes;
}

QImage figure_image(const Figure& figure, const Picture& picture) {
  QImage image(picture.size * kPixelsPerPoint, QImage::Format_RGB32);
  image.setDevicePixelRatio(kPixelsPerPoint);
  QPainter painter(&image);
  paint_figure(painter, figure, picture);
  return image;
}

Result<void> export_figure(const Figure& figure, const QString& path, const Picture& picture) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix == "png") return write(path, png(figure, picture));
  if (suffix == "svg") return write(path, figure_svg(figure, picture));
  if (suffix == "pdf") return write(path, pdf(figure, picture));
  if (suffix == "csv") return write(path, QByteArray::fromStdString(figures::figure_csv(figure)));
  if (suffix == "json") return write(path, QByteArray::fromStdString(figures::figure_json(figure)));
  return fail("unknown file type: " + theme::utf8(path) +
              "; choose a name that ends in .png, .svg, .pdf, .csv or .json");
}

}  // namespace n2nq::ui::charts
