#include "ui/theme/questions.h"

#include <QDialog>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/label.h"
#include "ui/theme/tokens.h"
#include "ui/theme/veil.h"

namespace n2nq::ui::theme {
namespace {

QPushButton* primary_of(const MessageBar& bar) {
  for (auto* button : bar.findChildren<QPushButton*>())
    if (kind_of(button) == ButtonKind::primary) return button;
  return nullptr;
}

}  // namespace

MessageBar* ask(QWidget& area, Status status, const QString& text, const std::vector<MessageBar::Choice>& choices,
                FirstFocus first) {
  Veil& veil = Veil::over(area);
  auto* bar = new MessageBar(QObject::tr("Notice"), &veil);
  bar->say(status, text, choices);
  bar->findChild<QLabel*>("message")->setFont(text_font(TextSize::title));
  QObject::connect(bar, &MessageBar::closed, bar, &QObject::deleteLater);
  veil.hold(bar, MessageBar::kQuestionWidth, first == FirstFocus::primary ? primary_of(*bar) : bar->last_button());
  return bar;
}

void ask(QWidget& area, QWidget* question, int widest) {
  Veil::over(area).hold(question, widest, question->focusProxy());
}

// The dialog still is one: it ends by accept() and reject(), and by Escape.
void ask(QWidget& window, QDialog* dialog, int widest) {
  Veil& veil = Veil::over(window);
  auto* card = new Card(&veil);
  QWidget* first = dialog->focusWidget();
  card->body()->setSpacing(kSpace3);
  card->body()->addWidget(new Label(dialog->windowTitle(), TextSize::title));
  dialog->setParent(card, Qt::Widget);
  card->body()->addWidget(dialog);
  QObject::connect(dialog, &QDialog::finished, card, &QWidget::hide);
  QObject::connect(dialog, &QObject::destroyed, card, &QObject::deleteLater);
  dialog->show();
  veil.hold(card, widest, first);
}

}  // namespace n2nq::ui::theme
