#include "ui/campaigns/draft_sources.h"

#include <QFile>
#include <QPushButton>
#include <utility>

#include "app/campaign/campaign_file.h"
#include "app/findings/study.h"
#include "ui/campaigns/action_button.h"
#include "ui/campaigns/campaign_listing.h"
#include "ui/campaigns/case_menu.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/theme/invitation.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/offer.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;
using theme::utf8;

namespace {

campaign::CampaignForm search_of_plan(const plan::RunPlan& plan) {
  campaign::CampaignForm form = campaign::form_of_plan(plan);
  form.search = campaign::first_search_of(plan);
  return form;
}

}  // namespace

DraftSources::DraftSources(const Parts& parts, QHBoxLayout& row, QWidget* page)
    : QObject(page), parts_(parts), cases_(new CaseMenu(page)) {
  QPushButton* make =
      add_button(row, page, {.icon = "add", .text = tr("New"), .name = tr("New campaign"), .begins = true});
  make->setToolTip(
      tr("The seven cases of the thesis, three more studies, waiting times against theory, a file, or your own plan."));
  make->setMenu(cases_);
  copy_ = add_button(row, page, {.icon = "copy", .text = tr("Edit a copy"), .name = tr("Edit a copy of the campaign")});
  connect(cases_, &CaseMenu::bundled, this, &DraftSources::open_bundled);
  connect(cases_, &CaseMenu::from_plan, this, [this] { from_plan(campaign::form_of_plan); });
  connect(cases_, &CaseMenu::buses_of_plan, this, [this] { compare({}); });
  connect(cases_, &CaseMenu::limit_of_plan, this, [this] { from_plan(search_of_plan); });
  connect(cases_, &CaseMenu::file, this, &DraftSources::file_wanted);
  connect(copy_, &QPushButton::clicked, this, &DraftSources::edit_copy);
}

void DraftSources::show_state() {
  theme::offer(*copy_, tr("Creates a copy of the selected campaign."),
               parts_.listing.chosen() ? QString() : tr("Select a campaign that has been started."));
}

// Hosts that were selected for one stay selected for the next.
void DraftSources::begin_with(campaign::CampaignForm form, const QString& named, const QString& note) {
  const QString what = qt(findings::shown_name(utf8(named)));
  campaign::CampaignDraft& draft = parts_.draft;
  const bool had = draft.form().has_value();
  const QString before = had ? qt(findings::shown_name(draft.form()->rest.name)) : QString();
  if (had && form.external_senders.empty() && form.external_receivers.empty()) {
    form.external_senders = draft.form()->external_senders;
    form.external_receivers = draft.form()->external_receivers;
  }
  const bool same = had && *draft.form() == form;
  if (!same) draft.begin(std::move(form), utf8(what));
  parts_.listing.choose(std::nullopt);
  if (!had || same) return note.isEmpty() ? parts_.message.hide() : parts_.message.say(Status::info, note);
  const QString undone = tr("This draft is now \"%1\". Undo brings back the draft \"%2\" as it was.").arg(what, before);
  parts_.message.offer(Status::info, note.isEmpty() ? undone : undone + " " + note, tr("Undo"),
                       [this, step = draft.steps()] {
                         while (parts_.draft.steps() >= step && parts_.draft.can_undo()) parts_.draft.undo();
                         parts_.listing.choose(std::nullopt);
                       });
}

void DraftSources::open_bundled(const QString& resource) {
  QFile file(resource);
  if (!file.open(QIODevice::ReadOnly)) return;
  const auto campaign = campaign::parse_campaign(file.readAll().toStdString());
  if (!campaign) return parts_.message.say(Status::bad, tr("%1: %2").arg(resource, qt(campaign.error().text)));
  campaign::CampaignForm form = form_of(*campaign);
  if (parts_.draft.form() && names_external(*campaign) && form.rest.base.queue.host.empty())
    form.rest.base.queue.host = parts_.draft.form()->rest.base.queue.host;
  begin(std::move(form), qt(campaign->name));
}

void DraftSources::from_plan(campaign::CampaignForm (*form_of)(const plan::RunPlan& plan)) {
  campaign::CampaignForm form = form_of(parts_.plan_in_force());
  const QString name = qt(form.rest.name);
  begin(std::move(form), name);
}

void DraftSources::compare(const std::optional<campaign::TwoBuses>& those) {
  const plan::RunPlan plan = parts_.plan_in_force();
  const campaign::TwoBuses buses = those.value_or(campaign::buses_for(plan));
  campaign::CampaignForm form = campaign::form_of_buses(plan, buses);
  const QString name = qt(form.rest.name);
  begin_with(std::move(form), name, qt(campaign::note_of_buses(plan, buses)));
}

void DraftSources::invite(theme::Invitation& invitation) {
  connect(invitation.add_choice(tr("Compare two buses"), "compare", CaseMenu::compare_help()), &QPushButton::clicked,
          this, [this] { compare({}); });
  invitation
      .add_choice(tr("Thesis cases"), "results",
                  tr("The seven cases of the thesis, and other studies, quick or in full size."))
      ->setMenu(cases_);
  connect(invitation.add_choice(tr("Sweep"), "matrix",
                                tr("Runs your plan with several values of a setting, or of more than one.")),
          &QPushButton::clicked, this, [this] { from_plan(campaign::form_of_plan); });
  connect(invitation.add_choice(tr("Find the limit"), "search",
                                tr("Searches for the hardest load that your plan carries.")),
          &QPushButton::clicked, this, [this] { from_plan(search_of_plan); });
}

void DraftSources::take_plan() {
  parts_.draft.edit("plan", [this](campaign::CampaignForm& form) { form.rest.base = parts_.plan_in_force(); });
}

void DraftSources::edit_copy() {
  const campaign::SharedLook& look = parts_.shown.look();
  if (look && !parts_.listing.shows_draft()) begin(form_of(look->campaign), qt(look->campaign.name));
}

}  // namespace n2nq::ui

#include "moc_draft_sources.cpp"
