// What leaves the page as a file, and comes back as one: reports on a campaign, archives of it.
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

#include "ui/campaigns/campaigns_page.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/files/archive_choice.h"
#include "ui/files/handing_on.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/removals.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;

void CampaignsPage::build_handing_on(QHBoxLayout& row) {
  report_ = add_button(row, "external", tr("Report…"), QString());
  report_->setAccessibleName(tr("Report on the campaign"));
  export_ = add_button(row, "export", tr("Export…"), QString());
  export_->setAccessibleName(tr("Export campaign"));
  import_ = add_button(row, "import", tr("Import…"), QString());
  import_->setAccessibleName(tr("Import campaign"));
  auto* menu = new QMenu(this);
  archive_ = new ArchiveChoice(menu);
  export_->setMenu(menu);
  const auto what = [this] {
    const campaign::ListedCampaign* one = listed_chosen();
    return one == nullptr ? HandedOn{} : HandedOn{.results = {}, .campaign = one->row.id, .name = one->row.name};
  };
  connect(report_, &QPushButton::clicked, this, [this, what] { handing_on_->report(what()); });
  connect(archive_, &ArchiveChoice::chosen, this, [this, what](bool logs) { handing_on_->archive(what(), logs); });
  connect(menu, &QMenu::aboutToShow, this, [this] {
    if (const campaign::ListedCampaign* one = listed_chosen())
      archive_->show(tr("Campaign as one file"), one->row.file_bytes);
  });
  connect(import_, &QPushButton::clicked, this, &CampaignsPage::import_wanted);
}

QString CampaignsPage::why_not_handed_on() const {
  if (desk_.active())
    return shown_->shows_run()
               ? tr("This campaign is running; stop it, or wait until it finishes.")
               : tr("Another campaign is running, and writing files would disturb its measurements; stop it, "
                    "or wait until it finishes.");
  if (!chosen()) return tr("Select a campaign that has been started.");
  const campaign::ListedCampaign* one = listed_chosen();
  return one == nullptr || one->row.results == 0 ? tr("This campaign has no results yet.") : QString();
}

void CampaignsPage::show_handing_on() {
  const QString why_not = why_not_handed_on();
  const auto show = [](QPushButton* button, const QString& blocked, const QString& help) {
    button->setEnabled(blocked.isEmpty());
    button->setToolTip(blocked.isEmpty() ? help : theme::plain_tip(blocked));
  };
  show(report_, why_not,
       tr("Writes a report on the selected campaign, as HTML or PDF: figures, points, how to repeat it."));
  show(export_, why_not, tr("Writes the selected campaign with all its results to one file."));
  show(delete_, why_not_deleted(),
       tr("Deletes the selected campaign with its results and their files (Delete). Can be undone."));
  show(import_,
       desk_.active() ? tr("A campaign is running, and importing would disturb its measurements; stop it, or wait "
                           "until it finishes.")
                      : QString(),
       tr("Imports the campaign and the results from such a file."));
}

void CampaignsPage::choose(qint64 campaign) {
  to_choose_ = campaign;
  reload();
}

void CampaignsPage::say_importing(const QString& path) {
  importing_ = true;
  message_->say(Status::info, tr("Importing %1…").arg(path));
}

void CampaignsPage::say_not_imported(const QString& text) {
  importing_ = false;
  complain(text);
}

void CampaignsPage::show_imported(const QString& text, const archive::Imported& imported) {
  importing_ = false;
  if (imported.campaign) {
    removals_->forget(*imported.campaign);
    message_->say(Status::good, text);
    return choose(*imported.campaign);
  }
  const auto first = archive::first_of(imported);
  if (!first) return message_->say(Status::good, text);
  message_->offer(Status::good, tr("%1; the file contains no campaign").arg(text), tr("Show result"),
                  [this, result = *first] { Q_EMIT open_result(result); });
}

}  // namespace n2nq::ui
