#include "ui/campaigns/campaign_list.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/theme/plain_tip.h"
#include "ui/theme/whole_header.h"

namespace n2nq::campaigns {
namespace {

using theme::kGrid;

struct ColumnSpec {
  const char* header;
  const char* help;
  int least, most;  // width in average characters: as wide as its texts within these
};
constexpr ColumnSpec kColumns[ListModel::columns] = {
    {"#", "The number of the campaign, for use in commands: n2nq-bench campaign --id 3.", 4, 10},
    {"Campaign", "The name of the campaign and of its results.", 20, 48},
    {"State", "Whether it is running, can be resumed, or has finished.", 14, 24},
    {"Runs", "How many of its runs are completed; how many a search needs is not known in advance.", 12, 24},
    {"Started", "When it was first started.", 18, 24},
    {"How it ended", "Why it ended, if it has finished.", 20, 200},
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
    case Qt::DecorationRole:
      return index.column() == state && row.status ? QVariant(theme::icon(*row.status)) : QVariant();
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

CampaignList::CampaignList(QWidget* parent) : QTableView(parent), model_(new ListModel(this)) {
  setHorizontalHeader(new theme::WholeHeader(this));
  setModel(model_);
  setAccessibleName(tr("Campaigns"));
  setAccessibleDescription(tr("One row per campaign; the selected one is shown below, and Delete deletes it."));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  setWordWrap(false);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CampaignList::chosen);
  take_theme();
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

void CampaignList::fit_columns() {
  const QFontMetrics metrics(theme::text_font());
  for (int column = 0; column < ListModel::columns; column++) {
    int wanted = metrics.horizontalAdvance(tr(kColumns[column].header));
    for (int row = 0; row < model_->rowCount(); row++)
      wanted = std::max(wanted, metrics.horizontalAdvance(model_->index(row, column).data().toString()));
    const int character = metrics.averageCharWidth();
    const int icon = column == ListModel::state ? 3 * kGrid : 0;
    setColumnWidth(column, std::clamp(wanted, kColumns[column].least * character, kColumns[column].most * character) +
                               2 * kGrid + icon);
  }
}

bool CampaignList::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
    event->accept();
  return QTableView::event(event);
}

void CampaignList::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete && event->isAutoRepeat()) return;  // held, it would take row after row
  if (event->key() == Qt::Key_Delete) return delete_wanted();
  if (!event->matches(QKeySequence::Copy) || current() == nullptr) return QTableView::keyPressEvent(event);
  QStringList cells;
  for (int column = 0; column < ListModel::columns; column++)
    cells += model_->index(currentIndex().row(), column).data().toString().replace(u'\t', u' ');
  QApplication::clipboard()->setText(cells.join(u'\t') + u'\n');
}

// By the keyboard it comes up at the current row.
void CampaignList::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() != QContextMenuEvent::Keyboard) {
    if (indexAt(event->pos()).isValid()) Q_EMIT menu_wanted(event->globalPos());
    return;
  }
  Q_EMIT menu_wanted(viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft()));
}

void CampaignList::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model_->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(theme::muted_text());
  const int margin = 2 * kGrid;
  painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap,
                   tr("No campaigns yet. New offers the seven cases of the thesis, or creates one from your plan."));
}

void CampaignList::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) take_theme();
}

void CampaignList::take_theme() {
  verticalHeader()->setDefaultSectionSize(QFontMetrics(theme::text_font()).height() + kGrid / 2 + 2);
  fit_columns();
}

}  // namespace n2nq::campaigns
