#include "app/results/recovery.h"

#include <algorithm>
#include <concepts>

#include "app/plan/filter_text.h"
#include "app/plan/plan_file.h"
#include "app/results/journal_row.h"
#include "workers/measure/saturate.h"

namespace n2nq::results {
namespace {

using Json = nlohmann::json;

constexpr int64_t kNsPerSecond = 1'000'000'000;

template <std::integral Integer>
bool read(const Json& line, const char* key, Integer& value) {
  const auto at = line.find(key);
  if (at == line.end()) return false;
  const Json row = Json::array({*at});
  JournalRowReader one(row);
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
  if (!line.is_object() || !read(line, "journal", form) || form != 1) return false;
  if (!read(line, "started_utc_ns", record_.started_utc_ns)) return false;
  const auto at = line.find("plan");
  if (at == line.end()) return false;
  auto plan = plan::plan_from_json(at->dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!plan) return false;
  record_.plan = std::move(*plan);
  record_.run_id = text_at(line, "run_id");
  record_.machine_json = text_at(line, "machine");
  record_.ended_utc_ns = record_.started_utc_ns;
  CampaignPlace place;
  if (line.contains("campaign") && from_journal_row(line["campaign"], place)) record_.campaign = place;
  uint64_t planned = 0;
  if (read(line, "planned", planned)) record_.totals.planned = planned;
  return true;
}

bool Recovery::take(const Json& line) {
  if (FinalRecord::is_part(line)) return final_.take(line);
  if (!line.is_object() || !read(line, "utc_ns", record_.ended_utc_ns)) return false;
  const auto begun = line.find("begun");
  if (begun == line.end() || !begun->is_boolean() || !read(line, "since_begin_ns", since_begin_ns_)) return false;
  begun_ = begun->get<bool>();
  if (line.contains("run_id")) record_.run_id = text_at(line, "run_id");
  if (begun_ && !record_.began_utc_ns) record_.began_utc_ns = measure::minus(record_.ended_utc_ns, since_begin_ns_);
  const auto senders = line.find("senders"), receivers = line.find("receivers");
  if (senders == line.end() || !from_journal_row(*senders, senders_)) return false;
  if (receivers == line.end() || !from_journal_row(*receivers, receivers_)) return false;
  for (const auto& [key, take_rows] :
       {std::pair("services", &Recovery::take_services), std::pair("histograms", &Recovery::take_histograms),
        std::pair("series", &Recovery::take_series), std::pair("notes", &Recovery::take_notes),
        std::pair("workers", &Recovery::take_workers)}) {
    const Json* rows = rows_at(line, key);
    if (rows == nullptr || !(this->*take_rows)(*rows)) return false;
  }
  // Journals of an older bench have none.
  const Json* requests = rows_at(line, "requests");
  return (requests == nullptr || take_requests(*requests)) && take_filters(line);
}

bool Recovery::take_services(const Json& rows) {
  for (const Json& row : rows) {
    live::ServiceFigures service;
    if (!from_journal_row(row, service)) return false;
    services_[{service.role, service.number}] = service;
  }
  return true;
}

bool Recovery::take_histograms(const Json& gains) {
  for (const Json& gain : gains) {
    if (!gain.is_object()) return false;
    const auto moments = gain.find("moments");
    const Json* buckets = rows_at(gain, "buckets");
    if (moments == gain.end() || buckets == nullptr || buckets->size() % 2 != 0) return false;
    Gained& gained = histograms_[text_at(gain, "name")];
    if (!from_journal_row(*moments, gained.moments) || !is_plausible(gained.moments)) return false;
    for (size_t i = 0; i < buckets->size(); i += 2) {
      const Json& index = (*buckets)[i];
      const Json& count = (*buckets)[i + 1];
      if (!index.is_number_integer() || !std::in_range<int32_t>(index.get<int64_t>()) || !count.is_number_unsigned())
        return false;
      gained.buckets[index.get<int32_t>()] += count.get<uint64_t>();
    }
  }
  return true;
}

bool Recovery::take_series(const Json& rows) {
  for (const Json& row : rows) {
    live::SeriesPoint point;
    if (!from_journal_row(row, point)) return false;
    const auto starts_later = [&](const live::SeriesPoint& one) { return one.start_ns >= point.start_ns; };
    while (!record_.series.empty() && starts_later(record_.series.back())) record_.series.pop_back();
    record_.series.push_back(point);
  }
  return true;
}

bool Recovery::take_notes(const Json& rows) {
  for (const Json& row : rows)
    if (!from_journal_row(row, record_.notes.emplace_back())) return false;
  return true;
}

bool Recovery::take_requests(const Json& rows) {
  for (const Json& row : rows)
    if (!from_journal_row(row, record_.requests.emplace_back())) return false;
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

bool Recovery::take_workers(const Json& rows) {
  record_.processes.clear();
  for (const Json& row : rows) {
    ProcessRecord process;
    JournalRowReader reader(row);
    reader("role", process.role);
    reader("first_service", process.first_service);
    reader("services", process.services);
    reader("cpu_ns", process.cpu_ns);
    reader("peak_rss_bytes", process.peak_rss_bytes);
    if (!reader.good()) return false;
    process.name = to_text(process.role) + "s " + std::to_string(process.first_service) + "-" +
                   std::to_string(uint64_t{process.first_service} + process.services - 1);
    process.end = "not known: the bench went away first";
    process.log_dir = record_.folder;
    record_.processes.push_back(std::move(process));
  }
  return true;
}

// Moments are of all values; buckets may lag behind them by what did not fit in the last line.
HistogramRecord Recovery::histogram_of(const std::string& name) const {
  HistogramRecord record{.name = name};
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

RunRecord Recovery::finish() {
  record_.verdict = Verdict::cut_off;
  for (const auto& [key, service] : services_) record_.services.push_back(service);
  for (const NamedLatency& latency : kLatencies) {
    const HistogramRecord histogram = histogram_of(latency.name);
    if (histogram.buckets.empty()) continue;
    record_.*latency.member = figures_of(to_histogram(histogram));
    record_.histograms.push_back(histogram);
  }
  RunTotals& totals = record_.totals;
  const auto counted = [](int64_t count) { return static_cast<uint64_t>(std::max<int64_t>(count, 0)); };
  totals.sent = counted(senders_.count);
  totals.accepted = counted(senders_.accepted);
  totals.bytes_sent = counted(senders_.bytes);
  totals.received = counted(receivers_.count);
  totals.duplicates = counted(receivers_.duplicates);
  totals.reordered = counted(receivers_.reordered);
  totals.corrupt = counted(receivers_.corrupt);
  totals.redelivered = counted(receivers_.redelivered);
  const auto is_elsewhere = [](const plan::Fleet& fleet) { return !fleet.attach.empty() || !fleet.hosts.empty(); };
  const bool elsewhere = is_elsewhere(record_.plan.senders.fleet) || is_elsewhere(record_.plan.receivers.fleet) ||
                         !record_.plan.queue.host.empty();
  if (elsewhere) record_.clock_kind = "unknown";
  record_.reason = begun_ ? "the bench went away " + std::to_string(since_begin_ns_ / kNsPerSecond) +
                                " s after BEGIN; figures up to then"
                          : "the bench went away before BEGIN; nothing was measured";
  final_.apply(record_);
  return std::move(record_);
}

}  // namespace n2nq::results
