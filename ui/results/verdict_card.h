// What a comparison comes to: the verdict in a word, the statement, the differences as a bar, the sides by what
// differs, and what must be known beside it. UI thread.
#pragma once

#include <QStringList>

#include "app/compare/verdict.h"
#include "ui/results/comparison.h"
#include "ui/theme/card.h"

namespace n2nq::ui::theme {
class Chip;
class Label;
class MessageLine;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class IntervalBar;

class VerdictCard : public theme::Card {
  Q_OBJECT

 public:
  explicit VerdictCard(QWidget* parent = nullptr);

  void say(const QString& text);  // while there is nothing to show
  void show_comparison(const ShownComparison& comparison, const figures::Metric& metric, const QStringList& left_out);

 private:
  theme::Chip* verdict_;
  theme::Label* statement_;
  IntervalBar* bar_;
  theme::MessageLine* doubt_;
  theme::Label* remarks_;
};

}  // namespace n2nq::ui
