#include "app/campaign/campaign_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_figures.h"
#include "app/campaign/campaign_file.h"
#include "app/campaign/ledger.h"
#include "app/campaign/search.h"
#include "app/results/store.h"
#include "app/run/host_links.h"

namespace n2nq::campaign {
namespace {

bool names_external(const Campaign& campaign) {
  const auto is_named = [](const plan::Fleet& fleet) {
    return std::ranges::find(fleet.hosts, kExternal) != fleet.hosts.end();
  };
  if (is_named(campaign.base.senders.fleet) || is_named(campaign.base.receivers.fleet)) return true;
  for (const Axis& axis : campaign.axes)
    for (const AxisValue& value : axis.values)
      for (const plan::Override& change : value.set)
        if (change.key.ends_with(".hosts") && change.value.find(kExternal) != std::string::npos) return true;
  return false;
}

std::optional<std::string> problem_with_hosts(const Campaign& campaign, const std::vector<Point>& points,
                                              const hosts::HostList& hosts) {
  for (const Point& point : points)
    if (const auto problems = run::host_problems(point.plan, hosts); !problems.empty())
      return "point " + std::to_string(point.number) + " (" + label_of(campaign, point) + "): " + problems.front().key +
             ": " + problems.front().text;
  return {};
}

}  // namespace

Check check(const CampaignForm& form, const hosts::HostList& hosts, const std::string& data_folder) {
  Check result;
  result.free_bytes = free_bytes(data_folder);
  if (form.search.on) result.search_problems = problems_of(form.search, form.rest.base);
  auto campaign = campaign_of(form);
  if (!campaign) {
    result.campaign = form.rest;
    result.reads_external = names_external(form.rest) || !form.external.empty();
    result.problem = campaign.error().text;
    return result;
  }
  result.campaign = std::move(*campaign);
  result.reads_external = names_external(result.campaign);
  result.problem = problem_of(result.campaign);
  if (result.problem) return result;
  const auto points = points_of(result.campaign);
  if (points) result.problem = problem_with_hosts(result.campaign, *points, hosts);
  result.estimate = estimate_of(result.campaign);
  if (result.problem) return result;
  result.problem = too_large_for(result.estimate, data_folder);
  result.too_large = result.problem.has_value();
  return result;
}

struct CampaignReader::Stores {
  std::unique_ptr<results::ResultStore> results{};
  std::unique_ptr<results::CampaignStore> campaigns{};
  // For searches: how many results there were, and how many runs they came to.
  std::map<int64_t, std::pair<uint64_t, uint64_t>> searches{};

  Result<void> open(const std::string& path) {
    if (campaigns) return {};
    auto opened = results::ResultStore::open(path);
    if (!opened) return std::unexpected(opened.error());
    auto beside = results::CampaignStore::open(path);
    if (!beside) return std::unexpected(beside.error());
    results = std::move(*opened);
    campaigns = std::move(*beside);
    return {};
  }
};

CampaignReader::CampaignReader(std::string store_path, std::string data_folder, QObject* parent)
    : QObject(parent),
      store_path_(std::move(store_path)),
      data_folder_(std::move(data_folder)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

CampaignReader::~CampaignReader() {
  thread_.request_stop();
  thread_.join();
}

void CampaignReader::ask(Kind kind, Task task) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(tasks_, [kind](const auto& waiting) { return waiting.first == kind; });
    tasks_.emplace_back(kind, std::move(task));
  }
  wake_.notify_one();
}

void CampaignReader::work(const std::stop_token& stop) {
  Stores stores;
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [this] { return !tasks_.empty(); })) {
    const Task task = std::move(tasks_.front().second);
    tasks_.erase(tasks_.begin());
    lock.unlock();
    task(stores);
    lock.lock();
  }
}

void CampaignReader::say(std::string text) {
  box_.put([this, text = std::move(text)] { Q_EMIT trouble(QString::fromStdString(text)); });
}

// A run that breaks the limit of a search may have any verdict: only its results tell which count.
ListedCampaign CampaignReader::listed_one(Stores& stores, results::CampaignRow row) {
  ListedCampaign one{.row = std::move(row)};
  one.done = one.row.runs_done;
  const auto campaign = parse_campaign(one.row.definition);
  if (!campaign) return one;
  one.search = campaign->search.has_value();
  if (!one.search) {
    one.runs = uint64_t{point_count(*campaign)} * campaign->repeats;
    return one;
  }
  auto& [results, done] = stores.searches[one.row.id];
  if (results != one.row.results) {
    if (problem_of(*campaign)) return one;
    const auto records = stores.campaigns->results_of(one.row.id);
    if (!records) return one;
    Ledger ledger(*campaign);
    for (const results::RunRecord& record : *records) ledger.take(record);
    results = one.row.results;
    done = ledger.done();
  }
  one.done = done;
  return one;
}

void CampaignReader::list() {
  ask(Kind::list, [this](Stores& stores) {
    if (const auto open = stores.open(store_path_); !open) return say(open.error().text);
    auto rows = stores.campaigns->list();
    if (!rows) return say(rows.error().text);
    std::vector<ListedCampaign> all;
    for (results::CampaignRow& row : *rows) all.push_back(listed_one(stores, std::move(row)));
    box_.put([this, all = std::move(all)] { Q_EMIT listed(all); });
  });
}

void CampaignReader::look(int64_t id) {
  ask(Kind::look, [this, id](Stores& stores) {
    if (const auto open = stores.open(store_path_); !open) return say(open.error().text);
    auto row = stores.campaigns->find(id);
    if (!row) {
      if (stores.campaigns->presence(id).value_or(results::Presence::listed) == results::Presence::listed)
        return say(row.error().text);
      return box_.put([this, id] { Q_EMIT gone(id); });
    }
    const std::string which = "campaign " + std::to_string(id) + ": ";
    auto campaign = parse_whole_campaign(row->definition);
    if (!campaign) return say(which + campaign.error().text);
    auto points = points_of(*campaign);
    if (!points) return say(which + points.error().text);
    auto records = stores.campaigns->results_of(id);
    if (!records) return say(which + records.error().text);
    if (campaign->search) points = points_of_search(*campaign, *records);
    auto look = std::make_shared<const Look>(Look{.row = std::move(*row),
                                                  .campaign = std::move(*campaign),
                                                  .points = std::move(*points),
                                                  .records = std::move(*records)});
    box_.put([this, look = std::move(look)] { Q_EMIT looked(look); });
  });
}

void CampaignReader::draw(SharedLook look, size_t number) {
  ask(Kind::draw, [this, look = std::move(look), number](Stores& stores) {
    if (number >= figure_specs(look->campaign).size()) return;
    if (const auto open = stores.open(store_path_); !open) return say(open.error().text);
    Campaign of_one = look->campaign;
    if (!of_one.search) of_one.figures = {look->campaign.figures[number]};
    const auto load = [&stores](int64_t id) { return stores.results->load(id); };
    auto figures = figures_of(of_one, look->points, look->records, load);
    const size_t place = of_one.search ? number : 0;
    if (place >= figures.size()) return;
    box_.put([this, id = look->row.id, number, figure = std::move(figures[place])] {
      Q_EMIT drawn(id, static_cast<int>(number), figure);
    });
  });
}

void CampaignReader::check_form(CampaignForm form, hosts::HostList hosts) {
  ask(Kind::check, [this, form = std::move(form), hosts = std::move(hosts)](Stores&) {
    box_.put([this, result = check(form, hosts, data_folder_)] { Q_EMIT checked(result); });
  });
}

}  // namespace n2nq::campaign
