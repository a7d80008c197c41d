#include "app/journal/interval_log.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "app/journal/line_reader.h"
#include "app/live/time_series.h"
#include "app/record/json_value.h"
#include "app/record/run_folder.h"
#include "workers/measure/hlog.h"
#include "workers/measure/saturate.h"

namespace n2nq::journal {
namespace {

using Json = nlohmann::json;
using Buckets = std::map<int32_t, uint64_t>;

constexpr int64_t kLeastIntervalNs = 1'000'000;

// Seconds without a message belong to the first, which has no tag; the others are there where they have something.
constexpr std::array kKept{Latency::latency, Latency::scheduled_latency, Latency::turnaround,
                           Latency::scheduled_turnaround, Latency::publish};
using AllBuckets = control::ByLatency<Buckets>;

// Buckets alone, as an interval has no more; its extremes are those of the buckets, within the run's.
measure::Histogram histogram_of(const Buckets& buckets, const control::HistogramMoments& of_run) {
  record::HistogramRecord record;
  measure::Histogram bare;
  for (const auto& [index, count] : buckets) {
    if (count == 0 || !bare.add_bucket(index, count)) continue;
    record.buckets.push_back({.index = index, .count = count});
    record.moments.count += count;
  }
  std::optional<int64_t> lowest;
  int64_t highest = 0;
  bare.for_each([&](const measure::Bucket& bucket) {
    lowest = lowest.value_or(bucket.lowest_ns);
    highest = bucket.highest_ns;
  });
  // For values beyond what a bucket can be, its bounds are not theirs.
  record.moments.max = std::min(highest, of_run.max);
  record.moments.min = std::min(std::max(lowest.value_or(0), of_run.min), record.moments.max);
  return record::to_histogram(record);
}

class Writer {
 public:
  Writer(const record::RunRecord& record, std::string path) : record_(record), path_(std::move(path)) {
    for (const Latency kept : kKept)
      if (const record::HistogramRecord* all = record::find_histogram(record, kept)) {
        moments_[kept] = all->moments;
        for (const control::BucketCount& bucket : all->buckets) left_[kept][bucket.index] += bucket.count;
      }
  }

  // A line of the journal; others than those of a second are passed over.
  Result<void> take(const Json& line) {
    if (!line.is_object() || !line.contains("histograms") || !line["histograms"].is_array()) return {};
    for (const Json& gain : line["histograms"]) add(gain);
    int64_t until_ns = 0;
    if (!record::take_value(line.value("since_begin_ns", Json()), until_ns) ||
        until_ns > live::TimeSeries::kLongestNs || until_ns < from_ns_ + kLeastIntervalNs)
      return {};
    return flush(until_ns);
  }

  // With what came after the last of them.
  Result<void> finish() {
    for (const Latency kept : kKept)
      for (const auto& [index, count] : left_[kept]) gained_[kept][index] += count;
    const bool any = std::ranges::any_of(kKept, [this](Latency kept) { return total(gained_[kept]) > 0; });
    const int64_t end_ns =
        std::min(measure::minus(record_.ended_utc_ns, record_.began_utc_ns.value_or(record_.ended_utc_ns)),
                 live::TimeSeries::kLongestNs);
    if (any)
      if (auto done = flush(std::max(end_ns, from_ns_ + kLeastIntervalNs)); !done) return done;
    return log_ ? log_->close() : Result<void>();
  }

 private:
  static uint64_t total(const Buckets& buckets) {
    uint64_t sum = 0;
    for (const auto& [index, count] : buckets) sum += count;
    return sum;
  }

  // Never more of a bucket than the record has of it.
  void add(const Json& gain) {
    const std::string name = gain.is_object() && gain.contains("name") && gain["name"].is_string()
                                 ? gain["name"].get<std::string>()
                                 : std::string();
    const auto* row = control::find_latency(name);
    if (row == nullptr || !gain.contains("buckets") || !gain["buckets"].is_array()) return;
    Buckets& left_of = left_[row->latency];  // empty of those that are not kept
    const Json& buckets = gain["buckets"];
    for (size_t i = 0; i + 1 < buckets.size(); i += 2) {
      int64_t index = 0;
      uint64_t count = 0;
      if (!record::take_value(buckets[i], index) || !record::take_value(buckets[i + 1], count)) continue;
      const auto left = left_of.find(static_cast<int32_t>(index));
      if (left == left_of.end()) continue;
      const uint64_t taken = std::min(count, left->second);
      left->second -= taken;
      gained_[row->latency][left->first] += taken;
    }
  }

  Result<void> flush(int64_t until_ns) {
    if (!log_) {
      // A damaged journal may have any time.
      const int64_t start_ns = std::max<int64_t>(0, record_.began_utc_ns.value_or(record_.started_utc_ns));
      auto log = measure::HlogWriter::create(path_, start_ns, "n2nq-bench " N2NQ_VERSION ", " + record_.plan.name);
      if (!log) return std::unexpected(log.error());
      log_ = std::move(*log);
    }
    for (const Latency kept : kKept) {
      if (kept != kKept.front() && total(gained_[kept]) == 0) continue;
      auto written = log_->interval(kept == kKept.front() ? "" : control::row_of(kept).tag, from_ns_,
                                    until_ns - from_ns_, histogram_of(gained_[kept], moments_[kept]));
      if (!written) return written;
      gained_[kept].clear();
    }
    from_ns_ = until_ns;
    return {};
  }

  const record::RunRecord& record_;
  std::string path_;
  control::ByLatency<control::HistogramMoments> moments_{};
  AllBuckets left_{};    // of the record, and not in the log yet
  AllBuckets gained_{};  // in this interval
  int64_t from_ns_ = 0;  // since BEGIN
  std::optional<measure::HlogWriter> log_;
};

// Requests may have been answered though their replier left no figures, and received though none was answered.
bool has_latencies(const record::RunRecord& record) {
  return std::ranges::any_of(kKept, [&](Latency kept) {
    const record::HistogramRecord* one = record::find_histogram(record, kept);
    return one != nullptr && one->moments.count > 0;
  });
}

std::string path_of(const record::RunRecord& record) {
  return record.folder + "/" + record::kIntervalLogName;
}

Result<void> write_lines(Writer& writer, const record::RunRecord& record, const std::stop_token& stop) {
  // Without a journal (a folder that could not be written for a while) all is one line.
  std::error_code error;
  if (!std::filesystem::exists(record.folder + "/" + record::kJournalName, error)) return writer.finish();
  auto reader = LineReader::open(record.folder + "/" + record::kJournalName, kLongestJournalLine, stop);
  if (!reader) return std::unexpected(reader.error());
  LineReader::Line line;
  for (;;) {
    const auto more = reader->next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more || !line.ended) return writer.finish();
    if (auto taken = writer.take(Json::parse(line.text, nullptr, false)); !taken) return taken;
  }
}

}  // namespace

Result<void> write_interval_log(const record::RunRecord& record, std::stop_token stop) {
  if (!has_latencies(record)) return {};
  Writer writer(record, path_of(record));
  auto written = write_lines(writer, record, stop);
  if (!written) std::remove(path_of(record).c_str());
  return written;
}

void add_interval_log(record::RunRecord& record, std::stop_token stop) {
  if (record.folder.empty() || !record.began_utc_ns) return;
  if (const auto written = write_interval_log(record, std::move(stop)); !written)
    record::add_note(record, record::Severity::warning, "no HdrHistogram log: " + written.error().text);
}

Result<std::string> find_interval_log(const record::RunRecord& record) {
  const std::string which = "result #" + std::to_string(record.id);
  if (!has_latencies(record))
    return fail((plan::asks_for_replies(record.plan) ? "there are no latencies: no request was received or answered in "
                                                     : "there are no latencies: no messages were received in ") +
                which);
  std::error_code error;
  if (!record.folder.empty() && std::filesystem::is_regular_file(path_of(record), error)) return path_of(record);
  return fail(
      which +
      " has no HdrHistogram log among its files: it was imported without its logs, they "
      "were removed, or it could not be written (see the run log); its percentiles can still be exported as .hgrm");
}

}  // namespace n2nq::journal
