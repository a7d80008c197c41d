// Which lines of the log view stand out, and how.
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

#include "app/text/quantity.h"
#include "ui/logs/log_view.h"
#include "ui/logs/mark_look.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

void LogView::set_rules(std::vector<logs::LineRule> rules) {
  rules_ = std::move(rules);
  line_rules_ = logs::LineRules(rules_, rules_layout_, rules_p99_ns_);
  mark_rows();
  viewport()->update();
}

// Only the lines of the page are looked at.
void LogView::mark_rows() {
  const logs::Page& page = document_.page();
  if (page.layout != rules_layout_ || page.p99_ns != rules_p99_ns_) {
    rules_layout_ = page.layout;
    rules_p99_ns_ = page.p99_ns;
    line_rules_ = logs::LineRules(rules_, rules_layout_, rules_p99_ns_);
  }
  row_rules_.clear();
  for (const logs::PageRow& row : page.rows) row_rules_.push_back(line_rules_.first_of(row.text));
}

const logs::LineRule* LogView::rule_of(size_t row) const {
  return row < row_rules_.size() ? row_rules_[row] : nullptr;
}

// Its shape tells the same as its colour.
void LogView::paint_mark(QPainter& painter, size_t row, double top) const {
  const logs::LineRule* rule = rule_of(row);
  if (rule == nullptr) return;
  const double room = layout_.row_height();
  const QRectF place(theme::kSpace1 / 2.0, top + 1, room - 2, room - 2);
  theme::icon(status_of(rule->mark)).paint(&painter, place.toAlignedRect());
}

bool LogView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<const QHelpEvent*>(event);
  const auto row = row_at(help->pos());
  const logs::LineRule* rule = row ? rule_of(*row) : nullptr;
  QString text = rule == nullptr ? QString() : tr("Marked by the rule: %1").arg(theme::qt(rule->condition));
  if (rule != nullptr && rule->condition.ends_with("p99") && rules_p99_ns_)
    text += tr(" (about %1)").arg(theme::qt(text::duration(static_cast<double>(*rules_p99_ns_))));
  QToolTip::showText(help->globalPos(), text, viewport());
  return true;
}

}  // namespace n2nq::ui
