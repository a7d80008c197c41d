#include "ui/services/filter_bar.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include "ui/services/service_columns.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {

FilterBar::FilterBar(Role role, QWidget* parent)
    : QWidget(parent),
      edit_(new QLineEdit(this)),
      error_(new theme::Label({}, theme::TextSize::caption, theme::Tone::bad, this)) {
  auto* column = theme::column_in(this, theme::kSpace1, {0, 0, 0, theme::kSpace1});
  edit_->setPlaceholderText(QStringLiteral("such as 1-5,9 or disconnected or lost"));
  theme::add_clear_button(*edit_, QStringLiteral("Clear the filter"));
  edit_->setAccessibleName(QStringLiteral("Show only these %1").arg(plural(role)));
  edit_->installEventFilter(this);
  error_->setWordWrap(true);
  error_->setAccessibleName(QStringLiteral("Problem with the filter"));
  error_->hide();
  column->addWidget(edit_);
  column->addWidget(error_);
  setFocusProxy(edit_);
  hide();
  connect(edit_, &QLineEdit::textChanged, this, &FilterBar::take);
}

void FilterBar::say_what_it_shows(const QString& services) {
  edit_->setToolTip(
      QStringLiteral("Numbers such as 1-5,9, a state such as disconnected, or lost; Esc shows all %1 again.")
          .arg(services));
}

void FilterBar::open() {
  show();
  edit_->setFocus(Qt::ShortcutFocusReason);
  edit_->selectAll();
}

void FilterBar::close() {
  edit_->clear();
  hide();
  Q_EMIT closed();
}

void FilterBar::take(const QString& text) {
  const auto filter = ServiceFilter::parse(theme::utf8(text.toLower()));
  error_->setVisible(!filter);
  if (filter)
    Q_EMIT changed(*filter);
  else
    error_->setText(theme::qt(filter.error().text));
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == edit_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
      close();
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down) {
      Q_EMIT left();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace n2nq::ui

#include "moc_filter_bar.cpp"
