#include "app/campaign/campaign_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_figures.h"
#include "app/campaign/campaign_file.h"
#include "app/campaign/ledger.h"
#include "app/campaign/search.h"
#include "app/record/run_folder.h"
#include "app/run/host_links.h"
#include "app/store/store.h"

namespace n2nq::campaign {
namespace {

std::optional<std::string> problem_with_hosts(const Campaign& campaign, const std::vector<Point>& points,
                                              const hosts::HostList& hosts) {
  for (const Point& point : points)
    if (const auto problems = run::host_problems(point.plan, hosts); !problems.empty())
      return "point " + std::to_string(point.number) + " (" + label_of(campaign, point) + "): " + problems.front().key +
             ": " + problems.front().text;
  return {};
}

// Those of a container come in its image.
std::vector<std::string> buses_here(const std::vector<plan::RunPlan>& plans) {
  std::set<std::string> kinds;
  for (const plan::RunPlan& plan : plans)
    if (plan.bus.starts_server() && plan.bus.server_hosts().empty() && hosts::is_local(plan.queue.host) &&
        plan.bus.setting(bus::kImageKey).empty())
      kinds.insert(plan.bus.kind);
  return {kinds.begin(), kinds.end()};
}

}  // namespace

Check check(const CampaignForm& form, const hosts::HostList& hosts, const std::string& data_folder) {
  Check result;
  result.free_bytes = record::free_bytes(data_folder);
  if (form.search.on) result.search_problems = problems_of(form.search, form.rest.base);
  auto campaign = campaign_of(form);
  if (!campaign) {
    result.campaign = form.rest;
    result.reads_external =
        names_external(form.rest) || !form.external_senders.empty() || !form.external_receivers.empty();
    result.problem = campaign.error().text;
    return result;
  }
  result.campaign = std::move(*campaign);
  result.reads_external = names_external(result.campaign);
  result.problem = problem_of(result.campaign);
  if (result.problem) return result;
  const auto points = points_of(result.campaign);
  if (points) result.problem = problem_with_hosts(result.campaign, *points, hosts);
  result.buses_here = buses_here(plans_of(result.campaign));
  result.estimate = estimate_of(result.campaign);
  if (result.problem) return result;
  result.problem = too_large_for(result.estimate, data_folder);
  result.too_large = result.problem.has_value();
  return result;
}

// Connections of one task: they belong to the thread that opened them.
struct CampaignReader::Stores {
  std::unique_ptr<store::ResultStore> results{};
  std::unique_ptr<store::CampaignStore> campaigns{};

  static Result<Stores> open(const std::string& path) {
    auto opened = store::ResultStore::open(path);
    if (!opened) return std::unexpected(opened.error());
    auto beside = store::CampaignStore::open(path);
    if (!beside) return std::unexpected(beside.error());
    return Stores{.results = std::move(*opened), .campaigns = std::move(*beside)};
  }
};

CampaignReader::CampaignReader(std::string store_path, std::string data_folder, QObject* parent)
    : QObject(parent), store_path_(std::move(store_path)), data_folder_(std::move(data_folder)) {}

CampaignReader::~CampaignReader() = default;

CampaignReader::Answer CampaignReader::in_trouble(std::string text) {
  return [this, text = std::move(text)] { Q_EMIT trouble(QString::fromStdString(text)); };
}

// A run that breaks the limit of a search may have any verdict: only its results tell which count.
ListedCampaign CampaignReader::listed_one(const Stores& stores, store::CampaignRow row) {
  ListedCampaign one{.row = std::move(row)};
  one.done = one.row.runs_done;
  const auto campaign = parse_campaign(one.row.definition);
  if (!campaign) return one;
  one.search = campaign->search.has_value();
  if (!one.search) {
    one.runs = uint64_t{point_count(*campaign)} * campaign->repeats;
    return one;
  }
  auto& [results, done] = searches_[one.row.id];
  if (results != one.row.results) {
    if (problem_of(*campaign)) return one;
    const auto records = stores.campaigns->results_of(one.row.id);
    if (!records) return one;
    const Ledger ledger(*campaign, *records);
    results = one.row.results;
    done = ledger.done();
  }
  one.done = done;
  return one;
}

void CampaignReader::list() {
  thread_.wish_again(kList, [this](const auto&) { return read_list(); });
}

CampaignReader::Answer CampaignReader::read_list() {
  const auto stores = Stores::open(store_path_);
  if (!stores) return in_trouble(stores.error().text);
  auto rows = stores->campaigns->list();
  if (!rows) return in_trouble(rows.error().text);
  std::vector<ListedCampaign> all;
  for (store::CampaignRow& row : *rows) all.push_back(listed_one(*stores, std::move(row)));
  return [this, all = std::move(all)] { Q_EMIT listed(all); };
}

void CampaignReader::look(int64_t id) {
  Task task = [this, id](const auto&) { return read(id); };
  id == std::exchange(looked_at_, id) ? thread_.wish_again(kLook, std::move(task))
                                      : thread_.wish(kLook, std::move(task));
}

CampaignReader::Answer CampaignReader::read(int64_t id) {
  const auto stores = Stores::open(store_path_);
  if (!stores) return in_trouble(stores.error().text);
  auto row = stores->campaigns->find(id);
  if (!row) {
    if (stores->campaigns->presence(id).value_or(store::Presence::listed) == store::Presence::listed)
      return in_trouble(row.error().text);
    return [this, id] { Q_EMIT gone(id); };
  }
  const std::string which = "campaign " + std::to_string(id) + ": ";
  auto campaign = parse_whole_campaign(row->definition);
  if (!campaign) return in_trouble(which + campaign.error().text);
  auto points = points_of(*campaign);
  if (!points) return in_trouble(which + points.error().text);
  auto records = stores->campaigns->results_of(id);
  if (!records) return in_trouble(which + records.error().text);
  if (campaign->search) points = points_of_search(*campaign, *records);
  auto look = std::make_shared<const Look>(Look{.row = std::move(*row),
                                                .campaign = std::move(*campaign),
                                                .points = std::move(*points),
                                                .records = std::move(*records)});
  return [this, look = std::move(look)] { Q_EMIT looked(look); };
}

void CampaignReader::draw(SharedLook look, size_t number, FigureSpec as) {
  const std::optional<Drawn> figure = Drawn{.campaign = look->row.id, .number = number, .as = as};
  Task task = [this, look = std::move(look), number, as = std::move(as)](const auto&) {
    return drawing_of(*look, number, as);
  };
  figure == std::exchange(drawn_, figure) ? thread_.wish_again(kDraw, std::move(task))
                                          : thread_.wish(kDraw, std::move(task));
}

// With it those that have its axes.
CampaignReader::Answer CampaignReader::drawing_of(const Look& look, size_t number, const FigureSpec& as) {
  if (number >= figure_specs(look.campaign).size()) return {};
  const auto stores = Stores::open(store_path_);
  if (!stores) return in_trouble(stores.error().text);
  Campaign of_one = look.campaign;
  if (!of_one.search) {
    of_one.figures = {as};
    for (size_t i = 0; i < look.campaign.figures.size(); i++) {
      const FigureSpec& other = look.campaign.figures[i];
      if (i == number || as.scale.empty() || other.scale != as.scale) continue;
      of_one.figures.push_back(other);
      of_one.figures.back().part = as.part;
      if (as.logarithmic) of_one.figures.back().logarithmic = as.logarithmic;
    }
  }
  const auto load = [&stores](int64_t id) { return stores->results->load(id); };
  auto figures = figures_of(of_one, look.points, look.records, load);
  const size_t place = of_one.search ? number : 0;
  if (place >= figures.size()) return {};
  return [this, id = look.row.id, number, figure = std::move(figures[place])] {
    Q_EMIT drawn(id, static_cast<int>(number), figure);
  };
}

void CampaignReader::check_form(CampaignForm form, hosts::HostList hosts) {
  thread_.wish(kCheck, [this, form = std::move(form), hosts = std::move(hosts)](const auto&) -> Answer {
    return [this, result = check(form, hosts, data_folder_)] { Q_EMIT checked(result); };
  });
}

}  // namespace n2nq::campaign

#include "moc_campaign_reader.cpp"
