#include "app/findings/shipped_case.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/campaign/campaign_file.h"
#include "app/findings/case_results.h"
#include "app/plan/plan_fields.h"
#include "app/text/quantity.h"
#include "broker/base/assert.h"

namespace n2nq::findings {
namespace {

using campaign::Campaign;
using campaign::Point;

// Where and how it is run, and not what.
constexpr std::string_view kFree[] = {"name",
                                      "log",
                                      "join_timeout",
                                      "senders.hosts",
                                      "senders.processes",
                                      "senders.seed",
                                      "receivers.hosts",
                                      "receivers.processes",
                                      "receivers.seed",
                                      "queue.host",
                                      "queue.listen",
                                      "queue.token_file",
                                      "bus.user",
                                      "bus.password_file",
                                      "bus.tls_ca",
                                      "queue.seed",
                                      "queue.drain_timeout",
                                      "queue.stall_timeout",
                                      "look.path",
                                      "look.bandwidth",
                                      "recorder.on",
                                      "recorder.period",
                                      "recorder.hosts",
                                      "limits"};

// Of how much the servers and the processes are: free as well, unless the case itself is about them, or they differ
// between its points.
constexpr std::string_view kMeans[] = {"bus.address",  "bus.vhost",      "bus.servers",    "bus.hosts",
                                       "bus.replicas", "bus.image",      "bus.cpus",       "bus.memory",
                                       "senders.cpus", "senders.memory", "receivers.cpus", "receivers.memory",
                                       "queue.cpus",   "queue.memory"};

bool is_limit(std::string_view key) {
  return key.ends_with(".cpus") || key.ends_with(".memory");
}

// A process with any limit is in a container, so a case that varies one is about all of them.
std::set<std::string_view> free_means(const Campaign& shipped) {
  std::set<std::string_view> free(std::begin(kMeans), std::end(kMeans));
  for (const campaign::Axis& axis : shipped.axes)
    for (const campaign::AxisValue& value : axis.values)
      for (const plan::Override& change : value.set) {
        free.erase(change.key);
        if (is_limit(change.key)) std::erase_if(free, is_limit);
      }
  return free;
}

// For one field, over all points.
struct Unlike {
  std::set<uint32_t> points{};
  std::string ours{}, theirs{};      // of the first
  std::set<std::string> all_ours{};  // also of points that are alike
};

std::string unlike_text(std::string_view key, const Unlike& one) {
  const auto or_none = [](const std::string& text) { return text.empty() ? "none" : text; };
  return std::string(key) + " is " + or_none(one.ours) + " and not " + or_none(one.theirs) +
         (one.points.size() > 1 ? ", and so on, in " : ", in ") + text::amount(one.points.size(), "point");
}

}  // namespace

CaseDifferences differences_from_case(const ShippedCase& shipped_case, bool quick, const Campaign& campaign,
                                      const std::vector<Point>& points) {
  const auto shipped = campaign::parse_campaign(quick ? shipped_case.quick : shipped_case.full);
  N2NQ_ASSERT(shipped);
  const auto of_case = campaign::points_of(*shipped);
  N2NQ_ASSERT(of_case);
  std::map<Labels, const Point*> by_labels;
  for (const Point& point : *of_case) by_labels[labels_of(*shipped, point)] = &point;

  CaseDifferences found;
  const std::set<std::string_view> means = free_means(*shipped);
  std::map<std::string_view, Unlike> unlike;
  size_t strange = 0;
  for (const Point& point : points) {
    const auto same = by_labels.find(labels_of(campaign, point));
    if (same == by_labels.end()) {
      strange++;
      found.points.insert(point.number);
      continue;
    }
    const bool alike = point.plan == same->second->plan;  // as a rule, and quickly seen
    for (const plan::PlanField& field : plan::plan_fields()) {
      if ((alike && !means.contains(field.key)) || std::ranges::find(kFree, field.key) != std::end(kFree)) continue;
      if (plan::is_idle(field, point.plan) && plan::is_idle(field, same->second->plan)) continue;
      const std::string ours = plan::text_of(field, point.plan);
      const std::string theirs = plan::text_of(field, same->second->plan);
      if (means.contains(field.key)) unlike[field.key].all_ours.insert(ours);
      if (ours == theirs) continue;
      Unlike& one = unlike[field.key];
      if (one.points.empty()) one = {.ours = ours, .theirs = theirs, .all_ours = std::move(one.all_ours)};
      one.points.insert(point.number);
    }
    by_labels.erase(same);
  }
  const std::string& name = shipped->name;
  for (const auto& [key, one] : unlike) {
    if (one.points.empty()) continue;
    const bool free = means.contains(key) && one.all_ours.size() == 1;
    if (!free) found.points.insert(one.points.begin(), one.points.end());
    found.remarks.push_back((free ? "on other servers or limits than " : "different from ") + name + ": " +
                            unlike_text(key, one));
  }
  if (strange > 0) found.remarks.push_back(text::amount(strange, "point") + " that " + name + " does not have");
  if (!by_labels.empty()) found.remarks.push_back("without " + text::amount(by_labels.size(), "point") + " of " + name);
  return found;
}

}  // namespace n2nq::findings
