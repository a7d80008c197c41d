#include "app/campaign/campaign_bin.h"

#include <utility>

#include "app/campaign/take_up.h"
#include "app/store/campaign_store.h"

namespace n2nq::campaign {
namespace {

struct Restored {
  Result<void> done{};
  store::Presence presence = store::Presence::deleted;  // afterwards
};

Restored restore_campaign(const std::string& store_path, int64_t id) {
  const auto campaigns = store::CampaignStore::open(store_path);
  if (!campaigns) return {.done = std::unexpected(campaigns.error())};
  Restored restored{.done = (*campaigns)->restore(id)};
  if (const auto presence = (*campaigns)->presence(id)) restored.presence = *presence;
  return restored;
}

}  // namespace

Result<uint64_t> remove_campaign(const std::string& store_path, int64_t id) {
  const auto campaigns = store::CampaignStore::open(store_path);
  if (!campaigns) return std::unexpected(campaigns.error());
  const auto lock = CampaignLock::take(store_path, id);
  if (!lock) return std::unexpected(lock.error());
  return (*campaigns)->remove(id);
}

CampaignBin::CampaignBin(std::string store_path, QObject* parent)
    : QObject(parent), store_path_(std::move(store_path)) {}

CampaignBin::~CampaignBin() {
  thread_.finish();
}

void CampaignBin::remove(int64_t id) {
  thread_.wish(++jobs_, [this, id, path = store_path_](const auto&) -> threads::PostBox::Call {
    const auto done = remove_campaign(path, id);
    return [this, id, done] {
      done ? Q_EMIT removed(id, *done) : Q_EMIT not_removed(id, QString::fromStdString(done.error().text));
    };
  });
}

void CampaignBin::restore(int64_t id) {
  thread_.wish(++jobs_, [this, id, path = store_path_](const auto&) -> threads::PostBox::Call {
    const Restored now = restore_campaign(path, id);
    return [this, id, now] {
      now.done ? Q_EMIT restored(id)
               : Q_EMIT not_restored(id, QString::fromStdString(now.done.error().text), now.presence);
    };
  });
}

}  // namespace n2nq::campaign

#include "moc_campaign_bin.cpp"
