#include <algorithm>

#include "app/figures/setting_text.h"
#include "app/text/quantity.h"
#include "ui/campaigns/point_table.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using campaign::PointRow;
using campaign::RepeatRow;
using campaign::RunState;
using theme::qt;

bool same_shape(const std::vector<PointRow>& a, const std::vector<PointRow>& b) {
  return std::ranges::equal(a, b, {}, &PointRow::label, &PointRow::label);
}

int most_repeats(const std::vector<PointRow>& rows) {
  size_t most = 0;
  for (const PointRow& row : rows) most = std::max(most, row.repeats.size());
  return static_cast<int>(std::min<size_t>(most, PointModel::kMostRepeatColumns));
}

// For a run of a search.
QString outcome_text(const RepeatRow& repeat) {
  if (!repeat.outcome) return {};
  switch (*repeat.outcome) {
    case campaign::Outcome::met:
      return PointModel::tr("met");
    case campaign::Outcome::bus:
      return PointModel::tr("not met");
    case campaign::Outcome::senders:
      return PointModel::tr("senders were late");
    case campaign::Outcome::failed:
      break;
  }
  return {};
}

QString doubtful_text(const PointRow& row) {
  return PointModel::tr("%1 doubtful").arg(row.doubtful());
}

}  // namespace

void PointModel::set_points(std::vector<PointRow> rows, std::optional<CurrentRun> current) {
  const int repeats = most_repeats(rows);
  const bool waiting = std::ranges::any_of(rows, &PointRow::shows_waiting);
  const bool same = repeats == repeats_ && waiting == shows_waiting_ && same_shape(rows, rows_);
  if (!same) beginResetModel();
  const QStringList headers = figure_headers();
  rows_ = std::move(rows);
  current_ = current;
  repeats_ = repeats;
  shows_waiting_ = waiting;
  figures_ = figures_of_rows();
  if (!same) return endResetModel();
  if (rows_.empty()) return;
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  if (headers != figure_headers()) Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);  // another unit
}

std::vector<text::Column> PointModel::figures_of_rows() const {
  std::vector<text::Column> columns;
  for (const auto figure : {&PointRow::shown_trimmed_ns, &PointRow::shown_p99_ns, &PointRow::waiting_ns}) {
    text::Column& column = columns.emplace_back(text::Unit::duration);
    for (const PointRow& row : rows_) column.add(row.*figure);
  }
  return columns;
}

QString PointModel::figure_header(int figure) const {
  const figures::FirstLatency latency = rows_.empty() ? figures::FirstLatency() : rows_.front().latency;
  const std::string name = figure == 0 ? latency.title("trimmed") : figure == 1 ? latency.title("p99") : "Waiting";
  return qt(figures_.empty() ? name : figures_[static_cast<size_t>(figure)].head(name));
}

QStringList PointModel::figure_headers() const {
  QStringList headers;
  for (int figure = 0; figure < figure_columns(); figure++) headers << figure_header(figure);
  return headers;
}

int PointModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int PointModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : first_repeat + repeats_ + figure_columns();
}

const RepeatRow* PointModel::repeat_at(const QModelIndex& index) const {
  if (!is_repeat(index.column())) return nullptr;
  const auto& repeats = rows_[static_cast<size_t>(index.row())].repeats;
  const auto at = static_cast<size_t>(index.column() - first_repeat);
  return at < repeats.size() ? &repeats[at] : nullptr;
}

bool PointModel::is_current(const QModelIndex& index) const {
  return current_ && rows_[static_cast<size_t>(index.row())].number == current_->run.point &&
         static_cast<uint32_t>(index.column() - first_repeat + 1) == current_->run.repeat;
}

bool PointModel::is_doubtful(const QModelIndex& index) const {
  const RepeatRow* repeat = repeat_at(index);
  return repeat != nullptr && repeat->is_doubtful();
}

int64_t PointModel::result_at(const QModelIndex& index) const {
  if (!index.isValid()) return 0;
  if (is_repeat(index.column())) {
    const RepeatRow* repeat = repeat_at(index);
    return repeat == nullptr ? 0 : repeat->result;
  }
  return rows_[static_cast<size_t>(index.row())].last_result();
}

QString PointModel::state_text(const PointRow& row) const {
  const size_t all = row.repeats.size();
  if (current_ && current_->run.point == row.number) return tr("running");
  if (row.of_search && row.done() > 0) return tr("met in %1 of %2").arg(row.met()).arg(row.done());
  if (row.failed() > 0) return tr("%1 of %2 failed").arg(row.failed()).arg(all);
  if (row.done() == all) return tr("completed");
  return row.done() == 0 ? tr("not run") : tr("%1 of %2 completed").arg(row.done()).arg(all);
}

QString PointModel::repeat_text(const QModelIndex& index) const {
  if (is_current(index)) return current_->attempt > 1 ? tr("running, try %1").arg(current_->attempt) : tr("running");
  const RepeatRow* repeat = repeat_at(index);
  if (repeat == nullptr) return {};
  const QString tries = repeat->tries > 1 ? tr(", try %1").arg(repeat->tries) : QString();
  if (const QString said = outcome_text(*repeat); !said.isEmpty()) return said + tries;
  switch (repeat->state) {
    case RunState::done:
      return tr("completed") + tries;
    case RunState::failed:
      return tr("failed") + tries;
    case RunState::open:
      break;
  }
  return repeat->tries > 0 ? tr("to be repeated") : tr("pending");
}

QString PointModel::text(const QModelIndex& index) const {
  const PointRow& row = rows_[static_cast<size_t>(index.row())];
  if (index.column() == number) return QString::number(row.number);
  if (index.column() == label) return row.label.empty() ? tr("the plan") : qt(row.label);
  if (index.column() == state) return state_text(row);
  if (is_repeat(index.column())) return repeat_text(index);
  const auto figure = static_cast<size_t>(index.column() - first_repeat - repeats_);
  return qt(figures_[figure].cell(static_cast<size_t>(index.row())));
}

QString PointModel::accessible_text(const QModelIndex& index) const {
  if (is_doubtful(index)) return tr("%1, doubtful").arg(text(index));
  const PointRow& row = rows_[static_cast<size_t>(index.row())];
  return index.column() == state && row.doubtful() > 0 ? text(index) + ", " + doubtful_text(row) : text(index);
}

QString PointModel::tip(const QModelIndex& index) const {
  const PointRow& row = rows_[static_cast<size_t>(index.row())];
  QString tip = text(index);
  if (const RepeatRow* repeat = repeat_at(index)) {
    if (const std::string& reason = repeat->outcome ? repeat->why : repeat->last_reason; !reason.empty())
      tip += ": " + qt(figures::with_names(reason));
    if (repeat->is_doubtful()) tip += tr("; doubtful: %1").arg(qt(figures::with_names(repeat->doubts)));
    if (repeat->result != 0) tip += ". " + tr("A click opens its result.");
  }
  if (index.column() == state && row.doubtful() > 0) tip += "; " + doubtful_text(row);
  if (index.column() == label && row.external_here)
    tip += ". " + tr("Not external: external services ran on the queue's computer.");
  return theme::plain_tip(tip);
}

QVariant PointModel::icon(const QModelIndex& index) const {
  if (is_repeat(index.column()) && is_current(index)) return theme::icon("start");
  if (const RepeatRow* repeat = repeat_at(index)) {
    if (repeat->outcome == campaign::Outcome::bus) return theme::icon(theme::Status::bad);
    if (repeat->outcome == campaign::Outcome::senders) return theme::icon(theme::Status::info);
    if (repeat->state == RunState::done)
      return theme::icon(is_doubtful(index) ? theme::Status::warning : theme::Status::good);
    if (repeat->state == RunState::failed) return theme::icon(theme::Status::bad);
  }
  // Of a point with more repeats than columns it is said here alone.
  if (index.column() == state && rows_[static_cast<size_t>(index.row())].doubtful() > 0)
    return theme::icon(theme::Status::warning);
  return {};
}

QVariant PointModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  switch (role) {
    case Qt::DisplayRole:
      return text(index);
    case Qt::DecorationRole:
      return icon(index);
    case Qt::ToolTipRole:
      return tip(index);
    case Qt::ForegroundRole:
      if (const RepeatRow* repeat = repeat_at(index); repeat != nullptr && repeat->result == 0)
        return theme::muted_text();
      return {};
    case Qt::TextAlignmentRole:
      return int(
          (index.column() == number || index.column() >= first_repeat + repeats_ ? Qt::AlignRight : Qt::AlignLeft) |
          Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1 %2").arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
                                         accessible_text(index));
    default:
      return {};
  }
}

QVariant PointModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const bool figure = section >= first_repeat + repeats_;
  const bool p99 = section == first_repeat + repeats_ + 1;
  if (role == Qt::TextAlignmentRole)
    return int((section == number || figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  const bool words = role == Qt::DisplayRole;
  if (!words && role != Qt::ToolTipRole) return {};
  if (section == number) return words ? tr("No.") : tr("The number of the point in the campaign.");
  if (section == label) return words ? tr("Point") : tr("The value on each axis.");
  if (section == state) return words ? tr("State") : tr("How many of its runs are completed.");
  if (is_repeat(section))
    return words ? tr("Repeat %1").arg(section - first_repeat + 1)
                 : tr("This run of the point; a click opens its result.");
  if (section > first_repeat + repeats_ + 1)
    return words ? figure_header(2) : tr("How long messages waited for service; mean over the completed repeats.");
  if (p99)
    return words ? figure_header(1)
                 : tr("99 % of the latencies, or turnarounds, are below this; mean over the completed repeats.");
  return words ? figure_header(0)
               : tr("Mean of the lowest 95 % of the latencies, or turnarounds; mean over the completed repeats.");
}

}  // namespace n2nq::ui
