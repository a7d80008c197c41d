#include "ui/results/tags_line.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include "app/record/tags.h"
#include "ui/theme/layouts.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kWidth = 30 * theme::kGrid;

}  // namespace

TagsLine::TagsLine(QWidget* parent) : QWidget(parent), edit_(new QLineEdit(this)) {
  auto* label = new QLabel(tr("Tags"), this);
  edit_->setAccessibleName(tr("Tags of this result"));
  edit_->setPlaceholderText(tr("tags, separated by commas"));
  edit_->setFixedWidth(kWidth);
  auto* row = theme::row_in(this, theme::kGrid / 2);
  row->addWidget(label);
  row->addWidget(edit_);
  setFocusProxy(edit_);
  connect(edit_, &QLineEdit::editingFinished, this, &TagsLine::ask);
}

void TagsLine::show_tags(std::optional<int64_t> result, const std::vector<std::string>& tags,
                         const QString& read_only) {
  const QString text = theme::qt(record::tags_text(tags));
  if (result != result_) ask();  // for the previous one
  const bool typed = result == result_ && edit_->text() != kept_ && text == kept_;
  result_ = result;
  kept_ = text;
  if (!typed) edit_->setText(text);
  edit_->setEnabled(result.has_value());
  edit_->setReadOnly(!read_only.isEmpty());
  edit_->setToolTip(read_only.isEmpty() ? tr("Tags to find the run by, separated by commas.")
                                        : theme::plain_tip(read_only));
}

// Escape takes back what was typed.
void TagsLine::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && edit_->text() != kept_) return edit_->setText(kept_);
  QWidget::keyPressEvent(event);
}

void TagsLine::ask() {
  if (!result_ || edit_->isReadOnly() || edit_->text() == kept_) return;
  Q_EMIT wanted(*result_, edit_->text());
}

}  // namespace n2nq::ui

#include "moc_tags_line.cpp"
