#include "ui/campaigns/campaign_list.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/theme/cell_delegate.h"
#include "ui/theme/plain_tip.h"

namespace n2nq::ui {
namespace {

struct ColumnSpec {
  const char* header;
  const char* help;
  theme::TableView::Width width;
};
constexpr ColumnSpec kColumns[ListModel::columns] = {
    {"#", "The number of the campaign, for use in commands: n2nq-bench campaign --id 3.", {4, 10}},
    {"Campaign", "What the campaign is called.", {20, 48}},
    {"State", "Whether it is running, can be resumed, or has finished.", {14, 24, true}},
    {"Runs", "How many of its runs are completed; how many a search needs is not known in advance.", {12, 24}},
    {"Started", "When it was first started.", {18, 24}},
    {"How it ended", "Why it ended, if it has finished.", {20, 200}},
};

}  // namespace

void ListModel::set_rows(std::vector<ListRow> rows) {
  if (rows == rows_) return;
  const bool same = std::ranges::equal(rows, rows_, {}, &ListRow::id, &ListRow::id);
  if (!same) beginResetModel();
  rows_ = std::move(rows);
  if (!same) return endResetModel();
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

int ListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ListModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QString ListModel::text(const ListRow& row, int column) {
  switch (column) {
    case number:
      return row.id ? QString::number(*row.id) : QString();
    case name:
      return row.name;
    case state:
      return row.state;
    case runs:
      return row.runs;
    case started:
      return row.started;
    case end:
      return row.end;
    default:
      return {};
  }
}

QVariant ListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ListRow& row = rows_[static_cast<size_t>(index.row())];
  const QString shown = text(row, index.column());
  switch (role) {
    case Qt::DisplayRole:
      return shown;
    case theme::CellDelegate::tone_role:
      if (index.column() != state || shown.isEmpty()) return {};
      return int(row.status ? theme::tone_of(*row.status) : theme::Tone::muted);
    case theme::CellDelegate::share_role:
      return index.column() == runs && row.share ? QVariant(*row.share) : QVariant();
    case Qt::ToolTipRole:
      return theme::plain_tip(shown);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1 %2").arg(tr(kColumns[index.column()].header), shown);
    default:
      return {};
  }
}

QVariant ListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
  if (role == Qt::DisplayRole) return tr(kColumns[section].header);
  if (role == Qt::ToolTipRole) return tr(kColumns[section].help);
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  return {};
}

CampaignList::CampaignList(QWidget* parent) : theme::TableView(tr("Campaigns"), parent), model_(new ListModel(this)) {
  setModel(model_);
  setAccessibleDescription(tr("One row per campaign; the selected one is shown below, and Delete deletes it."));
  setSelectionMode(SingleSelection);
  setItemDelegate(new theme::CellDelegate(this));
  setFrameShape(QFrame::NoFrame);
  setMinimumHeight(4 * theme::kControlHeight);  // its header, what is selected, and its neighbours
  horizontalHeader()->setStretchLastSection(true);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CampaignList::chosen);
  set_widths([](int column) { return kColumns[column].width; });
}

const ListRow* CampaignList::current() const {
  const QModelIndex index = currentIndex();
  return index.isValid() ? &model_->rows()[static_cast<size_t>(index.row())] : nullptr;
}

void CampaignList::show_rows(std::vector<ListRow> rows) {
  const bool had = current() != nullptr;
  const std::optional<int64_t> id = had ? current()->id : std::nullopt;
  const int place = currentIndex().row();
  {
    const QSignalBlocker quiet(selectionModel());
    model_->set_rows(std::move(rows));
    if (had) choose(id);
    if (const int last = model_->rowCount() - 1; current() == nullptr && last >= 0)
      selectRow(std::clamp(place, 0, last));
  }
  viewport()->update();
  fit_columns();
  const bool same = had && current() != nullptr && current()->id == id;
  if (!same) Q_EMIT chosen();
}

void CampaignList::choose(std::optional<int64_t> id) {
  const auto found = std::ranges::find(model_->rows(), id, &ListRow::id);
  if (found != model_->rows().end()) selectRow(static_cast<int>(found - model_->rows().begin()));
}

}  // namespace n2nq::ui

#include "moc_campaign_list.cpp"
