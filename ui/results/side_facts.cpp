#include "ui/results/side_facts.h"

#include <QScrollArea>

#include "app/compare/promises.h"
#include "ui/results/text_table.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using theme::qt;

std::vector<TextColumn> columns_of(const std::vector<compare::Side>& sides) {
  std::vector<TextColumn> columns{{.header = SideFacts::tr("Promise or setting")}};
  for (const compare::Side& side : sides) columns.push_back({.header = qt(side.name), .stretch = true});
  return columns;
}

TextRow row_of(const compare::Promise& one) {
  TextRow row{.cells = {qt(one.name)}, .status = one.differs ? std::optional(theme::Status::info) : std::nullopt};
  for (const std::string& value : one.values) row.cells.push_back(qt(value));
  return row;
}

}  // namespace

SideFacts::SideFacts(QWidget* parent)
    : QWidget(parent),
      table_(new TextTable(tr("What the sides promise"), columns_of({}), this)),
      explained_(new theme::Label({}, theme::TextSize::body, theme::Tone::plain)),
      seen_(new QScrollArea(this)) {
  explained_->setAccessibleName(tr("What explains the difference"));
  explained_->setWordWrap(true);
  explained_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table_->set_empty_text(tr("There are not two sides to compare."));
  auto* column = theme::column_in(this, theme::kSpace2);
  seen_->setAccessibleName(tr("Explained"));
  seen_->setFocusPolicy(Qt::NoFocus);
  seen_->setFrameShape(QFrame::NoFrame);
  seen_->setWidgetResizable(true);
  seen_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  seen_->setWidget(explained_);
  for (QWidget* widget : {seen_->viewport(), static_cast<QWidget*>(explained_)}) widget->setAutoFillBackground(false);
  column->addWidget(table_, 2);
  column->addWidget(seen_, 1);
  setFocusProxy(table_);
}

// What differs is marked.
void SideFacts::show_sides(const std::vector<compare::Side>& sides) {
  std::vector<TextRow> rows;
  QStringList explained;
  if (sides.size() > 1) {
    for (const compare::Promise& one : compare::promises_and_settings(sides)) rows.push_back(row_of(one));
    for (const std::string& one : compare::explanations(sides)) explained.append(qt(one));
  }
  table_->set(columns_of(sides), std::move(rows));
  explained_->setText(explained.join(u'\n'));
  seen_->setVisible(!explained.isEmpty());
  fit();
}

// No more than its text takes: the rest is the table's.
void SideFacts::fit() {
  seen_->setMaximumHeight(explained_->heightForWidth(width()) + theme::kSpace1);
}

void SideFacts::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

}  // namespace n2nq::ui

#include "moc_side_facts.cpp"
