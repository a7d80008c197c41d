#include "ui/theme/status_label.h"

#include <QEvent>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QTextDocument>
#include <QToolTip>
#include <QtMath>

#include "ui/theme/layouts.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kStatusIconSize = 16;

// Tab comes to its first link, not only to the text around it, where nothing would show the focus.
class LinkLabel : public QLabel {
 public:
  using QLabel::QLabel;

 protected:
  void focusInEvent(QFocusEvent* event) override {
    QLabel::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
      focusNextPrevChild(event->reason() == Qt::TabFocusReason);
  }
};

}  // namespace

StatusLabel::StatusLabel(QWidget* parent, TextSize size)
    : QWidget(parent), icon_(new QLabel(this)), text_(new LinkLabel(this)) {
  auto* layout = row_in(this, kGrid / 2);
  layout->addWidget(icon_, 0, Qt::AlignTop);
  layout->addWidget(text_, 1);
  text_->setFont(text_font(size));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                 Qt::LinksAccessibleByKeyboard);
  icon_->setFixedSize(kStatusIconSize, std::max(kStatusIconSize, text_->sizeHint().height()));
  icon_->hide();
  connect(text_, &QLabel::linkActivated, this, &StatusLabel::link);
}

void StatusLabel::show_text(Status status, const QString& text) {
  if (!plain_ && status == status_ && text == text_->text()) return;
  plain_ = false;
  status_ = status;
  paint_icon();
  icon_->setVisible(!text.isEmpty());
  text_->setTextFormat(Qt::RichText);
  text_->setText(text);
  show_reach();
  paint_colors();
}

void StatusLabel::show_plain(const QString& text) {
  if (plain_ && text == text_->text()) return;
  plain_ = true;
  icon_->hide();
  text_->setTextFormat(Qt::PlainText);
  text_->setText(text);
  show_reach();
  paint_colors();
}

QString StatusLabel::text() const {
  return text_->text();
}

void StatusLabel::set_name(const QString& accessible_name) {
  text_->setAccessibleName(accessible_name);
}

void StatusLabel::set_links_in_reach(bool on) {
  reach_ = on;
  show_reach();
}

int StatusLabel::width_of_clauses(int width) const {
  const int beside = icon_->isHidden() ? 0 : icon_->width() + layout()->spacing();
  QTextDocument line;
  line.setDefaultFont(text_->font());
  line.setDocumentMargin(0);
  for (const char* ends : {"&#?\\w+;|([;.]) ", "&#?\\w+;|(,| ·) "}) {  // what stands for one character ends nothing
    int most = 0;
    for (const auto& end : QRegularExpression(ends).globalMatch(text_->text())) {
      if (end.capturedLength(1) == 0) continue;
      const QString first = text_->text().left(end.capturedEnd(1));
      plain_ ? line.setPlainText(first) : line.setHtml(first);
      const int needed = beside + qCeil(line.idealWidth());
      if (needed <= width) most = needed;
    }
    if (most > 0) return most;
  }
  return width;
}

void StatusLabel::show_reach() {
  const bool stop = !plain_ && reach_ && text_->text().contains("<a ");
  text_->setFocusPolicy(stop ? Qt::TabFocus : Qt::ClickFocus);
}

// Below all of it: its links stay in sight.
bool StatusLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || toolTip().isEmpty()) return QWidget::event(event);
  const QPoint at = static_cast<QHelpEvent*>(event)->pos();
  QToolTip::showText(mapToGlobal(QPoint(at.x(), height())), toolTip(), this, rect());
  return true;
}

void StatusLabel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  paint_colors();
  if (plain_) return;
  paint_icon();
  // A link keeps the colour of the palette in which its text was set; the same text again changes nothing.
  const QString text = text_->text();
  text_->clear();
  text_->setText(text);
}

void StatusLabel::paint_icon() {
  icon_->setPixmap(icon(status_).pixmap(QSize(kStatusIconSize, kStatusIconSize), devicePixelRatioF()));
}

void StatusLabel::paint_colors() {
  const QColor color = plain_ ? muted_text() : palette().color(QPalette::WindowText);
  if (text_->palette().color(QPalette::WindowText) == color) return;
  QPalette palette;
  palette.setColor(QPalette::WindowText, color);
  text_->setPalette(palette);
}

}  // namespace n2nq::ui::theme

#include "moc_status_label.cpp"
