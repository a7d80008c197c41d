#include "ui/results/side_tiles.h"

#include <QGridLayout>

#include "ui/theme/card.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using theme::qt;
using theme::TextSize;
using theme::Tone;

}  // namespace

// Name and unit, and a line for each side: which it is, and the value.
class SideTiles::Figure : public theme::Card {
 public:
  explicit Figure(QWidget* parent)
      : theme::Card(parent),
        name_(new theme::Label({}, TextSize::caption, Tone::muted, this)),
        lines_(new QGridLayout),
        note_(new theme::Label({}, TextSize::caption, Tone::muted, this)) {
    body()->setSpacing(theme::kSpace1);
    body()->addWidget(name_);
    body()->addLayout(lines_);
    body()->addStretch(1);
    body()->addWidget(note_);
    lines_->setHorizontalSpacing(theme::kSpace2);
    lines_->setVerticalSpacing(0);
    lines_->setColumnStretch(1, 1);
    name_->setWordWrap(true);  // "Latency p99, intended [µs]" in a narrow window
    note_->setWordWrap(true);
    note_->hide();
  }

  void show_figure(const compare::SideFigure& figure, const std::vector<compare::Side>& sides) {
    const QString name = qt(figure.name);
    name_->setText(figure.unit.empty() ? name : QStringLiteral("%1 [%2]").arg(name, qt(figure.unit)));
    note_->setText(qt(figure.note));
    note_->setVisible(!figure.note.empty());
    for (size_t i = 0; i < std::max(sides.size(), values_.size()); i++) {
      if (i == values_.size()) add_line();
      sides_[i]->setVisible(i < sides.size());
      values_[i]->setVisible(i < sides.size());
      if (i >= sides.size()) continue;
      sides_[i]->setText(qt(sides[i].name));
      values_[i]->setText(qt(figure.values.at(i)));
      values_[i]->setAccessibleName(QStringLiteral("%1, %2").arg(name, qt(sides[i].name)));
      values_[i]->setAccessibleDescription((qt(figure.values.at(i)) + u' ' + qt(figure.unit)).trimmed());
    }
  }

 private:
  void add_line() {
    const auto row = static_cast<int>(values_.size());
    sides_.push_back(new theme::Label({}, TextSize::body, Tone::muted, this));
    values_.push_back(new theme::Label({}, TextSize::title, Tone::plain, this));
    values_.back()->set_figures();
    lines_->addWidget(sides_.back(), row, 0);
    lines_->addWidget(values_.back(), row, 1, Qt::AlignRight);
  }

  theme::Label* name_;
  QGridLayout* lines_;
  theme::Label* note_;
  std::vector<theme::Label*> sides_, values_;
};

SideTiles::SideTiles(QWidget* parent) : QWidget(parent), row_(theme::row_in(this, theme::kCardApart)) {
  hide();
}

void SideTiles::show_sides(const std::vector<compare::Side>& sides) {
  setVisible(!sides.empty() && sides.size() <= kMostShown);
  if (sides.empty() || sides.size() > kMostShown) return;
  const std::vector<compare::SideFigure> figures = compare::side_figures(sides);
  while (figures_.size() < figures.size()) {
    figures_.push_back(new Figure(this));
    row_->addWidget(figures_.back(), 1);
  }
  for (size_t i = 0; i < figures.size(); i++) figures_[i]->show_figure(figures[i], sides);
}

}  // namespace n2nq::ui

#include "moc_side_tiles.cpp"
