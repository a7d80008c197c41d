#include "app/record/trust.h"

#include <algorithm>
#include <cmath>

#include "app/record/background_loads.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"
#include "workers/measure/few_values.h"

namespace n2nq::record {
namespace {

constexpr double kStolenShare = 0.02;  // of the cores that there are
constexpr int64_t kLeastLatenessNs = 1'000'000;

std::string number(uint64_t n) {
  return text::count(static_cast<int64_t>(n));
}

std::string cores_text(double cores) {
  return text::decimals(cores, 2) + (std::lround(cores * 100) == 100 ? " core" : " cores");
}

class Doubts {
 public:
  explicit Doubts(std::vector<RunWarning>& warnings) : warnings_(warnings) {}
  void add(std::string id, std::string text) {
    warnings_.push_back({.id = std::move(id), .text = std::move(text), .doubt = true});
  }

 private:
  std::vector<RunWarning>& warnings_;
};

void look_at_load(const RunRecord& record, Doubts& doubts) {
  if (!record.rate_reached)
    doubts.add("rate", "the senders did not reach the planned rate: these are figures of a lower load");
  const int64_t delay_ns = plan::mean_delay_ns(record.plan);
  const auto& late_p99_ns = record.latencies[Latency::lateness].p99;
  if (delay_ns <= 0 || !late_p99_ns) return;
  const int64_t allowed_ns = std::max(kLeastLatenessNs, delay_ns / 10);
  const int64_t late_ns = *late_p99_ns;
  const bool held = record.latencies[Latency::held].max.value_or(0) > late_ns / 2;
  if (late_ns <= allowed_ns) return;
  const std::string late = text::duration(static_cast<double>(late_ns)) + " late (p99)";
  if (held)
    doubts.add("held",
               (record.plan.bus.traits().own_queue ? "the queue" : "the bus") +
                   (" held senders up, which were up to " + late) +
                   ": latencies from the actual send leave that wait out, those from the intended send have it");
  else
    doubts.add("late", "senders were up to " + late + ", and not because " +
                           (record.plan.bus.traits().own_queue ? "the queue" : "the bus") +
                           " held them up: latencies from the intended send have a wait that is not its own; lower the "
                           "load, or use more processes or hosts");
}

// Of it the recorder has to have covered so much.
constexpr double kLeastCovered = 0.9;

// For how long of the run something is known of the host.
int64_t covered_ns(const live::HostHistory& host, int64_t ran_ns) {
  int64_t covered = 0;
  for (size_t slot = 0; slot < host.start_ns.size(); slot++) {
    const auto has_reading = [slot](const live::HostSeries& one) {
      return slot < one.values.size() && !std::isnan(one.values[slot]);
    };
    const int64_t end_ns = std::min(host.start_ns[slot] + host.width_ns[slot], ran_ns);
    if (std::ranges::any_of(host.series, has_reading))
      covered += std::max<int64_t>(end_ns - std::max<int64_t>(host.start_ns[slot], 0), 0);
  }
  return covered;
}

// The hosts that had a recorder, or should have had one.
std::vector<std::string> recorded_places(const RunRecord& record) {
  std::vector<std::string> places;
  for (const live::HostHistory& host : record.hosts) places.push_back(host.place);
  for (const ProcessRecord& process : record.processes) {
    const bool attached = !plan::attached_at(record.plan, process.role).empty();
    if (!process.place.empty() && !attached && std::ranges::find(places, process.place) == places.end())
      places.push_back(process.place);
  }
  return places;
}

// For what others do there, such as a server of the user's own.
bool is_recorded_besides(const RunRecord& record, const std::string& place) {
  const std::vector<std::string>& besides = record.plan.recorder.hosts;
  return std::ranges::find(besides, place) != besides.end() &&
         std::ranges::find(record.processes, place, &ProcessRecord::place) == record.processes.end();
}

// The first and the last reading may be a period off.
void look_at_recorders(const RunRecord& record, Doubts& doubts) {
  const int64_t ran_ns = record.ended_utc_ns - record.began_utc_ns.value_or(record.ended_utc_ns);
  const int64_t period_ns = record.plan.recorder.period_ns;
  if (!record.plan.recorder.on || ran_ns < 2 * period_ns) return;
  for (const std::string& place : recorded_places(record)) {
    if (is_recorded_besides(record, place)) continue;
    const live::HostHistory* host = live::find_host(record.hosts, place);
    const int64_t covered = host == nullptr ? 0 : covered_ns(*host, ran_ns);
    if (static_cast<double>(covered + period_ns) >= kLeastCovered * static_cast<double>(ran_ns)) continue;
    const auto said = [](int64_t ns) { return text::duration(static_cast<double>(ns)); };
    doubts.add("recorder-" + place, "the recorder on " + place + " covered " +
                                        (covered == 0 ? "nothing" : said(covered)) + " of the " + said(ran_ns) +
                                        " of the run: what disturbed the run there in the rest is not known");
  }
}

// Two recorders there are both of this run, and each has but a part of its processes in sight.
bool has_two_names(const RunRecord& record, const live::HostHistory& host, bool besides) {
  const MachineFacts* facts = facts_of(record, host.place);
  return facts != nullptr && std::ranges::any_of(record.hosts, [&](const live::HostHistory& other) {
           const MachineFacts* its = facts_of(record, other.place);
           return other.place != host.place && its != nullptr && is_one_computer(*facts, *its) &&
                  (besides || !is_recorded_besides(record, other.place));
         });
}

// Its recorder has all processes that the bench started there in sight.
bool is_one_of_run(const RunRecord& record, const live::HostHistory& host) {
  return !is_recorded_besides(record, host.place) && !has_two_names(record, host, false);
}

}  // namespace

std::string cold_server_text(const plan::RunPlan& plan) {
  const int64_t slow_ns = plan.bus.starts_server() ? plan.bus.traits().warms_up_ns : 0;
  if (plan.warmup_ns >= slow_ns) return {};
  return "a server of " + std::string(plan.bus.traits().title) +
         " that has just been started is slower at first: a warmup of " + text::duration(static_cast<double>(slow_ns)) +
         " or more leaves that out";
}

bool sees_own_processes(const RunRecord& record, const live::HostHistory& host) {
  return is_one_of_run(record, host) && !plan::has_attached(record.plan);
}

namespace {

// More than a tenth of the readings, and more than one where there are more: else it was there for a moment.
bool is_lasting(const live::BenchSightings& benches) {
  return benches.of > 0 && benches.seen > std::max(benches.of / 10, std::min<size_t>(1, benches.of - 1));
}

void look_at_host(const RunRecord& record, const live::HostHistory& host, Doubts& doubts) {
  if (!is_one_of_run(record, host)) return;
  if (const auto beside = live::bystanders_of(host)) {
    const auto share_text = [&](double cores) {
      return cores_text(cores) + " of the " + text::decimals(std::round(beside->cores), 0) + " of " + host.place;
    };
    // Nobody watches the processes that somebody else started.
    if (!plan::has_attached(record.plan) && beside->others && *beside->others > kOthersShare * beside->cores)
      doubts.add("others-" + host.place, "other programs used " + share_text(*beside->others) + " on average");
    if (beside->stolen > kStolenShare * beside->cores)
      doubts.add("steal-" + host.place,
                 "the hypervisor gave " + share_text(beside->stolen) + " to other virtual machines");
  }
  if (is_lasting(live::bench_sightings(host)) && !has_two_names(record, host, true))
    doubts.add("bench-" + host.place,
               "another bench measured on " + host.place + " at the same time: repeat the run alone");
}

void look_at_histograms(const RunRecord& record, Doubts& doubts) {
  if (const Measured some = measured_deliveries(record); !some.complete()) doubts.add("missing", missing_text(some));
  if (const Measured some = measured_replies(record); !some.complete())
    doubts.add("missing-replies", missing_text(some));
  const measure::LatencySummary& first = first_latency(record);
  if (first.count > 0 && first.count < measure::kLeastForP99)
    doubts.add("few", "a p99 of " + text::amount(first.count, "value") + " is not known from above: it takes " +
                          number(measure::kLeastForP99));
}

// A receiver of the load balancer that can be given nothing leaves the others its load.
void look_at_partitions(const RunRecord& record, Doubts& doubts) {
  const auto partitions = parse_whole(record.plan.bus.setting("partitions"));
  const uint32_t receivers = record.plan.receivers.fleet.count;
  if (!partitions || *partitions >= receivers || !plan::balances(record.plan.queue)) return;
  doubts.add("partitions", number(receivers - *partitions) + " of " + number(receivers) +
                               " receivers were given nothing, as the topic has " + number(*partitions) +
                               " partitions: raise bus.partitions, or take fewer receivers");
}

void look_at_clocks(const RunRecord& record, Doubts& doubts) {
  const measure::LatencySummary& latency = record.latencies[Latency::latency];
  if (latency.count == 0) return;
  if (record.clock_kind == "unknown")
    doubts.add("clocks", "how far the clocks of its computers are apart is not known");
  else if (record.clock_bound_ns && latency.p50 &&
           *record.clock_bound_ns > static_cast<uint64_t>(std::max<int64_t>(*latency.p50, 0)))
    doubts.add("clocks", "clock offsets are known to within " +
                             text::duration(static_cast<double>(*record.clock_bound_ns)) +
                             ", more than the median latency of " + text::duration(static_cast<double>(*latency.p50)));
}

std::string sent_by_receivers_text(const RunRecord& record) {
  const uint64_t more = record.counting.sent_by_receivers;
  if (more == 0) return {};
  return "; " + number(more) + (more == 1 ? " message counts" : " messages count") +
         " as sent because receivers had later ones of the same sender";
}

void look_at_processes(const RunRecord& record, Doubts& doubts) {
  std::string names;
  for (const ProcessRecord& process : record.processes)
    if (is_uncertain(process)) add_part(names, ", ", process.name);
  if (!names.empty())
    doubts.add("counts", "of " + names + " only what was told before the end is known: counts may be too low" +
                             sent_by_receivers_text(record));
}

// Each process of receivers knows what it has had itself, and a message is due once.
void look_at_copies(const RunRecord& record, Doubts& doubts) {
  if (record.counting.copies_unknown)
    doubts.add("again",
               "which messages each process of receivers had is not known: one that came to two of them may hide one "
               "that is lost");
  const uint64_t surplus = surplus_deliveries(record);
  if (surplus > 0 && !record.plan.bus.traits().own_queue)  // which knows each of them
    doubts.add("surplus", "there were more deliveries than messages sent, " + number(surplus) +
                              " more: these came again to another process of receivers, and as many messages may be "
                              "lost that are not counted");
}

// What was to be measured under it was measured without, or under less.
void look_at_background(const RunRecord& record, Doubts& doubts) {
  for (const BackgroundLoad& load : record.background_loads)
    if (!load.trouble.empty())
      doubts.add(
          "background-" + std::to_string(&load - record.background_loads.data() + 1),
          "the background load from " + load.from + " to " + load.to + " was not as planned: " + load_text(load));
}

}  // namespace

void judge_trust(RunRecord& record) {
  std::erase_if(record.warnings, [](const RunWarning& one) { return !one.from_ns; });
  record.trust = Trust::not_judged;
  if (!record.began_utc_ns) return;  // nothing was measured
  Doubts doubts(record.warnings);
  // What disturbed the run first: senders are late of it, too.
  for (const live::HostHistory& host : record.hosts) look_at_host(record, host, doubts);
  look_at_load(record, doubts);
  look_at_recorders(record, doubts);
  look_at_histograms(record, doubts);
  if (std::string text = cold_server_text(record.plan); !text.empty()) doubts.add("warmup", std::move(text));
  look_at_partitions(record, doubts);
  look_at_clocks(record, doubts);
  look_at_processes(record, doubts);
  look_at_copies(record, doubts);
  look_at_background(record, doubts);
  if (std::ranges::any_of(record.warnings, &RunWarning::doubt))
    record.trust = Trust::doubtful;
  else if (record.totals.sent > 0)
    record.trust = Trust::sound;
}

Measured measured_deliveries(const RunRecord& record) {
  return {.values = record.latencies[Latency::latency].count + record.latencies[Latency::warmup_latency].count,
          .all = record.totals.received};
}

Measured measured_replies(const RunRecord& record) {
  if (!record.totals.replies) return {};
  return {.values = first_latency(record).count + record.latencies[Latency::warmup_turnaround].count,
          .all = *record.totals.replies,
          .what = "turnarounds",
          .of = "replies"};
}

std::string share_text(const Measured& measured) {
  const double share = static_cast<double>(measured.values) / static_cast<double>(std::max<uint64_t>(measured.all, 1));
  // Not all of them, however few are missing.
  return text::decimals(std::min(std::floor(share * 1000) / 10, 99.9), 1) + " % of the " + measured.of;
}

std::string missing_text(const Measured& measured) {
  return std::string(measured.what) + " are known of " + number(measured.values) + " of " + number(measured.all) + " " +
         measured.of + " only";
}

std::vector<std::string> doubts_of(const RunRecord& record) {
  std::vector<std::string> texts;
  for (const RunWarning& warning : record.warnings)
    if (warning.doubt) texts.push_back(warning.text);
  return texts;
}

const RunWarning* unjudged_limit(const RunRecord& record) {
  const auto found = std::ranges::find_if(
      record.warnings, [](const RunWarning& one) { return one.doubt && one.id.starts_with(kUnjudgedLimit); });
  return found == record.warnings.end() ? nullptr : &*found;
}

std::string first_doubt(const RunRecord& record) {
  const std::vector<std::string> doubts = doubts_of(record);
  if (doubts.empty()) return {};
  return doubts.front() + (doubts.size() > 1 ? " (and " + std::to_string(doubts.size() - 1) + " more)" : "");
}

std::string doubts_text(const RunRecord& record) {
  return join(doubts_of(record), "; ");
}

}  // namespace n2nq::record
