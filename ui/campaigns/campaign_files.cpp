#include "ui/campaigns/campaign_files.h"

#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <utility>

#include "app/campaign/campaign_file.h"
#include "app/campaign/points.h"
#include "app/campaign/points_csv.h"
#include "app/campaign/take_up.h"
#include "app/text/quantity.h"
#include "ui/campaigns/action_button.h"
#include "ui/campaigns/campaign_listing.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/files/archive_choice.h"
#include "ui/files/handing_on.h"
#include "ui/run/permission_question.h"
#include "ui/theme/buttons.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/offer.h"

namespace n2nq::ui {
namespace {

using theme::qt;
using theme::Status;
using theme::utf8;

constexpr const char* kFolderKey = "campaigns/folder";

}  // namespace

CampaignFiles::CampaignFiles(const Parts& parts, QHBoxLayout& row, QWidget* page)
    : QObject(page), parts_(parts), page_(page), handing_on_(new HandingOn(parts.store, parts.message, page)) {
  build(row);
  connect_buttons();
}

void CampaignFiles::build(QHBoxLayout& row) {
  save_ = add_button(row, page_, {.icon = "save", .text = tr("Save as…"), .name = tr("Save campaign")});
  report_ = add_button(row, page_, {.icon = "external", .text = tr("Report…"), .name = tr("Report on the campaign")});
  export_ = add_button(row, page_, {.icon = "export", .text = tr("Export…"), .name = tr("Export campaign")});
  import_ =
      add_button(row, page_, {.icon = "import", .text = tr("Import…"), .name = tr("Import campaign"), .begins = true});
  auto* menu = new QMenu(page_);
  archive_ = new ArchiveChoice(menu);
  menu->addAction(theme::icon("save"), tr("Table of points and runs, by every metric (CSV)…"), this,
                  &CampaignFiles::write_table);
  export_->setMenu(menu);
}

void CampaignFiles::connect_buttons() {
  connect(save_, &QPushButton::clicked, this, &CampaignFiles::ask_where_to_save);
  connect(report_, &QPushButton::clicked, this, [this] { handing_on_->report(chosen()); });
  connect(archive_, &ArchiveChoice::chosen, this, [this](bool logs) { handing_on_->archive(chosen(), logs); });
  connect(export_->menu(), &QMenu::aboutToShow, this, [this] {
    if (const campaign::ListedCampaign* one = parts_.listing.chosen_one())
      archive_->show(tr("Campaign as one file"), one->row.file_bytes);
  });
  connect(import_, &QPushButton::clicked, this, &CampaignFiles::import_wanted);
}

void CampaignFiles::write_table() {
  const campaign::SharedLook& look = parts_.shown.look();
  if (!look || look->row.id != parts_.listing.chosen()) return complain(tr("The campaign is still being read."));
  handing_on_->table(chosen(), [look] { return campaign::points_csv(look->campaign, look->points, look->records); });
}

HandedOn CampaignFiles::chosen() const {
  const campaign::ListedCampaign* one = parts_.listing.chosen_one();
  return one == nullptr ? HandedOn{} : HandedOn{.results = {}, .campaign = one->row.id, .name = one->row.name};
}

QString CampaignFiles::why_not() const {
  if (parts_.desk.active())
    return parts_.shown.shows_run()
               ? tr("This campaign is running; stop it, or wait until it finishes.")
               : tr("Another campaign is running, and writing files would disturb its measurements; stop it, "
                    "or wait until it finishes.");
  if (!parts_.listing.chosen()) return tr("Select a campaign that has been started.");
  const campaign::ListedCampaign* one = parts_.listing.chosen_one();
  return one == nullptr || one->row.results == 0 ? tr("This campaign has no results yet.") : QString();
}

void CampaignFiles::show_state() {
  parts_.shown.offer_other_figures(parts_.desk.read_only() ? qt(*parts_.desk.read_only()) : why_not());
  theme::offer(*save_, tr("Writes the selected campaign to a file that n2nq-bench campaign can run too."),
               parts_.listing.current() == nullptr ? tr("There is no campaign yet; New creates one.") : QString());
  theme::offer(*report_,
               tr("Writes a report on the selected campaign, as HTML or PDF: figures, points, how to repeat it."),
               why_not());
  theme::offer(*export_,
               tr("Writes the selected campaign with all its results to one file, or its points and runs to a table."),
               why_not());
  theme::offer(*import_, tr("Imports the campaign and the results from such a file."),
               parts_.desk.active() ? tr("A campaign is running, and importing would disturb its measurements; stop "
                                         "it, or wait until it finishes.")
                                    : QString());
}

void CampaignFiles::show_next(bool report) {
  theme::make_primary(*report_, report && report_->isEnabled());
}

void CampaignFiles::say_importing(const QString& path) {
  importing_ = true;
  parts_.message->say_working(tr("Importing %1…").arg(path));
}

void CampaignFiles::say_not_imported(const QString& text) {
  importing_ = false;
  complain(text);
}

void CampaignFiles::show_imported(const QString& text, const archive::Imported& imported) {
  importing_ = false;
  if (imported.campaign) {
    parts_.message->say(Status::good, text);
    Q_EMIT campaign_imported(*imported.campaign);
    return;
  }
  const auto first = archive::first_of(imported);
  if (!first) return parts_.message->say(Status::good, text);
  parts_.message->offer(Status::good, tr("%1; the file contains no campaign").arg(text), tr("Show result"),
                        [this, result = *first] { Q_EMIT open_result(result); });
}

void CampaignFiles::open_path(const QString& path) {
  const auto campaign = campaign::read_campaign_file(utf8(path));
  if (!campaign) return complain(qt(campaign.error().text));
  const plan::PlanOrigin origin{.file = utf8(path)};
  const auto missing = parts_.permissions.missing(plans_of(*campaign), origin);
  ask_to_send({.area = *page_, .permissions = parts_.permissions, .opens = true}, missing,
              [this, path, origin, campaign = *campaign] {
                (void)parts_.permissions.keep(plans_of(campaign), origin);
                parts_.settings.setValue(kFolderKey, QFileInfo(path).absolutePath());
                Q_EMIT opened(form_of(campaign), qt(campaign.name));
              });
}

QFileDialog* CampaignFiles::dialog(const QString& title) {
  delete dialog_;
  dialog_ = theme::file_dialog(page_, title, parts_.settings.value(kFolderKey).toString(),
                               tr("Campaigns (*.json);;All files (*)"));
  return dialog_;
}

void CampaignFiles::ask_for_file() {
  QFileDialog* open = dialog(tr("Open a campaign"));
  open->setFileMode(QFileDialog::ExistingFile);
  connect(open, &QFileDialog::fileSelected, this, &CampaignFiles::open_path);
  open->open();
}

void CampaignFiles::ask_for_figures() {
  const auto id = parts_.listing.chosen();
  if (!id) return;
  QFileDialog* open = dialog(tr("Open a campaign file with other figures"));
  open->setFileMode(QFileDialog::ExistingFile);
  connect(open, &QFileDialog::fileSelected, this, [this, id = *id](const QString& path) { take_figures(id, path); });
  open->open();
}

// A store that another bench writes to is waited for there, not here.
void CampaignFiles::take_figures(int64_t id, const QString& path) {
  const auto file = campaign::read_campaign_file(utf8(path));
  if (!file) return complain(qt(file.error().text));
  parts_.settings.setValue(kFolderKey, QFileInfo(path).absolutePath());
  job_.start([store = parts_.store, id, figures = file->figures] { return redraw_campaign(store, id, figures); },
             [this, path, figures = file->figures.size()](const Result<void>& done) {
               if (!done) return complain(tr("%1 cannot be used here: %2").arg(path, qt(done.error().text)));
               parts_.message->say(Status::good,
                                   tr("The campaign now has %1 of %2.").arg(qt(text::amount(figures, "figure")), path));
               Q_EMIT redrawn();
             });
}

Result<campaign::Campaign> CampaignFiles::to_save() const {
  if (parts_.listing.shows_draft()) return campaign_of(*parts_.draft.form());
  if (!parts_.shown.look()) return fail("none is selected");
  return parts_.shown.look()->campaign;
}

void CampaignFiles::ask_where_to_save() {
  const auto campaign = to_save();
  if (!campaign) return complain(tr("Cannot be saved yet: %1").arg(qt(campaign.error().text)));
  QFileDialog* save_as = dialog(tr("Save the campaign"));
  save_as->setAcceptMode(QFileDialog::AcceptSave);
  save_as->setDefaultSuffix(QStringLiteral("json"));
  save_as->selectFile(qt(campaign->name).replace('/', '-') + ".json");
  connect(save_as, &QFileDialog::fileSelected, this,
          [this, campaign = *campaign](const QString& path) { save(campaign, path); });
  save_as->open();
}

void CampaignFiles::save(const campaign::Campaign& campaign, const QString& path) {
  parts_.settings.setValue(kFolderKey, QFileInfo(path).absolutePath());
  if (const auto written = write_campaign_file(utf8(path), campaign); !written)
    return complain(qt(written.error().text));
  parts_.message->say_written(tr("Campaign saved to %1.").arg(path), path);
}

void CampaignFiles::complain(const QString& text) {
  parts_.message->say(Status::bad, text);
}

}  // namespace n2nq::ui

#include "moc_campaign_files.cpp"
