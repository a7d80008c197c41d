#include "app/journal/journal_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "app/plan/filter_text.h"
#include "app/plan/plan_file.h"
#include "app/record/host_json.h"
#include "app/record/journal_row.h"
#include "broker/base/clock.h"

namespace n2nq::journal {
namespace {

using Json = nlohmann::json;

// What a line may hold of things that there can be thousands of; the rest comes with the lines after it.
constexpr size_t kServicesPerLine = 256;
constexpr size_t kBucketsPerLine = 2048;
constexpr size_t kPointsPerLine = 64;
constexpr size_t kNotesPerLine = 64;
constexpr size_t kNoteBytes = 2000;
// Slots of the series are merged to about a second: eight of the finest, so that theirs and wider ones nest.
constexpr int64_t kPointNs = 8 * live::TimeSeries::kFinestNs;

std::string as_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json new_services(const live::LiveFigures& figures, std::span<const live::ServiceFigures> now,
                  std::vector<live::ServiceFigures>& told, size_t& next) {
  Json rows = Json::array();
  told.resize(now.size());
  const size_t first = now.empty() ? 0 : next % now.size();
  for (size_t i = 0; i < now.size() && rows.size() < kServicesPerLine; i++) {
    const size_t at = (first + i) % now.size();
    next = at + 1;
    if (told[at] == now[at]) continue;
    told[at] = now[at];
    rows.push_back(record::to_journal_row(figures.of_whole_run(now[at])));
  }
  return rows;
}

// {"name", "moments" since BEGIN, "buckets": [index, gained, index, gained ...]}
Json histogram_gain(const char* name, const measure::Histogram& now, std::vector<control::BucketCount>& told) {
  Json gains = Json::array();
  std::vector<control::BucketCount> after;
  auto before = told.begin();
  now.for_each([&](const measure::Bucket& bucket) {  // ascending too
    while (before != told.end() && before->index < bucket.index) after.push_back(*before++);
    const bool known = before != told.end() && before->index == bucket.index;
    const uint64_t had = known ? before++->count : 0;
    const bool gained = bucket.count > had && gains.size() < 2 * kBucketsPerLine;
    if (gained) gains.insert(gains.end(), {bucket.index, bucket.count - had});
    if (gained || known) after.push_back({.index = bucket.index, .count = gained ? bucket.count : had});
  });
  after.insert(after.end(), before, told.end());
  told = std::move(after);
  return {{"name", name},
          {"moments", record::to_journal_row(record::to_record(name, now).moments)},
          {"buckets", std::move(gains)}};
}

Json histogram_gains(const live::LiveFigures& figures, Told& told) {
  Json gains = Json::array();
  for (const control::LatencyRow& row : control::kLatencies) {
    const measure::Histogram& now = figures.histogram(row.latency);
    if (now.count() == 0) continue;
    Json gain = histogram_gain(row.name, now, told.buckets[row.latency]);
    if (gain["buckets"].empty() && told.counts[row.latency] == now.count()) continue;
    told.counts[row.latency] = now.count();
    gains.push_back(std::move(gain));
  }
  return gains;
}

// A point that begins before the end of earlier ones takes their place.
Json new_points(const live::LiveFigures& figures, Told& told) {
  const live::TimeSeries& series = figures.series();
  const int64_t step = std::max(kPointNs, series.width_ns());
  const int64_t from = told.series_until_ns / step * step;
  const auto most = static_cast<int64_t>(kPointsPerLine) * step;
  const int64_t until = std::min(figures.complete_until_ns() / step * step, from + most);
  Json rows = Json::array();
  if (until <= told.series_until_ns) return rows;
  for (const live::SeriesPoint& point : series.points(from, until, static_cast<size_t>((until - from) / step)))
    rows.push_back(record::to_journal_row(point));
  told.series_until_ns = until;
  return rows;
}

record::RunNote cut(record::RunNote note) {
  if (note.text.size() > kNoteBytes) note.text.resize(kNoteBytes);
  return note;
}

Json new_notes(const std::vector<record::RunNote>& notes, Told& told) {
  size_t first = notes.size();
  while (first > 0 && (!told.note || notes[first - 1] != *told.note)) first--;
  Json rows = Json::array();
  for (size_t i = first; i < notes.size() && rows.size() < kNotesPerLine; i++) {
    told.note = notes[i];
    rows.push_back(record::to_journal_row(cut(notes[i])));
  }
  return rows;
}

Json new_requests(const std::vector<record::RequestRecord>& requests, Told& told) {
  Json rows = Json::array();
  for (; told.requests < requests.size(); told.requests++)
    rows.push_back(record::to_journal_row(requests[told.requests]));
  return rows;
}

Json workers_of(const live::LiveFigures& figures) {
  Json rows = Json::array();
  for (const live::WorkerFigures& worker : figures.workers())
    rows.push_back({std::string(record::word_of(worker.role)), worker.first_service, worker.services,
                    worker.process.cpu_ns, worker.process.rss_bytes});
  return rows;
}

void add_filters(Json& line, const record::RunRecord& record, Told& told) {
  const std::string filters = plan::to_text(record.plan.queue.requests.filters);
  if (told.filters == filters) return;
  told.filters = filters;
  line["filters"] = filters;
}

void add_said(Json& line, const record::RunRecord& record, Told& told) {
  for (const auto& [key, now, before] :
       {std::tuple("run_id", &record.run_id, &told.run_id), std::tuple("server", &record.server, &told.server),
        std::tuple("bus_client", &record.bus_client, &told.client)})
    if (*before != *now) line[key] = *before = *now;
}

// Only what says which there are, and where what they write is.
record::ProcessRecord place_of(const record::ProcessRecord& process) {
  return {.name = process.name,
          .role = process.role,
          .place = process.place,
          .first_service = process.first_service,
          .services = process.services,
          .pid = process.pid,
          .log_dir = process.log_dir,
          .nodelay = process.nodelay,
          .send_buffer_bytes = process.send_buffer_bytes,
          .receive_buffer_bytes = process.receive_buffer_bytes,
          .congestion = process.congestion};
}

void add_processes(Json& line, const record::RunRecord& record, Told& told) {
  std::vector<record::ProcessRecord> processes;
  for (const record::ProcessRecord& process : record.processes) processes.push_back(place_of(process));
  if (told.processes == processes) return;
  Json rows = Json::array();
  for (const record::ProcessRecord& process : processes) rows.push_back(record::to_journal_row(process));
  line["processes"] = std::move(rows);
  told.processes = std::move(processes);
}

void add_machines(Json& line, const record::RunRecord& record, Told& told) {
  if (told.machines == record.machines) return;
  Json rows = Json::array();
  for (const record::MachineRecord& machine : record.machines) rows.push_back(record::to_journal_row(machine));
  line["machines"] = std::move(rows);
  told.machines = record.machines;
}

Json line_of(const live::LiveFigures& figures, const std::vector<record::RunNote>& notes,
             const record::RunRecord& record, Told& told) {
  Json line{{"utc_ns", wall_ns()}, {"begun", figures.begun()}, {"since_begin_ns", figures.now_ns()}};
  line["senders"] = record::to_journal_row(figures.all_senders());
  line["receivers"] = record::to_journal_row(figures.all_receivers());
  line["services"] = new_services(figures, figures.senders(), told.senders, told.next_sender);
  for (Json& row : new_services(figures, figures.receivers(), told.receivers, told.next_receiver))
    line["services"].push_back(std::move(row));
  line["histograms"] = histogram_gains(figures, told);
  line["series"] = new_points(figures, told);
  line["notes"] = new_notes(notes, told);
  line["requests"] = new_requests(record.requests, told);
  add_filters(line, record, told);
  add_said(line, record, told);
  add_processes(line, record, told);
  add_machines(line, record, told);
  line["workers"] = workers_of(figures);
  return line;
}

std::string final_line(const char* what, Json value) {
  return as_line({{"final", what}, {"value", std::move(value)}});
}

std::string final_run_line(const record::RunRecord& record, record::Fetch fetch) {
  Json line{{"final", "run"}, {"value", record::to_journal_row(record)}};
  if (fetch == record::Fetch::to_come) line["fetched"] = false;
  return as_line(line);
}

Json plan_json(const record::RunRecord& record) {
  return Json::parse(plan::plan_to_json(record.plan), nullptr, false);
}

// A list in as many lines as it takes; the first says that it begins again.
template <class Row>
void add_list(std::vector<std::string>& lines, const char* what, const std::vector<Row>& rows) {
  for (size_t from = 0; from == 0 || from < rows.size(); from += kServicesPerLine) {
    Json part = Json::array();
    for (size_t i = from; i < std::min(rows.size(), from + kServicesPerLine); i++) {
      if constexpr (std::is_same_v<Row, record::RunNote>)
        part.push_back(record::to_journal_row(cut(rows[i])));
      else
        part.push_back(record::to_journal_row(rows[i]));
    }
    lines.push_back(final_line(what, {{"from", from}, {"rows", std::move(part)}}));
  }
}

Json histogram_json(const record::HistogramRecord& histogram) {
  Json buckets = Json::array();
  for (const auto& [index, count] : histogram.buckets) buckets.insert(buckets.end(), {index, count});
  return {{"name", histogram.name},
          {"moments", record::to_journal_row(histogram.moments)},
          {"buckets", std::move(buckets)}};
}

Json figures_json(const record::RunRecord& record) {
  Json figures = Json::object();
  for (const control::LatencyRow& row : control::kLatencies)
    if (record::has_latency(record, row)) figures[row.name] = record::to_journal_row(record.latencies[row.latency]);
  return figures;
}

}  // namespace

std::string first_journal_line(const record::RunRecord& start) {
  return as_line({{"journal", kForm},
                  {"version", N2NQ_VERSION},
                  {"run_id", start.run_id},
                  {"started_utc_ns", start.started_utc_ns},
                  {"planned", start.totals.planned ? Json(*start.totals.planned) : Json()},
                  {"plan", plan_json(start)},
                  {"machine", start.machine_json},
                  {"bus_settings", start.bus_settings},
                  {"campaign", start.campaign ? record::to_journal_row(*start.campaign) : Json()}});
}

std::string next_journal_line(const live::LiveFigures& figures, const std::vector<record::RunNote>& notes,
                              const record::RunRecord& record, Told& told) {
  return as_line(line_of(figures, notes, record, told));
}

std::vector<std::string> final_journal_lines(const record::RunRecord& record, record::Fetch fetch) {
  std::vector<std::string> lines{final_run_line(record, fetch), final_line("figures", figures_json(record))};
  const auto add_lists = [&](record::Bulk bulk) {
    record::lists([&](const record::NamedList& list, auto member) {
      if (list.bulk == bulk) add_list(lines, list.in_journal, record.*member);
    });
  };
  add_lists(record::Bulk::small);
  lines.push_back(final_line("plan", plan_json(record)));
  add_lists(record::Bulk::medium);
  for (const record::HistogramRecord& histogram : record.histograms)
    lines.push_back(final_line("histogram", histogram_json(histogram)));
  add_lists(record::Bulk::large);
  for (const live::HostHistory& host : record.hosts) lines.push_back(final_line("host", Json(record::host_json(host))));
  lines.push_back(final_line("end", nullptr));
  return lines;
}

}  // namespace n2nq::journal
