// A campaign taken up: found or noted in the store, locked, and all that is kept of it read. Any thread, with a store
// of that thread; as slow as there are results.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/ledger.h"
#include "app/campaign/points.h"
#include "app/run/session_options.h"
#include "app/store/campaign_store.h"
#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

// Held while a bench is at a campaign, gone with it however it ends: two benches at one campaign would make its runs
// twice.
class CampaignLock {
 public:
  static Result<std::unique_ptr<CampaignLock>> take(const std::string& store_path, int64_t id);
  CampaignLock(const CampaignLock&) = delete;
  CampaignLock& operator=(const CampaignLock&) = delete;
  ~CampaignLock();

 private:
  CampaignLock(std::string path, Fd file) : path_(std::move(path)), file_(std::move(file)) {}
  std::string path_;
  Fd file_;
};

struct TakenUp {
  int64_t id = 0;
  std::unique_ptr<CampaignLock> lock{};
  Campaign campaign{};
  std::vector<Point> points{};
  std::vector<record::RunRecord> records{};  // without histograms and rows
  std::optional<Ledger> ledger{};
  std::string end_text{};  // how it ended, where it is over
};

// A new one, or one with the same runs that is not over; it has the figures and the description of this one then.
Result<TakenUp> take_up(const Campaign& campaign, const std::string& store_path, store::CampaignStore& campaigns,
                        const run::SessionOptions& options);
// By its number; also one that has finished, which is open again where its results have open runs.
Result<TakenUp> take_up(int64_t id, const std::string& store_path, store::CampaignStore& campaigns,
                        const run::SessionOptions& options);

// Its results from now on drawn by these figures. Not while a bench is at it.
Result<void> redraw_campaign(const std::string& store_path, int64_t id, const std::vector<FigureSpec>& figures);

}  // namespace n2nq::campaign
