#include "app/campaign/take_up.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "app/campaign/campaign_file.h"
#include "app/record/file_lock.h"

namespace n2nq::campaign {
namespace {

// What its runs depend on.
std::string runs_text(Campaign campaign) {
  campaign.figures.clear();
  campaign.description.clear();
  return to_json(campaign);
}

// The newest one that is not over and has the same runs, in other words too: those of another version ("16000B",
// "16kB").
Result<std::optional<int64_t>> find_same(const store::CampaignStore& campaigns, const Campaign& campaign) {
  const auto rows = campaigns.list();
  if (!rows) return std::unexpected(rows.error());
  const std::string wanted = runs_text(campaign);
  for (const store::CampaignRow& row : *rows) {
    if (row.ended_utc_ns || row.name != campaign.name) continue;
    const auto kept = parse_whole_campaign(row.definition);
    if (kept && runs_text(*kept) == wanted) return row.id;
  }
  return std::nullopt;
}

Result<TakenUp> take(int64_t id, const Campaign& campaign, const std::string& store_path,
                     const store::CampaignStore& campaigns, const run::SessionOptions& options) {
  auto points = points_of(campaign);
  if (!points) return std::unexpected(points.error());
  auto lock = CampaignLock::take(store_path, id);
  if (!lock) return std::unexpected(lock.error());
  // Until it was locked it could be deleted.
  if (const auto there = campaigns.find(id); !there) return std::unexpected(there.error());
  auto records = campaigns.results_of(id);
  if (!records) return std::unexpected(records.error());
  TakenUp taken{.id = id,
                .lock = std::move(*lock),
                .campaign = campaign,
                .points = std::move(*points),
                .records = std::move(*records),
                .ledger = Ledger(campaign)};
  for (const record::RunRecord& record : taken.records) taken.ledger->take(record);
  if (taken.ledger->search()) taken.points = taken.ledger->search()->points();
  options.reached("campaign taken up");
  return taken;
}

}  // namespace

Result<std::unique_ptr<CampaignLock>> CampaignLock::take(const std::string& store_path, int64_t id) {
  const std::string path = store_path + ".campaign-" + std::to_string(id);
  Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return fail(path + " cannot be created: " + std::system_category().message(errno), errno);
  struct stat found{};
  // Without a name it is one that another bench has just left.
  if (!record::hold_file(file.get()) || ::fstat(file.get(), &found) != 0 || found.st_nlink == 0)
    return fail("campaign " + std::to_string(id) + " is being run by another bench; wait for it, or stop it there");
  return std::unique_ptr<CampaignLock>(new CampaignLock(path, std::move(file)));
}

CampaignLock::~CampaignLock() {
  ::unlink(path_.c_str());
}

Result<TakenUp> take_up(const Campaign& campaign, const std::string& store_path, store::CampaignStore& campaigns,
                        const run::SessionOptions& options) {
  if (const auto problem = problem_of(campaign)) return fail(*problem);
  const std::string definition = to_json(campaign);
  const auto exact = campaigns.find_unfinished(definition);
  if (!exact) return std::unexpected(exact.error());
  const auto same = *exact ? Result<std::optional<int64_t>>((*exact)->id) : find_same(campaigns, campaign);
  if (!same) return std::unexpected(same.error());
  const auto id = *same ? Result<int64_t>(**same) : campaigns.find_or_add(campaign.name, definition);
  if (!id) return std::unexpected(id.error());
  options.reached("campaign noted");
  auto taken = take(*id, campaign, store_path, campaigns, options);
  // Another bench had it until it was locked, and has ended it: then there is to be a new one.
  if (const auto row = campaigns.find(*id); taken && row && row->ended_utc_ns) {
    taken->lock.reset();
    return take_up(campaign, store_path, campaigns, options);
  }
  if (taken && *same && !*exact)
    if (const auto written = campaigns.redefine(*id, definition); !written) return std::unexpected(written.error());
  return taken;
}

Result<TakenUp> take_up(int64_t id, const std::string& store_path, store::CampaignStore& campaigns,
                        const run::SessionOptions& options) {
  const auto row = campaigns.find(id);
  if (!row) return std::unexpected(row.error());
  const std::string which = "campaign " + std::to_string(id) + ": ";
  const auto campaign = parse_whole_campaign(row->definition);
  if (!campaign) return fail(which + campaign.error().text);
  auto taken = take(id, *campaign, store_path, campaigns, options);
  if (!taken || !row->ended_utc_ns) return taken;
  // A result was deleted, or did not come along with an archive: it goes on.
  if (taken->ledger->next()) {
    if (const auto open = campaigns.reopen(id); !open) return std::unexpected(open.error());
  } else {
    taken->end_text = row->end_text;
  }
  return taken;
}

Result<void> redraw_campaign(const std::string& store_path, int64_t id, const std::vector<FigureSpec>& figures) {
  if (figures.empty()) return fail("the file has no figures");
  const auto campaigns = store::CampaignStore::open(store_path);
  if (!campaigns) return std::unexpected(campaigns.error());
  const auto lock = CampaignLock::take(store_path, id);
  if (!lock) return std::unexpected(lock.error());
  const auto row = (*campaigns)->find(id);
  if (!row) return std::unexpected(row.error());
  auto campaign = parse_campaign(row->definition);
  if (!campaign) return std::unexpected(campaign.error());
  campaign->figures = figures;
  if (const auto problem = problem_of(*campaign)) return fail(*problem);
  return (*campaigns)->redefine(id, to_json(*campaign));
}

}  // namespace n2nq::campaign
