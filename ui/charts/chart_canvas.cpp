#include "ui/charts/chart_canvas.h"

#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QGraphicsScene>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QRubberBand>
#include <QStyleHints>
#include <QTimer>
#include <QWheelEvent>
#include <cmath>

#include "ui/charts/chart_speech.h"
#include "ui/charts/crosshair.h"
#include "ui/charts/legend.h"
#include "ui/theme/focus_ring.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr double kStep = 1.25;               // of one notch of the wheel, one press of a key
constexpr double kSmallest = 1e-6;           // of the whole that zooming goes down to
constexpr int kThinBand = 3 * theme::kGrid;  // a band this thin means a range of one axis alone
constexpr int kFlatBand = 4;                 // and so does one whose sides differ so many times
constexpr double kPanStep = 0.1;

Span scaled(const Span& span, double factor, double around) {
  return {around - (around - span.min) * factor, around + (span.max - around) * factor};
}

}  // namespace

ChartCanvas::ChartCanvas(QWidget* parent)
    : QGraphicsView(parent),
      chart_(new FigureChart(screen_look())),
      crosshair_(new Crosshair(chart_)),
      band_(nullptr),
      until_clicked_(new QTimer(this)) {
  make_charts_speak();
  setScene(new QGraphicsScene(this));
  scene()->addItem(chart_);
  scene()->addItem(crosshair_);
  scene()->setItemIndexMethod(QGraphicsScene::NoIndex);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
  setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 88);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);  // the scene's background covers it all
  viewport()->setFocusProxy(nullptr);                 // one stop of the keyboard, which has a name
  viewport()->setFocusPolicy(Qt::NoFocus);
  band_ = new QRubberBand(QRubberBand::Rectangle, viewport());
  until_clicked_->setSingleShot(true);
  connect(until_clicked_, &QTimer::timeout, this, [this] { Q_EMIT moment_chosen(clicked_x_); });
  follow_theme();
}

ChartCanvas::~ChartCanvas() = default;

void ChartCanvas::draw(const figures::Figure& figure) {
  const bool was_zoomed = is_zoomed();
  const bool another = figure.id != chart_->figure().id;
  chart_->draw(figure);
  if (pointer_ && drag_ == Drag::none)
    hover(*pointer_);
  else if (const auto& hit = crosshair_->hit()) {
    auto again = another ? std::nullopt : hit_of(hit->x);
    if (again) again->hint = hit->hint;
    crosshair_->point_at(again, crosshair_->card());
  }
  if (was_zoomed != is_zoomed()) Q_EMIT zoom_changed();
}

void ChartCanvas::set_live(bool live) {
  chart_->set_live(live);
}

void ChartCanvas::set_part(Part part) {
  is_part_ = part != Part::whole;
  chart_->set_part(part);
}

std::optional<FigureChart::Hit> ChartCanvas::hit_of(double x) const {
  return is_part_ ? chart_->around(x) : chart_->at(x);
}

std::optional<FigureChart::Hit> ChartCanvas::hit_near(const QPointF& pixel) const {
  if (!is_part_) return chart_->nearest(pixel);
  const Frame& frame = chart_->frame();
  const double x = frame.to_position(pixel).x();
  return frame.x.contains(x) ? std::optional(chart_->around(x)) : std::nullopt;
}

void ChartCanvas::follow_theme() {
  chart_->set_look(screen_look());
  setBackgroundBrush(chart_->look().background());
}

QString ChartCanvas::hover_text() const {
  return crosshair_->text();
}

bool ChartCanvas::is_pointed_at() const {
  return crosshair_->hit().has_value();
}

void ChartCanvas::paintEvent(QPaintEvent* event) {
  ++paints_;
  QGraphicsView::paintEvent(event);
  if (!shows_focus_ || !hasFocus()) return;
  QPainter painter(viewport());
  theme::draw_focus_ring(painter, viewport()->rect(), theme::kSmallRadius);
}

void ChartCanvas::focusInEvent(QFocusEvent* event) {
  QGraphicsView::focusInEvent(event);
  const bool comes_back = event->reason() == Qt::ActiveWindowFocusReason || event->reason() == Qt::PopupFocusReason;
  if (!comes_back) shows_focus_ = event->reason() != Qt::MouseFocusReason;
  viewport()->update();
}

void ChartCanvas::focusOutEvent(QFocusEvent* event) {
  QGraphicsView::focusOutEvent(event);
  const bool comes_back = event->reason() == Qt::ActiveWindowFocusReason || event->reason() == Qt::PopupFocusReason;
  if (!pointer_ && !comes_back) point_at(std::nullopt);  // the keyboard's
  viewport()->update();
}

void ChartCanvas::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  scene()->setSceneRect(QRectF(QPointF(), QSizeF(viewport()->size())));
  chart_->resize(QSizeF(viewport()->size()));
}

void ChartCanvas::zoom_in() {
  zoom_x(1 / kStep, (chart_->frame().x.min + chart_->frame().x.max) / 2);
}

void ChartCanvas::zoom_out() {
  zoom_x(kStep, (chart_->frame().x.min + chart_->frame().x.max) / 2);
}

void ChartCanvas::zoom_reset() {
  set_zoom(std::nullopt, std::nullopt);
}

void ChartCanvas::set_zoom(std::optional<Span> x, std::optional<Span> y) {
  if (x == chart_->x_zoom() && y == chart_->y_zoom()) return;
  chart_->zoom(x, y);
  point_at(std::nullopt);
  Q_EMIT zoom_changed();
}

void ChartCanvas::show_time(const std::optional<Span>& x) {
  if (!has_time() || x == chart_->x_zoom()) return;
  chart_->zoom(x, chart_->y_zoom());
  crosshair_->point_at(std::nullopt);
}

void ChartCanvas::point_from_elsewhere(std::optional<double> x) {
  if (!has_time() || pointer_) return;
  crosshair_->point_at(x ? hit_of(*x) : std::nullopt, Crosshair::Card::none);
}

void ChartCanvas::point_at(const std::optional<FigureChart::Hit>& hit) {
  const auto x_of = [](const std::optional<FigureChart::Hit>& of) { return of ? std::optional(of->x) : std::nullopt; };
  const bool moved = x_of(hit) != x_of(crosshair_->hit());
  crosshair_->point_at(hit, is_part_ ? Crosshair::Card::none : Crosshair::Card::shown);
  if (moved && has_time()) Q_EMIT pointed_at(x_of(hit));
}

void ChartCanvas::toggle_series(size_t series) {
  if (series >= chart_->figure().series.size()) return;
  chart_->set_hidden(theme::qt(chart_->figure().series[series].name), !chart_->is_hidden(series));
  point_at(std::nullopt);
  Q_EMIT series_toggled();
}

// Time goes on while a part of it is looked at, so there may be more to the right than was ever drawn.
Span ChartCanvas::limited(Span x) const {
  const Span& whole = chart_->whole_x();
  const bool grows = chart_->figure().x.quantity == figures::Quantity::time_ns;
  const double end = whole.max + (grows ? x.size() / 2 : 0);
  if (x.min < whole.min) return {whole.min, whole.min + x.size()};
  return x.max > end ? Span{end - x.size(), end} : x;
}

void ChartCanvas::zoom_x(double factor, double around) {
  const Span& whole = chart_->whole_x();
  const Span wanted = scaled(chart_->frame().x, factor, around);
  if (wanted.size() < whole.size() * kSmallest) return;
  if (wanted.size() >= whole.size() * 0.999) {
    set_zoom(std::nullopt, chart_->y_zoom());
    return;
  }
  set_zoom(limited(wanted), chart_->y_zoom());
}

void ChartCanvas::zoom_y(double factor, double around) {
  set_zoom(chart_->x_zoom(), scaled(chart_->frame().y, factor, around));
}

void ChartCanvas::pan_by(double x_share, double y_share) {
  if (!is_zoomed()) return;
  auto x = chart_->x_zoom();
  auto y = chart_->y_zoom();
  if (x) {
    const double by = x_share * x->size();
    x = limited({x->min + by, x->max + by});
  }
  if (y) {
    const double by = y_share * y->size();
    y = Span{y->min + by, y->max + by};
  }
  set_zoom(x, y);
}

void ChartCanvas::wheelEvent(QWheelEvent* event) {
  const double notches = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
  const QPointF at = chart_->frame().to_position(event->position());
  const double factor = std::pow(kStep, -notches);
  if (event->modifiers() & Qt::ControlModifier) {
    zoom_y(factor, at.y());
  } else {
    zoom_x(factor, at.x());
  }
  event->accept();
}

// Of an axis along which nobody dragged all stays in sight: a strip of a chart has hardly anything in it.
QRect ChartCanvas::band_to(const QPoint& at) const {
  const QRect plot = chart_->frame().plot.toAlignedRect();
  const int wide = std::abs(at.x() - drag_from_.x());
  const int high = std::abs(at.y() - drag_from_.y());
  if (std::max(wide, high) < kThinBand) return {};
  QRect band = QRect(drag_from_, at).normalized() & plot;
  if (band.isEmpty()) return {};
  if (high < kThinBand || high * kFlatBand < wide) {
    band.setTop(plot.top());
    band.setBottom(plot.bottom());
  } else if (wide < kThinBand || wide * kFlatBand < high) {
    band.setLeft(plot.left());
    band.setRight(plot.right());
  }
  return band;
}

// Dragging moves what is zoomed into; where all is in sight there is nothing to move, and it selects a range instead,
// as it always does with Shift.
void ChartCanvas::mousePressEvent(QMouseEvent* event) {
  drag_from_ = drag_at_ = event->pos();
  drag_moved_ = false;
  const bool left = event->button() == Qt::LeftButton;
  const bool selects = !is_zoomed() || (event->modifiers() & Qt::ShiftModifier);
  drag_ = left && selects ? Drag::band : Drag::pan;
  if (left && chart_->legend_entry_at(event->position())) drag_ = Drag::legend;
  if (drag_ == Drag::pan) viewport()->setCursor(Qt::ClosedHandCursor);
  point_at(std::nullopt);
  event->accept();
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event) {
  pointer_ = event->position();
  if (drag_ == Drag::none) {
    hover(event->position());
    return;
  }
  drag_moved_ = drag_moved_ || (event->pos() - drag_from_).manhattanLength() > theme::kGrid / 2;
  if (!drag_moved_ || drag_ == Drag::legend) return;
  const QRectF& plot = chart_->frame().plot;
  if (drag_ == Drag::band) {
    const QRect band = band_to(event->pos());
    band_->setGeometry(band);
    band_->setVisible(!band.isEmpty());
  } else {
    const QPoint by = event->pos() - drag_at_;
    pan_by(-by.x() / plot.width(), by.y() / plot.height());
  }
  drag_at_ = event->pos();
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const Drag ended = std::exchange(drag_, Drag::none);
  viewport()->unsetCursor();
  if (ended == Drag::band && drag_moved_) zoom_to_band();
  band_->hide();
  if (drag_moved_ || ended == Drag::none) return;
  if (event->button() == Qt::RightButton) Q_EMIT menu_wanted(event->globalPosition().toPoint());
  if (event->button() == Qt::LeftButton) click(event->position());
}

void ChartCanvas::click(const QPointF& pixel) {
  if (const auto series = chart_->legend_entry_at(pixel)) return toggle_series(*series);
  const auto hit = hit_near(pixel);
  if (!hit || !opens_moments()) return;
  clicked_x_ = hit->x;  // what the card is about, near or not
  until_clicked_->start(QGuiApplication::styleHints()->mouseDoubleClickInterval());
}

void ChartCanvas::zoom_to_band() {
  if (!band_->isVisible()) return;
  const QRect band = band_->geometry();
  const QRectF& plot = chart_->frame().plot;
  const QPointF from = chart_->frame().to_position(QPointF(band.left(), band.bottom() + 1));
  const QPointF to = chart_->frame().to_position(QPointF(band.right() + 1, band.top()));
  const bool all_of_x = band.width() >= plot.width() - 1;
  const bool all_of_y = band.height() >= plot.height() - 1;
  if (to.x() - from.x() < chart_->whole_x().size() * kSmallest) return;
  set_zoom(all_of_x ? chart_->x_zoom() : Span{from.x(), to.x()}, all_of_y ? chart_->y_zoom() : Span{from.y(), to.y()});
}

void ChartCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (chart_->legend_entry_at(event->position())) return mousePressEvent(event);
  until_clicked_->stop();
  zoom_reset();
}

// Digits hide and show what the legend has, in its order.
bool ChartCanvas::take_key(const QKeyEvent& event) {
  const bool plain = !(event.modifiers() & ~Qt::KeypadModifier);
  const auto entry = static_cast<size_t>(event.key() - Qt::Key_1);
  const std::vector<size_t> named = named_series(chart_->figure());
  if (plain && event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9 && entry < named.size()) {
    toggle_series(named[entry]);
    return true;
  }
  const bool sideways = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
  if (sideways && event.modifiers() & Qt::ControlModifier) {
    step_crosshair(event.key() == Qt::Key_Right ? 1 : -1);
    return true;
  }
  if (event.key() == Qt::Key_Up && event.modifiers() & Qt::ControlModifier) {
    go_to_highest();
    return true;
  }
  const bool enters = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (!plain || !crosshair_->hit() || !enters || !opens_moments()) return false;
  Q_EMIT moment_chosen(crosshair_->hit()->x);
  return true;
}

void ChartCanvas::step_crosshair(int direction) {
  put_crosshair(chart_->beside(crosshair_->hit(), direction));
}

void ChartCanvas::go_to_highest() {
  if (!hasFocus()) setFocus(Qt::ShortcutFocusReason);
  put_crosshair(chart_->highest(opens_moments()));
}

// By the keyboard, wherever the pointer is.
void ChartCanvas::put_crosshair(std::optional<FigureChart::Hit> hit) {
  pointer_.reset();
  if (hit && opens_moments()) hit->hint = tr("Enter: its log");
  point_at(hit);
}

void ChartCanvas::keyPressEvent(QKeyEvent* event) {
  if (take_key(*event)) return;
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom_in();
    case Qt::Key_Minus:
      return zoom_out();
    case Qt::Key_Home:
    case Qt::Key_0:
      return zoom_reset();
    case Qt::Key_Left:
      return pan_by(-kPanStep, 0);
    case Qt::Key_Right:
      return pan_by(kPanStep, 0);
    case Qt::Key_Up:
      return pan_by(0, kPanStep);
    case Qt::Key_Down:
      return pan_by(0, -kPanStep);
    default:
      event->ignore();  // others belong to the window
  }
}

void ChartCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) Q_EMIT menu_wanted(mapToGlobal(rect().center()));
}

void ChartCanvas::leaveEvent(QEvent* event) {
  pointer_.reset();
  point_at(std::nullopt);
  QGraphicsView::leaveEvent(event);
}

void ChartCanvas::hover(const QPointF& pixel) {
  auto hit = hit_near(pixel);
  const bool opens = hit && opens_moments();
  if (opens) hit->hint = tr("Click: its log");
  point_at(hit);
  show_cursor(opens || chart_->legend_entry_at(pixel));
}

void ChartCanvas::show_cursor(bool answers) {
  if (answers == (viewport()->cursor().shape() == Qt::PointingHandCursor)) return;
  answers ? viewport()->setCursor(Qt::PointingHandCursor) : viewport()->unsetCursor();
}

}  // namespace n2nq::ui::charts

#include "moc_chart_canvas.cpp"
