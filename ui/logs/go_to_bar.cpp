#include "ui/logs/go_to_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStandardItemModel>
#include <QToolButton>

#include "ui/logs/controls.h"

namespace n2nq::ui {

GoToBar::GoToBar(QWidget* parent) : QWidget(parent), what_(new QComboBox), number_(new QLineEdit), note_(make_note()) {
  what_->addItem(tr("line"));
  what_->addItem(tr("index"));
  what_->addItem(tr("slowest between"));
  what_->setAccessibleName(tr("Go to target"));
  what_->setToolTip(
      tr("A line of the file, the next message with that index, or the slowest message of some seconds of the run."));
  number_->setAccessibleName(tr("Number to go to"));
  show_target();
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

  connect(what_, &QComboBox::currentIndexChanged, this, &GoToBar::show_target);
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

void GoToBar::set_targets(bool has_index, bool has_slowest) {
  enable(kIndex, has_index);
  enable(kSlowest, has_slowest);
  what_->setEnabled(has_index || has_slowest);
}

void GoToBar::enable(Target target, bool on) {
  auto* items = qobject_cast<QStandardItemModel*>(what_->model());
  items->item(target)->setEnabled(on);
  if (!on && what_->currentIndex() == target) what_->setCurrentIndex(kLine);
}

void GoToBar::show_target() {
  const bool slowest = what_->currentIndex() == kSlowest;
  number_->setPlaceholderText(slowest ? tr("5.5 to 5.6 s") : tr("number"));
  number_->setToolTip(slowest ? tr("Seconds since the run began, from and to; Enter goes to the slowest message.")
                              : tr("A whole number from 1; Enter goes there."));
  say({});
}

void GoToBar::say(const QString& text) {
  note_->setText(text);
}

void GoToBar::go_to_slowest() {
  static const QRegularExpression kBetween(QStringLiteral("[^0-9.]+"));
  const QStringList parts = number_->text().split(kBetween, Qt::SkipEmptyParts);
  bool good_from = false, good_to = false;
  const double from_s = parts.value(0).toDouble(&good_from);
  const double to_s = parts.value(1).toDouble(&good_to);
  if (parts.size() != 2 || !good_from || !good_to || to_s <= from_s)
    return say(tr("enter two times in seconds, such as 5.5 to 5.6 s"));
  Q_EMIT slowest_wanted(from_s, to_s);
}

void GoToBar::go() {
  if (what_->currentIndex() == kSlowest) return go_to_slowest();
  QString digits = number_->text();
  digits.remove(QLatin1Char(',')).remove(QLatin1Char(' '));
  bool good = false;
  const qint64 number = digits.toLongLong(&good);
  if (!good || number < 1) return say(tr("enter a whole number from 1"));
  if (what_->currentIndex() == kLine) {
    Q_EMIT line_wanted(number);
  } else {
    Q_EMIT index_wanted(number);
  }
}

}  // namespace n2nq::ui

#include "moc_go_to_bar.cpp"
