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

constexpr int kSortArrow = theme::kSpace5;  // with the margins, and what is rounded

bool can_be_chosen(const ColumnSpec& spec) {
  return spec.kind != Kind::icon && spec.kind != Kind::name;
}

}  // namespace

ShownColumns::ShownColumns(QTableView& view, const ServiceModel& model, QObject* parent)
    : QObject(parent),
      view_(view),
      model_(model),
      chosen_(static_cast<size_t>(model.columnCount())),
      widest_(static_cast<size_t>(model.columnCount())) {
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
  const QFontMetrics cells(ServiceDelegate::marked(view_.font()));
  const QFontMetrics header(view_.horizontalHeader()->font());
  const ColumnSpec& spec = model_.spec(column);
  const int text = cells.horizontalAdvance(theme::qt(widest_[static_cast<size_t>(column)]));
  const auto needed = [&](Over over) { return header.horizontalAdvance(header_of(spec, over)) + kSortArrow; };
  int title = qMax(needed(Over::last_look), needed(Over::whole_run));
  if (has_scale(spec.kind))
    title = qMax(title, header.horizontalAdvance(theme::qt(model_.unit_line(column))) + kSortArrow / 2);
  return qMax(ServiceDelegate::width_for(model_.role(), spec, cells, text), spec.kind == Kind::icon ? 0 : title);
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

bool ShownColumns::is_wanted(int column) const {
  const ColumnSpec& spec = model_.spec(column);
  if (!can_be_chosen(spec)) return true;
  return chosen_[static_cast<size_t>(column)] && told_.has(spec.needs);
}

void ShownColumns::show_wanted() {
  for (int column = 0; column < model_.columnCount(); column++)
    if (model_.spec(column).kind != Kind::trend) view_.setColumnHidden(column, !is_wanted(column));
  fit_anew();
}

// A column that has more room than it needs also takes a few digits more before anything moves.
void ShownColumns::spread() {
  std::vector<std::pair<int, int>> widths;  // of columns that are shown
  int sharing = 0;
  int room = view_.viewport()->width();
  const auto take = [&](int column) {
    widths.emplace_back(column, width_of(column));
    room -= widths.back().second;
    if (model_.spec(column).kind != Kind::icon) sharing++;
  };
  const int trend = model_.column_of(Column::trend);
  int by_itself = 0;  // room that the trend need not leave: what came by itself may be scrolled to
  for (int column = 0; column < model_.columnCount(); column++) {
    if (column == trend || view_.isColumnHidden(column)) continue;
    take(column);
    if (comes_by_itself(model_.spec(column).needs)) by_itself += widths.back().second;
  }
  const bool with_trend = is_wanted(trend) && model_.has_trends() && width_of(trend) <= room + by_itself;
  view_.setColumnHidden(trend, !with_trend);
  if (with_trend) take(trend);
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
    const ColumnSpec& spec = model_.spec(column);
    const bool chosen = chosen_[static_cast<size_t>(column)];
    if (!can_be_chosen(spec) || chosen == comes_by_itself(spec.needs)) continue;
    keys << (chosen ? QString(spec.key) : '-' + QString(spec.key));
  }
  return keys;
}

void ShownColumns::set_keys(const QStringList& keys) {
  for (int column = 0; column < model_.columnCount(); column++) {
    const ColumnSpec& spec = model_.spec(column);
    const bool shown = comes_by_itself(spec.needs) ? !keys.contains('-' + QString(spec.key))
                       : keys.isEmpty()            ? spec.shown
                                                   : keys.contains(QString(spec.key));
    chosen_[static_cast<size_t>(column)] = shown;
  }
  show_wanted();
}

void ShownColumns::set_told(const ToldFigures& told) {
  if (told == told_) return;
  told_ = told;
  show_wanted();
}

void ShownColumns::choose(int column, bool shown) {
  chosen_[static_cast<size_t>(column)] = shown;
  show_wanted();
  Q_EMIT changed();
}

void ShownColumns::fill(QMenu& menu) {
  menu.setToolTipsVisible(true);
  for (int column = 0; column < model_.columnCount(); column++) {
    const ColumnSpec& spec = model_.spec(column);
    if (!can_be_chosen(spec)) continue;
    const bool off = !told_.has(spec.needs);
    const QString name = header_of(spec, model_.over());
    QAction* action = menu.addAction(spec.kind == Kind::trend ? QStringLiteral("Trend of the last minute") : name);
    action->setCheckable(true);
    action->setChecked(is_wanted(column));
    action->setEnabled(!off);
    action->setToolTip(off ? QString(why_missing(spec.needs)) : QString(help_of(spec, model_.over())));
    connect(action, &QAction::toggled, this, [this, column](bool shown) { choose(column, shown); });
  }
  menu.addSeparator();
  connect(menu.addAction(QStringLiteral("Reset columns")), &QAction::triggered, this, [this] {
    set_keys({});
    Q_EMIT changed();
  });
}

}  // namespace n2nq::ui

#include "moc_shown_columns.cpp"
