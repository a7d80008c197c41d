#include "ui/results/result_marks.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <algorithm>

#include "app/record/tags.h"
#include "ui/results/result_list.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;

ResultMarks::ResultMarks(store::ResultStore& store, ResultList& list, QWidget* parent)
    : QObject(parent), store_(store), list_(list), page_(parent) {}

bool ResultMarks::all_starred(const std::vector<int64_t>& results) const {
  return std::ranges::all_of(results, [&](int64_t id) {
    const store::ResultRow* row = list_.row_of(id);
    return row != nullptr && row->starred;
  });
}

void ResultMarks::toggle_stars(const std::vector<int64_t>& results) {
  if (results.empty()) return;
  const bool starred = !all_starred(results);
  if (const auto done = store_.set_starred(results, starred); !done)
    return trouble((starred ? tr("Not starred: %1") : tr("The star was not removed: %1")).arg(qt(done.error().text)));
  for (const int64_t id : results) {
    list_.change(id, [starred](store::ResultRow& row) { row.starred = starred; });
    Q_EMIT changed(id);
  }
}

void ResultMarks::set_tags(int64_t result, const QString& text) {
  const auto tags = record::parse_tags(theme::utf8(text));
  const auto done = tags ? store_.set_tags(result, *tags) : Result<void>(std::unexpected(tags.error()));
  if (!done) return trouble(tr("The tags were not saved: %1").arg(qt(done.error().text)));
  list_.change(result, [&](store::ResultRow& row) { row.tags = *tags; });
  Q_EMIT changed(result);
}

void ResultMarks::change_tags(const std::vector<int64_t>& results, const store::TagChange& change) {
  const auto added = record::checked_tags(change.added);
  const auto done = added ? store_.change_tags(results, change) : Result<void>(std::unexpected(added.error()));
  if (!done) return trouble(tr("The tags were not saved: %1").arg(qt(done.error().text)));
  for (const int64_t id : results) {
    list_.change(id, [&](store::ResultRow& row) {
      for (const std::string& tag : change.removed) std::erase(row.tags, tag);
      row.tags.insert(row.tags.end(), added->begin(), added->end());
      row.tags = record::checked_tags(row.tags).value_or(row.tags);
    });
    Q_EMIT changed(id);
  }
}

void ResultMarks::add_to(QMenu& menu, const std::vector<int64_t>& results) {
  const bool starred = all_starred(results);
  QAction* star =
      menu.addAction(theme::icon(starred ? "star" : "star-filled"), starred ? tr("Remove star (S)") : tr("Star (S)"),
                     this, [this, results] { toggle_stars(results); });
  QMenu* tags = menu.addMenu(theme::icon("tag"), tr("Tags"));
  fill_tags(*tags, results);
  for (QAction* action : {star, tags->menuAction()})
    action->setEnabled(!results.empty() && !store_.read_only().has_value());
}

// A tag that all have is ticked.
void ResultMarks::fill_tags(QMenu& menu, const std::vector<int64_t>& results) {
  const auto tags = store_.tags();
  for (const store::TagCount& one : tags.value_or(std::vector<store::TagCount>())) {
    QString shown = qt(one.tag);
    QAction* action = menu.addAction(shown.replace(u'&', QStringLiteral("&&")));
    const bool all = std::ranges::all_of(results, [&](int64_t id) {
      const store::ResultRow* row = list_.row_of(id);
      return row != nullptr && std::ranges::find(row->tags, one.tag) != row->tags.end();
    });
    action->setCheckable(true);
    action->setChecked(all);
    connect(action, &QAction::triggered, this, [this, results, tag = one.tag, all] {
      change_tags(results, all ? store::TagChange{.added = {}, .removed = {tag}}
                               : store::TagChange{.added = {tag}, .removed = {}});
    });
  }
  if (!menu.isEmpty()) menu.addSeparator();
  menu.addAction(tr("New tag…"), this, [this, results] { ask_for_tag(results); });
}

void ResultMarks::ask_for_tag(const std::vector<int64_t>& results) {
  delete dialog_;
  dialog_ = new QInputDialog(page_);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  dialog_->setWindowTitle(tr("New tag"));
  dialog_->setLabelText(results.size() == 1 ? tr("Tags for the result, separated by commas:")
                                            : tr("Tags for the %1 results, separated by commas:").arg(results.size()));
  connect(dialog_, &QInputDialog::textValueSelected, this, [this, results](const QString& text) {
    const auto tags = record::parse_tags(theme::utf8(text));
    if (!tags) return trouble(tr("The tags were not saved: %1").arg(qt(tags.error().text)));
    change_tags(results, {.added = *tags, .removed = {}});
  });
  dialog_->open();
}

}  // namespace n2nq::ui

#include "moc_result_marks.cpp"
