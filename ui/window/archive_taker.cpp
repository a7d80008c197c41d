#include "ui/window/archive_taker.h"

#include <QFileDialog>
#include <memory>

#include "app/archive/archive_import.h"
#include "ui/results/result_export.h"
#include "ui/theme/theme.h"

namespace n2nq::window {

ArchiveTaker::ArchiveTaker(const place::DataFolder& folder, QWidget* window)
    : QObject(window), folder_(folder), window_(window), work_(new results::ResultExport(this)) {
  connect(work_, &results::ResultExport::done, this,
          [this](bool good, const QString& text) { Q_EMIT done(good, text, result_); });
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
    Q_EMIT done(false, tr("Results are being imported; wait until that is done, then open %1 again.").arg(path), 0);
    return;
  }
  result_ = 0;
  work_->start([this, folder = folder_, path = theme::utf8(path)](const std::stop_token& stop) -> Result<std::string> {
    const auto imported = archive::import_archive(path, folder.store(), folder.runs(), stop);
    if (!imported) return std::unexpected(imported.error());
    // Read again only once this is over.
    if (!imported->added.empty())
      result_ = imported->added.front();
    else if (!imported->here_already.empty())
      result_ = imported->here_already.front();
    return archive::to_text(*imported);
  });
}

void ArchiveTaker::ask_for_file() {
  auto* dialog = new QFileDialog(window_, tr("Import results"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(tr("Archives of results (*.n2nq)"));
  connect(dialog, &QFileDialog::fileSelected, this, &ArchiveTaker::take);
  connect(dialog, &QDialog::finished, window_, [window = window_] { window->activateWindow(); });
  dialog->open();
}

}  // namespace n2nq::window
