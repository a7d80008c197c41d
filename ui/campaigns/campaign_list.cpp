#include "ui/campaigns/campaign_list.h"

#include <QSignalBlocker>
#include <algorithm>

#include "ui/theme/cell_delegate.h"

namespace n2nq::ui {
namespace {

constexpr theme::TableColumn kListColumns[ListModel::columns] = {
    {"#", "The number of the campaign, for use in commands: n2nq-bench campaign --id 3.", {4, 10}},
    {"Campaign", "What the campaign is called.", {20, 48}},
    {"State", "Whether it is running, can be resumed, or has finished.", {14, 24, true}},
    {"Runs", "How many of its runs are completed; how many a search needs is not known in advance.", {12, 24}},
    {"Started", "When it was first started.", {18, 24}},
    {"How it ended", "Why it ended, if it has finished.", {20, 200}},
};

}  // namespace

ListModel::ListModel(QObject* parent) : theme::ColumnModel(kListColumns, parent) {}

void ListModel::set_rows(std::vector<ListRow> rows) {
  if (rows == rows_) return;
  const bool same = std::ranges::equal(rows, rows_, {}, &ListRow::id, &ListRow::id);
  replace(rows_, std::move(rows), same);
}

QString ListModel::text(size_t place, int column) const {
  const ListRow& row = rows_[place];
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
  if (role == theme::CellDelegate::tone_role && index.column() == state && !row.state.isEmpty())
    return int(row.status ? theme::tone_of(*row.status) : theme::Tone::muted);
  if (role == theme::CellDelegate::share_role && index.column() == runs && row.share) return *row.share;
  return theme::ColumnModel::data(index, role);
}

CampaignList::CampaignList(QWidget* parent) : theme::TableView(tr("Campaigns"), parent), model_(new ListModel(this)) {
  theme::show_columns(*this, *model_, kListColumns);
  setAccessibleDescription(tr("One row per campaign; the selected one is shown below, and Delete deletes it."));
  setSelectionMode(SingleSelection);
  setItemDelegate(new theme::CellDelegate(this));
  setFrameShape(QFrame::NoFrame);
  setMinimumHeight(4 * theme::kControlHeight);  // its header, what is selected, and its neighbours
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CampaignList::chosen);
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
