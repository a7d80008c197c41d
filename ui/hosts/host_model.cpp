#include "ui/hosts/host_model.h"

#include <utility>

#include "app/text/quantity.h"
#include "ui/hosts/host_fields.h"
#include "ui/theme/cell_delegate.h"
#include "ui/theme/plain_tip.h"

namespace n2nq::ui {
namespace {

using run::TestStep;
using theme::qt;

constexpr theme::TableColumn kHostColumns[HostModel::columns] = {
    {"Name", "The name of the host in plans and results.", {12, 24}},
    {"State", "Whether it was tested since the bench started, and could be reached.", {16, 20}},
    {"Last test", "What the last test since the bench started found.", {24, 64}},
    {"Clock error", "How far its clock may be off the queue's, as the last test found.", {10, 14}},
    {"Address", "Its address and port, or the command to reach it.", {14, 32}},
    {"User", "The user name on the host; empty: the same as here.", {8, 16}},
    {"Jump host", "The host through which it is reached.", {8, 16}},
    {"Data address", "The address at which other hosts reach a queue on it.", {14, 24}},
    {"Kind", "How it is reached: by SSH or by a command.", {8, 10}},
    {"Notes", "Your notes on it.", {6, 80}},
};

}  // namespace

theme::TableView* make_host_table(HostModel& model, QWidget* parent) {
  auto* table = new theme::TableView(HostModel::tr("Hosts"), parent);
  theme::show_columns(*table, model, kHostColumns);
  table->setAccessibleDescription(HostModel::tr("One row per host. Enter goes to its fields, Delete removes it."));
  table->setItemDelegate(new theme::CellDelegate(table));
  table->setFrameShape(QFrame::NoFrame);
  return table;
}

TestState state_of(const run::HostTest* test) {
  if (test == nullptr) return {theme::Tone::muted, HostModel::tr("never tested")};
  switch (test->mark()) {
    case TestStep::Mark::good:
      return {theme::Tone::good, HostModel::tr("tested")};
    case TestStep::Mark::warning:
      return {theme::Tone::warning, HostModel::tr("tested, warning")};
    case TestStep::Mark::bad:
      return {theme::Tone::bad, test->reached() ? HostModel::tr("test failed") : HostModel::tr("unreachable")};
    case TestStep::Mark::under_way:
    case TestStep::Mark::waiting:
      return {theme::Tone::info, HostModel::tr("testing")};
    case TestStep::Mark::not_tried:
      break;
  }
  return {theme::Tone::muted, HostModel::tr("test abandoned")};
}

QString clock_error_of(const run::HostTest& test) {
  if (!test.clock_error_ns()) return {};
  return QStringLiteral("\u00b1 ") + qt(text::duration(static_cast<double>(*test.clock_error_ns())));
}

HostModel::HostModel(TestOf test_of, QObject* parent)
    : theme::ColumnModel(kHostColumns, parent), test_of_(std::move(test_of)) {}

// Rows that stay keep their selection: an edit of one host is not another list.
void HostModel::set_list(const hosts::HostList& list) {
  replace(list_, list, list.hosts.size() == list_.hosts.size());
}

void HostModel::show_tests() {
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, state), index(rowCount() - 1, clock_error));
}

QString HostModel::text(size_t row, int column) const {
  const hosts::Host& host = list_.hosts[row];
  switch (column) {
    case name:
      return qt(host.name);
    case state:
      return state_of(test_of_(host.name)).text;
    case clock_error: {
      const run::HostTest* test = test_of_(host.name);
      return test == nullptr ? QString() : clock_error_of(*test);
    }
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
  if (role == theme::CellDelegate::tone_role && index.column() == state) return int(state_of(test_of_(host.name)).tone);
  if (role == Qt::ForegroundRole && index.column() == last_test && test_of_(host.name) == nullptr)
    return theme::muted_text();
  if (role == Qt::ToolTipRole && index.column() == notes) return theme::plain_tip(qt(host.notes));
  return theme::ColumnModel::data(index, role);
}

}  // namespace n2nq::ui

#include "moc_host_model.cpp"
