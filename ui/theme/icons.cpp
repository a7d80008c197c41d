#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "ui/theme/theme.h"

// For a static library nobody else takes the resource's object file.
static void take_resources() {
  Q_INIT_RESOURCE(n2nq);
}

namespace n2nq::ui::theme {

void load_resources() {
  take_resources();
}

namespace {

// A drawing in one colour, which is taken from the palette at the moment of painting.
class TintedIcon : public QIconEngine {
 public:
  TintedIcon(QString path, std::optional<QColor> tint) : path_(std::move(path)), tint_(tint) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const qreal ratio = painter->device()->devicePixelRatio();
    painter->drawPixmap(rect.topLeft(), drawn(rect.size(), ratio, color_for(mode)));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override { return drawn(size, 1, color_for(mode)); }

  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
    QPixmap pixmap = drawn(size, 1, color_for(mode));
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
  }

  QIconEngine* clone() const override { return new TintedIcon(path_, tint_); }

 private:
  QColor color_for(QIcon::Mode mode) const {
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::ButtonText);
    if (mode == QIcon::Selected && !tint_) return palette.color(QPalette::HighlightedText);
    return tint_.value_or(palette.color(QPalette::ButtonText));
  }

  QPixmap drawn(const QSize& size, qreal ratio, const QColor& color) const {
    const QString key = QString("%1 %2x%3 %4 %5")
                            .arg(path_)
                            .arg(size.width())
                            .arg(size.height())
                            .arg(ratio)
                            .arg(color.name(QColor::HexArgb));
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    pixmap = QPixmap(size * ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(path_).render(&painter, QRectF(QPointF(), QSizeF(pixmap.size())));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(pixmap.rect(), color);
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
  }

  QString path_;
  std::optional<QColor> tint_;
};

const char* icon_name(Status status) {
  switch (status) {
    case Status::good:
      return "ok";
    case Status::info:
      return "info";
    case Status::warning:
      return "warning";
    case Status::bad:
      break;
  }
  return "error";
}

}  // namespace

QIcon icon(const char* name, std::optional<QColor> tint) {
  load_resources();
  return QIcon(new TintedIcon(QString(":/icons/%1.svg").arg(name), tint));
}

QIcon icon(Status status) {
  return icon(icon_name(status), color(status));
}

QIcon application_icon() {
  load_resources();
  return QIcon(":/n2nq-bench.svg");
}

}  // namespace n2nq::ui::theme
