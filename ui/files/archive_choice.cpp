#include "ui/files/archive_choice.h"

#include <QMenu>

#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

ArchiveChoice::ArchiveChoice(QMenu* menu)
    : QObject(menu),
      plain_(menu->addAction(theme::icon("save"), QString(), this, [this] { Q_EMIT chosen(false); })),
      with_logs_(menu->addAction(theme::icon("save"), QString(), this, [this] { Q_EMIT chosen(true); })) {
  menu->setToolTipsVisible(true);
}

void ArchiveChoice::show(const QString& what, uint64_t file_bytes) {
  plain_->setText(tr("%1, without logs…").arg(what));
  with_logs_->setText(tr("%1, with logs (%2)…").arg(what, theme::qt(text::bytes(static_cast<double>(file_bytes)))));
  with_logs_->setEnabled(file_bytes > 0);
  with_logs_->setToolTip(file_bytes > 0 ? QString() : tr("There are no logs: these runs left no files."));
}

}  // namespace n2nq::ui

#include "moc_archive_choice.cpp"
