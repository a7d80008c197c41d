#include "ui/hosts/host_model.h"

#include <QHeaderView>
#include <utility>

#include "ui/hosts/host_fields.h"
#include "ui/theme/plain_tip.h"

namespace n2nq::ui {
namespace {

using run::TestStep;
using theme::qt;

struct ColumnSpec {
  const char* header;
  const char* help;
  theme::TableView::Width width;
};

constexpr ColumnSpec kHostColumns[HostModel::columns] = {
    {"Name", "The name of the host in plans and results.", {12, 24}},
    {"Last test", "The result of the last test since the bench started.", {40, 64, true}},
    {"Address", "Its address and port, or the command to reach it.", {16, 32}},
    {"User", "The user name on the host; empty: the same as here.", {8, 16}},
    {"Jump host", "The host through which it is reached.", {8, 16}},
    {"Data address", "The address at which other hosts reach a queue on it.", {14, 24}},
    {"Kind", "How it is reached: by SSH or by a command.", {8, 10}},
    {"Notes", "Your notes on it.", {10, 80}},
};

}  // namespace

theme::TableView* make_host_table(HostModel& model, QWidget* parent) {
  auto* table = new theme::TableView(HostModel::tr("Hosts"), parent);
  table->setModel(&model);
  table->setAccessibleDescription(HostModel::tr("One row per host. Enter goes to its fields, Delete removes it."));
  table->set_empty_text(
      HostModel::tr("No hosts yet: everything runs on this computer. Add one, or import from ~/.ssh/config."));
  table->horizontalHeader()->setStretchLastSection(true);
  table->set_widths([](int column) { return kHostColumns[column].width; });
  return table;
}

std::optional<theme::Status> status_of(TestStep::Mark mark) {
  switch (mark) {
    case TestStep::Mark::good:
      return theme::Status::good;
    case TestStep::Mark::warning:
      return theme::Status::warning;
    case TestStep::Mark::bad:
      return theme::Status::bad;
    case TestStep::Mark::waiting:
    case TestStep::Mark::under_way:
    case TestStep::Mark::not_tried:
      break;
  }
  return {};
}

HostModel::HostModel(TestOf test_of, QObject* parent) : QAbstractTableModel(parent), test_of_(std::move(test_of)) {}

// Rows that stay keep their selection: an edit of one host is not another list.
void HostModel::set_list(const hosts::HostList& list) {
  if (list.hosts.size() == list_.hosts.size()) {
    list_ = list;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    return;
  }
  beginResetModel();
  list_ = list;
  endResetModel();
}

void HostModel::show_tests() {
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, last_test), index(rowCount() - 1, last_test));
}

int HostModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(list_.hosts.size());
}

int HostModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QString HostModel::text(const hosts::Host& host, int column) const {
  switch (column) {
    case name:
      return qt(host.name);
    case last_test: {
      const run::HostTest* test = test_of_(host.name);
      return test == nullptr ? tr("not tested") : qt(test->summary());
    }
    case address:
      return reached_at(host);
    case user:
      return qt(host.user);
    case jump:
      return qt(host.jump);
    case data_address:
      return qt(hosts::data_address_of(host));
    case kind:
      return qt(hosts::to_text(host.kind));
    case notes:
      return qt(host.notes).replace(u'\n', u' ');
    default:
      return {};
  }
}

QVariant HostModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const hosts::Host& host = list_.hosts[static_cast<size_t>(index.row())];
  const QString shown = text(host, index.column());
  const run::HostTest* test = index.column() == last_test ? test_of_(host.name) : nullptr;
  switch (role) {
    case Qt::DisplayRole:
      return shown;
    case Qt::DecorationRole:
      if (test == nullptr) return {};
      if (const auto status = status_of(test->mark())) return theme::icon(*status);
      return {};
    case Qt::ForegroundRole:
      if (index.column() == last_test && test == nullptr) return theme::muted_text();
      return {};
    case Qt::ToolTipRole:
      return theme::plain_tip(index.column() == notes ? qt(host.notes) : shown);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1 %2").arg(tr(kHostColumns[index.column()].header), shown);
    default:
      return {};
  }
}

QVariant HostModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
  if (role == Qt::DisplayRole) return tr(kHostColumns[section].header);
  if (role == Qt::ToolTipRole) return tr(kHostColumns[section].help);
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  return {};
}

}  // namespace n2nq::ui

#include "moc_host_model.cpp"
