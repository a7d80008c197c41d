#include "ui/results/comparison.h"

#include <algorithm>
#include <utility>

#include "app/compare/comparison.h"

namespace n2nq::ui {
namespace {

// What pictures and statements do not look at would take most of the room.
void keep_what_is_compared(record::RunRecord& run) {
  run.services = {};
  run.processes = {};
  run.losses = {};
  run.notes = {};
  run.paths = {};
  // Beside runs without replies the latency of those with them is drawn, else their turnaround.
  std::erase_if(run.histograms, [](const record::HistogramRecord& one) {
    const auto is_of = [&one](bool replies) {
      return one.name == control::name_of(record::first_latency(replies)) ||
             one.name == control::name_of(record::first_latency(replies, true));
    };
    return !is_of(false) && !is_of(true);
  });
}

std::vector<std::string> remarks_on(const std::vector<compare::Side>& sides) {
  std::vector<std::string> all;
  for (size_t i = 1; i < sides.size(); i++)
    for (std::string& one : compare::remarks(sides[0], sides[i]))
      if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
  return all;
}

}  // namespace

Result<SharedComparison> load_comparison(const std::string& path, const std::vector<int64_t>& ids,
                                         const std::function<bool()>& wanted) {
  const auto store = store::ResultStore::open(path);
  if (!store) return std::unexpected(store.error());
  std::vector<record::RunRecord> runs;
  for (const int64_t id : ids) {
    if (!wanted()) return fail("cancelled");
    auto run = (*store)->load(id);
    if (!run) return std::unexpected(run.error());
    keep_what_is_compared(*run);
    runs.push_back(std::move(*run));
  }
  std::ranges::stable_sort(runs, {}, &record::RunRecord::started_utc_ns);
  ShownComparison loaded{.runs = std::make_shared<const std::vector<record::RunRecord>>(std::move(runs))};
  loaded.by_plan = compare::sides_by_plan(*loaded.runs);
  return put_on_sides(loaded, loaded.by_plan);
}

Result<SharedComparison> put_on_sides(const ShownComparison& comparison, const compare::Assignment& assignment) {
  auto sides = compare::make_sides(*comparison.runs, assignment);
  if (!sides) return std::unexpected(sides.error());
  auto remarks = remarks_on(*sides);
  return std::make_shared<const ShownComparison>(ShownComparison{.runs = comparison.runs,
                                                                 .by_plan = comparison.by_plan,
                                                                 .assignment = assignment,
                                                                 .sides = std::move(*sides),
                                                                 .remarks = std::move(remarks)});
}

}  // namespace n2nq::ui
