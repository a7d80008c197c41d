#include "ui/charts/line_item.h"

#include <QGraphicsScene>
#include <QGraphicsView>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/charts/dashes.h"

namespace n2nq::ui::charts {
namespace {

constexpr double kEdge = 1;       // around the plot
constexpr double kDotAcross = 4;  // across
constexpr int kBandAlpha = 48;

// The width of a line, its joins, and what smoothing adds.
double reach(const QPen& pen) {
  return std::max(pen.widthF(), kDotAcross / 2) + 1;
}

// The points that a strip needs: those in it, and so many beside it that its ends look as within the whole line.
QList<QPointF> points_for(const QList<QPointF>& points, double left, double right, double beside) {
  constexpr qsizetype kPointsBeside = 2;
  const auto by_x = [](const QPointF& point, double x) { return point.x() < x; };
  const auto begin = points.begin();
  const qsizetype from = std::lower_bound(begin, points.end(), left - beside, by_x) - begin;
  const qsizetype to = std::lower_bound(begin, points.end(), right + beside, by_x) - begin;
  const qsizetype first = std::max<qsizetype>(0, from - kPointsBeside);
  return points.mid(first, std::min(points.size(), to + kPointsBeside) - first);
}

// Drawn once: a round point of a pen costs as much as a long line.
QPixmap dot_of(const QColor& color, double pixel_ratio) {
  const int across = static_cast<int>(std::ceil(kDotAcross)) + 2;
  QPixmap dot(QSize(across, across) * pixel_ratio);
  dot.setDevicePixelRatio(pixel_ratio);
  dot.fill(Qt::transparent);
  QPainter painter(&dot);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawEllipse(QPointF(across / 2.0, across / 2.0), kDotAcross / 2, kDotAcross / 2);
  return dot;
}

void draw_dots(QPainter& painter, const Line& line, const QRectF& exposed) {
  const QList<QPointF> dots = points_for(line.points, exposed.left(), exposed.right(), reach(line.pen));
  if (painter.paintEngine()->type() != QPaintEngine::Raster) {
    painter.setPen(QPen(line.pen.color(), kDotAcross, Qt::SolidLine, Qt::RoundCap));
    return painter.drawPoints(dots.data(), static_cast<int>(dots.size()));
  }
  const QPixmap dot = dot_of(line.pen.color(), painter.device()->devicePixelRatioF());
  const QSizeF size = dot.deviceIndependentSize();
  const QPointF middle(size.width() / 2, size.height() / 2);
  for (const QPointF& at : dots) painter.drawPixmap(at - middle, dot);
}

// What lies before, between and after the gaps; a point that is alone there is a short line.
std::vector<QList<QPointF>> pieces_of(const QList<QPointF>& points, const QList<double>& gaps) {
  constexpr double kLoneWidth = 2;
  std::vector<QList<QPointF>> pieces(static_cast<size_t>(gaps.size()) + 1);
  for (const QPointF& point : points)
    pieces[static_cast<size_t>(std::lower_bound(gaps.begin(), gaps.end(), point.x()) - gaps.begin())].append(point);
  for (QList<QPointF>& piece : pieces)
    if (pieces.size() > 1 && piece.size() == 1)
      piece = {piece[0] - QPointF(kLoneWidth / 2, 0), piece[0] + QPointF(kLoneWidth / 2, 0)};
  return pieces;
}

// One after the other between the gaps.
using DrawPiece = void (*)(QPainter& painter, const Line& line, const QRectF& exposed);
void draw_pieces(QPainter& painter, const Line& line, const QRectF& exposed, DrawPiece draw_piece) {
  if (line.gaps.isEmpty()) return draw_piece(painter, line, exposed);
  const auto pieces = pieces_of(line.points, line.gaps);
  const auto low = pieces_of(line.low, line.gaps);
  for (size_t i = 0; i < pieces.size(); ++i)
    draw_piece(painter, {.pen = line.pen, .points = pieces[i], .kind = line.kind, .low = low[i]}, exposed);
}

void draw_band(QPainter& painter, const Line& line, const QRectF& exposed) {
  QPolygonF outline = points_for(line.points, exposed.left(), exposed.right(), reach(line.pen));
  const QList<QPointF> low = points_for(line.low, exposed.left(), exposed.right(), reach(line.pen));
  std::copy(low.rbegin(), low.rend(), std::back_inserter(outline));
  QColor fill = line.pen.color();
  fill.setAlpha(fill.alpha() * kBandAlpha / 255);
  // On pixels without smoothing: nobody sees the edge of so light a colour, and it would cost as much as all the rest.
  const bool on_pixels = painter.paintEngine()->type() == QPaintEngine::Raster;
  painter.setRenderHint(QPainter::Antialiasing, !on_pixels);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPolygon(outline);
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing);
}

// On pixels piece by piece, which takes a fraction of the time of one long outline.
void draw(QPainter& painter, const Line& line, const QRectF& exposed) {
  const double beside = reach(line.pen);
  const bool dashed = line.pen.style() != Qt::SolidLine;
  const bool on_pixels = painter.paintEngine()->type() == QPaintEngine::Raster;
  const QList<QPointF> points = dashed ? line.points : points_for(line.points, exposed.left(), exposed.right(), beside);
  QPen pen = line.pen;
  if (dashed && on_pixels) {
    pen.setStyle(Qt::SolidLine);
    painter.setPen(pen);
    return painter.drawLines(dashes(points, line.pen, exposed.adjusted(-beside, -beside, beside, beside)));
  }
  if (!on_pixels || pen.color().alpha() < 255) {
    painter.setPen(pen);
    return painter.drawPolyline(points.data(), static_cast<int>(points.size()));
  }
  pen.setCapStyle(Qt::SquareCap);  // closes the gaps between them
  painter.setPen(pen);
  QList<QLineF> pieces;
  pieces.reserve(points.size());
  for (qsizetype i = 1; i < points.size(); ++i) pieces.append(QLineF(points[i - 1], points[i]));
  painter.drawLines(pieces);
}

}  // namespace

Strip changed_strip(const QList<QPointF>& was, const QList<QPointF>& is) {
  const auto [old_end, new_end] = std::mismatch(was.begin(), was.end(), is.begin(), is.end());
  if (old_end == was.end() && new_end == is.end()) return {};
  Strip strip{.from = 1e300, .to = -1e300};
  const auto take = [&](double x) { strip = {std::min(strip.from, x), std::max(strip.to, x)}; };
  if (old_end != was.begin()) take(std::prev(old_end)->x());  // the piece that leads to the difference
  for (auto at = old_end; at != was.end(); ++at) take(at->x());
  for (auto at = new_end; at != is.end(); ++at) take(at->x());
  return strip;
}

Strip changed_strip(const Line& was, const Line& is) {
  if (was.gaps != is.gaps && !is.points.isEmpty()) return {is.points.front().x(), is.points.back().x()};
  const Strip high = changed_strip(was.points, is.points);
  const Strip low = changed_strip(was.low, is.low);
  if (high.empty()) return low;
  return low.empty() ? high : Strip{std::min(high.from, low.from), std::max(high.to, low.to)};
}

void paint_anew(const QGraphicsItem& item, const QRectF& part) {
  if (item.scene() == nullptr) return;
  for (QGraphicsView* view : item.scene()->views())
    view->viewport()->update(view->mapFromScene(item.mapRectToScene(part)).boundingRect().adjusted(-1, -1, 1, 1));
}

LineItem::LineItem(QGraphicsItem* chart) : QGraphicsItem(chart) {
  setZValue(50);
  setAcceptedMouseButtons(Qt::NoButton);
  setFlag(ItemUsesExtendedStyleOption);  // for the exact area that is to be painted
}

void LineItem::show(const QRectF& whole, const QRectF& plot, std::vector<Line> lines) {
  if (whole != whole_) {
    prepareGeometryChange();
    whole_ = whole;
  }
  const QRectF area = plot.adjusted(-kEdge, -kEdge, kEdge, kEdge);
  const auto alike = [](const Line& a, const Line& b) { return a.pen == b.pen && a.kind == b.kind; };
  const bool same_pens = std::ranges::equal(lines, lines_, alike);
  std::swap(lines, lines_);
  if (area != area_ || !same_pens) {
    paint_anew(*this, area | area_);
    area_ = area;
    return;
  }
  for (size_t i = 0; i < lines_.size(); ++i) {
    const Strip strip = changed_strip(lines[i], lines_[i]);
    const double beside = reach(lines_[i].pen);
    if (!strip.empty())
      paint_anew(*this,
                 QRectF(strip.from - beside, area_.top(), strip.to - strip.from + 2 * beside, area_.height()) & area_);
  }
}

void LineItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
  const QRectF exposed = option->exposedRect & area_;
  painter->save();
  painter->setClipRect(area_, Qt::IntersectClip);
  painter->setBrush(Qt::NoBrush);
  // Bands lie under all lines, and dots under the lines that they are beside.
  for (const Line& line : lines_)
    if (line.kind == Line::Kind::band) draw_pieces(*painter, line, exposed, draw_band);
  for (const Line& line : lines_)
    if (line.kind == Line::Kind::dots) draw_dots(*painter, line, exposed);
  for (const Line& line : lines_)
    if (line.kind == Line::Kind::line) draw_pieces(*painter, line, exposed, draw);
  painter->restore();
}

}  // namespace n2nq::ui::charts
