#include "ui/logs/find_bar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

#include "app/logs/time_view.h"
#include "ui/logs/controls.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

FindBar::FindBar(QWidget* parent)
    : QWidget(parent),
      text_(new QLineEdit),
      expression_(new QCheckBox(tr("Expression"))),
      match_case_(new QCheckBox(tr("Match case"))),
      count_(make_note()),
      note_(make_note()) {
  text_->setPlaceholderText(tr("Text to find"));
  text_->setAccessibleName(tr("Text to find"));
  text_->setToolTip(tr("Searches the lines that are shown. Enter or F3: next, Shift+F3: previous."));
  theme::add_clear_button(*text_, tr("Clear the search text"));
  expression_->setToolTip(tr("Search with a regular expression, matched against the first MiB of each line."));
  match_case_->setToolTip(tr("Distinguish upper and lower case."));
  count_->setObjectName("hits");
  count_->setWordWrap(false);
  count_->setToolTip(tr("Which of the lines with this text is the current one, and how many there are."));
  auto* back = make_button("up", tr("Find previous"), tr("Shift+F3"));
  auto* next = make_button("down", tr("Find next"), tr("F3"));
  auto* close = make_button("close", tr("Close the search"), tr("Esc"));

  auto* row = make_row(this);
  row->addWidget(new QLabel(tr("Find")));
  row->addWidget(text_, 2);
  row->addWidget(count_);
  for (QWidget* widget : {static_cast<QWidget*>(back), static_cast<QWidget*>(next), static_cast<QWidget*>(expression_),
                          static_cast<QWidget*>(match_case_)}) {
    row->addWidget(widget);
  }
  row->addWidget(note_, 1);
  row->addWidget(close);

  connect(text_, &QLineEdit::textChanged, this, &FindBar::on_edited);
  connect(expression_, &QCheckBox::toggled, this, &FindBar::on_edited);
  connect(match_case_, &QCheckBox::toggled, this, &FindBar::on_edited);
  connect(back, &QToolButton::clicked, this, [this] { Q_EMIT find_wanted(true); });
  connect(next, &QToolButton::clicked, this, [this] { Q_EMIT find_wanted(false); });
  connect(close, &QToolButton::clicked, this, &FindBar::closed);
}

void FindBar::open() {
  show();
  text_->setFocus(Qt::ShortcutFocusReason);
  text_->selectAll();
}

std::optional<logs::TextQuery> FindBar::query() const {
  const logs::TextQuery query = typed();
  return logs::TextSearch::make(query) ? std::optional(query) : std::nullopt;
}

// A time may be typed as it is shown, with groups of digits, though the file has ns.
logs::TextQuery FindBar::typed() const {
  const std::string text = theme::utf8(text_->text());
  const auto ns = expression_->isChecked() ? std::nullopt : logs::ns_of_shown(text);
  if (ns) return {.text = theme::utf8(QRegularExpression::escape(text_->text())) + "|" + *ns, .expression = true};
  return {.text = text, .expression = expression_->isChecked(), .match_case = match_case_->isChecked()};
}

void FindBar::say(const QString& text) {
  note_->setText(text);
}

void FindBar::show_count(const QString& text) {
  count_->setText(text);
}

void FindBar::on_edited() {
  const auto usable = logs::TextSearch::make(typed());
  say(usable || text_->text().isEmpty() ? QString() : theme::qt(usable.error().text));
  Q_EMIT query_changed();
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return QWidget::keyPressEvent(event);
  Q_EMIT find_wanted(event->modifiers().testFlag(Qt::ShiftModifier));
}

}  // namespace n2nq::ui

#include "moc_find_bar.cpp"
