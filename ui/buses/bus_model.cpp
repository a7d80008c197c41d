#include "ui/buses/bus_model.h"

#include <QHeaderView>

#include "ui/theme/cell_delegate.h"
#include "ui/theme/plain_tip.h"

namespace n2nq::ui {
namespace {

struct BusColumn {
  const char* header;
  const char* help;
  theme::TableView::Width width;
};

constexpr BusColumn kBusColumns[BusModel::columns] = {
    {"Bus", "What the messages of a run travel over.", {14, 24}},
    {"State", "Whether its server is installed on this computer or host.", {16, 20}},
    {"Version", "What the server's program says of itself; -: it cannot be told.", {8, 14}},
    {"Last test", "What the last test since the bench started found.", {16, 56}},
    {"Modes", "What it can do with a message.", {14, 44}},
    {"Kept in", "Where a message is until it is delivered, unless a setting says otherwise.", {8, 16}},
    {"Program", "Where the server's program is, or how to install it.", {24, 80}},
};

QString text_of(const BusRow& row, int column) {
  switch (column) {
    case BusModel::name:
      return row.name;
    case BusModel::state:
      return row.state.text;
    case BusModel::version:
      return row.version;
    case BusModel::last_test:
      return row.last_test.isEmpty() ? BusModel::tr("not tested") : row.last_test;
    case BusModel::modes:
      return row.modes;
    case BusModel::kept:
      return row.kept;
    case BusModel::program:
      return row.program;
    default:
      return {};
  }
}

}  // namespace

theme::TableView* make_bus_table(BusModel& model, QWidget* parent) {
  auto* table = new theme::TableView(BusModel::tr("Buses"), parent);
  table->setModel(&model);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setAccessibleDescription(BusModel::tr("One row per bus."));
  table->horizontalHeader()->setStretchLastSection(true);
  table->setItemDelegate(new theme::CellDelegate(table));
  table->setFrameShape(QFrame::NoFrame);
  table->set_widths([](int column) { return kBusColumns[column].width; });
  return table;
}

void BusModel::set_rows(std::vector<BusRow> rows) {
  if (rows.size() == rows_.size()) {
    rows_ = std::move(rows);
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    return;
  }
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int BusModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BusModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QVariant BusModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const BusRow& row = rows_[static_cast<size_t>(index.row())];
  const QString shown = text_of(row, index.column());
  switch (role) {
    case Qt::DisplayRole:
      return shown;
    case theme::CellDelegate::tone_role:
      return index.column() == state && !shown.isEmpty() ? QVariant(int(row.state.tone)) : QVariant();
    case Qt::ForegroundRole:
      if (index.column() == last_test && row.last_test.isEmpty()) return theme::muted_text();
      return {};
    case Qt::ToolTipRole:
      return theme::plain_tip(shown);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1 %2").arg(tr(kBusColumns[index.column()].header), shown);
    default:
      return {};
  }
}

QVariant BusModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
  if (role == Qt::DisplayRole) return tr(kBusColumns[section].header);
  if (role == Qt::ToolTipRole) return tr(kBusColumns[section].help);
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  return {};
}

}  // namespace n2nq::ui

#include "moc_bus_model.cpp"
