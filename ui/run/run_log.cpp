#include "ui/run/run_log.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/figures/setting_text.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/table_view.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

theme::Status status_of(record::Severity severity) {
  switch (severity) {
    case record::Severity::info:
      return theme::Status::info;
    case record::Severity::warning:
      return theme::Status::warning;
    case record::Severity::error:
      break;
  }
  return theme::Status::bad;
}

const char* word_of(record::Severity severity) {
  return severity == record::Severity::info ? "info" : severity == record::Severity::warning ? "warning" : "error";
}

QString clock_time(const record::RunNote& note) {
  return QDateTime::fromMSecsSinceEpoch(note.utc_ns / 1'000'000).toString("HH:mm:ss.zzz");
}

// A person's computer shows its own time; what is copied goes elsewhere.
QString utc_time(const record::RunNote& note) {
  return QDateTime::fromMSecsSinceEpoch(note.utc_ns / 1'000'000, Qt::UTC).toString(Qt::ISODateWithMs);
}

QString text_of(const record::RunNote& note) {
  return theme::qt(figures::with_names(note.text));
}

}  // namespace

void NotesModel::show_notes(const std::vector<record::RunNote>& notes) {
  if (notes.size() < notes_.size() || !std::equal(notes_.begin(), notes_.end(), notes.begin())) {
    beginResetModel();
    notes_ = notes;
    endResetModel();
    return;
  }
  if (notes.size() == notes_.size()) return;
  beginInsertRows({}, static_cast<int>(notes_.size()), static_cast<int>(notes.size()) - 1);
  notes_.insert(notes_.end(), notes.begin() + static_cast<ptrdiff_t>(notes_.size()), notes.end());
  endInsertRows();
}

QString NotesModel::line(int row) const {
  const auto& note = notes_[static_cast<size_t>(row)];
  return QString("%1\t%2\t%3").arg(utc_time(note), word_of(note.severity), text_of(note));
}

int NotesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(notes_.size());
}

int NotesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QVariant NotesModel::data(const QModelIndex& index, int role) const {
  const auto& note = notes_[static_cast<size_t>(index.row())];
  if (role == Qt::DisplayRole) return index.column() == time ? clock_time(note) : text_of(note);
  if (role == Qt::DecorationRole && index.column() == time) return theme::icon(status_of(note.severity));
  if (role == Qt::ToolTipRole && index.column() == text) return theme::plain_tip(text_of(note));
  if (role == Qt::AccessibleTextRole) return line(index.row());
  if (role == Qt::FontRole && index.column() == time) return theme::figure_font();
  return {};
}

QVariant NotesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == time ? tr("Time") : tr("Event");
}

RunLog::RunLog(QWidget* parent)
    : theme::Card(parent), model_(new NotesModel(this)), view_(new theme::TableView(tr("Run log"), this)) {
  view_->setModel(model_);
  view_->setToolTip(tr("Events of this run, oldest first."));
  view_->setFrameShape(QFrame::NoFrame);
  view_->setAlternatingRowColors(false);
  view_->on_key(QKeySequence::keyBindings(QKeySequence::Copy), [this] { copy(); });
  view_->horizontalHeader()->hide();
  view_->horizontalHeader()->setStretchLastSection(true);
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view_->setColumnWidth(NotesModel::time, QFontMetrics(theme::figure_font()).horizontalAdvance("00:00:00.000") + 40);
  view_->setMinimumHeight(3 * view_->verticalHeader()->defaultSectionSize());
  body()->setSpacing(theme::kSpace1);
  body()->addWidget(build_head());
  body()->addWidget(view_, 1);
}

QWidget* RunLog::build_head() {
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(new theme::Label(tr("Run log"), theme::TextSize::title, theme::Tone::plain, head));
  row->addStretch(1);
  const auto add = [&](const char* icon, const QString& name, const QString& help) {
    auto* button = theme::icon_button(icon, name, help, head);
    row->addWidget(button);
    return button;
  };
  connect(add("copy", tr("Copy run log"), tr("Copies the selected lines, or all of them.")), &QToolButton::clicked,
          this, &RunLog::copy);
  connect(add("close", tr("Close run log"), tr("Hides the run log.")), &QToolButton::clicked, this, &RunLog::closed);
  auto* copy = new QAction(tr("Copy"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, &RunLog::copy);
  view_->addAction(copy);
  view_->setContextMenuPolicy(Qt::ActionsContextMenu);
  return head;
}

void RunLog::show_notes(const std::vector<record::RunNote>& notes) {
  const QScrollBar* bar = view_->verticalScrollBar();
  const bool at_end = bar->value() >= bar->maximum();
  model_->show_notes(notes);
  if (at_end) view_->scrollToBottom();
}

void RunLog::copy() const {
  QStringList lines;
  for (const QModelIndex& row : view_->selectionModel()->selectedRows()) lines += model_->line(row.row());
  if (lines.isEmpty())
    for (int row = 0; row < model_->rowCount(); row++) lines += model_->line(row);
  QApplication::clipboard()->setText(lines.join("\n") + "\n");
}

}  // namespace n2nq::ui

#include "moc_run_log.cpp"
