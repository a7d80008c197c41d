#include "app/campaign/point_rows.h"

#include <algorithm>
#include <map>

#include "app/campaign/point_notes.h"
#include "app/campaign/waiting_notes.h"
#include "app/compare/side.h"
#include "app/record/trust.h"

namespace n2nq::campaign {
namespace {

using record::RunRecord;

size_t count_of(const PointRow& row, RunState state) {
  return static_cast<size_t>(std::ranges::count(row.repeats, state, &RepeatRow::state));
}

std::string doubts_in(const RunRecord& record) {
  return record.trust == record::Trust::doubtful ? record::doubts_text(record) : std::string();
}

void take(PointRow& row, const RunRecord& record) {
  const size_t repeat = record.campaign->repeat;
  if (repeat == 0 || repeat > kMostRepeats) return;
  if (row.repeats.size() < repeat) row.repeats.resize(repeat);
  RepeatRow& made = row.repeats[repeat - 1];
  made.tries++;
  const bool counts = compare::counts(record.verdict);
  if (made.state == RunState::done) return;
  made.result = record.id;
  if (!counts) {
    made.last_reason = record.reason;
    return;
  }
  made.state = RunState::done;
  made.doubts = doubts_in(record);
}

// Which of the runs that were kept its probes are made of is for the search to say.
void take_trials(PointRow& row, const Search& search, const std::vector<RunRecord>& records) {
  for (uint32_t repeat = 1; repeat <= row.repeats.size(); repeat++)
    if (const Trial* trial = search.trial({row.number, repeat})) {
      RepeatRow& made = row.repeats[repeat - 1];
      made.outcome = trial->outcome;
      made.why = trial->reason;
      made.result = trial->result;
      made.state = trial->outcome == Outcome::failed ? RunState::failed : RunState::done;
      const auto record = std::ranges::find(records, trial->result, &RunRecord::id);
      made.doubts = record == records.end() ? std::string() : doubts_in(*record);
    }
}

}  // namespace

size_t PointRow::done() const {
  return count_of(*this, RunState::done);
}

size_t PointRow::failed() const {
  return count_of(*this, RunState::failed);
}

size_t PointRow::doubtful() const {
  return static_cast<size_t>(std::ranges::count_if(repeats, &RepeatRow::is_doubtful));
}

size_t PointRow::met() const {
  return static_cast<size_t>(
      std::ranges::count(repeats, std::optional(Outcome::met), [](const RepeatRow& row) { return row.outcome; }));
}

int64_t PointRow::last_result() const {
  const auto last = std::ranges::max_element(repeats, {}, &RepeatRow::result);
  return last == repeats.end() ? 0 : last->result;
}

std::vector<PointRow> point_rows(const Campaign& campaign, const std::vector<Point>& points,
                                 const std::vector<RunRecord>& records, const Ledger& ledger) {
  std::vector<PointRow> rows;
  const bool waiting = shows_waiting(campaign);
  std::map<uint32_t, size_t> place;
  for (const Point& point : points) {
    place[point.number] = rows.size();
    rows.push_back({.number = point.number,
                    .label = label_of(campaign, point),
                    .of_search = campaign.search.has_value(),
                    .repeats = std::vector<RepeatRow>(campaign.repeats),
                    .shows_waiting = waiting});
  }
  for (const RunRecord& record : records) {
    const auto found = record.campaign ? place.find(record.campaign->point) : place.end();
    if (found == place.end()) continue;
    take(rows[found->second], record);
  }
  const std::vector<PointResults> results = results_by_point(points, records);
  const figures::FirstLatency latency = first_latency(results);
  for (size_t i = 0; i < rows.size(); i++) {
    const std::vector<const RunRecord*>& runs = results[i].runs;
    rows[i].latency = latency;
    rows[i].trimmed_ns = figures::mean_of(latency.actual("trimmed"), runs);
    rows[i].p99_ns = figures::mean_of(latency.actual("p99"), runs);
    rows[i].shown_trimmed_ns = figures::mean_of(latency.of("trimmed"), runs);
    rows[i].shown_p99_ns = figures::mean_of(latency.of("p99"), runs);
    if (waiting) rows[i].waiting_ns = figures::mean_of(*figures::find_metric("waiting"), runs);
    rows[i].external_here = !places_not_external(points[i], runs).empty();
    if (ledger.search()) take_trials(rows[i], *ledger.search(), records);
    for (uint32_t repeat = 1; repeat <= rows[i].repeats.size(); repeat++) {
      RepeatRow& made = rows[i].repeats[repeat - 1];
      if (made.state == RunState::open && ledger.state({rows[i].number, repeat}) == RunState::failed)
        made.state = RunState::failed;
    }
  }
  return rows;
}

}  // namespace n2nq::campaign
