#include "ui/run/process_list.h"

#include <QHeaderView>
#include <algorithm>

#include "app/hosts/host_list.h"
#include "ui/theme/plain_tip.h"

namespace n2nq::ui {
namespace {

constexpr int kLeastRows = 4;

bool same(const run::ProcessStatus& a, const run::ProcessStatus& b) {
  return a.name == b.name && a.place == b.place && a.pid == b.pid && a.state == b.state;
}

}  // namespace

void ProcessModel::show_processes(std::vector<run::ProcessStatus> processes) {
  if (processes.size() != processes_.size()) {
    beginResetModel();
    processes_ = std::move(processes);
    endResetModel();
    return;
  }
  if (std::equal(processes.begin(), processes.end(), processes_.begin(), same)) return;
  processes_ = std::move(processes);
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

bool ProcessModel::all_here() const {
  return std::ranges::all_of(processes_, [](const auto& process) { return hosts::is_local(process.place); });
}

int ProcessModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(processes_.size());
}

int ProcessModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QVariant ProcessModel::data(const QModelIndex& index, int role) const {
  const auto& process = processes_[static_cast<size_t>(index.row())];
  if (role == Qt::TextAlignmentRole && index.column() == pid) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && (index.column() == state || index.column() == place))
    return theme::plain_tip(index.data().toString());
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case name:
      return QString::fromStdString(process.name);
    case place:
      return QString::fromStdString(process.place);
    case state:
      return QString::fromStdString(process.state);
    default:
      return process.pid != 0 ? QVariant(QString::number(process.pid)) : QVariant("-");
  }
}

QVariant ProcessModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section == pid ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case name:
      return tr("Process");
    case place:
      return tr("Host");
    case state:
      return tr("State");
    default:
      return tr("PID");
  }
}

ProcessList::ProcessList(QWidget* parent) : theme::TableView(tr("Processes"), parent), model_(new ProcessModel(this)) {
  setModel(model_);
  setToolTip(tr("The processes of the run and their states."));
  set_empty_text(tr("The processes of the run appear here after Start."), Qt::AlignHCenter | Qt::AlignTop);
  setAlternatingRowColors(false);
  setFrameShape(QFrame::NoFrame);
  const QFontMetrics metrics(font());
  setColumnWidth(ProcessModel::name, metrics.horizontalAdvance("receivers 5,001-10,000"));
  setColumnWidth(ProcessModel::place, metrics.horizontalAdvance("this computer") + 2 * theme::kGrid);
  setColumnHidden(ProcessModel::place, true);
  setColumnWidth(ProcessModel::pid, metrics.horizontalAdvance("0000000000"));
  horizontalHeader()->setSectionResizeMode(ProcessModel::state, QHeaderView::Stretch);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  setMinimumHeight(kLeastRows * verticalHeader()->defaultSectionSize() + horizontalHeader()->sizeHint().height());
}

void ProcessList::show_processes(std::vector<run::ProcessStatus> processes) {
  model_->show_processes(std::move(processes));
  setColumnHidden(ProcessModel::place, model_->all_here());
}

}  // namespace n2nq::ui

#include "moc_process_list.cpp"
