#include "ui/campaigns/campaign_listing.h"

#include <QDateTime>
#include <algorithm>
#include <utility>

#include "app/findings/study.h"
#include "ui/campaigns/completed_runs.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using findings::shown_name;
using theme::qt;
using theme::Status;

QString date_of(int64_t utc_ns) {
  return QDateTime::fromMSecsSinceEpoch(utc_ns / 1'000'000).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

ListRow row_of(const campaign::ListedCampaign& campaign) {
  ListRow row{.id = campaign.row.id,
              .name = qt(shown_name(campaign.row.name)),
              .runs = in_list(completed_runs(campaign)),
              .share = share_of(completed_runs(campaign)),
              .started = date_of(campaign.row.started_utc_ns),
              .end = qt(campaign.row.end_text)};
  const bool ended = campaign.row.ended_utc_ns.has_value();
  const bool all = !campaign.runs || campaign.done >= *campaign.runs;  // a search is over when it says so
  row.state = ended ? QObject::tr("finished") : QObject::tr("can be resumed");
  row.status = !ended || campaign.search ? Status::info : all ? Status::good : Status::warning;
  return row;
}

}  // namespace

CampaignListing::CampaignListing(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {}

void CampaignListing::read() {
  if (parts_.page.isVisible()) parts_.reader.list();  // else when it is shown
}

void CampaignListing::take(const std::vector<campaign::ListedCampaign>& campaigns) {
  listed_ = campaigns;
  // Deleted, by another bench too.
  const campaign::CampaignRun* run = parts_.desk.run();
  if (run != nullptr && find(run->id()) == nullptr) parts_.desk.forget(run->id());
  show();
  if (to_choose_ && find(*to_choose_) != nullptr) choose(std::exchange(to_choose_, {}));
}

void CampaignListing::remove(int64_t id) {
  std::erase_if(listed_, [id](const campaign::ListedCampaign& one) { return one.row.id == id; });
  parts_.desk.forget(id);
  show();
}

void CampaignListing::show() {
  std::vector<ListRow> rows;
  if (const auto& form = parts_.draft.form())
    rows.push_back({.name = qt(shown_name(form->rest.name)), .state = tr("draft"), .end = {}});
  const campaign::CampaignRun* run = parts_.desk.run();
  if (run != nullptr && find(run->id()) == nullptr)
    rows.push_back({.id = run->id(), .name = qt(shown_name(run->campaign().name))});
  for (const campaign::ListedCampaign& campaign : listed_) rows.push_back(row_of(campaign));
  for (ListRow& row : rows)
    if (run != nullptr && row.id == run->id()) add_run(row);
  parts_.list.show_rows(std::move(rows));
}

// What the desk knows of it.
void CampaignListing::add_run(ListRow& row) const {
  const campaign::CampaignRun& run = *parts_.desk.run();
  const bool making = parts_.desk.making();
  if (making) {
    row.state = tr("running");
    row.status = Status::info;
  }
  if (making || row.runs.isEmpty()) {
    row.runs = in_list(completed_runs(run));
    row.share = share_of(completed_runs(run));
  }
  if (row.started.isEmpty()) row.started = tr("now");
  if (!making && row.end.isEmpty()) row.end = qt(run.end_text());
  if (row.state.isEmpty()) row.state = tr("finished");
}

void CampaignListing::choose(std::optional<int64_t> id) {
  parts_.list.choose(id);
}

void CampaignListing::choose_when_listed(int64_t id) {
  to_choose_ = id;
}

const ListRow* CampaignListing::current() const {
  return parts_.list.current();
}

std::optional<int64_t> CampaignListing::chosen() const {
  const ListRow* row = current();
  return row == nullptr ? std::nullopt : row->id;
}

bool CampaignListing::shows_draft() const {
  const ListRow* row = current();
  return row != nullptr && !row->id && parts_.draft.form().has_value();
}

const campaign::ListedCampaign* CampaignListing::find(int64_t id) const {
  const auto found = std::ranges::find(listed_, id, [](const auto& one) { return one.row.id; });
  return found == listed_.end() ? nullptr : &*found;
}

const campaign::ListedCampaign* CampaignListing::chosen_one() const {
  return find(chosen().value_or(0));
}

}  // namespace n2nq::ui

#include "moc_campaign_listing.cpp"
