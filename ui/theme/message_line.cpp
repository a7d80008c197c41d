#include "ui/theme/message_line.h"

#include <QEvent>
#include <QScrollArea>
#include <QToolButton>

#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/popover.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui::theme {

class WholeMessage : public Popover {
 public:
  WholeMessage(const QString& what, MessageLine* line)
      : Popover(what, tr("All of the %1.").arg(what.toLower()), line), text_(new StatusLabel(this)) {
    setAccessibleName(tr("Whole %1").arg(what.toLower()));
    text_->set_name(tr("All of the %1").arg(what.toLower()));
    text_->setFixedWidth(MessageBar::kQuestionWidth);
    body().addWidget(text_);
    connect(text_, &StatusLabel::link, line, [this, line](const QString& target) {
      close();
      Q_EMIT line->link(target);
    });
  }
  StatusLabel& text() { return *text_; }
  void say_anew() {
    if (isVisible()) fit();
  }

 private:
  StatusLabel* text_;
};

MessageLine::MessageLine(const QString& accessible_name, QWidget* parent)
    : QWidget(parent),
      text_(new StatusLabel),
      seen_(new QScrollArea(this)),
      more_(new QToolButton(this)),
      whole_(new WholeMessage(accessible_name, this)) {
  text_->set_name(accessible_name);
  connect(text_, &StatusLabel::link, this, &MessageLine::link);
  seen_->setFrameShape(QFrame::NoFrame);
  seen_->setWidgetResizable(true);
  seen_->setFocusPolicy(Qt::NoFocus);
  seen_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  seen_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  seen_->setWidget(text_);
  // QScrollArea paints its own background over the window's otherwise.
  text_->setAutoFillBackground(false);
  seen_->viewport()->setAutoFillBackground(false);
  more_->setText(tr("More…"));
  more_->setAutoRaise(true);
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setAccessibleName(tr("Show all of the %1").arg(accessible_name.toLower()));
  more_->setToolTip(tr("More: opens all of it, which is longer than its line."));
  connect(more_, &QToolButton::clicked, this, [this] { whole_->open_beside(*this); });
  auto* row = row_in(this, kSpace2);
  row->addWidget(seen_, 1);
  row->addWidget(more_);
  more_->hide();
  fit_height();
}

void MessageLine::show_text(Status status, const QString& text) {
  text_->show_text(status, text);
  whole_->text().show_text(status, text);
  whole_->say_anew();
  fit();
}

void MessageLine::show_plain(const QString& text) {
  text_->show_plain(text);
  whole_->text().show_plain(text);
  whole_->say_anew();
  fit();
}

void MessageLine::set_tip(const QString& text) {
  text_->setToolTip(text);
}

void MessageLine::fit_height() {
  const int line = std::max(fontMetrics().height(), text_->minimumSizeHint().height());
  seen_->setFixedHeight(line);
  more_->setFixedHeight(line + kSpace1);
  setFixedHeight(line + kSpace1);
}

// The width without "More": with it the text has less, and would want it all the more.
void MessageLine::fit() {
  const bool too_long = text_->heightForWidth(width()) > seen_->height() + fontMetrics().height() / 2 ||
                        text_->minimumSizeHint().width() > width();
  more_->setVisible(too_long);
  // The first line, which is all that is seen, ends where a clause does.
  const int beside_more = std::max(0, width() - more_->sizeHint().width() - kSpace2);
  text_->setMaximumWidth(too_long ? text_->width_of_clauses(beside_more) : QWIDGETSIZE_MAX);
  // A link out of sight is no stop of the keyboard; all of them are in what "More" opens.
  text_->set_links_in_reach(!too_long);
}

void MessageLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void MessageLine::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  fit_height();
  fit();
}

}  // namespace n2nq::ui::theme

#include "moc_message_line.cpp"
