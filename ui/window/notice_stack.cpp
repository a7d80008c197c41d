#include "ui/window/notice_stack.h"

#include <QEvent>
#include <algorithm>

#include "ui/theme/layouts.h"
#include "ui/theme/toast_clock.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

constexpr const char* kPage = "n2nq_page";  // of a bar: where it was said

}  // namespace

NoticeStack::NoticeStack(QWidget* parent) : QWidget(parent), column_(theme::column_in(this, theme::kSpace2)) {
  hide();
}

bool NoticeStack::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) setVisible(!column_->isEmpty());
  return QWidget::event(event);
}

theme::MessageBar* NoticeStack::add(theme::Status status, const QString& text,
                                    const std::vector<theme::MessageBar::Choice>& choices) {
  auto open = bars();
  const auto all = open_bars();
  int place = column_->count();
  const auto same = std::ranges::find(all, text, &theme::MessageBar::text);
  if (same != all.end()) {
    place = column_->indexOf(*same);
    (*same)->close_bar();
  } else if (open.size() >= kMostBars) {
    const auto idle = std::ranges::find_if(open, [](const theme::MessageBar* bar) { return !bar->asks(); });
    (idle != open.end() ? *idle : open.front())->close_bar();
  }
  auto* bar = new theme::MessageBar(tr("Notice"), this);
  bar->say(status, text, choices);
  connect(bar, &theme::MessageBar::closed, bar, &QObject::deleteLater);
  bar->setProperty(kPage, page_);
  column_->insertWidget(place, bar);
  bar->show();
  show();
  return bar;
}

theme::MessageBar* NoticeStack::toast(theme::Status status, const QString& text,
                                      const std::vector<theme::MessageBar::Choice>& choices) {
  auto* bar = add(status, text, choices);
  bar->set_fading();
  if (bar->fades()) bar->clock()->start();
  return bar;
}

// Of the widest, for all.
int NoticeStack::wanted_width() const {
  int width = theme::MessageBar::kToastWidth;
  for (const theme::MessageBar* bar : bars()) width = std::max(width, bar->wanted_width());
  return width;
}

void NoticeStack::add(QWidget* bar) {
  column_->addWidget(bar);
  bar->show();
  show();
}

void NoticeStack::say(const QString& trouble) {
  add(theme::Status::warning, trouble, {{.text = tr("Close"), .help = tr("Closes this notice.")}});
}

void NoticeStack::set_page(int page) {
  page_ = page;
  for (theme::MessageBar* bar : open_bars()) bar->setVisible(bar->property(kPage) == page_);
  setVisible(!column_->isEmpty());
}

std::vector<theme::MessageBar*> NoticeStack::bars() const {
  auto open = open_bars();
  std::erase_if(open, [this](const theme::MessageBar* bar) { return bar->property(kPage) != page_; });
  return open;
}

// A closed one is in the layout for a moment still.
std::vector<theme::MessageBar*> NoticeStack::open_bars() const {
  std::vector<theme::MessageBar*> open;
  for (int i = 0; i < column_->count(); i++)
    if (auto* bar = qobject_cast<theme::MessageBar*>(column_->itemAt(i)->widget());
        bar != nullptr && !bar->is_closed() && bar->property(kPage).isValid())
      open.push_back(bar);
  return open;
}

}  // namespace n2nq::ui

#include "moc_notice_stack.cpp"
