#include "ui/results/result_model.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/figures/limit_text.h"
#include "app/figures/setting_text.h"
#include "app/record/shown_latency.h"
#include "app/store/result_search.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/theme/verdict_status.h"

namespace n2nq::ui {
namespace {

const ResultColumnSpec& spec_of(int column) {
  return result_columns()[static_cast<size_t>(column)];
}

std::set<int64_t> ids_of(const std::vector<store::ResultRow>& rows) {
  std::set<int64_t> ids;
  for (const store::ResultRow& row : rows) ids.insert(row.id);
  return ids;
}

}  // namespace

void ResultModel::set_rows(std::vector<store::ResultRow> rows) {
  drop_missing(rows);
  insert_new(rows);
  bool same = true;
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows_[i] == rows[i]) continue;
    same = false;
    words_.erase(rows[i].id);
  }
  rows_ = std::move(rows);
  const ColumnScales before = std::exchange(scales_, scales_of(rows_));
  if (rows_.empty() || (same && before == scales_)) return;
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void ResultModel::drop_missing(const std::vector<store::ResultRow>& later) {
  const std::set<int64_t> stay = ids_of(later);
  for (int row = rowCount() - 1; row >= 0; row--) {
    if (stay.contains(row_at(row).id)) continue;
    words_.erase(row_at(row).id);
    beginRemoveRows({}, row, row);
    rows_.erase(rows_.begin() + row);
    endRemoveRows();
  }
}

void ResultModel::insert_new(const std::vector<store::ResultRow>& later) {
  const std::set<int64_t> known = ids_of(rows_);
  for (size_t first = 0; first < later.size();) {
    size_t last = first;
    while (last < later.size() && !known.contains(later[last].id)) last++;
    if (last > first) {
      beginInsertRows({}, static_cast<int>(first), static_cast<int>(last) - 1);
      rows_.insert(rows_.begin() + static_cast<ptrdiff_t>(first), later.begin() + static_cast<ptrdiff_t>(first),
                   later.begin() + static_cast<ptrdiff_t>(last));
      endInsertRows();
    }
    first = last + 1;
  }
}

std::optional<int> ResultModel::row_of(int64_t id) const {
  const auto at = std::ranges::find(rows_, id, &store::ResultRow::id);
  if (at == rows_.end()) return {};
  return static_cast<int>(at - rows_.begin());
}

QString ResultModel::largest_text(int column) const {
  const ResultColumnSpec& spec = spec_of(column);
  if (rows_.empty()) return {};
  if (spec.column == ResultColumn::verdict || spec.column == ResultColumn::asked || spec.column == ResultColumn::name) {
    const auto length = [&](const store::ResultRow& row) { return cell_text(spec.column, row, scales_).size(); };
    return theme::qt(cell_text(spec.column, *std::ranges::max_element(rows_, {}, length), scales_));
  }
  if (!spec.number) return {};
  const auto value = [&](const store::ResultRow& row) { return cell_number(spec.column, row).value_or(0); };
  return theme::qt(cell_text(spec.column, *std::ranges::max_element(rows_, {}, value), scales_));
}

int ResultModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ResultModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(result_columns().size());
}

QVariant ResultModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const store::ResultRow& row = row_at(index.row());
  const ResultColumnSpec& spec = spec_of(index.column());
  switch (role) {
    case Qt::DisplayRole:
      cells_made_++;
      if (spec.column == ResultColumn::star) return {};
      return theme::qt(cell_text(spec.column, row, scales_));
    case Qt::DecorationRole:
      if (spec.column == ResultColumn::star) return theme::icon(row.starred ? "star-filled" : "star");
      if (spec.column == ResultColumn::verdict) return theme::icon(theme::status_of(row.verdict, row.passed_limits));
      if (spec.column == ResultColumn::trust && row.trust == record::Trust::doubtful)
        return theme::icon(theme::Status::warning);
      return {};
    case Qt::TextAlignmentRole:
      return int(spec.number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
      return spec.number || spec.column == ResultColumn::started ? theme::figure_font() : theme::text_font();
    case Qt::ToolTipRole:
      return theme::plain_tip(tip(spec, row));
    case Qt::AccessibleTextRole:
      return spoken(spec, row);
    case kIdRole:
      return QVariant::fromValue<qint64>(row.id);
    default:
      return {};
  }
}

QString ResultModel::spoken(const ResultColumnSpec& spec, const store::ResultRow& row) const {
  if (spec.column == ResultColumn::star) return row.starred ? tr("starred") : tr("not starred");
  return QStringLiteral("%1 %2").arg(theme::qt(header_text(spec, scales_)),
                                     theme::qt(cell_text(spec.column, row, scales_)));
}

QString ResultModel::tip(const ResultColumnSpec& spec, const store::ResultRow& row) const {
  switch (spec.column) {
    case ResultColumn::started:
      return theme::qt(record::utc_time(row.started_utc_ns));
    case ResultColumn::verdict:
      return theme::qt((row.reason.empty() ? to_text(row.verdict) : figures::with_names(row.reason)) + '\n' +
                       figures::warned_text(row.passed_limits))
          .trimmed();
    case ResultColumn::star:
      return row.starred ? tr("Starred; click to remove the star (S).") : tr("Click to star it (S).");
    case ResultColumn::campaign:
      if (!row.campaign) return tr("Not part of a campaign.");
      return tr("%1: point %2, repeat %3, try %4")
          .arg(theme::qt(row.campaign_name))
          .arg(row.campaign->point)
          .arg(row.campaign->repeat)
          .arg(row.campaign->attempt);
    case ResultColumn::p50:
    case ResultColumn::p99:
    case ResultColumn::trimmed_mean:
      if (const auto ns = cell_number(spec.column, row))
        return theme::qt(text::duration(*ns) + " " + record::from_text(row.intended.has_value()));
      return tr("No messages were received.");
    case ResultColumn::size:
      return tr("%1 in the store, %2 in files in %3")
          .arg(theme::qt(text::bytes(static_cast<double>(row.stored_bytes))),
               theme::qt(text::bytes(static_cast<double>(row.file_bytes))), theme::qt(row.folder));
    default:
      return theme::qt(cell_text(spec.column, row, scales_));
  }
}

const QString& ResultModel::words_of(int row) const {
  const store::ResultRow& of = row_at(row);
  const auto [at, is_new] = words_.try_emplace(of.id);
  if (!is_new) return at->second;
  words_made_++;
  at->second = store::searched_text(of);
  return at->second;
}

void ResultModel::change(int64_t id, const std::function<void(store::ResultRow&)>& by) {
  const auto row = row_of(id);
  if (!row) return;
  by(rows_[static_cast<size_t>(*row)]);
  words_.erase(id);
  Q_EMIT dataChanged(index(*row, 0), index(*row, columnCount() - 1));
}

QVariant ResultModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ResultColumnSpec& spec = spec_of(section);
  if (role == Qt::DisplayRole) return theme::qt(header_text(spec, scales_));
  if (role == Qt::AccessibleTextRole && spec.column == ResultColumn::star) return tr("Star");
  if (role == Qt::DecorationRole && spec.column == ResultColumn::star) return theme::icon("star");
  if (role == Qt::ToolTipRole) return QString::fromUtf8(spec.help);
  if (role == Qt::TextAlignmentRole) return int((spec.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

}  // namespace n2nq::ui

#include "moc_result_model.cpp"
