#include "ui/services/matrix_model.h"

#include "ui/services/service_columns.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

uint32_t receiver_of(const QModelIndex& index) {
  return static_cast<uint32_t>(index.row()) + 1;
}

uint32_t sender_of(const QModelIndex& index) {
  return static_cast<uint32_t>(index.column()) + 1;
}

}  // namespace

MatrixModel::MatrixModel(FilterDraft& draft, QObject* parent)
    : QAbstractTableModel(parent),
      draft_(draft),
      rows_(static_cast<int>(draft.receivers())),
      columns_(static_cast<int>(draft.senders())) {
  connect(&draft, &FilterDraft::changed, this, &MatrixModel::follow);
}

void MatrixModel::follow() {
  const auto rows = static_cast<int>(draft_.receivers());
  const auto columns = static_cast<int>(draft_.senders());
  if (rows != rows_ || columns != columns_) {
    beginResetModel();
    rows_ = rows;
    columns_ = columns;
    endResetModel();
  } else if (rows > 0 && columns > 0) {
    Q_EMIT dataChanged(index(0, 0), index(rows - 1, columns - 1), {Qt::CheckStateRole, Qt::AccessibleTextRole});
  }
}

bool MatrixModel::wanted(const QModelIndex& index) const {
  return draft_.matrix().wanted(receiver_of(index), sender_of(index));
}

int MatrixModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int MatrixModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns_;
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex& index) const {
  return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable : Qt::NoItemFlags;
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::CheckStateRole) return wanted(index) ? Qt::Checked : Qt::Unchecked;
  if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) {
    const QString text =
        wanted(index) ? QStringLiteral("r%1 receives messages from s%2") : QStringLiteral("r%1 receives none from s%2");
    return text.arg(receiver_of(index)).arg(sender_of(index));
  }
  return {};
}

bool MatrixModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::CheckStateRole) return false;
  const bool on = value.toInt() == Qt::Checked;
  draft_.edit_freely([&](plan::FilterMatrix& matrix) { matrix.set(receiver_of(index), sender_of(index), on); });
  return true;
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const Role of = orientation == Qt::Horizontal ? Role::sender : Role::receiver;
  if (role == Qt::DisplayRole) return theme::qt(service_name(of, static_cast<uint32_t>(section) + 1));
  if (role == Qt::ToolTipRole)
    return QStringLiteral("Selects all of %1.").arg(theme::qt(service_name(of, static_cast<uint32_t>(section) + 1)));
  return {};
}

}  // namespace n2nq::ui

#include "moc_matrix_model.cpp"
