// How a campaign is made up on the page: from a case of the thesis, a file, a plan, or another campaign.
#include <QFile>
#include <QFileInfo>

#include "app/campaign/campaign_file.h"
#include "ui/campaigns/campaign_list.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/message_bar.h"

namespace n2nq::ui {
namespace {

using theme::qt;
using theme::utf8;

constexpr const char* kFolderKey = "campaigns/folder";

QString file_filter() {
  return CampaignsPage::tr("Campaigns (*.json);;All files (*)");
}

}  // namespace

// Hosts that were chosen for one stay chosen for the next.
void CampaignsPage::begin(campaign::CampaignForm form, const QString& what) {
  const bool had = draft_.form().has_value();
  const QString before = had ? qt(draft_.form()->rest.name) : QString();
  if (had && form.external.empty()) form.external = draft_.form()->external;
  const bool same = had && *draft_.form() == form;
  if (!same) draft_.begin(std::move(form), utf8(what));
  list_->choose(std::nullopt);
  if (had && !same)
    message_->offer(theme::Status::info, tr("\"%1\" replaced \"%2\".").arg(what, before), tr("Undo"),
                    [this, step = draft_.steps()] {
                      while (draft_.steps() >= step && draft_.can_undo()) draft_.undo();
                      list_->choose(std::nullopt);
                    });
  else
    message_->hide();
}

void CampaignsPage::open_bundled(const QString& resource) {
  QFile file(resource);
  if (!file.open(QIODevice::ReadOnly)) return;
  const auto campaign = campaign::parse_campaign(file.readAll().toStdString());
  if (!campaign) return complain(tr("%1: %2").arg(resource, qt(campaign.error().text)));
  begin(form_of(*campaign), qt(campaign->name));
}

void CampaignsPage::from_plan() {
  if (!plan_in_force_) return;
  const plan::RunPlan plan = plan_in_force_();
  begin(campaign::form_of_plan(plan), qt(plan.name));
}

void CampaignsPage::open_path(const QString& path) {
  const auto campaign = campaign::read_campaign_file(utf8(path));
  if (!campaign) return complain(qt(campaign.error().text));
  settings_.setValue(kFolderKey, QFileInfo(path).absolutePath());
  begin(form_of(*campaign), qt(campaign->name));
}

void CampaignsPage::edit_copy() {
  const campaign::SharedLook& look = shown_->look();
  if (look && !shows_draft()) begin(form_of(look->campaign), qt(look->campaign.name));
}

QFileDialog* CampaignsPage::dialog(const QString& title) {
  delete dialog_;
  dialog_ = theme::file_dialog(this, title, settings_.value(kFolderKey).toString(), file_filter());
  return dialog_;
}

void CampaignsPage::ask_for_file() {
  QFileDialog* open = dialog(tr("Open a campaign"));
  open->setFileMode(QFileDialog::ExistingFile);
  connect(open, &QFileDialog::fileSelected, this, &CampaignsPage::open_path);
  open->open();
}

void CampaignsPage::ask_where_to_save() {
  auto campaign = shows_draft()    ? campaign_of(*draft_.form())
                  : shown_->look() ? Result<campaign::Campaign>(shown_->look()->campaign)
                                   : fail("none is selected");
  if (!campaign) return complain(tr("Cannot be saved yet: %1").arg(qt(campaign.error().text)));
  QFileDialog* save = dialog(tr("Save the campaign"));
  save->setAcceptMode(QFileDialog::AcceptSave);
  save->setDefaultSuffix(QStringLiteral("json"));
  save->selectFile(qt(campaign->name).replace('/', '-') + ".json");
  connect(save, &QFileDialog::fileSelected, this, [this, campaign = std::move(*campaign)](const QString& path) {
    settings_.setValue(kFolderKey, QFileInfo(path).absolutePath());
    if (const auto written = write_campaign_file(utf8(path), campaign); !written)
      return complain(qt(written.error().text));
    message_->say(theme::Status::good, tr("Campaign saved to %1.").arg(path));
  });
  save->open();
}

}  // namespace n2nq::ui
