#include "ui/campaigns/campaign_control.h"

#include "app/campaign/points.h"
#include "ui/campaigns/bar_texts.h"
#include "ui/campaigns/campaign_editor.h"
#include "ui/campaigns/campaign_listing.h"
#include "ui/campaigns/draft_check.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/run/permission_question.h"
#include "ui/theme/message_bar.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;

CampaignControl::CampaignControl(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
  connect(&parts_.bar, &CampaignBar::start, this, &CampaignControl::start);
  connect(&parts_.bar, &CampaignBar::start_in_vain, this, &CampaignControl::start_in_vain);
  connect(&parts_.bar, &CampaignBar::stop, this, &CampaignControl::stop);
  connect(&parts_.desk, &campaign::CampaignDesk::begun, this, [this] { left_ns_.reset(); });
  connect(&parts_.desk, &campaign::CampaignDesk::kept, this, [this] { left_ns_.reset(); });
  connect(&parts_.desk, &campaign::CampaignDesk::refused, this, &CampaignControl::complain);
  connect(&parts_.desk, &campaign::CampaignDesk::noted, this, [this](record::Severity severity, const QString& text) {
    parts_.message.say(severity == record::Severity::error ? Status::bad : Status::warning, text);
  });
}

void CampaignControl::set_locked(const QString& reason) {
  if (reason == locked_) return;
  locked_ = reason;
  show();
}

void CampaignControl::show() {
  BarState bar = state();
  if (const ListRow* row = parts_.listing.current()) {
    bar.name = row->name;
    bar.word = row->state;
    bar.word_status = row->status;
  }
  if (!parts_.listing.shows_draft()) {
    bar.outcome = parts_.shown.outcome();
    bar.compares = !bar.stops && !parts_.shown.compared().empty();
  }
  if (!bar.stops && !bar.outcome.next.isEmpty()) bar.state += "; " + bar.outcome.next;
  resumes_ = bar.stops || (!bar.start.isEmpty() && bar.blocked.isEmpty());
  parts_.bar.show_state(bar);
}

BarState CampaignControl::state() {
  if (parts_.listing.shows_draft())
    return draft_bar({.check = parts_.check.last(),
                      .prospect = parts_.check.prospect(),
                      .missing = parts_.check.missing_servers(),
                      .only_waits = parts_.editor.only_waits(),
                      .blocked = why_not_started()});
  if (!parts_.shown.watches_run()) return parts_.listing.chosen() ? state_of_kept() : BarState();
  RunFacts facts = facts_of(*parts_.desk.run(), left_ns());
  facts.failed_points = parts_.shown.failed_points();
  facts.doubtful = parts_.shown.doubtful_runs();
  return run_bar(facts);
}

BarState CampaignControl::state_of_kept() const {
  const ListRow& row = *parts_.listing.current();
  const campaign::ListedCampaign* one = parts_.listing.chosen_one();
  KeptFacts facts{.over = one != nullptr && one->row.ended_utc_ns,
                  .leaves_runs = parts_.shown.leaves_runs(),
                  .end = row.end,
                  .status = row.status.value_or(Status::info),
                  .failed_points = parts_.shown.failed_points(),
                  .doubtful = parts_.shown.doubtful_runs(),
                  .verdict = qt(parts_.shown.verdict().text()),
                  .verdict_is_doubtful = parts_.shown.verdict().is_doubtful(),
                  .blocked = why_not_started()};
  // What a search found is in its tile, and in its own card.
  if (facts.over && !facts.leaves_runs && parts_.shown.is_search()) facts.end.clear();
  if (one != nullptr)
    facts.runs = completed_runs(*one);
  else if (parts_.shown.shows_run())
    facts.runs = completed_runs(*parts_.desk.run());
  if (one != nullptr && one->runs && *one->runs > 0)
    facts.progress = static_cast<double>(one->done) / static_cast<double>(*one->runs);
  return kept_bar(facts);
}

int64_t CampaignControl::left_ns() {
  const campaign::CampaignRun& run = *parts_.desk.run();
  if (!left_ns_) left_ns_ = campaign::estimate_of(run.campaign(), &run.ledger()).duration_ns;
  return *left_ns_ - (run.session() != nullptr ? run.session()->elapsed_ns().value_or(0) : 0);
}

QString CampaignControl::why_not_started() const {
  if (parts_.desk.reading()) return tr("Reading the campaign; this takes a moment.");
  return parts_.desk.making() ? tr("Another campaign is running; stop it, or wait until it finishes.") : locked_;
}

void CampaignControl::start() {
  if (parts_.listing.shows_draft()) {
    const campaign::Check check = parts_.check.now();
    if (check.problem) {
      start_in_vain();
      return complain(qt(*check.problem));
    }
    if_allowed(check.campaign, [this, campaign = check.campaign] { return parts_.desk.start(campaign); });
  } else if (const auto id = parts_.listing.chosen()) {
    // Of one that is not read yet nothing is asked: what is not allowed is not started.
    const campaign::SharedLook& look = parts_.shown.look();
    if_allowed(look ? look->campaign : campaign::Campaign(), [this, id = *id] { return parts_.desk.resume(id); });
  }
}

void CampaignControl::if_allowed(const campaign::Campaign& campaign, const std::function<Result<void>()>& start) {
  const auto missing = parts_.permissions.missing(plans_of(campaign));
  ask_to_send({.area = parts_.page, .permissions = parts_.permissions}, missing, [this, start] {
    if (const auto started = start(); !started) return complain(qt(started.error().text));
    parts_.message.hide();
  });
}

void CampaignControl::start_in_vain() {
  if (!parts_.listing.shows_draft()) return;
  parts_.editor.try_start();
  show();
}

void CampaignControl::stop() {
  parts_.desk.stop();
  show();
}

void CampaignControl::complain(const QString& why) {
  parts_.message.say(Status::bad, tr("The campaign was not started: %1").arg(why));
}

}  // namespace n2nq::ui

#include "moc_campaign_control.cpp"
