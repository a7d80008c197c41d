#include "ui/window/archive_taker.h"

#include <utility>

#include "ui/files/file_job.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

ArchiveTaker::ArchiveTaker(const place::DataFolder& folder, QWidget* window)
    : QObject(window), folder_(folder), window_(window), work_(new FileJob(this)) {
  connect(work_, &FileJob::done, this,
          [this](bool good, const QString& text) { good ? Q_EMIT done(text, imported_) : Q_EMIT trouble(text); });
}

// Its work writes here.
ArchiveTaker::~ArchiveTaker() {
  delete work_;
}

bool ArchiveTaker::takes(const QString& path) {
  return archive::is_archive_name(theme::utf8(path));
}

void ArchiveTaker::take(const QString& path) {
  if (work_->busy()) {
    Q_EMIT trouble(tr("Results are being imported; wait until that is finished, then open %1 again.").arg(path));
    return;
  }
  Q_EMIT begun(path);
  work_->start([this, folder = folder_, path = theme::utf8(path)](const std::stop_token& stop) -> Result<std::string> {
    auto imported = archive::import_archive(path, folder.store(), folder.runs(), stop);
    if (!imported) return std::unexpected(imported.error());
    imported_ = std::move(*imported);  // read again only once this is over
    return archive::to_text(imported_);
  });
}

void ArchiveTaker::ask_for_file() {
  QFileDialog* dialog = theme::file_dialog(window_, tr("Import results"));
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(tr("Archives of results (*.n2nq)"));
  connect(dialog, &QFileDialog::fileSelected, this, &ArchiveTaker::take);
  dialog->open();
}

}  // namespace n2nq::ui

#include "moc_archive_taker.cpp"
