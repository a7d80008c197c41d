#include "ui/logs/go_to_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "ui/logs/controls.h"

namespace n2nq::ui {

GoToBar::GoToBar(QWidget* parent) : QWidget(parent), what_(new QComboBox), number_(new QLineEdit), note_(make_note()) {
  what_->addItem(tr("line"));
  what_->addItem(tr("index"));
  what_->setAccessibleName(tr("Go to target"));
  what_->setToolTip(tr("A line of the file, or the next message with that index."));
  number_->setAccessibleName(tr("Number to go to"));
  number_->setPlaceholderText(tr("number"));
  number_->setToolTip(tr("A whole number from 1; Enter goes there."));
  auto* go = make_button("right", tr("Go"), tr("Enter"));
  auto* close = make_button("close", tr("Close"), tr("Esc"));

  auto* row = make_row(this);
  auto* label = new QLabel(tr("Go to"));
  label->setBuddy(what_);
  row->addWidget(label);
  row->addWidget(what_);
  row->addWidget(number_);
  row->addWidget(go);
  row->addWidget(note_, 1);
  row->addWidget(close);

  connect(number_, &QLineEdit::returnPressed, this, &GoToBar::go);
  connect(number_, &QLineEdit::textChanged, this, [this] { say({}); });
  connect(go, &QToolButton::clicked, this, &GoToBar::go);
  connect(close, &QToolButton::clicked, this, &GoToBar::closed);
}

void GoToBar::open() {
  show();
  number_->setFocus(Qt::ShortcutFocusReason);
  number_->selectAll();
}

void GoToBar::set_has_index(bool has_index) {
  if (!has_index) what_->setCurrentIndex(0);
  what_->setEnabled(has_index);
}

void GoToBar::say(const QString& text) {
  note_->setText(text);
}

void GoToBar::go() {
  QString digits = number_->text();
  digits.remove(QLatin1Char(',')).remove(QLatin1Char(' '));
  bool good = false;
  const qint64 number = digits.toLongLong(&good);
  if (!good || number < 1) return say(tr("enter a whole number from 1"));
  if (what_->currentIndex() == 0) {
    Q_EMIT line_wanted(number);
  } else {
    Q_EMIT index_wanted(number);
  }
}

}  // namespace n2nq::ui

#include "moc_go_to_bar.cpp"
