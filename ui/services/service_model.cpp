#include "ui/services/service_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::qt;

SteadyScale::Of scale_kind(Kind kind) {
  if (kind == Kind::rate) return SteadyScale::Of::rate;
  return kind == Kind::bytes ? SteadyScale::Of::bytes : SteadyScale::Of::duration;
}

bool is_percentile(Column column) {
  return column == Column::p50 || column == Column::p99;
}

bool is_latency(Column column) {
  return column == Column::latency || column == Column::scheduled_latency || is_percentile(column);
}

// Services without a value come last, whichever way the others are sorted.
struct SortKey {
  double value = 0;
  uint32_t index = 0;
  bool absent = false;
};

bool comes_before(const SortKey& a, const SortKey& b, bool descending) {
  if (a.absent != b.absent) return b.absent;
  if (!a.absent && a.value != b.value) return descending ? a.value > b.value : a.value < b.value;
  return a.index < b.index;
}

}  // namespace

ServiceModel::ServiceModel(Role role, FiguresSource source, QObject* parent)
    : QAbstractTableModel(parent), role_(role), source_(std::move(source)), columns_(columns_of(role)) {
  for (const ColumnSpec& column : columns_) scales_.emplace_back(scale_kind(column.kind), is_latency(column.column));
  sort_column_ = column_of(Column::name);
}

int ServiceModel::column_of(Column column) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const auto& c) { return c.column == column; });
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

const live::ServiceFigures* ServiceModel::figures_at(int row) const {
  const auto figures = source_();
  if (row < 0 || static_cast<size_t>(row) >= rows_.size()) return nullptr;
  const uint32_t index = rows_[static_cast<size_t>(row)];
  return index < figures.size() ? &figures[index] : nullptr;
}

std::optional<int> ServiceModel::row_of(uint32_t number) const {
  const auto found = std::find(rows_.begin(), rows_.end(), number - 1);
  return found == rows_.end() ? std::nullopt : std::optional(static_cast<int>(found - rows_.begin()));
}

void ServiceModel::refresh(int64_t now_ns) {
  const auto figures = source_();
  if (figures.size() != services_) forget_extents();
  if (std::exchange(anew_, false)) {
    services_ = figures.size();
    reset_rows(arranged(figures));
  }
  look(figures);
  look_once_a_second(figures, now_ns);
  if (rows_.empty()) return;
  counters_.data_changed++;
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                     {Qt::DisplayRole, Qt::AccessibleTextRole, kMarkRole});
}

// After the run its trends stay: what the figures are then is of all of it.
void ServiceModel::look_once_a_second(std::span<const live::ServiceFigures> figures, int64_t now_ns) {
  if (trends_due(now_ns)) trends_.sample(now_ns, figures);
  if (!std::exchange(compare_, false) && now_ns - compared_ns_ < TrendRing::kEveryNs) return;
  compared_ns_ = now_ns;
  slowest_ = slowest_of(role_, figures);
}

std::vector<double> ServiceModel::trend(int row) const {
  if (row < 0 || static_cast<size_t>(row) >= rows_.size()) return {};
  return trends_.of(rows_[static_cast<size_t>(row)]);
}

void ServiceModel::pass_by(int64_t now_ns) {
  if (trends_due(now_ns)) trends_.sample(now_ns, source_());
}

void ServiceModel::start_anew() {
  trends_.clear();
  forget_extents();
}

void ServiceModel::forget_extents() {
  anew_ = true;
  slowest_.reset();
  compare_ = true;
  peaks_.fill(0);
  negative_.fill(false);
  for (SteadyScale& scale : scales_) scale.reset();
}

void ServiceModel::set_over(Over over) {
  if (over == over_) return;
  over_ = over;
  compare_ = true;
  for (size_t column = 0; column < columns_.size(); column++)
    if (!is_latency(columns_[column].column)) scales_[column].reset();
  Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

bool ServiceModel::set_actual(bool said) {
  if (std::exchange(says_actual_, said) == said) return false;
  Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  return true;
}

void ServiceModel::Extent::take(double value) {
  const double size = std::fabs(value);
  largest = std::max(largest, size);
  if (size > 0) least = least == 0 ? size : std::min(least, size);
}

void ServiceModel::look(std::span<const live::ServiceFigures> figures) {
  gone_ = static_cast<size_t>(
      std::count_if(figures.begin(), figures.end(), [](const auto& f) { return f.state == live::ServiceState::gone; }));
  std::array<Extent, kColumns> extents{};
  for (size_t column = 0; column < columns_.size(); column++) {
    const ColumnSpec& spec = columns_[column];
    if (!has_figure(spec.kind)) continue;
    for (const live::ServiceFigures& service : figures) {
      const double value = spec.value(service).value_or(0);
      extents[column].take(value);
      if (value < 0) negative_[column] = true;
    }
    peaks_[column] = std::max(peaks_[column], extents[column].largest);
  }
  for (size_t column = 0; column < columns_.size(); column++) {
    if (!has_scale(columns_[column].kind)) continue;
    const text::Scale before = scales_[column].scale();
    const Extent extent = extent_of_its_unit(columns_[column], extents);
    if (scales_[column].look(extent.largest, extent.least) != before)
      Q_EMIT headerDataChanged(Qt::Horizontal, static_cast<int>(column), static_cast<int>(column));
  }
}

// Latencies stand beside each other to be compared: their columns have the unit of the usual ones, as long as the
// largest does not become unreadable in it.
ServiceModel::Extent ServiceModel::extent_of_its_unit(const ColumnSpec& spec,
                                                      const std::array<Extent, kColumns>& extents) const {
  constexpr double kMostOfUsual = 100;
  if (!is_latency(spec.column)) return extents[static_cast<size_t>(&spec - columns_.data())];
  Extent together;
  for (size_t column = 0; column < columns_.size(); column++) {
    if (!is_latency(columns_[column].column)) continue;
    together.take(extents[column].least);
    const double share = columns_[column].column == Column::p99 ? kMostOfUsual : 1;
    together.largest = std::max(together.largest, extents[column].largest / share);
  }
  return together;
}

std::vector<uint32_t> ServiceModel::arranged(std::span<const live::ServiceFigures> figures) const {
  const ColumnSpec& by = spec(sort_column_);
  std::vector<SortKey> keys;
  keys.reserve(figures.size());
  for (uint32_t i = 0; i < figures.size(); i++) {
    if (!filter_.shows(figures[i])) continue;
    const auto value = by.value(figures[i]);
    keys.push_back({.value = value.value_or(0), .index = i, .absent = !value});
  }
  const bool descending = sort_order_ == Qt::DescendingOrder;
  std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) { return comes_before(a, b, descending); });
  std::vector<uint32_t> rows(keys.size());
  std::transform(keys.begin(), keys.end(), rows.begin(), [](const SortKey& key) { return key.index; });
  return rows;
}

void ServiceModel::rearrange() {
  counters_.arranged++;
  std::vector<uint32_t> rows = arranged(source_());
  if (rows == rows_) return;
  const bool same_services =
      rows.size() == rows_.size() && std::is_permutation(rows.begin(), rows.end(), rows_.begin());
  same_services ? reorder_rows(std::move(rows)) : reset_rows(std::move(rows));
}

void ServiceModel::reset_rows(std::vector<uint32_t> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

void ServiceModel::reorder_rows(std::vector<uint32_t> rows) {
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> new_row(services_, -1);
  for (size_t row = 0; row < rows.size(); row++) new_row[rows[row]] = static_cast<int>(row);
  const QModelIndexList before = persistentIndexList();
  QModelIndexList after;
  after.reserve(before.size());
  for (const QModelIndex& old : before) {
    const uint32_t service = rows_[static_cast<size_t>(old.row())];
    after.push_back(index(new_row[service], old.column()));
  }
  rows_ = std::move(rows);
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void ServiceModel::sort(int column, Qt::SortOrder order) {
  sort_column_ = column < 0 ? column_of(Column::name) : column;
  sort_order_ = order;
  rearrange();
}

void ServiceModel::set_filter(ServiceFilter filter) {
  filter_ = std::move(filter);
  rearrange();
}

bool ServiceModel::arrangement_changes() const {
  const Kind kind = spec(sort_column_).kind;
  return !filter_.everything() || (kind != Kind::name && kind != Kind::icon);
}

int ServiceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ServiceModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant ServiceModel::data(const QModelIndex& index, int role) const {
  counters_.data_calls++;
  const live::ServiceFigures* figures = figures_at(index.row());
  if (figures == nullptr) return {};
  const ColumnSpec& column = spec(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return text_of(column, index.column(), *figures);
    case kMarkRole:
      return mark(column, *figures);
    case Qt::AccessibleTextRole:
      return spoken(column, index.column(), *figures);
    case Qt::ToolTipRole:
      return tip(column, *figures);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(has_figure(column.kind) ? Qt::AlignRight | Qt::AlignVCenter
                                                         : Qt::AlignLeft | Qt::AlignVCenter);
    default:
      return {};
  }
}

std::string ServiceModel::unit_line(int column) const {
  const bool actual = says_actual_ && is_percentile(spec(column).column);
  return (actual ? "actual [" : "[") + std::string(scale(column).unit) + "]";
}

QVariant ServiceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const ColumnSpec& column = spec(section);
  // The unit in a line of its own, as panels may be narrow.
  if (role == Qt::DisplayRole)
    return qt(header_of(column, over_) + (has_scale(column.kind) ? "\n" + unit_line(section) : std::string()));
  if (role == Qt::ToolTipRole) return help_of(column, over_);
  if (role == Qt::AccessibleTextRole) return column.spoken;
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(has_figure(column.kind) ? Qt::AlignRight | Qt::AlignVCenter
                                                       : Qt::AlignLeft | Qt::AlignVCenter);
  return {};
}

const text::Scale& ServiceModel::scale(int column) const {
  return scales_[static_cast<size_t>(column)].scale();
}

QString ServiceModel::text_of(const ColumnSpec& spec, int column, const live::ServiceFigures& figures) const {
  return qt(cell_text(spec, figures, scale(column)));
}

// The sense of a cell without its header: "s1 delay 20.1 ms".
QString ServiceModel::spoken(const ColumnSpec& spec, int column, const live::ServiceFigures& figures) const {
  const QString name = qt(service_name(figures.role, figures.number));
  if (spec.kind == Kind::icon) return QStringLiteral("%1 open log").arg(name);
  if (spec.kind == Kind::name) return QStringLiteral("%1 %2").arg(name, qt(live::to_text(figures.state)));
  if (spec.kind == Kind::trend) return QStringLiteral("%1 %2").arg(name, trend_text(figures));
  QString said = QStringLiteral("%1 %2 %3").arg(name, qt(spec.spoken), text_of(spec, column, figures));
  if (has_scale(spec.kind) && !said.endsWith('-')) said += ' ' + qt(std::string(scale(column).unit));
  return is_slowest(spec, figures) ? said + QStringLiteral(", the slowest") : said;
}

QString ServiceModel::tip(const ColumnSpec& spec, const live::ServiceFigures& figures) const {
  const QString name = qt(service_name(figures.role, figures.number));
  if (spec.kind == Kind::icon) return QStringLiteral("Opens the log of %1 (Enter).").arg(name);
  const bool slowest = slowest_ && slowest_->number == figures.number;
  if (spec.kind == Kind::name || spec.kind == Kind::state) {
    const QString state = QStringLiteral("%1 is %2").arg(name, qt(live::to_text(figures.state)));
    return slowest ? QStringLiteral("%1, and %2.").arg(state, qt(slowest_->why)) : state + '.';
  }
  if (slowest && can_be_slowest(role_, spec.column)) return QStringLiteral("%1 is %2.").arg(name, qt(slowest_->why));
  if (spec.column == Column::lost && figures.lost > 0)
    return QStringLiteral("%1 lost %2 of %3 messages: the queue removed them before it got them.")
        .arg(name, qt(text::count(figures.lost)), qt(text::count(figures.lost + figures.count)));
  if (spec.kind == Kind::trend)
    return QStringLiteral("%1: %2. %3").arg(name, trend_text(figures), help_of(spec, over_));
  return help_of(spec, over_);
}

bool ServiceModel::is_slowest(const ColumnSpec& spec, const live::ServiceFigures& figures) const {
  return slowest_ && slowest_->number == figures.number && can_be_slowest(role_, spec.column);
}

// "rate of the last minute 98 to 101 /s, now 100 /s".
QString ServiceModel::trend_text(const live::ServiceFigures& figures) const {
  const QString what = role_ == Role::sender ? QStringLiteral("rate") : QStringLiteral("latency");
  std::vector<double> values = trends_.of(figures.number - 1);
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return QStringLiteral("%1 of the last minute not known yet").arg(what);
  const auto [least, most] = std::ranges::minmax(values);
  const text::Scale scale =
      text::column_scale(role_ == Role::sender ? text::Unit::rate : text::Unit::duration, least, most);
  return QStringLiteral("%1 of the last minute %2 to %3, last %4")
      .arg(what, qt(text::scaled(least, scale)), qt(text::with_unit(most, scale)),
           qt(text::with_unit(values.back(), scale)));
}

QVariant ServiceModel::mark(const ColumnSpec& spec, const live::ServiceFigures& figures) const {
  if (spec.kind == Kind::name || spec.kind == Kind::state) return static_cast<int>(figures.state);
  if (spec.kind == Kind::trouble) return spec.value(figures).value_or(0) > 0;
  if (can_be_slowest(role_, spec.column)) return is_slowest(spec, figures);
  return {};
}

}  // namespace n2nq::ui

#include "moc_service_model.cpp"
