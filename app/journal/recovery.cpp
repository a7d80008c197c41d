#include "app/journal/recovery.h"

#include <algorithm>
#include <concepts>
#include <set>

#include "app/journal/journal_lines.h"
#include "app/plan/filter_text.h"
#include "app/plan/plan_file.h"
#include "app/record/backlog.h"
#include "app/record/journal_row.h"
#include "app/record/outages.h"
#include "app/record/totals.h"
#include "broker/base/clock.h"
#include "workers/measure/saturate.h"

namespace n2nq::journal {
namespace {

using Json = nlohmann::json;

constexpr const char* kEndNotKnown = "unknown: the bench was gone first";

template <std::integral Integer>
bool read(const Json& line, const char* key, Integer& value) {
  const auto at = line.find(key);
  if (at == line.end()) return false;
  const Json row = Json::array({*at});
  record::JournalRowReader one(row);
  one(key, value);
  return one.good();
}

const Json* rows_at(const Json& line, const char* key) {
  const auto at = line.find(key);
  return at == line.end() || !at->is_array() ? nullptr : &*at;
}

std::string text_at(const Json& line, const char* key) {
  const auto at = line.find(key);
  return at == line.end() || !at->is_string() ? std::string() : at->get<std::string>();
}

}  // namespace

bool Recovery::take_start(const Json& line) {
  int64_t form = 0;
  if (!line.is_object() || !read(line, "journal", form)) return false;
  other_form_ = form != kForm;
  if (other_form_) return false;
  if (!read(line, "started_utc_ns", record_.started_utc_ns)) return false;
  const auto at = line.find("plan");
  if (at == line.end()) return false;
  auto plan = plan::stored_plan_from_json(at->dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!plan) return false;
  record_.plan = std::move(*plan);
  record_.run_id = text_at(line, "run_id");
  record_.machine_json = text_at(line, "machine");
  record_.bus_settings = text_at(line, "bus_settings");
  record_.ended_utc_ns = record_.started_utc_ns;
  record::CampaignPlace place;
  if (line.contains("campaign") && record::from_journal_row(line["campaign"], place)) record_.campaign = place;
  uint64_t planned = 0;
  if (read(line, "planned", planned)) record_.totals.planned = planned;
  return true;
}

bool Recovery::take(const Json& line) {
  if (record::FinalRecord::is_part(line)) return final_.take(line);
  if (!line.is_object() || !read(line, "utc_ns", record_.ended_utc_ns)) return false;
  const auto begun = line.find("begun");
  if (begun == line.end() || !begun->is_boolean() || !read(line, "since_begin_ns", since_begin_ns_)) return false;
  begun_ = begun->get<bool>();
  if (line.contains("run_id")) record_.run_id = text_at(line, "run_id");
  if (line.contains("server")) record_.server = text_at(line, "server");
  if (line.contains("bus_client")) record_.bus_client = text_at(line, "bus_client");
  if (begun_ && !record_.began_utc_ns) record_.began_utc_ns = measure::minus(record_.ended_utc_ns, since_begin_ns_);
  const auto senders = line.find("senders"), receivers = line.find("receivers");
  if (senders == line.end() || !record::from_journal_row(*senders, senders_)) return false;
  if (receivers == line.end() || !record::from_journal_row(*receivers, receivers_)) return false;
  for (const auto& [key, take_rows] :
       {std::pair("services", &Recovery::take_services), std::pair("histograms", &Recovery::take_histograms),
        std::pair("series", &Recovery::take_series), std::pair("notes", &Recovery::take_notes)}) {
    const Json* rows = rows_at(line, key);
    if (rows == nullptr || !(this->*take_rows)(*rows)) return false;
  }
  if (line.contains("processes")) {
    const Json* processes = rows_at(line, "processes");
    if (processes == nullptr || !take_processes(*processes)) return false;
  }
  if (line.contains("machines")) {
    const Json* machines = rows_at(line, "machines");
    if (machines == nullptr || !take_machines(*machines)) return false;
  }
  const Json* workers = rows_at(line, "workers");
  if (workers == nullptr || !take_workers(*workers)) return false;
  const Json* requests = rows_at(line, "requests");
  return requests != nullptr && take_requests(*requests) && take_filters(line);
}

bool Recovery::take_services(const Json& rows) {
  for (const Json& row : rows) {
    live::ServiceFigures service;
    if (!record::from_journal_row(row, service)) return false;
    services_[{service.role, service.number}] = service;
  }
  return true;
}

bool Recovery::take_histograms(const Json& gains) {
  for (const Json& gain : gains) {
    if (!gain.is_object()) return false;
    const auto moments = gain.find("moments");
    const auto buckets = gain.find("buckets");
    std::vector<control::BucketCount> counts;
    if (moments == gain.end() || buckets == gain.end() || !record::take_buckets(*buckets, counts)) return false;
    Gained& gained = histograms_[text_at(gain, "name")];
    if (!record::from_journal_row(*moments, gained.moments) || !record::is_plausible(gained.moments)) return false;
    for (const control::BucketCount& one : counts) gained.buckets[one.index] += one.count;
  }
  return true;
}

bool Recovery::take_series(const Json& rows) {
  for (const Json& row : rows) {
    live::SeriesPoint point;
    if (!record::from_journal_row(row, point)) return false;
    const auto starts_later = [&](const live::SeriesPoint& one) { return one.start_ns >= point.start_ns; };
    while (!record_.series.empty() && starts_later(record_.series.back())) record_.series.pop_back();
    record_.series.push_back(point);
  }
  return true;
}

bool Recovery::take_notes(const Json& rows) {
  for (const Json& row : rows)
    if (!record::from_journal_row(row, record_.notes.emplace_back())) return false;
  return true;
}

bool Recovery::take_requests(const Json& rows) {
  for (const Json& row : rows)
    if (!record::from_journal_row(row, record_.requests.emplace_back())) return false;
  return true;
}

// Only where they have changed since the lines before.
bool Recovery::take_filters(const Json& line) {
  const auto at = line.find("filters");
  if (at == line.end()) return true;
  auto filters = at->is_string() ? plan::parse_filters(at->get_ref<const std::string&>()) : fail("no text");
  if (!filters) return false;
  record_.plan.queue.requests.filters = std::move(*filters);
  return true;
}

bool Recovery::take_processes(const Json& rows) {
  record_.processes.clear();
  for (const Json& row : rows) {
    record::ProcessRecord& process = record_.processes.emplace_back();
    if (!record::from_journal_row(row, process)) return false;
    process.end = kEndNotKnown;
  }
  return true;
}

bool Recovery::take_machines(const Json& rows) {
  record_.machines.clear();
  for (const Json& row : rows)
    if (!record::from_journal_row(row, record_.machines.emplace_back())) return false;
  return true;
}

bool Recovery::take_workers(const Json& rows) {
  for (const Json& row : rows) {
    record::ProcessRecord told;
    record::JournalRowReader reader(row);
    reader("role", told.role);
    reader("first_service", told.first_service);
    reader("services", told.services);
    reader("cpu_ns", told.cpu_ns);
    reader("peak_rss_bytes", told.peak_rss_bytes);
    if (!reader.good()) return false;
    const auto process = std::ranges::find_if(record_.processes, [&](const record::ProcessRecord& one) {
      return one.role == told.role && one.first_service == told.first_service;
    });
    if (process == record_.processes.end()) continue;
    process->services = told.services;
    process->cpu_ns = told.cpu_ns;
    process->peak_rss_bytes = told.peak_rss_bytes;
  }
  return true;
}

// Nobody has fetched what was written on other hosts, or not all of it.
void Recovery::say_where_files_are(const char* what_became_of_them) {
  std::set<std::pair<std::string, std::string>> places;
  for (const record::ProcessRecord& process : record_.processes)
    if (!process.log_dir.empty() && record::is_on_host(record_, process))
      places.emplace(process.place, process.log_dir);
  for (const auto& [place, folder] : places)
    record::add_note(record_, record::Severity::warning,
                     "what its processes wrote on " + place + ", summaries and logs, " + what_became_of_them + folder +
                         " until a later run on that host removes what was not fetched");
}

// Moments are of all values; buckets may lag behind them by what did not fit in the last line.
record::HistogramRecord Recovery::histogram_of(const std::string& name) const {
  record::HistogramRecord record{.name = name};
  const auto at = histograms_.find(name);
  if (at == histograms_.end()) return record;
  uint64_t in_buckets = 0;
  for (const auto& [index, count] : at->second.buckets) {
    record.buckets.push_back({.index = index, .count = count});
    in_buckets += count;
  }
  record.moments = at->second.moments;
  if (in_buckets == 0 || in_buckets == record.moments.count) {
    record.moments.count = in_buckets;
    return record;
  }
  const double share = static_cast<double>(in_buckets) / static_cast<double>(record.moments.count);
  record.moments.sum *= share;
  record.moments.sum_squares *= share;
  record.moments.count = in_buckets;
  return record;
}

// What was received the queue had accepted, though its word of that may not have been back at the senders.
uint64_t Recovery::accepted_at_least() const {
  int64_t received = 0;
  for (const auto& [key, service] : services_)
    if (service.role == Role::receiver) received = std::max(received, service.count);
  if (plan::balances(record_.plan.queue)) received = std::max(received, receivers_.count);
  const int64_t accepted = std::max(senders_.accepted, std::min(received, senders_.count));
  return static_cast<uint64_t>(std::max<int64_t>(accepted, 0));
}

record::RunRecord Recovery::finish() {
  record_.verdict = record::Verdict::cut_off;
  for (const auto& [key, service] : services_) record_.services.push_back(service);
  for (const control::LatencyRow& row : control::kLatencies) {
    const record::HistogramRecord histogram = histogram_of(row.name);
    if (histogram.buckets.empty()) continue;
    record_.latencies[row.latency] = measure::summarize(record::to_histogram(histogram));
    record_.histograms.push_back(histogram);
  }
  record::RunTotals& totals = record_.totals;
  const bool replies = plan::asks_for_replies(record_.plan);
  record::add_counts(totals, Role::sender, senders_, replies);
  record::add_counts(totals, Role::receiver, receivers_, replies);
  totals.accepted = accepted_at_least();
  if (replies) record_.closed_loop = plan::closed_loop(record_.plan);
  const auto is_elsewhere = [](const plan::Fleet& fleet) { return !fleet.attach.empty() || !fleet.hosts.empty(); };
  const bool elsewhere = is_elsewhere(record_.plan.senders.fleet) || is_elsewhere(record_.plan.receivers.fleet) ||
                         !record_.plan.queue.host.empty();
  if (elsewhere) record_.clock_kind = "unknown";
  record_.reason =
      begun_ ? "the bench ended " + std::to_string(since_begin_ns_ / kSecond) + " s after BEGIN; figures up to then"
             : "the bench ended before BEGIN; nothing was measured";
  // Of each the last figures that it told; what it did after that nobody heard.
  for (record::ProcessRecord& process : record_.processes)
    if (begun_ && process.role != Role::broker) process.figures_from = "telemetry";
  record_.catch_ups = record::catch_ups_of(record_);
  record_.outages = record::outages(record_.series, record_.notes);
  final_.apply(record_);
  const auto fetch = final_.fetch();
  if (!fetch) say_where_files_are("was not fetched; it stays there in ");
  if (fetch == record::Fetch::to_come)
    say_where_files_are("was not fetched to the end, as far as the journal says; what is not here stays there in ");
  return std::move(record_);
}

}  // namespace n2nq::journal
