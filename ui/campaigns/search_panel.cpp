#include "ui/campaigns/search_panel.h"

#include "ui/campaigns/form_parts.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

using campaign::WhoseLimit;
using theme::kGrid;
using theme::qt;
using theme::Status;

Status status_of(WhoseLimit limit) {
  switch (limit) {
    case WhoseLimit::bus:
      return Status::info;
    case WhoseLimit::senders:
      return Status::warning;
    case WhoseLimit::failure:
      return Status::bad;
    case WhoseLimit::unknown:
      break;
  }
  return Status::info;
}

}  // namespace

SearchPanel::SearchPanel(QWidget* parent)
    : QWidget(parent),
      bracket_(new theme::Label({}, theme::TextSize::title, theme::Tone::plain, this)),
      certainty_(new QLabel(this)),
      whose_(new theme::StatusLabel(this)) {
  bracket_->setAccessibleName(tr("Bracket"));
  certainty_->setAccessibleName(tr("Certainty of the bracket"));
  for (QLabel* label : {bracket_, certainty_}) {
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
  }
  whose_->set_name(tr("Whose limit it is"));
  auto* grid = theme::grid_in(this, kGrid, kGrid / 2);
  grid->setColumnStretch(1, 1);
  const auto add = [&](int row, const QString& text, const QString& help, QWidget* line) {
    grid->addWidget(caption(text, help, nullptr, this), row, 0, Qt::AlignTop);
    grid->addWidget(line, row, 1);
  };
  add(0, tr("Bracket"), tr("The hardest value that met the limits, and the easiest that did not."), bracket_);
  add(1, tr("Certainty"), tr("How many runs at each end met the limits, and how likely such runs are to meet them."),
      certainty_);
  add(2, tr("Limited by"), tr("Whether the bus could not keep up, or the senders could not keep their schedule."),
      whose_);
}

void SearchPanel::show_facts(const campaign::SearchFacts& facts) {
  bracket_->setText(qt(facts.bracket));
  certainty_->setText(qt(facts.certainty));
  whose_->show_text(status_of(facts.limit), qt(facts.whose).toHtmlEscaped());
}

}  // namespace n2nq::ui

#include "moc_search_panel.cpp"
