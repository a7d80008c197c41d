#include "ui/window/page_bar.h"

#include <QAction>
#include <QButtonGroup>
#include <QEvent>
#include <QPainter>

#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"
#include "ui/window/rail_button.h"

namespace n2nq::ui {

PageBar::PageBar(QWidget* window)
    : QWidget(window),
      window_(window),
      pages_(new QStackedWidget(window)),
      buttons_(new QButtonGroup(this)),
      column_(
          theme::column_in(this, theme::kSpace1, {theme::kSpace1, theme::kSpace3, theme::kSpace1, theme::kSpace3})) {
  setAccessibleName(tr("Pages"));
  column_->addStretch(1);
  window_->installEventFilter(this);
}

void PageBar::add(Page page, QWidget* widget, const char* icon, const QString& text, const QString& help) {
  const int number = static_cast<int>(page);
  widgets_[page] = widget;
  pages_->addWidget(widget);
  auto* button = new RailButton(icon, text, help, this);
  button->setCheckable(true);
  button->setAccessibleName(tr("Page %1").arg(text));
  auto* action = new QAction(theme::icon(icon), tr("Go to %1").arg(text), window_);
  action->setShortcut(QKeySequence(QString("Ctrl+%1").arg(number + 1)));
  action->setToolTip(help);
  const auto select = [this, page] {
    const bool again = shows(page);
    go_to(page);
    if (again) Q_EMIT selected_again(page);
  };
  connect(action, &QAction::triggered, this, select);
  window_->addAction(action);
  buttons_->addButton(button, number);
  column_->insertWidget(static_cast<int>(widgets_.size()) - 1, button);
  connect(button, &QToolButton::clicked, this, select);
  fit();
}

void PageBar::add_below(RailButton* button) {
  column_->addWidget(button);
  fit();
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

QWidget* PageBar::widget(Page page) const {
  const auto widget = widgets_.find(page);
  return widget == widgets_.end() ? nullptr : widget->second;
}

std::vector<Page> PageBar::all() const {
  std::vector<Page> pages;
  for (const auto& [page, widget] : widgets_) pages.push_back(page);
  return pages;
}

QString PageBar::name(Page page) const {
  const QAbstractButton* button = buttons_->button(static_cast<int>(page));
  return button != nullptr ? button->text() : QString();
}

void PageBar::show_work(Page page, std::optional<double> share, const QString& said) {
  if (auto* button = qobject_cast<RailButton*>(buttons_->button(static_cast<int>(page))))
    button->show_work(share, said);
}

void PageBar::show_beside(QWidget* widget) {
  pages_->setCurrentWidget(widget);
}

void PageBar::back() {
  go_to(selected());
}

void PageBar::fit() {
  const bool narrow = window_->width() < kNarrowWindow || window_->height() < kLowWindow;
  for (auto* button : findChildren<RailButton*>()) button->set_narrow(narrow);
}

bool PageBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == window_ && event->type() == QEvent::Resize) fit();
  return QWidget::eventFilter(watched, event);
}

void PageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme::surface(theme::Surface::card));
  painter.fillRect(QRect(width() - 1, 0, 1, height()), theme::surface(theme::Surface::line));
}

}  // namespace n2nq::ui

#include "moc_page_bar.cpp"
