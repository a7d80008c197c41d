#include "ui/services/shown_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>

#include "app/text/quantity.h"
#include "ui/services/service_delegate.h"
#include "ui/services/service_model.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kSortArrow = theme::kGrid + theme::kGrid / 2;

bool can_be_chosen(const ColumnSpec& spec) {
  return spec.kind != Kind::icon && spec.kind != Kind::name;
}

}  // namespace

ShownColumns::ShownColumns(QTableView& view, const ServiceModel& model, QObject* parent)
    : QObject(parent), view_(view), model_(model), widest_(static_cast<size_t>(model.columnCount())) {
  view_.viewport()->installEventFilter(this);
  set_keys({});
}

std::string ShownColumns::widest(int column) const {
  std::string text =
      widest_text(model_.spec(column), model_.role(), model_.largest(column), std::max<size_t>(model_.services(), 10));
  if (has_scale(model_.spec(column).kind))
    if (std::string largest = text::scaled(model_.largest(column), model_.scale(column)); largest.size() > text.size())
      text = std::move(largest);
  return model_.negative(column) ? "-" + text : text;
}

int ShownColumns::width_of(int column) const {
  const QFontMetrics cells(view_.font());
  const QFontMetrics header(view_.horizontalHeader()->font());
  const ColumnSpec& spec = model_.spec(column);
  const int text = cells.horizontalAdvance(theme::qt(widest_[static_cast<size_t>(column)]));
  const auto needed = [&](Over over) { return header.horizontalAdvance(header_of(spec, over)) + kSortArrow; };
  const int title = qMax(needed(Over::last_look) + theme::kGrid, needed(Over::whole_run));  // that one is long enough
  return qMax(ServiceDelegate::width_for(spec, cells, text), spec.kind == Kind::icon ? 0 : title);
}

void ShownColumns::fit() {
  bool outgrown = false;
  for (int column = 0; column < model_.columnCount(); column++) {
    if (view_.isColumnHidden(column)) continue;
    std::string text = widest(column);
    std::string& made_for = widest_[static_cast<size_t>(column)];
    if (text == made_for) continue;
    made_for = std::move(text);
    outgrown = outgrown || width_of(column) > view_.columnWidth(column);
  }
  if (outgrown) spread();
}

void ShownColumns::fit_anew() {
  for (std::string& text : widest_) text.clear();
  fit();
  spread();
}

// A column that has more room than it needs also takes a few digits more before anything moves.
void ShownColumns::spread() {
  std::vector<std::pair<int, int>> widths;  // of columns that are shown
  int sharing = 0;
  int room = view_.viewport()->width();
  for (int column = 0; column < model_.columnCount(); column++) {
    if (view_.isColumnHidden(column)) continue;
    widths.emplace_back(column, width_of(column));
    room -= widths.back().second;
    if (model_.spec(column).kind != Kind::icon) sharing++;
  }
  room = qMax(room, 0);
  for (const auto& [column, width] : widths) {
    const int share = model_.spec(column).kind != Kind::icon ? room / sharing-- : 0;
    room -= share;
    view_.setColumnWidth(column, width + share);
  }
}

bool ShownColumns::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) spread();
  return QObject::eventFilter(watched, event);
}

QStringList ShownColumns::keys() const {
  QStringList keys;
  for (int column = 0; column < model_.columnCount(); column++) {
    if (can_be_chosen(model_.spec(column)) && !view_.isColumnHidden(column)) keys << model_.spec(column).key;
  }
  return keys;
}

void ShownColumns::set_keys(const QStringList& keys) {
  for (int column = 0; column < model_.columnCount(); column++) {
    const ColumnSpec& spec = model_.spec(column);
    const bool shown = keys.isEmpty() ? spec.shown : keys.contains(QString(spec.key));
    view_.setColumnHidden(column, can_be_chosen(spec) && !shown);
  }
  fit_anew();
}

void ShownColumns::fill(QMenu& menu) {
  menu.setToolTipsVisible(true);
  for (int column = 0; column < model_.columnCount(); column++) {
    const ColumnSpec& spec = model_.spec(column);
    if (!can_be_chosen(spec)) continue;
    QAction* action = menu.addAction(header_of(spec, model_.over()));
    action->setCheckable(true);
    action->setChecked(!view_.isColumnHidden(column));
    action->setToolTip(help_of(spec, model_.over()));
    connect(action, &QAction::toggled, this, [this, column](bool shown) {
      view_.setColumnHidden(column, !shown);
      fit_anew();
      Q_EMIT changed();
    });
  }
  menu.addSeparator();
  connect(menu.addAction(QStringLiteral("Reset columns")), &QAction::triggered, this, [this] {
    set_keys({});
    Q_EMIT changed();
  });
}

}  // namespace n2nq::ui

#include "moc_shown_columns.cpp"
