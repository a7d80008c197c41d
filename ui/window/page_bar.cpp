#include "ui/window/page_bar.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/theme/theme.h"

namespace n2nq::ui {

PageBar::PageBar(QWidget* window)
    : QWidget(window),
      window_(window),
      pages_(new QStackedWidget(window)),
      buttons_(new QButtonGroup(this)),
      row_(new QHBoxLayout(this)) {
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(theme::kGrid / 2);
}

void PageBar::add(Page page, QWidget* widget, const char* icon, const QString& text, const QString& help) {
  const int number = static_cast<int>(page);
  widgets_[page] = widget;
  pages_->addWidget(widget);
  auto* button = new QToolButton(this);
  button->setText(text);
  button->setIcon(theme::icon(icon));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setCheckable(true);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(tr("Page %1").arg(text));
  button->setToolTip(help);
  auto* action = new QAction(window_);
  action->setShortcut(QKeySequence(QString("Ctrl+%1").arg(number + 1)));
  connect(action, &QAction::triggered, this, [this, page] { go_to(page); });
  window_->addAction(action);
  buttons_->addButton(button, number);
  row_->addWidget(button);
  connect(button, &QToolButton::clicked, this, [this, page] { go_to(page); });
}

void PageBar::go_to(Page page) {
  const auto widget = widgets_.find(page);
  if (widget == widgets_.end()) return;
  buttons_->button(static_cast<int>(page))->setChecked(true);
  pages_->setCurrentWidget(widget->second);
}

bool PageBar::shows(Page page) const {
  const auto widget = widgets_.find(page);
  return widget != widgets_.end() && pages_->currentWidget() == widget->second;
}

Page PageBar::selected() const {
  return static_cast<Page>(buttons_->checkedId());
}

void PageBar::show_beside(QWidget* widget) {
  pages_->setCurrentWidget(widget);
}

void PageBar::back() {
  go_to(selected());
}

}  // namespace n2nq::ui

#include "moc_page_bar.cpp"
