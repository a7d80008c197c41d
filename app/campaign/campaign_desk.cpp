#include "app/campaign/campaign_desk.h"

#include <utility>

#include "app/campaign/estimate.h"
#include "app/record/run_folder.h"
#include "app/store/store.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {

std::optional<std::string> too_large_for(const Estimate& estimate, const std::string& folder) {
  const auto available = record::free_bytes(folder);
  if (!available || static_cast<uint64_t>(*available) >= estimate.bytes) return std::nullopt;
  return "it may need " + text::bytes(static_cast<double>(estimate.bytes)) + " of disk space, and " + folder + " has " +
         text::bytes(static_cast<double>(*available)) +
         " free: free some space there, or let its plan log less (log: summary or off)";
}

CampaignDesk::CampaignDesk(run::SessionOptions options, store::ResultStore& store, std::string data_folder,
                           QObject* parent)
    : QObject(parent), options_(std::move(options)), store_(store), data_folder_(std::move(data_folder)) {}

CampaignDesk::~CampaignDesk() = default;

Result<void> CampaignDesk::start(const Campaign& campaign) {
  return take([campaign, options = options_, path = store_.path()](store::CampaignStore& campaigns) {
    return take_up(campaign, path, campaigns, options);
  });
}

Result<void> CampaignDesk::resume(int64_t id) {
  return take([id, options = options_, path = store_.path()](store::CampaignStore& campaigns) {
    return take_up(id, path, campaigns, options);
  });
}

Result<void> CampaignDesk::take(TakeUp take_up) {
  if (active()) return fail("a campaign is running; wait for it, or stop it");
  if (store_.read_only()) return fail(*store_.read_only());
  if (!campaigns_) {
    auto opened = store::CampaignStore::open(store_.path(), store::ResultStore::kWindowPatience);
    if (!opened) return std::unexpected(opened.error());
    campaigns_ = std::move(*opened);
  }
  reading_ = true;
  stopped_ = false;
  job_.start(
      [path = store_.path(), take_up = std::move(take_up)]() -> Result<TakenUp> {
        const auto campaigns = store::CampaignStore::open(path);
        return campaigns ? take_up(**campaigns) : std::unexpected(campaigns.error());
      },
      [this](Result<TakenUp> taken) { on_read(std::move(taken)); });
  Q_EMIT changed();
  return {};
}

void CampaignDesk::on_read(Result<TakenUp> taken) {
  reading_ = false;
  if (!taken) return refuse(taken.error().text);
  if (stopped_) return refuse("stopped by the user before the first run; it can be resumed later");
  const Estimate left = estimate_of(taken->campaign, &*taken->ledger);
  if (const auto too_large = too_large_for(left, data_folder_); too_large && left.runs > 0) return refuse(*too_large);
  auto run = std::make_unique<CampaignRun>(options_, store_, *campaigns_);
  run->begin(std::move(*taken));
  connect(run.get(), &CampaignRun::changed, this, &CampaignDesk::changed);
  connect(run.get(), &CampaignRun::kept, this, &CampaignDesk::kept);
  connect(run.get(), &CampaignRun::noted, this, &CampaignDesk::noted);
  connect(run.get(), &CampaignRun::finished, this, &CampaignDesk::finished);
  const auto former = std::exchange(run_, std::move(run));  // bound to the new one by the signals, before it goes
  Q_EMIT begun();
  Q_EMIT changed();
}

void CampaignDesk::refuse(const std::string& text) {
  Q_EMIT changed();
  Q_EMIT refused(QString::fromStdString(text));
  Q_EMIT finished();
}

void CampaignDesk::forget(int64_t id) {
  if (active() || run_ == nullptr || run_->id() != id) return;
  const auto former = std::exchange(run_, nullptr);  // bound to nothing by the signal, before it goes
  Q_EMIT changed();
}

void CampaignDesk::stop() {
  if (reading_)
    stopped_ = true;
  else if (making())
    run_->stop();
}

}  // namespace n2nq::campaign

#include "moc_campaign_desk.cpp"
