#include "app/findings/shipped_case.h"

#include <algorithm>
#include <map>

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
                                      "limits"};

// For one field, over all points.
struct Unlike {
  size_t points = 0;
  std::string ours{}, theirs{};  // of the first
};

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
  std::map<std::string_view, Unlike> unlike;
  size_t strange = 0;
  for (const Point& point : points) {
    const auto same = by_labels.find(labels_of(campaign, point));
    if (same == by_labels.end()) {
      strange++;
      found.points.insert(point.number);
      continue;
    }
    for (const plan::PlanField& field : plan::plan_fields()) {
      if (std::ranges::find(kFree, field.key) != std::end(kFree)) continue;
      if (plan::is_idle(field, point.plan) && plan::is_idle(field, same->second->plan)) continue;
      const std::string ours = plan::text_of(field, point.plan);
      const std::string theirs = plan::text_of(field, same->second->plan);
      if (ours == theirs) continue;
      Unlike& one = unlike[field.key];
      if (one.points++ == 0) one = {.points = 1, .ours = ours, .theirs = theirs};
      found.points.insert(point.number);
    }
    by_labels.erase(same);
  }
  const std::string& name = shipped->name;
  for (const auto& [key, one] : unlike)
    found.remarks.push_back("different from " + name + ": " + std::string(key) + " is " + one.ours + " and not " +
                            one.theirs + (one.points > 1 ? ", and so on, in " : ", in ") +
                            text::amount(one.points, "point"));
  if (strange > 0) found.remarks.push_back(text::amount(strange, "point") + " that " + name + " does not have");
  if (!by_labels.empty()) found.remarks.push_back("without " + text::amount(by_labels.size(), "point") + " of " + name);
  return found;
}

}  // namespace n2nq::findings
