#include "ui/buses/bus_model.h"

#include "ui/theme/cell_delegate.h"

namespace n2nq::ui {
namespace {

constexpr theme::TableColumn kBusColumns[BusModel::columns] = {
    {"Bus", "What the messages of a run travel over.", {14, 24}},
    {"State", "Whether its server is installed on this computer or host.", {16, 20}},
    {"Version", "What the server's program says of itself; -: it cannot be told.", {8, 14}},
    {"Last test", "What the last test since the bench started found.", {16, 56}},
    {"Modes", "What it can do with a message.", {14, 44}},
    {"Kept in", "Where a message is until it is delivered, unless a setting says otherwise.", {8, 16}},
    {"Program", "Where the server's program is, or how to install it.", {24, 80}},
};

}  // namespace

theme::TableView* make_bus_table(BusModel& model, QWidget* parent) {
  auto* table = new theme::TableView(BusModel::tr("Buses"), parent);
  theme::show_columns(*table, model, kBusColumns);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setAccessibleDescription(BusModel::tr("One row per bus."));
  table->setItemDelegate(new theme::CellDelegate(table));
  table->setFrameShape(QFrame::NoFrame);
  return table;
}

BusModel::BusModel(QObject* parent) : theme::ColumnModel(kBusColumns, parent) {}

void BusModel::set_rows(std::vector<BusRow> rows) {
  const bool same = rows.size() == rows_.size();
  replace(rows_, std::move(rows), same);
}

QString BusModel::text(size_t place, int column) const {
  const BusRow& row = rows_[place];
  switch (column) {
    case name:
      return row.name;
    case state:
      return row.state.text;
    case version:
      return row.version;
    case last_test:
      return row.last_test.isEmpty() ? tr("not tested") : row.last_test;
    case modes:
      return row.modes;
    case kept:
      return row.kept;
    case program:
      return row.program;
    default:
      return {};
  }
}

QVariant BusModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const BusRow& row = rows_[static_cast<size_t>(index.row())];
  if (role == theme::CellDelegate::tone_role && index.column() == state && !row.state.text.isEmpty())
    return int(row.state.tone);
  if (role == Qt::ForegroundRole && index.column() == last_test && row.last_test.isEmpty()) return theme::muted_text();
  return theme::ColumnModel::data(index, role);
}

}  // namespace n2nq::ui

#include "moc_bus_model.cpp"
