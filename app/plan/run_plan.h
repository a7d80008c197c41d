// Everything that one run depends on, as one plain value: two equal plans give the same run. Any thread.
// plan_fields.h names every member for files, `--set` and people; plan_file.h reads and writes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/background_load.h"
#include "app/plan/metric_limit.h"
#include "app/plan/receiver_scaling.h"
#include "app/plan/receiver_spans.h"
#include "app/plan/role.h"
#include "app/plan/run_limit.h"
#include "broker/base/port_range.h"
#include "broker/base/result.h"
#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/control/service_set.h"
#include "workers/measure/load_profile.h"
#include "workers/measure/load_shape.h"
#include "workers/measure/payload.h"
#include "workers/measure/service_time.h"

namespace n2nq::plan {

enum class Mode { broadcaster, load_balancer, request_reply };
enum class ReplyFrom { one, first, all };
enum class Policy { random, round_robin, least_outstanding };
enum class Pacing { fixed, poisson };
enum class Phase { even, together, random };
enum class LogLevel { full, summary, off };

// What these receivers ask for, in the words of the wire: "senders=1..5,9;size=10B..1KiB;index=1..100", "senders=self".
// Receivers without a filter want everything.
struct ReceiverFilter {
  control::ServiceSet receivers{};
  std::string filter{};
  bool operator==(const ReceiverFilter&) const = default;
};

// Of each process, held to by podman on its host; 0: none.
struct ProcessLimits {
  int64_t cpu_thousandths = 0;  // of a processor's time
  uint64_t memory_bytes = 0;
  bool exist() const { return cpu_thousandths > 0 || memory_bytes > 0; }
  bool operator==(const ProcessLimits&) const = default;
};

// A role's processes. With `attach` they are one that somebody started by hand with --control HOST:PORT, and what it
// was started with is what holds, not this plan.
struct Fleet {
  uint32_t count = 10;               // services
  uint32_t processes = 1;            // to split them over; at least one on each host
  uint32_t loops = 1;                // event loops (threads) of each process
  std::vector<std::string> hosts{};  // by name, to split the services over; none: this computer
  std::string attach{};              // HOST:PORT, or empty: processes of our own
  ProcessLimits held{};
  PortRange source_ports{};  // that its connections with messages leave from; any: the kernel chooses
  bool operator==(const Fleet&) const = default;
};

struct SenderPlan {
  Fleet fleet{};
  uint64_t messages = 500;  // of each sender; not looked at with a duration
  int64_t duration_ns = 0;  // 0: by messages
  SizeRange size_bytes{.min = 50, .max = 50};
  int64_t delay_ns = 20'000'000;  // 0: as fast as the bus takes them
  measure::LoadShape shape{};     // not constant: it says rate and length, and messages, duration and delay are idle
  Pacing pacing = Pacing::fixed;
  Phase phase = Phase::even;  // not looked at with Poisson pacing
  uint64_t seed = 1;
  measure::Payload payload{};
  int64_t timeout_ns = 5'000'000'000;  // request-reply: a request without its reply by then has timed out
  uint32_t outstanding = 0;            // request-reply: so many at a time, whatever the delay; 0: by schedule
  bool operator==(const SenderPlan&) const = default;
};

struct RequestPlan {
  bool on = false;
  uint64_t at_a_time = 8;                 // messages that a receiver asks for, and again when they have come
  std::vector<ReceiverFilter> filters{};  // no receiver in more than one of them
  bool operator==(const RequestPlan&) const = default;
};

struct QueuePlan {
  std::string host{};  // by name; empty: this computer
  Mode mode = Mode::broadcaster;
  Policy policy = Policy::random;                       // where each message goes to one receiver
  ReplyFrom reply_from = ReplyFrom::one;                // request-reply
  std::optional<int64_t> retention_ns = 5'000'000'000;  // nothing: until collected
  bool responses = false;
  RequestPlan requests{};
  uint64_t max_memory_bytes = 256ull << 20;
  uint64_t max_message_bytes = 1ull << 20;
  uint32_t tries = 3;                     // with responses: deliveries before a message is undeliverable
  uint32_t response_window = 1024;        // with responses: deliveries a receiver may leave unanswered
  std::optional<int64_t> take_over_ns{};  // with responses: then it goes to another; nothing: it waits
  uint64_t seed = 1;                      // of the random policy
  int64_t drain_timeout_ns = 10'000'000'000;
  int64_t stall_timeout_ns = 10'000'000'000;
  std::string listen = "127.0.0.1:0";  // port 0: a free one; on another host its own address and ports decide
  ProcessLimits held{};
  std::string token_file{};  // the run's token for attached workers; empty: a fresh random one for each run
  bool operator==(const QueuePlan&) const = default;
};

struct ReceiverPlan {
  Fleet fleet{};
  measure::ServiceTime service_time{};          // how long each message is held
  measure::SharedLimit shared_limit{};          // of the receivers of a process
  uint64_t seed = 1;                            // of exponential service times
  std::vector<ReceiverSpan> pauses{};           // when they take nothing
  std::vector<ReceiverSpan> away{};             // when they are not there
  ReceiverScaling scaling{};                    // they come and go by what waits for them
  SizeRange reply_bytes{.min = 50, .max = 50};  // request-reply: payload of a reply
  bool come_and_go() const { return !away.empty() || scaling.exists(); }
  // Who is not there when the run begins; nothing: all are.
  std::optional<control::ServiceSet> away_at_first() const;
  bool operator==(const ReceiverPlan&) const = default;
};

// What is looked at before the run begins, from each host with workers to the queue's. Never in the run.
struct LookPlan {
  bool path = false;
  bool bandwidth = false;
  bool any() const { return path || bandwidth; }
  bool operator==(const LookPlan&) const = default;
};

// Whether every host of the run records what it does, and how often.
struct RecorderPlan {
  bool on = true;
  int64_t period_ns = 1'000'000'000;
  std::vector<std::string> hosts{};  // beside those of the run
  bool operator==(const RecorderPlan&) const = default;
};

// The workers' connections that carry messages.
struct TcpPlan {
  std::string congestion{};  // empty: each host's own
  bool no_delay = true;
  uint64_t send_buffer_bytes = 0;  // 0: as the kernel sees fit
  uint64_t receive_buffer_bytes = 0;
  bool operator==(const TcpPlan&) const = default;
};

// What the messages travel over.
struct BusPlan {
  std::string kind = "n2nq";                      // of workers/bus/bus_table.h
  std::map<std::string, std::string> settings{};  // those that are not as they are at first
  const bus::BusTraits& traits() const { return *bus::find_bus(kind); }
  std::string setting(std::string_view key) const { return bus::value_of(traits(), settings, key); }
  bool answers() const { return bus::answers(traits(), settings); }
  bool may_drop() const { return bus::may_drop(traits(), settings); }
  std::string_view why_double() const { return bus::why_double(traits(), settings); }
  std::string kept_by() const { return bus::kept_by(traits(), settings); }
  std::string answered_by() const { return bus::answered_by(traits(), settings); }
  uint64_t copies() const { return bus::copies(traits(), settings); }
  int64_t linger_ns() const { return bus::linger_ns(traits(), settings); }
  bool acknowledges_late() const { return bus::acknowledges_late(traits(), settings); }
  std::optional<uint64_t> most_unserved() const { return bus::most_unserved(traits(), settings); }
  bool deals_by_chance() const { return bus::deals_by_chance(traits(), settings); }
  // How many of them.
  uint32_t servers() const;
  std::vector<bus::Kill> kills() const;
  // The server of the user's own that messages go through; empty where there is none.
  std::string attached_server() const { return setting("address"); }
  // Its password is in no file: whoever starts the run types it.
  bool asks_for_password() const;
  // The hosts on which those of the run are started, by turns; empty: where the queue is.
  std::vector<std::string> server_hosts() const;
  // One at least is started for the run: by the queue process and beside it, or on server_hosts().
  bool starts_server() const { return !traits().server.empty() && attached_server().empty(); }
  // Connections to the queue process are encrypted, whatever travels over them.
  bool encrypts_queue() const { return setting(bus::kTlsKey) == "true"; }
  // It makes a certificate for that.
  bool makes_certificate() const {
    return encrypts_queue() && !(traits().own_queue && !setting(bus::kTlsCertificateKey).empty());
  }
  // Messages go through servers that are not beside the queue: addresses, or names of hosts; else empty.
  std::string elsewhere() const;
  // All messages go to one place first: to a queue, a server, several of one cluster, or a load balancer.
  bool has_path() const { return !traits().meets_directly || !attached_server().empty(); }
  // It is on the queue's host.
  bool passes_queues_host() const { return has_path() && elsewhere().empty(); }
  bool operator==(const BusPlan&) const = default;
};

struct RunPlan {
  std::string name = "untitled";
  BusPlan bus{};
  TcpPlan tcp{};
  SenderPlan senders{};
  QueuePlan queue{};
  ReceiverPlan receivers{};
  int64_t warmup_ns = 0;  // messages due within this time after BEGIN are reported apart
  LogLevel log = LogLevel::full;
  LookPlan look{};
  RecorderPlan recorder{};
  std::vector<BackgroundLoad> background{};  // from recorder to recorder
  bool awake = false;                        // recorders keep the cores of their hosts from halting
  std::vector<RunLimit> limits{};            // what is judged while the run goes on
  int64_t join_timeout_ns = 60'000'000'000;  // from the last start to BEGIN; 0 = for ever
  bool operator==(const RunPlan&) const = default;
};

// Senders are requesters and receivers repliers.
bool asks_for_replies(const RunPlan& plan);
// How long the bus takes to answer for a message is measured; of requests the reply is the answer.
bool times_answers(const RunPlan& plan);
bool has(const RunPlan& plan, MetricOf of);
// Each message goes to one receiver, which the policy chooses; else to all.
bool balances(const QueuePlan& queue);
// Each goes to one receiver of our own queue, which waits for an answer to it: another could have it instead.
bool may_take_over(const RunPlan& plan);
bool takes_over(const RunPlan& plan);
// HOST:PORT whose host is a loopback address by its number, or localhost: another name may lead anywhere.
bool is_loopback(const std::string& address);

const Fleet& fleet_of(const RunPlan& plan, Role role);  // of senders or receivers
// Where the worker of a role listens that somebody started by hand; empty: the bench starts them.
const std::string& attached_at(const RunPlan& plan, Role role);
bool has_attached(const RunPlan& plan);
// How many requests each sender keeps outstanding instead of a schedule; 0: there is one.
uint32_t closed_loop(const RunPlan& plan);

// The asked rate of all senders over time; nothing without a schedule (delay 0, closed loop), or where senders are
// attached.
std::optional<measure::LoadProfile> asked_load(const RunPlan& plan);
// The same in one figure: of a shape its mean.
std::optional<double> asked_rate(const RunPlan& plan);
// On average, from message to message of a sender; 0: as fast as the bus takes them, or in closed loop.
int64_t mean_delay_ns(const RunPlan& plan);
int64_t mean_delay_ns(const SenderPlan& senders);  // where they send by schedule
// How long no sender may have a message due at the most.
int64_t longest_gap_ns(const RunPlan& plan);
// That each sender will send; nothing where the plan goes by time, or senders are attached.
std::optional<std::vector<uint64_t>> messages_by_sender(const RunPlan& plan);
// Messages that all senders will send; nothing where the plan goes by time, or senders are attached.
std::optional<uint64_t> planned_messages(const RunPlan& plan);
// How often each message of a sender is owed, by sender: to how many receivers that ask for it, or where one gets it
// once, whoever that is. Nothing where that cannot be told beforehand (filters on size or index, attached
// receivers).
std::optional<std::vector<uint64_t>> deliveries_by_sender(const RunPlan& plan);
// For all messages; nothing where that or their number cannot be told beforehand.
std::optional<uint64_t> planned_deliveries(const RunPlan& plan);
// "broadcaster"; over another bus "kafka, broadcaster"
std::string way_text(const RunPlan& plan);
// How long sending takes by the schedule (Poisson: on average); nothing without one (delay 0, closed loop), where it is
// more than 64 bits of nanoseconds can say, or where senders are attached.
std::optional<int64_t> planned_duration_ns(const RunPlan& plan);

// The same with the seeds of that repeat. The first one has those of the plan; each further one others, which follow
// from these and its number: arrivals, contents, choices and service times are drawn again, and are the same each time
// that this repeat is made.
RunPlan plan_of_repeat(RunPlan plan, uint32_t repeat);

// As they are started: hosts, this computer among them, and processes over all of them, at least one on each.
uint32_t host_count(const Fleet& fleet);
uint32_t process_count(const Fleet& fleet);

// How long so many services of a receiver, one after the other, take at most: all but one in 480 million times.
// `cores`: so many of a process' receivers compute at a time.
int64_t longest_service_ns(const RunPlan& plan, uint64_t services, uint32_t cores);
// Nobody knows it of the hosts of a run; a receiver that has to share a core may be slower than is said of these.
inline constexpr uint32_t kCoresOfAHost = 16;
// Where receivers acknowledge what they have worked on: how long it takes one to work on what it may have.
int64_t longest_unserved_ns(const RunPlan& plan);

// How long receivers wait for messages that they lack, by the bus; 0: it tells them when they have all.
int64_t quiet_ns(const BusPlan& bus);
// What is set of the bus, as the run has it.
std::map<std::string, std::string> settings_in_force(const BusPlan& bus);
// How long the queue process waits for receivers that lack messages and get none.
int64_t drain_timeout_ns(const RunPlan& plan);
// Over another bus: how long nothing more comes until what is missing counts as lost, and what decides that: "1s
// (bus.quiet)". Empty: our own queue tells.
std::string given_up_after(const RunPlan& plan);

// What makes a plan impossible, each problem with the key of the field to change ("queue.max_message") and a text for
// people. None: it can be started.
struct PlanProblem {
  std::string key{};
  std::string text{};
};
std::vector<PlanProblem> problems_of(const RunPlan& plan);
// Of a limit on a figure that a run by this plan does not have.
std::string not_in_plan(const LimitMetric& metric, const RunPlan& plan);

std::string to_text(Mode mode);       // "broadcaster", "load-balancer", "request-reply"
std::string to_text(ReplyFrom from);  // "one", "first", "all"
std::string to_text(Policy policy);   // as the broker's --policy
std::string to_text(Pacing pacing);   // "fixed", "poisson"
std::string to_text(Phase phase);     // "even", "together", "random"
std::string to_text(LogLevel level);  // "full", "summary", "off"

}  // namespace n2nq::plan
