#include "ui/campaigns/fact_tile.h"

#include "ui/theme/layouts.h"

namespace n2nq::ui {
namespace {

using theme::Label;
using theme::TextSize;
using theme::Tone;

constexpr qsizetype kShort = 16;  // characters

}  // namespace

FactTile::FactTile(const QString& accessible_name, QWidget* parent)
    : QWidget(parent),
      what_(new Label({}, TextSize::caption, Tone::muted, this)),
      value_(new Label({}, TextSize::headline, Tone::plain, this)) {
  value_->setAccessibleName(accessible_name);
  value_->set_figures();
  value_->setWordWrap(true);
  auto* column = theme::column_in(this, 0);
  column->addWidget(what_);
  column->addWidget(value_, 1);
  hide();
}

void FactTile::show_fact(const QString& what, const QString& value, Tone tone) {
  what_->setText(what);
  value_->set_size(value.size() <= kShort ? TextSize::headline : TextSize::title);
  value_->set_tone(tone);
  value_->setText(value);
}

bool FactTile::says_something() const {
  return !value_->text().isEmpty();
}

}  // namespace n2nq::ui

#include "moc_fact_tile.cpp"
