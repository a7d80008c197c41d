#include "app/campaign/waiting_notes.h"

#include <algorithm>
#include <set>

#include "app/figures/metric.h"
#include "app/figures/waiting.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {
namespace {

using record::RunRecord;

// "90, pushed at random (2 of 3 runs)"; empty: none of them.
std::string counted(const Campaign& campaign, const PointResults& one, size_t count) {
  return count == 0 ? ""
                    : label_of(campaign, *one.point) + " (" + std::to_string(count) + " of " +
                          text::amount(one.runs.size(), "run") + ")";
}

void add(std::vector<std::string>& all, std::string one) {
  if (!one.empty()) all.push_back(std::move(one));
}

// That have the seeds of another run of the point: the very same arrivals, so that they tell nothing new.
size_t copies_in(const std::vector<const RunRecord*>& runs) {
  std::set<uint64_t> seeds;
  for (const RunRecord* run : runs) seeds.insert(run->plan.senders.seed);
  return runs.size() - seeds.size();
}

}  // namespace

bool is_of_waiting(const FigureSpec& figure) {
  const figures::Metric* metric = figures::find_metric(figure.metric);
  return figure.kind == FigureKind::means && metric != nullptr && metric->theory != nullptr;
}

bool shows_waiting(const Campaign& campaign) {
  return std::ranges::any_of(campaign.figures, is_of_waiting);
}

std::vector<std::string> waiting_notes_of(const Campaign& campaign, const std::vector<PointResults>& results) {
  std::vector<std::string> overloaded, too_short, alike;
  for (const PointResults& one : results) {
    size_t over = 0, brief = 0;
    for (const RunRecord* run : one.runs) {
      const auto waiting = figures::waiting_of(*run);
      if (!waiting || waiting->arrivals_per_s == 0) continue;
      over += waiting->overloaded() ? 1 : 0;
      brief += !waiting->overloaded() && waiting->too_short() ? 1 : 0;
    }
    add(alike, counted(campaign, one, copies_in(one.runs)));
    add(overloaded, counted(campaign, one, over));
    add(too_short, counted(campaign, one, brief));
  }
  std::vector<std::string> notes;
  if (!overloaded.empty())
    notes.push_back("overloaded: theory has no figure, and the measured mean grows with the length of the run" +
                    named(overloaded));
  if (!too_short.empty())
    notes.push_back("too short for their load: differences from theory may be chance" + named(too_short));
  if (!alike.empty())
    notes.push_back("using another repeat's seeds, from before repeats had their own: the intervals are too narrow" +
                    named(alike));
  return notes;
}

}  // namespace n2nq::campaign
