#include "ui/window/archive_taker.h"

#include <utility>

#include "ui/campaigns/campaign_files.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/files/file_job.h"
#include "ui/results/results_page.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/theme.h"
#include "ui/window/notice_stack.h"
#include "ui/window/page_bar.h"

namespace n2nq::ui {

ArchiveTaker::ArchiveTaker(const place::DataFolder& folder, const Places& places, QWidget* window)
    : QObject(window), folder_(folder), places_(places), window_(window), work_(new FileJob(this)) {
  connect(work_, &FileJob::done, this,
          [this](bool good, const QString& text) { good ? show_taken(text) : show_trouble(text); });
}

// Its work writes here.
ArchiveTaker::~ArchiveTaker() {
  delete work_;
}

bool ArchiveTaker::takes(const QString& path) {
  return archive::is_archive_name(theme::utf8(path));
}

void ArchiveTaker::take(const QString& path) {
  if (work_->busy())
    return show_trouble(tr("Results are being imported; wait until that is finished, then open %1 again.").arg(path));
  if (places_.pages.shows(Page::campaigns)) places_.campaigns.files().say_importing(path);
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

// The page says how an import goes that began there, whichever page is in sight at its end.
bool ArchiveTaker::concerns_campaigns() const {
  return places_.campaigns.files().imports() || places_.pages.shows(Page::campaigns);
}

void ArchiveTaker::show_trouble(const QString& text) {
  if (concerns_campaigns()) places_.campaigns.files().say_not_imported(text);
  if (!places_.pages.shows(Page::campaigns)) places_.notices.say(text);
}

void ArchiveTaker::show_taken(const QString& text) {
  places_.results.reload();
  Q_EMIT taken();
  if (concerns_campaigns()) places_.campaigns.files().show_imported(text, imported_);
  if (places_.pages.shows(Page::campaigns)) return;
  theme::MessageBar::Choice show{.text = tr("Show result"),
                                 .help = tr("Goes to the first of them in the results list."),
                                 .chosen = [this, first = archive::first_of(imported_)] {
                                   places_.pages.go_to(Page::results);
                                   if (first) places_.results.choose(*first);
                                 }};
  if (imported_.campaign)
    show = {.text = tr("Show campaign"),
            .help = tr("Goes to it in the campaigns list."),
            .chosen = [this, campaign = *imported_.campaign] {
              places_.pages.go_to(Page::campaigns);
              places_.campaigns.choose(campaign);
            }};
  places_.notices.toast(theme::Status::good, text, {show, {.text = tr("Close"), .help = tr("Closes this notice.")}});
}

}  // namespace n2nq::ui

#include "moc_archive_taker.cpp"
