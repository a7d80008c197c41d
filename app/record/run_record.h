// One finished run as it is kept: what was asked for, what ran, what came out, and what must be known to trust it.
// A value; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/live/host_history.h"
#include "app/live/service_figures.h"
#include "app/live/time_series.h"
#include "app/live/waiting_batches.h"
#include "app/plan/run_plan.h"
#include "broker/base/machine_facts.h"
#include "workers/control/summary.h"
#include "workers/control/telemetry.h"
#include "workers/measure/histogram.h"

namespace n2nq::record {

enum class Verdict {
  passed,        // every delivery owed was made, and no limit of the plan failed
  lost_allowed,  // what is missing is missing by the plan's own rule (retention, a queue's length limit), and counted
  failed,
  stopped,   // ended early by the user, everything sent until then accounted for
  cut_off,   // the bench itself went away
  limit,     // ended early by a limit of its plan, everything sent until then accounted for
  exceeded,  // whole, with nothing lost against the plan's rule, but beyond a limit of its plan: its figures are good
};
// "passed", "lost as the plan allows", "failed" (also by a limit), "stopped", "cut off".
std::string to_text(Verdict verdict);
// For machines: "passed", "lost_allowed", "failed", "stopped", "cut_off", "stopped_by_limit", "limit_exceeded".
std::string to_word(Verdict verdict);
std::optional<Verdict> parse_verdict(const std::string& word);
bool is_failure(Verdict verdict);  // for people it is "failed"

// Whether a run's figures can be believed, whatever became of its messages.
enum class Trust { not_judged, sound, doubtful };
std::string to_text(Trust trust);  // "not judged", "sound", "doubtful"

inline constexpr const char* kThisPlace = "this computer";  // the bench's own

struct ProcessRecord {
  std::string name{};  // "queue", "senders", "receivers 1-50"
  Role role = Role::broker;
  std::string place{};  // "this computer", "attached at 127.0.0.1:7500", the name of a host
  uint32_t first_service = 0;
  uint32_t services = 0;
  int64_t pid = 0;
  bool was_started = true;  // it ran at all
  std::string end{};        // "ended", "killed by signal 9", "did not start: ..."
  std::optional<int> exit_code{};
  std::string reason{};  // its own words, from its summary
  uint64_t cpu_ns = 0;
  uint64_t peak_rss_bytes = 0;
  std::string log_dir{};
  // Its clock beside the queue's (docs/control.md, "clock"): same, measured, unknown; empty: it did not say.
  std::string clock_kind{};
  std::optional<int64_t> clock_offset_ns{};
  std::optional<uint64_t> clock_bound_ns{};  // of the offset: half the round trip and the drift, at most
  std::optional<uint64_t> clock_round_trip_ns{};
  std::optional<uint64_t> clock_drift_ns{};
  // What its share of the totals is from: summary, fetched (its summary, brought home after the link to its host was
  // lost), logs (all of its lines, counted), telemetry (the last that came, so that there may have been more), nothing
  // (it began and told no figure, so that there may have been some); empty: it never began, or it is the queue.
  std::string figures_from{};
  // What the connections that its messages travel over carried (docs/control.md, "wire"); nothing: it did not say.
  std::optional<uint64_t> wire_sent_bytes{};
  std::optional<uint64_t> wire_received_bytes{};
  std::optional<uint64_t> connections{};  // that were opened
  // How the kernel had one of them at BEGIN (docs/control.md, "begin"); nothing, or empty: it did not say.
  std::optional<bool> nodelay{};
  std::optional<uint64_t> send_buffer_bytes{};
  std::optional<uint64_t> receive_buffer_bytes{};
  std::string congestion{};
  bool operator==(const ProcessRecord&) const = default;
};

// A computer that processes of the run were on, as the first of them told of it when it started.
struct MachineRecord {
  std::string place{};  // as ProcessRecord::place
  MachineFacts facts{};
  bool operator==(const MachineRecord&) const = default;
};

enum class Severity { info, warning, error };

// What happened at the time of a note, where it is more than words: an event, which figures over time mark.
enum class EventKind {
  none,
  request,     // receivers ask for something else from now on
  pause,       // senders send nothing, or receivers take nothing, until
  resume,      //
  leave,       // receivers go away, until
  come,        //
  limit,       // a limit of the plan is passed
  stop,        // asked for
  kill,        //
  lost,        // a process ended as it should not
  server,      // one of the run's servers was killed, or has ended, and others go on
  link_lost,   // the link to its host is gone
  silent,      // a process says nothing any more
  responding,  // it does again
  clock_step,  // a clock was set
  load,        // a background load begins
  load_end,    //
};
struct RunNote {
  int64_t utc_ns = 0;
  std::optional<int64_t> since_begin_ns{};
  Severity severity = Severity::info;
  std::string text{};
  EventKind kind = EventKind::none;
  // What else of an event is known, so that nothing is read out of its text.
  std::string subject{};    // "senders", "receivers 1-50", "server 2 (leader)"; empty: it is of the run
  bool was_killed = false;  // a process or a server: it has not ended by itself
  uint64_t paused = 0;      // pause, resume: so many of `senders` are; 0 of 0: it is of receivers
  uint64_t senders = 0;
  bool operator==(const RunNote&) const = default;
};

// For a sender's messages, what the broker skipped; with the receiver's process it was told by.
struct LossRecord {
  uint32_t sender = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  bool operator==(const LossRecord&) const = default;
};

// Receivers asked with these filters from then on.
struct RequestRecord {
  int64_t since_begin_ns = 0;
  std::string filters{};  // of all receivers, as plan::parse_filters() reads them; empty: everybody wants everything
  bool operator==(const RequestRecord&) const = default;
};

// A limit of the plan that was passed, the first time that it was.
struct PassedLimit {
  std::string metric{};  // as in the plan
  bool at_most = true;
  double limit = 0;
  double value = 0;                         // what the figure was
  std::optional<int64_t> since_begin_ns{};  // nothing: it was seen in the figures of the whole run
  bool stopped = false;                     // this ended the run
  bool fails = false;                       // the run fails by it; of a limit that only warns it does not
  bool operator==(const PassedLimit&) const = default;
};
// It is no part of the verdict, and stands beside it.
inline bool only_warns(const PassedLimit& passed) {
  return !passed.fails && !passed.stopped;
}

// What a person has to know of a run's figures: once, however often it came and went. docs/measuring.md, "Doubts", has
// all that make a run doubtful.
struct RunWarning {
  std::string id{};                  // what it is: "rate", "cpu-sender-1", "others-vm2"
  std::string text{};                // a sentence, as it was when it held last
  std::optional<int64_t> from_ns{};  // since BEGIN, when it held first; nothing: the figures of the whole run say it
  std::optional<int64_t> held_ns{};  // in all; nothing: the same
  bool doubt = false;                // it makes the run doubtful
  bool operator==(const RunWarning&) const = default;
};

// What the way between a host with workers and the queue's took. Round trips are of the whole time that the workers
// were there; bus is the latency, one way, of the messages that the receivers on `from` got.
enum class Layer { network, tcp, probe, bus };
struct LayerRecord {
  std::string from{};  // as ProcessRecord::place
  std::string to{};
  Layer layer = Layer::network;
  std::string method{};  // of network: icmp, tcp_connect, mixed
  uint64_t sent = 0;     // of network: how often it was asked
  uint64_t lost = 0;     // and not answered
  measure::LatencySummary figures{};
  bool operator==(const LayerRecord&) const = default;
};

// A hop of the way from a host with workers to where the messages go, as it was before the run; the nearest is 1.
struct HopRecord {
  std::string from{};
  std::string to{};
  uint32_t hop = 0;
  std::string address{};  // empty: it did not answer
  std::optional<int64_t> round_trip_ns{};
  bool reached = false;  // it is the host to which they go
  uint16_t port = 0;     // by connections to it, from the next; 0: by datagrams
  uint16_t source_port = 0;
  bool operator==(const HopRecord&) const = default;
};
// "TCP from port 40001 to 7400", "datagrams"
std::string way_of(const HopRecord& hop);
// How much went through before the run, over one connection to the queue's port.
struct BandwidthRecord {
  std::string from{};
  std::string to{};
  uint64_t bytes = 0;
  int64_t duration_ns = 0;
  double bytes_per_s() const {
    return duration_ns > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(duration_ns) : 0;
  }
  bool operator==(const BandwidthRecord&) const = default;
};

// What loaded the network beside the run, and what of it arrived.
struct BackgroundLoad {
  std::string from{};
  std::string to{};
  int64_t asked_ns = 0;                  // how long it was to be
  std::optional<int64_t> at_ns{};        // since BEGIN; nothing: it never began
  std::optional<int64_t> duration_ns{};  // as the receiving host has it; nothing: it was not told
  std::optional<uint64_t> bytes{};       // the same
  bool cut_short = false;                // by the end of the run
  std::string trouble{};                 // why it was not as it was to be; empty: it was, or was cut short
  double bytes_per_s() const {
    return bytes && duration_ns.value_or(0) > 0 ? static_cast<double>(*bytes) * 1e9 / static_cast<double>(*duration_ns)
                                                : 0;
  }
  bool operator==(const BackgroundLoad&) const = default;
};

// When one of the servers that the run had of its own was killed, or ended by itself, and others went on.
struct Outage {
  int64_t at_ns = 0;     // since BEGIN
  std::string server{};  // "server 2 (leader)"
  bool killed = false;   // by the bench
  // The longest time without any delivery from then on, until the next such event; nothing: none came any more.
  std::optional<int64_t> gap_ns{};
  std::optional<int64_t> answer_gap_ns{};  // in which no message was accepted; nothing: none was any more, or ever
  // Until messages were sent and came as in the 2 s before, and took no longer, for two seconds; nothing: never.
  std::optional<int64_t> flows_after_ns{};
  int64_t within_ns = 0;  // how far off the latter two may be; shorter times without a delivery may be missed
  bool operator==(const Outage&) const = default;
};

// After a pause of receivers: how long until they had no more before them than before it. Times since BEGIN.
struct CatchUp {
  int64_t paused_ns = 0;
  int64_t resumed_ns = 0;
  double before = 0;                 // deliveries due and not received, at the most in the second before
  double most = 0;                   // at the most from then on
  std::optional<int64_t> took_ns{};  // from resumed_ns; nothing: they never did
  bool operator==(const CatchUp&) const = default;
};

struct HistogramRecord {
  std::string name{};  // as control::LatencyRow::name
  control::HistogramMoments moments{};
  std::vector<control::BucketCount> buckets{};  // docs/control.md, "Bucket i"
  bool operator==(const HistogramRecord&) const = default;
};

struct RunTotals {
  std::optional<uint64_t> planned{};  // messages the senders were to send
  uint64_t sent = 0;
  uint64_t accepted = 0;
  uint64_t bytes_sent = 0;
  std::optional<uint64_t> expected{};  // deliveries owed, from the broker's END; nothing where not all receivers got it
  uint64_t received = 0;
  std::optional<uint64_t> lost{};
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t duplicates = 0;
  uint64_t reordered = 0;
  uint64_t corrupt = 0;
  uint64_t redelivered = 0;
  // On a bus that answers: sent = accepted + refused + unanswered, which got no answer; nothing where a sender did not
  // tell. Deliveries of the latter two, and of messages that no sender sent; nothing where the senders' counts did not
  // reach all receivers. What is refused or unanswered and never came is not lost, and not expected.
  std::optional<uint64_t> refused{}, unanswered{};
  std::optional<uint64_t> refused_received{}, unanswered_received{}, unsent{};
  // Request-reply; nothing in other modes. `corrupt` has the replies that were too.
  std::optional<uint64_t> replies{};  // requests that were answered; with replies from all, the replies that counted
  std::optional<uint64_t> timeouts{};
  std::optional<uint64_t> late_replies{};
  std::optional<uint64_t> double_replies{};
  // What all connections that messages travel over carried, each byte once; nothing where a worker did not say.
  std::optional<uint64_t> wire_bytes{};
  std::optional<uint64_t> connections{};
  bool operator==(const RunTotals&) const = default;
};

// Which run of a campaign it is; attempts beyond the first were made because those before did not pass. The store
// numbers attempts as it takes them.
struct CampaignPlace {
  int64_t campaign = 0;  // of the store
  uint32_t point = 0;    // all of them from 1
  uint32_t repeat = 0;
  uint32_t attempt = 0;
  bool operator==(const CampaignPlace&) const = default;
};

// How totals came about; not saved, as the doubts that follow from it are.
struct Counting {
  // Several processes of receivers shared the messages, and do not tell which of them each had.
  bool copies_unknown = false;
  uint64_t sent_by_receivers = 0;  // of the messages sent, those that receivers alone tell of
  bool operator==(const Counting&) const = default;
};

struct RunRecord {
  int64_t id = 0;        // of the store; 0: not stored yet
  std::string run_id{};  // the broker's, hexadecimal; empty if it never said one
  plan::RunPlan plan{};  // with the filters that held at BEGIN
  int64_t started_utc_ns = 0;
  std::optional<int64_t> began_utc_ns{};  // BEGIN, by the broker's wall clock
  int64_t ended_utc_ns = 0;
  Verdict verdict = Verdict::failed;
  std::string reason{};  // one sentence for people
  Trust trust = Trust::not_judged;
  RunTotals totals{};
  Counting counting{};
  control::ByLatency<measure::LatencySummary> latencies{};  // of all workers; without a value where a run has none
  std::optional<uint32_t> closed_loop{};     // requests outstanding at a time; 0: by schedule; nothing: other modes
  std::string clock_kind = "same";           // of all receivers: same, measured, unknown
  std::optional<uint64_t> clock_bound_ns{};  // of all latencies: the largest receiver's, with its senders' in it
  bool rate_reached = true;
  std::vector<ProcessRecord> processes{};
  std::vector<MachineRecord> machines{};         // by place; none of processes that did not tell
  std::vector<RequestRecord> requests{};         // made in the run, oldest first
  std::vector<live::ServiceFigures> services{};  // senders, then receivers; rates and means are those of the whole run
  std::vector<LossRecord> losses{};
  std::vector<LayerRecord> layers{};  // by pair of hosts
  std::vector<HopRecord> paths{};     // the same
  std::vector<BandwidthRecord> bandwidths{};
  std::vector<BackgroundLoad> background_loads{};  // by when they ended
  std::vector<PassedLimit> passed_limits{};        // in the order in which they were passed
  std::vector<CatchUp> catch_ups{};                // by time
  std::vector<Outage> outages{};                   // by time
  std::vector<RunWarning> warnings{};              // those of the run by when they came, then those of its figures
  std::vector<RunNote> notes{};
  std::vector<live::SeriesPoint> series{};
  std::vector<live::HostHistory> hosts{};  // without slots in a summary; none where the recorder was off
  std::vector<live::WaitingBatch> waiting_batches{};
  std::vector<HistogramRecord> histograms{};
  std::optional<uint64_t> received_bytes{};  // of payload, of all receivers; in a summary, which is without services
  std::string folder{};                      // of its files: logs, journal, master file
  std::string master_file{};                 // its path; empty: none
  std::string server{};                      // that its messages went through: program and version
  std::string bus_client{};                  // what spoke with it, or with the other side; not of our own bus
  std::string bus_settings{};                // all of the bus, given or not: a JSON object; empty: not known
  std::string machine_json{};                // of the bench's own computer, whoever took part: see machine.h
  std::optional<CampaignPlace> campaign{};
};

// What people look at first of a run: the turnaround of requests, or the latency of messages.
constexpr Latency first_latency(bool replies, bool intended = false) {
  if (intended) return replies ? Latency::scheduled_turnaround : Latency::scheduled_latency;
  return replies ? Latency::turnaround : Latency::latency;
}
Latency first_latency(const plan::RunPlan& plan);
const measure::LatencySummary& first_latency(const RunRecord& record);
bool has_latency(const RunRecord& record, const control::LatencyRow& row);

void set_wire(ProcessRecord& process, const control::WireFigures& wire);
void set_socket(ProcessRecord& process, const control::BusFacts& bus);
bool knows_socket(const ProcessRecord& process);

void add_note(RunRecord& record, Severity severity, std::string text);  // of now
// The server that was to be started for the run could not be, which says nothing about the plan: it is not installed.
bool lacks_server(const RunRecord& record);
// What the totals say of senders or receivers may be less than it was: a process left neither summary nor whole logs.
bool is_at_least(const RunRecord& record, Role role);
bool is_uncertain(const ProcessRecord& process);

// Where each message is due once: deliveries of messages that another process of receivers had, too, as far as more
// came, or were expected, than were sent; 0 also where nobody knows how many that were.
uint64_t surplus_deliveries(const RunRecord& record);

// As RunRecord::bus_settings.
std::string bus_settings_of(const plan::BusPlan& bus);
// The plan with all settings of the bus given, as they were in the run, whatever they are at first by now.
plan::RunPlan plan_as_run(const RunRecord& record);
// Where its bus kept messages, by these settings; empty where only the user's own server knows.
std::string kept_in(const RunRecord& record);

std::string queue_place(const RunRecord& record);  // as ProcessRecord::place
// The bench started it there: neither on this computer, nor is it attached.
bool is_on_host(const RunRecord& record, const ProcessRecord& process);
// For the computer that a place is on; nullptr: it is not known.
const MachineFacts* facts_of(const RunRecord& record, const std::string& place);
// Whether a place is on the computer that the queue was on, whatever either is called; nothing: it is not known.
std::optional<bool> is_beside_queue(const RunRecord& record, const std::string& place);

// Between the two forms of a histogram. A record that contradicts itself (more values in buckets than it counts, no
// such bucket) gives an empty one.
HistogramRecord to_record(const std::string& name, const measure::Histogram& histogram);
measure::Histogram to_histogram(const HistogramRecord& record);
std::span<const live::ServiceFigures> services_of(const RunRecord& record, Role role);
std::optional<uint64_t> received_bytes(const RunRecord& record);  // nothing where no receiver was heard of
const HistogramRecord* find_histogram(const RunRecord& record, Latency latency);

}  // namespace n2nq::record
