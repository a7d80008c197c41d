#include "app/report/report_source.h"

#include <map>
#include <set>

#include "app/report/campaign_report.h"
#include "app/report/results_report.h"
#include "app/report/run_report.h"
#include "app/store/campaign_store.h"
#include "app/store/store.h"

namespace n2nq::report {
namespace {

Result<record::RunRecord> load(const store::ResultStore& store, int64_t id) {
  if (store.presence(id) == store::Presence::deleted)
    return fail("result #" + std::to_string(id) + " was deleted; restore it in the window first");
  return store.load(id);
}

Result<std::map<int64_t, OwnWords>> words_of(const store::ResultStore& store, const std::set<int64_t>& ids) {
  auto listing = store.list();
  if (!listing) return std::unexpected(listing.error());
  std::map<int64_t, OwnWords> words;
  for (store::ResultRow& row : listing->rows)
    if (ids.contains(row.id))
      words[row.id] = {.starred = row.starred, .tags = std::move(row.tags), .notes = std::move(row.notes)};
  return words;
}

Result<Report> of_campaign(const store::ResultStore& store, const std::string& path, int64_t id) {
  const auto campaigns = store::CampaignStore::open(path);
  if (!campaigns) return std::unexpected(campaigns.error());
  const auto row = (*campaigns)->find(id);
  if (!row) return std::unexpected(row.error());
  const auto records = (*campaigns)->results_of(id);
  if (!records) return std::unexpected(records.error());
  std::set<int64_t> ids;
  for (const record::RunRecord& record : *records) ids.insert(record.id);
  const auto words = words_of(store, ids);
  if (!words) return std::unexpected(words.error());
  return campaign_report(*row, *records, [&store](int64_t result) { return store.load(result); }, *words);
}

}  // namespace

Result<Report> load_report(const std::string& store_path, const ReportWish& wish) {
  const auto store = store::ResultStore::open(store_path);
  if (!store) return std::unexpected(store.error());
  if (wish.campaign) return of_campaign(**store, store_path, *wish.campaign);
  if (wish.results.empty()) return fail("no results to report on: select at least one");
  if (wish.results.size() > kMostResults)
    return fail("a report covers at most " + std::to_string(kMostResults) + " results side by side; select fewer");
  std::vector<record::RunRecord> records;
  for (const int64_t id : wish.results) {
    auto record = load(**store, id);
    if (!record) return std::unexpected(record.error());
    records.push_back(std::move(*record));
  }
  const auto words = words_of(**store, {wish.results.begin(), wish.results.end()});
  if (!words) return std::unexpected(words.error());
  if (records.size() > 1) return results_report(records, *words);
  const auto own = words->find(records.front().id);
  return run_report(records.front(), own == words->end() ? OwnWords() : own->second);
}

}  // namespace n2nq::report
