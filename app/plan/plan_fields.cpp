#include "app/plan/plan_fields.h"

#include <algorithm>

#include "app/plan/field_forms.h"
#include "app/plan/text_list.h"
#include "broker/base/assert.h"
#include "broker/base/join.h"

namespace n2nq::plan {
namespace {

// What not every row has.
struct RowOptions {
  Scope scope = Scope::any;
  bool (*idle)(const RunPlan& plan) = nullptr;
  Argument argument{};
};

using TextOfPlan = std::string (*)(const RunPlan& plan);
template <class Form, auto member>
constexpr TextOfPlan text_maker() {
  if constexpr (requires(const RunPlan& plan) { Form::text(member(plan)); })
    return [](const RunPlan& plan) { return Form::text(member(plan)); };
  return nullptr;
}

using TroubleOfPlan = std::optional<std::string> (*)(const RunPlan& plan);
template <class Form, auto member>
constexpr TroubleOfPlan trouble_finder() {
  if constexpr (requires(const RunPlan& plan) { Form::trouble(member(plan)); })
    return [](const RunPlan& plan) -> std::optional<std::string> {
      const auto trouble = Form::trouble(member(plan));
      if (!trouble) return {};
      return quoted(Form::show(member(plan))) + " " + *trouble;
    };
  return nullptr;
}

template <class Form, auto member>
PlanField field(std::string_view key, std::string_view name, std::string_view form, std::string_view help,
                const RowOptions& options = {}) {
  PlanField made{.key = key,
                 .name = name,
                 .form = form,
                 .help = help,
                 .scope = options.scope,
                 .idle = options.idle,
                 .argument = options.argument,
                 .take = [](RunPlan& plan, const Json& value) -> Result<void> {
                   auto taken = Form::take(value);
                   if (!taken) return std::unexpected(taken.error());
                   auto& place = member(plan);
                   place = static_cast<std::remove_reference_t<decltype(place)>>(*std::move(taken));
                   return {};
                 },
                 .get = [](const RunPlan& plan) -> Json { return Form::show(member(plan)); },
                 .text = text_maker<Form, member>(),
                 .trouble = trouble_finder<Form, member>()};
  if constexpr (requires(const RunPlan& plan) { Form::reads(member(plan)); })
    made.reads = [](const RunPlan& plan) { return Form::reads(member(plan)); };
  if constexpr (requires(const RunPlan& plan) { Form::sends_to(member(plan)); })
    made.sends_to = [](const RunPlan& plan) { return Form::sends_to(member(plan)); };
  if constexpr (requires { Form::kUnit; }) made.unit = Form::kUnit;
  if constexpr (requires { Form::kZeroIsNone; })
    made.argument.when = [](const RunPlan& plan) { return member(plan) != 0; };
  if constexpr (requires { Form::kMost; }) {
    made.least = Form::kLeast;
    made.most = Form::kMost;
  }
  return made;
}

// Of a form that says itself what it takes.
template <class Form, auto member>
PlanField field(std::string_view key, std::string_view name, std::string_view help, const RowOptions& options = {}) {
  static const std::string words = Form::words();
  return field<Form, member>(key, name, words, help, options);
}

bool has_shape(const RunPlan& plan) {
  return plan.senders.shape.exists();
}
bool has_no_shape(const RunPlan& plan) {
  return !has_shape(plan);
}
bool is_closed_loop(const RunPlan& plan) {
  return closed_loop(plan) > 0;
}
// The client of its bus has a setting of its own for that.
bool has_own_no_delay(const RunPlan& plan) {
  return bus::find_setting(plan.bus.traits(), "no_delay") != nullptr;
}
bool receivers_are_reached(const RunPlan& plan) {
  return plan.bus.traits().meets_directly;
}
bool has_congestion(const RunPlan& plan) {
  return !plan.tcp.congestion.empty();
}
bool has_no_delay(const RunPlan& plan) {
  return has_shape(plan) || is_closed_loop(plan);
}
bool goes_by_time(const RunPlan& plan) {
  return !has_shape(plan) && plan.senders.duration_ns > 0;
}
bool goes_by_messages(const RunPlan& plan) {
  return !has_shape(plan) && plan.senders.duration_ns == 0;
}

using measure::ShapePart;
template <ShapePart part>
bool lacks_part(const RunPlan& plan) {
  return !measure::uses(plan.senders.shape.kind, part);
}

using Services = WholeForm<1, kMaxServices>;
using Processes = WholeForm<1, kMaxProcesses>;
using Loops = WholeForm<1, kMaxLoops>;
using Seed = WholeForm<0, UINT64_MAX>;
using Timeout = DurationForm<0, kLongestTimeout>;
using ShapeTime = DurationForm<0, measure::kLongestShapeNs>;

constexpr std::string_view kAttachForm = "HOST:PORT, or empty";
constexpr std::string_view kHostsForm = "list of names, such as [\"vm2\", \"vm3\"]; as text vm2, vm3";
constexpr std::string_view kRateForm = "rate, 0/s to 1000000000/s";
constexpr std::string_view kShapeTimeForm = "duration up to 168h";

const PlanField kFields[] = {
    field<TextForm, [](auto& p) -> auto& { return p.name; }>("name", "Plan name", "text",
                                                             "The name of the plan and of its results."),

    field<BusKindForm, [](auto& p) -> auto& { return p.bus.kind; }>("bus.kind", "Bus",
                                                                    "What the messages travel over."),

    field<CongestionForm, [](auto& p) -> auto& { return p.tcp.congestion; }>(
        "tcp.congestion", "Workers congestion control", "name that the kernel has, such as cubic or bbr, or empty",
        "Congestion control of the workers' connections; empty: each host's own.",
        {.argument = {Told::workers, "--tcp-congestion", has_congestion}}),
    field<TruthForm, [](auto& p) -> auto& { return p.tcp.no_delay; }>(
        "tcp.no_delay", "Workers TCP_NODELAY",
        "Whether the workers' connections send at once; else small pieces wait until those before are acknowledged. "
        "Kafka has bus.no_delay instead.",
        {.idle = has_own_no_delay, .argument = {.to = Told::workers, .otherwise = "--tcp-nagle"}}),
    field<SocketBufferForm, [](auto& p) -> auto& { return p.tcp.send_buffer_bytes; }>(
        "tcp.send_buffer", "Workers send buffer",
        "Size of the send buffer (SO_SNDBUF) of each of the workers' connections; none: the kernel decides.",
        {.argument = {Told::workers, "--tcp-send-buffer"}}),
    field<SocketBufferForm, [](auto& p) -> auto& { return p.tcp.receive_buffer_bytes; }>(
        "tcp.receive_buffer", "Workers receive buffer",
        "Size of the receive buffer (SO_RCVBUF) of each of the workers' connections, which bounds the window; none: "
        "the kernel decides.",
        {.argument = {Told::workers, "--tcp-receive-buffer"}}),

    field<Services, [](auto& p) -> auto& { return p.senders.fleet.count; }>("senders.count", "Senders amount",
                                                                            "Number of senders."),
    field<Processes, [](auto& p) -> auto& { return p.senders.fleet.processes; }>(
        "senders.processes", "Senders processes", "Number of processes that the senders are split over."),
    field<Loops, [](auto& p) -> auto& { return p.senders.fleet.loops; }>(
        "senders.loops", "Senders loops", "Event loops (threads) of each sender process."),
    field<CpusForm, [](auto& p) -> auto& { return p.senders.fleet.held.cpu_thousandths; }>(
        "senders.cpus", "Senders processors",
        "How many processors' time each sender process may use at most: it runs in a container of podman, which its "
        "host needs.",
        {.argument = {Told::senders, "--cpus"}}),
    field<ProcessMemoryForm, [](auto& p) -> auto& { return p.senders.fleet.held.memory_bytes; }>(
        "senders.memory", "Senders memory",
        "How much memory each sender process may use, without swap; one that wants more is killed by the system. Its "
        "host needs podman.",
        {.argument = {Told::senders, "--memory"}}),
    field<SourcePortsForm, [](auto& p) -> auto& { return p.senders.fleet.source_ports; }>(
        "senders.source_ports", "Senders source ports",
        "Local ports that the senders' connections leave from, so that networks that choose a way by them choose the "
        "same each time: on our own queue one a sender, in order; on another bus each connection takes the next that "
        "is free; empty = the kernel chooses."),
    field<HostsForm, [](auto& p) -> auto& { return p.senders.fleet.hosts; }>(
        "senders.hosts", "Senders source", kHostsForm,
        "Hosts that the senders are split over, at least one process on each; empty = this computer."),
    field<AttachForm, [](auto& p) -> auto& { return p.senders.fleet.attach; }>(
        "senders.attach", "Senders address", kAttachForm,
        "Control address of a sender process started by hand, to use instead of starting one."),
    field<WholeForm<1, kMaxMessages>, [](auto& p) -> auto& { return p.senders.messages; }>(
        "senders.messages", "Senders messages",
        "Number of messages each sender sends, unless senders.duration is given.",
        {.idle = has_shape, .argument = {Told::senders, "--messages", goes_by_messages}}),
    field<DurationForm<0, kLongestDuration>, [](auto& p) -> auto& { return p.senders.duration_ns; }>(
        "senders.duration", "Senders duration", "duration up to 168h, such as 30s; 0s = by messages",
        "How long senders send, instead of a number of messages.",
        {.idle = has_shape, .argument = {Told::senders, "--duration", goes_by_time}}),
    field<SizeRangeForm, [](auto& p) -> auto& { return p.senders.size_bytes; }>(
        "senders.size", "Senders size", "size or range, such as 50B or 10B..1KiB; up to 64MiB",
        "Payload of a message: fixed, or random within the range.", {.argument = {Told::senders, "--size"}}),
    field<DelayForm, [](auto& p) -> auto& { return p.senders.delay_ns; }>(
        "senders.delay", "Senders delay",
        "duration up to 1h, such as 20ms, or a rate such as 50/s; 0s = as fast as the bus accepts them",
        "Time between two messages of a sender, or its rate.",
        {.idle = has_no_delay, .argument = {Told::senders, "--delay", has_no_shape}}),
    field<WordForm<Pacing>, [](auto& p) -> auto& { return p.senders.pacing; }>(
        "senders.pacing", "Senders pacing",
        "Whether all delays are equal, or exponentially distributed around senders.delay (then there are no phases).",
        {.idle = is_closed_loop, .argument = {Told::senders, "--pacing"}}),
    field<ShapeForm, [](auto& p) -> auto& { return p.senders.shape; }>(
        "senders.shape", "Senders load",
        "constant, ramp 100/s..5000/s over 30s, steps 100/s..1000/s in 10 over 30s, spike 500/s..5000/s at 10s for 2s "
        "over 30s, burst 0/s..5000/s every 1s for 100ms over 30s, recorded FILE",
        "Load over time: the rate of all senders together, or a time for each message from a file, instead of "
        "senders.messages, senders.duration and senders.delay."),
    field<PayloadForm, [](auto& p) -> auto& { return p.senders.payload; }>(
        "senders.payload", "Senders content", "random, repeated, text 30% (5% to 75%), or file FILE",
        "Content of messages: random letters, one letter again and again, text that compresses to so much of its "
        "size, or pieces of a file."),
    field<WordForm<Phase>, [](auto& p) -> auto& { return p.senders.phase; }>(
        "senders.phase", "Senders phase", "How the senders are staggered within the delay.",
        {.idle = is_closed_loop, .argument = {Told::senders, "--phase"}}),
    field<Seed, [](auto& p) -> auto& { return p.senders.seed; }>(
        "senders.seed", "Senders seed",
        "Seed of sizes, contents, random phases and delays: the same seed gives the same run.",
        {.argument = {Told::senders, "--seed"}}),
    field<DurationForm<kShortestReplyTimeout, kLongestReplyTimeout>,
          [](auto& p) -> auto& { return p.senders.timeout_ns; }>(
        "senders.timeout", "Senders timeout", "duration, 1ms to 1h",
        "Request-reply: a request without its reply after this long counts as timed out; what comes later is late.",
        {.scope = Scope::replies, .argument = {Told::senders, "--timeout"}}),
    field<WholeForm<0, kMaxOutstanding>, [](auto& p) -> auto& { return p.senders.outstanding; }>(
        "senders.outstanding", "Senders outstanding", "whole number, 0 to 10000; 0 = by schedule",
        "Request-reply, closed loop: requests each sender keeps outstanding; it sends the next when one is answered or "
        "timed out, instead of by senders.delay.",
        {.scope = Scope::replies, .argument = {Told::senders, "--outstanding"}}),

    field<HostForm, [](auto& p) -> auto& { return p.queue.host; }>(
        "queue.host", "Queue host", "name of a host, or empty", "Where the queue runs; empty = this computer."),
    field<WordForm<Mode>, [](auto& p) -> auto& { return p.queue.mode; }>(
        "queue.mode", "Queue mode",
        "Each message to every receiver, or to exactly one; or senders ask and receivers reply.",
        {.argument = {Told::queue, "--mode"}}),
    field<WordForm<Policy>, [](auto& p) -> auto& { return p.queue.policy; }>(
        "queue.policy", "Queue policy", "Load balancer, and replies from one: which receiver gets the next message.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--policy"}}),
    field<WordForm<ReplyFrom>, [](auto& p) -> auto& { return p.queue.reply_from; }>(
        "queue.reply_from", "Reply from",
        "Request-reply: each request to one receiver; or to all, and the first reply counts, or every one.",
        {.scope = Scope::replies, .argument = {Told::queue | Told::senders, "--reply-from"}}),
    field<RetentionForm, [](auto& p) -> auto& { return p.queue.retention_ns; }>(
        "queue.retention", "Remove after", "duration, 1ms to 960h, or until-collected",
        "How long the queue keeps a message before it removes it.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--retention"}}),
    field<TruthForm, [](auto& p) -> auto& { return p.queue.responses; }>(
        "queue.responses", "Receiver responses",
        "Receivers confirm every message; unconfirmed messages are sent again.",
        {.scope = Scope::own_queue, .argument = {Told::receivers, "--responses"}}),
    field<TruthForm, [](auto& p) -> auto& { return p.queue.requests.on; }>(
        "queue.requests", "Receiver requests",
        "Receivers ask for messages instead of having them pushed; filters choose which senders' messages each "
        "receiver gets.",
        {.scope = Scope::own_queue}),
    field<WholeForm<1, kMaxAtATime>, [](auto& p) -> auto& { return p.queue.requests.at_a_time; }>(
        "queue.at_a_time", "Ask for at a time",
        "With requests: number of messages a receiver requests at a time; it requests more once they have arrived.",
        {.scope = Scope::requests, .argument = {Told::receivers, "--requests"}}),
    field<FiltersForm, [](auto& p) -> auto& { return p.queue.requests.filters; }>(
        "queue.filters", "Filters",
        "list of {\"receivers\": \"1-3\", \"filter\": \"senders=1..5,9;size=10B..1KiB;index=1..100\"}; as text "
        "1-3:senders=1..5 / 4-6:senders=self",
        "With requests: which messages these receivers request; receivers without a filter request everything.",
        {.scope = Scope::requests}),
    field<SizeForm<kLeastMemory, kMostMemory>, [](auto& p) -> auto& { return p.queue.max_memory_bytes; }>(
        "queue.max_memory", "Queue memory limit",
        "size, 2MiB to 1024GiB; at least four times queue.max_message and 4MiB",
        "Memory the queue may use for messages; beyond it senders have to wait.", {.scope = Scope::own_queue}),
    field<SizeForm<1, kLargestMessage>, [](auto& p) -> auto& { return p.queue.max_message_bytes; }>(
        "queue.max_message", "Queue largest message", "size, 1B to 64MiB",
        "The largest payload that the queue accepts.", {.scope = Scope::own_queue}),
    field<WholeForm<1, kMaxTries>, [](auto& p) -> auto& { return p.queue.tries; }>(
        "queue.tries", "Queue tries", "With responses: delivery attempts before a message counts as undeliverable.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--tries"}}),
    field<WholeForm<1, kMaxResponseWindow>, [](auto& p) -> auto& { return p.queue.response_window; }>(
        "queue.response_window", "Queue response window",
        "With responses: number of deliveries a receiver may leave unanswered.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--response-window"}}),
    field<TakeOverForm, [](auto& p) -> auto& { return p.queue.take_over_ns; }>(
        "queue.take_over", "Queue take over", "duration, 100ms to 1h, or never",
        "With responses or replies, where a message goes to one receiver: what it has not answered for this long goes "
        "to another, up to queue.tries; it gets nothing more until it has answered.",
        {.scope = Scope::own_queue,
         .idle = [](const RunPlan& plan) { return !may_take_over(plan); },
         .argument = {Told::queue, "--take-over", takes_over}}),
    field<Seed, [](auto& p) -> auto& { return p.queue.seed; }>(
        "queue.seed", "Queue seed", "Seed of the random policy: the same seed makes the same choices.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--seed"}}),
    field<Timeout, [](auto& p) -> auto& { return p.queue.drain_timeout_ns; }>(
        "queue.drain_timeout", "Queue drain timeout", "duration up to 24h",
        "After the last sender: how long the queue waits without progress before the rest counts as undeliverable."),
    field<DurationForm<kShortestStall, kLongestTimeout>, [](auto& p) -> auto& { return p.queue.stall_timeout_ns; }>(
        "queue.stall_timeout", "Queue stall timeout", "duration, 100ms to 24h",
        "A receiver that accepts nothing due to it for this long is dropped.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--stall-timeout"}}),
    field<CpusForm, [](auto& p) -> auto& { return p.queue.held.cpu_thousandths; }>(
        "queue.cpus", "Queue processors",
        "How many processors' time the queue's process may use at most: it runs in a container of podman, which its "
        "host needs.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--cpus"}}),
    field<ProcessMemoryForm, [](auto& p) -> auto& { return p.queue.held.memory_bytes; }>(
        "queue.memory", "Queue memory",
        "How much memory the queue's process may use, without swap; one that wants more is killed by the system. Its "
        "host needs podman.",
        {.scope = Scope::own_queue, .argument = {Told::queue, "--memory"}}),
    field<ListenForm, [](auto& p) -> auto& { return p.queue.listen; }>(
        "queue.listen", "Queue listen", "HOST:PORT; port 0 = a free one",
        "Where the queue listens on this computer; on a host its data address and ports decide."),
    field<FileForm, [](auto& p) -> auto& { return p.queue.token_file; }>(
        "queue.token_file", "Queue token file", "path of a file, or empty",
        "Holds the run's token, for attached workers; without it each run gets a new random one."),

    field<Services, [](auto& p) -> auto& { return p.receivers.fleet.count; }>("receivers.count", "Receivers amount",
                                                                              "Number of receivers."),
    field<Processes, [](auto& p) -> auto& { return p.receivers.fleet.processes; }>(
        "receivers.processes", "Receivers processes", "Number of processes that the receivers are split over."),
    field<Loops, [](auto& p) -> auto& { return p.receivers.fleet.loops; }>(
        "receivers.loops", "Receivers loops", "Event loops (threads) of each receiver process."),
    field<CpusForm, [](auto& p) -> auto& { return p.receivers.fleet.held.cpu_thousandths; }>(
        "receivers.cpus", "Receivers processors",
        "How many processors' time each receiver process may use at most: it runs in a container of podman, which its "
        "host needs.",
        {.argument = {Told::receivers, "--cpus"}}),
    field<ProcessMemoryForm, [](auto& p) -> auto& { return p.receivers.fleet.held.memory_bytes; }>(
        "receivers.memory", "Receivers memory",
        "How much memory each receiver process may use, without swap; one that wants more is killed by the system. Its "
        "host needs podman.",
        {.argument = {Told::receivers, "--memory"}}),
    field<SourcePortsForm, [](auto& p) -> auto& { return p.receivers.fleet.source_ports; }>(
        "receivers.source_ports", "Receivers source ports",
        "The same of the receivers; over http and websocket they have no connections of their own.",
        {.idle = receivers_are_reached}),
    field<HostsForm, [](auto& p) -> auto& { return p.receivers.fleet.hosts; }>(
        "receivers.hosts", "Receivers source", kHostsForm,
        "Hosts that the receivers are split over, at least one process on each; empty = this computer."),
    field<AttachForm, [](auto& p) -> auto& { return p.receivers.fleet.attach; }>(
        "receivers.attach", "Receivers address", kAttachForm,
        "Control address of a receiver process started by hand, to use instead of starting one."),
    field<ServiceTimeForm, [](auto& p) -> auto& { return p.receivers.service_time; }>(
        "receivers.service_time", "Receivers service time",
        "none, fixed:5ms, exponential:5ms, busy:5ms or busy-exponential:5ms, up to 1h; 5ms = fixed:5ms; +10us/1KiB "
        "behind it",
        "How long a receiver works on each message before it responds, requests more and continues with the next. "
        "busy: it uses so much of a processor; else it only waits. +10us/1KiB: so much longer for each KiB of the "
        "message.",
        {.argument = {Told::receivers, "--service-time"}}),
    field<SharedLimitForm, [](auto& p) -> auto& { return p.receivers.shared_limit; }>(
        "receivers.shared_limit", "Receivers shared limit", "none, pool:4 or rate:200/s",
        "What the receivers of a process share, such as a database. pool: no more than so many work on a message at a "
        "time; rate: no more than so many begin to in a second.",
        {.argument = {Told::receivers, "--shared-limit"}}),
    field<Seed, [](auto& p) -> auto& { return p.receivers.seed; }>(
        "receivers.seed", "Receivers seed", "Seed of exponential service times: the same seed gives the same times.",
        {.argument = {Told::receivers, "--seed"}}),
    field<SpansForm, [](auto& p) -> auto& { return p.receivers.pauses; }>(
        "receivers.pause", "Receivers pause",
        "none, or FROM..TO since the start, such as 2s..5s; 1-3:7s..8s for some receivers",
        "When receivers take nothing from the queue; from 0s: they start late."),
    field<SpansForm, [](auto& p) -> auto& { return p.receivers.away; }>(
        "receivers.away", "Receivers away", "none, or NUMBERS:FROM..TO since the start, such as 2-4:0s..5s; 2:8s..9s",
        "Load balancer, and over our own queue request-reply from one: when receivers are not there, and the others "
        "take what is sent; from 0s: they come late. Receiver 1 stays."),
    field<ScalingForm, [](auto& p) -> auto& { return p.receivers.scaling; }>(
        "receivers.scaling", "Receivers scaling", "none, or such as from 1 above 1000 below 10 every 2s",
        "Load balancer: receivers come one by one while more messages wait than that, and go while fewer do. At most "
        "all "
        "come, and never fewer are there than at the begin."),
    field<SizeRangeForm, [](auto& p) -> auto& { return p.receivers.reply_bytes; }>(
        "receivers.reply_size", "Reply size", "size or range, such as 50B or 10B..1KiB; up to 64MiB",
        "Request-reply: payload of a reply, fixed, or random within the range.",
        {.scope = Scope::replies, .argument = {Told::receivers, "--reply-size"}}),

    field<TruthForm, [](auto& p) -> auto& { return p.look.path; }>(
        "look.path", "Trace path first",
        "Before the run begins: traces the routers on the path from each host to where the messages go, by connections "
        "to that port if these tell it.",
        {.idle = [](const RunPlan& plan) { return !plan.bus.has_path(); }}),
    field<TruthForm, [](auto& p) -> auto& { return p.look.bandwidth; }>(
        "look.bandwidth", "Measure bandwidth first",
        "Before the run begins: measures the bandwidth to the queue's host; up to 64 MiB or 1 s from each host.",
        {.idle = [](const RunPlan& plan) { return !plan.bus.passes_queues_host(); }}),

    field<TruthForm, [](auto& p) -> auto& { return p.recorder.on; }>(
        "recorder.on", "Record hosts",
        "Each host records its processor, memory, disks and network, and those of the run's processes."),
    field<DurationForm<kShortestReading, kLongestReading>, [](auto& p) -> auto& { return p.recorder.period_ns; }>(
        "recorder.period", "Time between readings", "duration, 100ms to 60s",
        "Time between two readings of the recorder."),
    field<HostsForm, [](auto& p) -> auto& { return p.recorder.hosts; }>(
        "recorder.hosts", "Also recorded", kHostsForm,
        "Hosts of the list that are recorded beside those of the run, such as the one of a server of your own.",
        {.idle = [](const RunPlan& plan) { return !plan.recorder.on; }}),
    field<TruthForm, [](auto& p) -> auto& { return p.awake; }>(
        "awake", "Keep cores awake",
        "While the run goes on each host keeps its cores from halting, with spinners that give way to everything else. "
        "The recorder does it."),
    field<LoadsForm, [](auto& p) -> auto& { return p.background; }>(
        "background", "Background load", "none, or HOST to HOST at TIME for TIME, such as vm1 to vm2 at 5s for 10s",
        "Loads the network beside the run: the recorder on the first host fills a connection to that on the second, as "
        "fast as it goes, from a time since the start on."),

    field<DurationForm<0, kLongestDuration>, [](auto& p) -> auto& { return p.warmup_ns; }>(
        "warmup", "Warm-up", "duration up to 168h",
        "Messages due within this time after the start are reported separately.",
        {.argument = {Told::workers, "--warmup"}}),
    field<WordForm<LogLevel>, [](auto& p) -> auto& { return p.log; }>(
        "log", "Log level", "What each service writes to its log file: every message, head and end, or nothing."),
    field<Timeout, [](auto& p) -> auto& { return p.join_timeout_ns; }>(
        "join_timeout", "Join timeout", "duration up to 24h; 0s = forever",
        "How long all services may take to join, from the last process start to the start of the run."),
    field<LimitsForm, [](auto& p) -> auto& { return p.limits; }>(
        "limits", "Limits",
        "list of {\"metric\": \"p99\", \"at_most\": \"5ms\", \"stop\": true}, or at_least, or \"warn\": true; as text "
        "p99 <= 5ms stop; rate >= 20000 warn",
        "Limits judged each second after warm-up: a run that exceeds one fails. With stop it ends at once, with warn "
        "that is only a warning."),

    // Parts of senders.shape.
    field<WordForm<measure::LoadShape::Kind>, [](auto& p) -> auto& { return p.senders.shape.kind; }>(
        "senders.shape.kind", "Load shape", "How the load changes over time."),
    field<RateForm, [](auto& p) -> auto& { return p.senders.shape.from_per_s; }>(
        "senders.shape.from", "Load from", kRateForm,
        "Rate of all senders at the start, and outside of a spike or burst.", {.idle = lacks_part<ShapePart::from>}),
    field<RateForm, [](auto& p) -> auto& { return p.senders.shape.to_per_s; }>(
        "senders.shape.to", "Load to", kRateForm,
        "Rate of all senders at the end of a ramp or of steps, and in a spike or burst.",
        {.idle = lacks_part<ShapePart::to>}),
    field<ShapeTime, [](auto& p) -> auto& { return p.senders.shape.over_ns; }>(
        "senders.shape.over", "Load length", kShapeTimeForm, "How long senders send by a load shape.",
        {.idle = lacks_part<ShapePart::over>}),
    field<WholeForm<2, measure::kMostSteps>, [](auto& p) -> auto& { return p.senders.shape.steps; }>(
        "senders.shape.steps", "Load steps", "Number of steps of a load of steps.",
        {.idle = lacks_part<ShapePart::steps>}),
    field<ShapeTime, [](auto& p) -> auto& { return p.senders.shape.at_ns; }>("senders.shape.at", "Spike begins",
                                                                             kShapeTimeForm, "When a spike begins.",
                                                                             {.idle = lacks_part<ShapePart::at>}),
    field<ShapeTime, [](auto& p) -> auto& { return p.senders.shape.every_ns; }>(
        "senders.shape.every", "Burst interval", kShapeTimeForm, "Time from burst to burst.",
        {.idle = lacks_part<ShapePart::every>}),
    field<ShapeTime, [](auto& p) -> auto& { return p.senders.shape.for_ns; }>(
        "senders.shape.for", "Spike or burst length", kShapeTimeForm, "How long a spike or burst lasts.",
        {.idle = lacks_part<ShapePart::for_>}),
};
constexpr std::string_view kPartsOfShape = "senders.shape.";
constexpr std::string_view kBusPrefix = "bus.";

// "TLS" stays.
std::string lower_first(std::string_view title) {
  std::string text(title);
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

// The settings of all buses, from their table; the i-th as a template argument, so that plain functions can be made.
constexpr size_t kMostBusSettings = 128;

template <size_t i>
std::vector<std::string> path_in_setting(const RunPlan& plan) {
  const bus::Setting& setting = *bus::all_settings()[i];
  if (setting.key == bus::kPasswordFileKey && plan.bus.asks_for_password()) return {std::string(bus::kPasswordTyped)};
  return if_given(plan.bus.setting(setting.key));
}

template <size_t i>
std::vector<std::string> parts_of_setting(const RunPlan& plan) {
  return bus::parts_in(plan.bus.setting(bus::all_settings()[i]->key));
}

std::optional<FieldUnit> unit_of(bus::Setting::Kind kind) {
  switch (kind) {
    case bus::Setting::Kind::whole:
      return FieldUnit::whole;
    case bus::Setting::Kind::duration:
      return FieldUnit::duration_ns;
    case bus::Setting::Kind::size:
      return FieldUnit::bytes;
    default:
      return std::nullopt;
  }
}

template <size_t i>
PlanField bus_field() {
  static const bus::Setting& setting = *bus::all_settings()[i];
  static const std::string key = std::string(kBusPrefix) + std::string(setting.key);
  static const std::string name = "Bus " + lower_first(setting.title);
  return {.key = key,
          .name = name,
          .form = setting.form,
          .help = setting.help,
          .idle =
              [](const RunPlan& plan) {
                const bus::Setting* of_bus = bus::find_setting(plan.bus.traits(), setting.key);
                return of_bus == nullptr || (of_bus->of_server && !plan.bus.attached_server().empty());
              },
          .unit = unit_of(setting.kind),
          .take = [](RunPlan& plan, const Json& value) -> Result<void> {
            if (setting.by_profile() && value == Json("")) {
              plan.bus.settings.erase(std::string(setting.key));
              return {};
            }
            auto text = BusSettingForm::take(setting, value);
            if (!text) return std::unexpected(text.error());
            plan.bus.settings.erase(std::string(setting.key));
            // What the profile would choose stays, whatever the profile becomes.
            if (setting.by_profile() || *text != setting.initial)
              plan.bus.settings.emplace(setting.key, *std::move(text));
            return {};
          },
          .get = [](const RunPlan& plan) -> Json { return BusSettingForm::show(setting, plan.bus); },
          .reads = setting.kind == bus::Setting::Kind::file ? &path_in_setting<i> : nullptr,
          .sends_to = setting.kind == bus::Setting::Kind::address || setting.kind == bus::Setting::Kind::names
                          ? &parts_of_setting<i>
                          : nullptr,
          .least = static_cast<uint64_t>(setting.least),
          .most = static_cast<uint64_t>(setting.most)};
}

template <size_t... i>
void add_bus_fields(std::vector<PlanField>& fields, std::index_sequence<i...>) {
  const size_t count = bus::all_settings().size();
  N2NQ_ASSERT(count <= sizeof...(i));
  ((i < count ? fields.push_back(bus_field<i>()) : void()), ...);
}

struct AllFields {
  std::vector<PlanField> fields;
  size_t whole = 0;  // so many are no parts of others
};

const AllFields& all_fields() {
  static const AllFields all = [] {
    AllFields made;
    const auto parts =
        std::ranges::find_if(kFields, [](const PlanField& field) { return field.key.starts_with(kPartsOfShape); });
    const auto behind_bus = std::ranges::find(kFields, "bus.kind", &PlanField::key) + 1;
    made.fields.assign(std::begin(kFields), behind_bus);
    add_bus_fields(made.fields, std::make_index_sequence<kMostBusSettings>());
    made.fields.insert(made.fields.end(), behind_bus, parts);
    made.whole = made.fields.size();
    made.fields.insert(made.fields.end(), parts, std::end(kFields));
    return made;
  }();
  return all;
}

std::span<const PlanField> parts_of_shape() {
  return std::span(all_fields().fields).subspan(all_fields().whole);
}

std::string name_of_part(const PlanField& part) {
  return std::string(part.key.substr(kPartsOfShape.size()));
}

// As --set takes them.
std::string names_text(const Json& names) {
  return join(names, ", ", [](const Json& name) { return name.get<std::string>(); });
}

struct GivenFile {
  std::string path{};
  std::optional<std::string> content{};  // nothing: it is to be read
};

// {"file": "times.csv"}, with what was in it where that is known, and nothing else but `beside`.
Result<GivenFile> take_file(const Json& object, std::string_view beside, std::string_view content) {
  GivenFile given;
  for (const auto& [name, value] : object.items()) {
    if (name == beside) continue;
    if (name != "file" && name != content) return fail(name + ": it has no place beside \"file\"");
    if (!value.is_string()) return fail(name + ": " + quoted(value) + " is not a text");
    if (name == "file") {
      auto path = TextForm::take(value);
      if (!path) return fail("file: " + path.error().text);
      given.path = std::move(*path);
    } else {
      given.content = value.get<std::string>();
    }
  }
  if (given.path.empty()) return fail("file: it is missing; enter the name of a file");
  return given;
}

Result<std::string> checked(const bus::Setting& setting, std::string text) {
  if (auto good = bus::check_setting(setting, text); !good) return std::unexpected(good.error());
  return text;
}

size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// Also by the last word of a key alone: "mode" is near to "queue.mode".
size_t distance_to_key(std::string_view given, std::string_view key) {
  return std::min({distance(given, key), distance(given, key.substr(key.rfind('.') + 1)) + 1,
                   distance(given, key.substr(0, key.find('.'))) + 1});
}

}  // namespace

Result<int64_t> CpusForm::take(const Json& value) {
  if (is_no_limit(value)) return 0;
  const std::string text = value.is_number() ? value.dump() : value.is_string() ? value.get<std::string>() : "";
  const auto thousandths = parse_thousandths(trimmed(text));
  if (!thousandths) return fail(quoted(value) + " is not a number of processors; expected a " + words());
  return within_bounds<CpusForm>(value, *thousandths);
}

Json CpusForm::show(int64_t thousandths) {
  return thousandths == 0 ? Json(kNoLimitOfProcess) : Json::parse(exact_thousandths(thousandths));
}

Result<std::string> CongestionForm::take(const Json& value) {
  auto text = TextForm::take(value);
  if (!text) return text;
  return within_bounds<CongestionForm>(value, std::string(trimmed(*text)));
}

Result<PortRange> SourcePortsForm::take(const Json& value) {
  const auto ports = value.is_string() ? parse_ports(value.get_ref<const std::string&>()) : fail("");
  if (!ports) return fail(quoted(value) + " is not a range of ports; expected one such as 20000-20099");
  return *ports;
}

std::optional<std::string> CongestionForm::trouble(const std::string& name) {
  constexpr size_t kLongest = 15;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  if (name.size() <= kLongest && std::ranges::all_of(name, fits)) return {};
  return "is no name of a congestion control; expected one such as cubic, reno or bbr";
}

Result<std::string> BusKindForm::take(const Json& value) {
  const std::string given = value.is_string() ? with_hyphens(value.get_ref<const std::string&>()) : std::string();
  for (const bus::BusTraits& bus : bus::all_buses())
    if (given == bus.kind || given == with_hyphens(bus.title)) return std::string(bus.kind);
  return fail(quoted(value) + " is not a bus; there are " + bus::bus_names());
}

// As the shortest text that means the same, so that equal plans have equal texts.
Result<std::string> BusSettingForm::take(const bus::Setting& setting, const Json& value) {
  using Kind = bus::Setting::Kind;
  if (setting.kind == Kind::truth) {
    const auto truth = TruthForm::take(value);
    if (!truth) return std::unexpected(truth.error());
    return *truth ? "true" : "false";
  }
  if (setting.kind == Kind::whole && value.is_number_integer()) return checked(setting, value.dump());
  auto text = setting.kind == Kind::decimal && value.is_number() ? value.dump() : TextForm::take(value);
  if (!text || setting.kind == Kind::file) return text;
  if (setting.kind == Kind::address) return text->empty() ? text : checked(setting, *text);
  if (setting.kind == Kind::text || setting.kind == Kind::image) return checked(setting, *text);
  if (setting.kind == Kind::names) {
    if (value.is_string() && value.get_ref<const std::string&>().empty()) return std::string();
    const auto names = HostsForm::take(value);
    if (!names) return std::unexpected(names.error());
    const std::string exact = join(*names, ", ");
    return checked(setting, exact);
  }
  if (setting.kind == Kind::kills) {
    if (auto good = checked(setting, *text); !good) return good;
    std::string exact;
    const auto kills = bus::parse_kills(*text);
    for (const bus::Kill& kill : *kills) add_part(exact, ", ", kill.server + ":" + exact_duration(kill.at_ns));
    return exact;
  }
  if (setting.kind == Kind::word) return checked(setting, with_hyphens(*text));
  const std::string plain = plain_quantity(*text);
  auto good = checked(setting, plain);
  if (!good) return good;
  if (setting.kind == Kind::duration) return exact_duration(*parse_duration(plain));
  if (setting.kind == Kind::size) return exact_size(*parse_size(plain));
  if (setting.kind == Kind::decimal) return exact_thousandths(*parse_thousandths(plain));
  return std::to_string(*parse_whole(plain));
}

Json BusSettingForm::show(const bus::Setting& setting, const BusPlan& bus) {
  const std::string text = bus::value_of(setting, bus.settings);
  if (setting.kind == bus::Setting::Kind::truth) return text == "true";
  if (setting.kind == bus::Setting::Kind::whole) return *parse_whole(text);
  if (setting.kind == bus::Setting::Kind::decimal) return Json::parse(exact_thousandths(*parse_thousandths(text)));
  return text;
}

Result<std::vector<std::string>> HostsForm::take(const Json& value) {
  std::vector<std::string> names;
  const auto add = [&names](const Json& each) -> Result<void> {
    auto name = HostForm::take(each);
    if (!name) return std::unexpected(name.error());
    if (name->empty()) return fail(quoted(each) + " is not a host name; enter them like vm2, vm3");
    names.push_back(std::move(*name));
    return {};
  };
  if (value.is_string()) {
    auto text = TextForm::take(value);
    if (!text) return std::unexpected(text.error());
    for (size_t begin = 0; begin < text->size();) {
      const size_t end = std::min(text->find(',', begin), text->size());
      if (auto added = add(text->substr(begin, end - begin)); !added) return std::unexpected(added.error());
      begin = end + 1;
    }
  } else if (value.is_array()) {
    for (const Json& each : value)
      if (auto added = add(each); !added) return std::unexpected(added.error());
  } else {
    return fail(quoted(value) + " is not a list of hosts; enter them like vm2, vm3");
  }
  if (names.size() > kMaxProcesses) return fail("more than " + std::to_string(kMaxProcesses) + " hosts");
  return names;
}

Result<std::vector<ReceiverFilter>> FiltersForm::take(const Json& value) {
  if (value.is_string()) return parse_filters(value.get_ref<const std::string&>());
  if (!value.is_array())
    return fail(quoted(value) +
                R"( is not a list of filters, such as [{"receivers": "1-3", "filter": "senders=1..5"}])");
  if (value.size() > kMaxFilters) return fail("more than " + std::to_string(kMaxFilters) + " filters");
  std::vector<ReceiverFilter> filters;
  for (const Json& rule : value) {
    const bool two_texts = rule.is_object() && rule.size() == 2 && rule.contains("receivers") &&
                           rule.contains("filter") && rule["receivers"].is_string() && rule["filter"].is_string();
    if (!two_texts)
      return fail(quoted(rule) + R"( is not a filter; expected {"receivers": "1-3", "filter": "senders=1..5"})");
    auto receivers = control::parse_services(rule["receivers"].get_ref<const std::string&>());
    if (!receivers) return std::unexpected(receivers.error());
    filters.push_back({.receivers = std::move(*receivers), .filter = rule["filter"].get<std::string>()});
  }
  return filters;
}

Json FiltersForm::show(const std::vector<ReceiverFilter>& filters) {
  Json list = Json::array();
  for (const ReceiverFilter& rule : filters)
    list.push_back({{"receivers", control::to_text(rule.receivers)}, {"filter", rule.filter}});
  return list;
}

namespace {

// Of values that have a text each: what they are called, one and one list of them as they may be given.
struct TextsWords {
  const char *one, *many, *example, *list;
  size_t most;
};

template <class Value>
Result<std::vector<Value>> take_texts(const Json& value, const TextsWords& words,
                                      Result<Value> (*parse_one)(std::string_view)) {
  if (value.is_string()) return parse_list_or_none(value.get_ref<const std::string&>(), parse_one);
  const std::string many = words.many;
  if (!value.is_array()) return fail(quoted(value) + " is not a list of " + many + ", such as " + words.list);
  if (value.size() > words.most) return fail("more than " + std::to_string(words.most) + " " + many);
  std::vector<Value> values;
  for (const Json& one : value) {
    if (!one.is_string()) return fail(quoted(one) + " is not a " + words.one + ", such as " + words.example);
    auto taken = parse_one(one.get_ref<const std::string&>());
    if (!taken) return std::unexpected(taken.error());
    values.push_back(std::move(*taken));
  }
  return values;
}

template <class Value>
Json show_texts(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(to_text(value));
  return list;
}

}  // namespace

Result<std::vector<ReceiverSpan>> SpansForm::take(const Json& value) {
  constexpr TextsWords kWords{.one = "time",
                              .many = "times",
                              .example = R"("2s..5s" or "1-3:7s..8s")",
                              .list = R"(["2s..5s", "1-3:7s..8s"])",
                              .most = kMaxSpans};
  return take_texts(value, kWords, parse_span);
}

Json SpansForm::show(const std::vector<ReceiverSpan>& spans) {
  return show_texts(spans);
}

Result<std::vector<BackgroundLoad>> LoadsForm::take(const Json& value) {
  constexpr TextsWords kWords{.one = "background load",
                              .many = "background loads",
                              .example = R"("vm1 to vm2 at 5s for 10s")",
                              .list = R"(["vm1 to vm2 at 5s for 10s"])",
                              .most = kMaxLoads};
  return take_texts(value, kWords, parse_load);
}

Json LoadsForm::show(const std::vector<BackgroundLoad>& loads) {
  return show_texts(loads);
}

Result<measure::Payload> PayloadForm::take(const Json& value) {
  if (value.is_string()) return measure::parse_payload(value.get_ref<const std::string&>());
  if (!value.is_object())
    return fail(quoted(value) + " is no content of messages; enter \"random\", \"repeated\", \"text 30%\" or " +
                "\"file NAME\"");
  const auto given = take_file(value, "", "content");
  if (!given) return std::unexpected(given.error());
  Result<measure::RecordedBytes> bytes = fail("");
  if (given->content) {
    auto decoded = measure::from_base64(*given->content);
    if (!decoded) return fail("content: " + decoded.error().text);
    bytes = measure::bytes_from(given->path, std::move(*decoded));
  } else {
    bytes = measure::read_bytes(given->path);
  }
  if (!bytes) return std::unexpected(bytes.error());
  return measure::Payload{.kind = measure::Payload::Kind::file, .file = std::move(*bytes)};
}

Json PayloadForm::show(const measure::Payload& payload) {
  if (payload.file.content) return {{"file", payload.file.path}, {"content", measure::base64(*payload.file.content)}};
  return measure::exact_payload(payload);
}

// A member of the object by the field of its key, so that there is one list of them.
Result<measure::LoadShape> ShapeForm::take(const Json& value) {
  if (value.is_string()) return measure::parse_shape(value.get_ref<const std::string&>());
  if (!value.is_object() || !value.contains("kind"))
    return fail(quoted(value) + R"( is not a load shape, such as {"kind": "ramp", "from": "100/s", "to": "5000/s", )" +
                R"("over": "30s"} or "ramp 100/s..5000/s over 30s")");
  if (value["kind"] == Json(measure::to_text(measure::LoadShape::Kind::recorded))) {
    const auto given = take_file(value, "kind", "times");
    if (!given) return std::unexpected(given.error());
    auto times = given->content ? measure::times_from(given->path, *given->content) : measure::read_times(given->path);
    if (!times) return std::unexpected(times.error());
    return measure::recorded_shape(std::move(*times));
  }
  RunPlan scratch;
  for (const auto& [name, part] : value.items()) {
    const PlanField* field = find_field(std::string(kPartsOfShape) + name);
    if (field == nullptr) return fail(name + ": a load shape has no such part");
    if (auto taken = field->take(scratch, part); !taken) return fail(name + ": " + taken.error().text);
  }
  const measure::LoadShape& shape = scratch.senders.shape;
  for (const PlanField& part : parts_of_shape())
    if (value.contains(name_of_part(part)) && is_idle(part, scratch))
      return fail(name_of_part(part) + ": it has no place in the shape " + measure::to_text(shape.kind));
  return shape;
}

Json ShapeForm::show(const measure::LoadShape& shape) {
  if (shape.kind == measure::LoadShape::Kind::recorded)
    return {{"kind", measure::to_text(shape.kind)},
            {"file", shape.recorded.path},
            {"times", measure::pack_times(*shape.recorded.content)}};
  RunPlan scratch;
  scratch.senders.shape = shape;
  Json object;
  for (const PlanField& part : parts_of_shape())
    if (!is_idle(part, scratch)) object[name_of_part(part)] = part.get(scratch);
  return object;
}

Result<void> PlanField::set(RunPlan& plan, const Json& value) const {
  auto taken = take(plan, value);
  if (!taken) return fail(std::string(key) + ": " + taken.error().text);
  return taken;
}

std::span<const PlanField> plan_fields() {
  return std::span(all_fields().fields).first(all_fields().whole);
}

std::span<const PlanField> settable_fields() {
  return all_fields().fields;
}

const PlanField* find_field(std::string_view key) {
  const auto& fields = all_fields().fields;
  const auto found = std::ranges::find(fields, key, &PlanField::key);
  return found == fields.end() ? nullptr : &*found;
}

std::string_view nearest_key(std::string_view unknown) {
  unknown = unknown.substr(0, 60);
  return std::ranges::min_element(all_fields().fields, {},
                                  [unknown](const PlanField& known) { return distance_to_key(unknown, known.key); })
      ->key;
}

std::string text_of(const PlanField& field, const RunPlan& plan) {
  if (field.text != nullptr) return field.text(plan);
  const Json value = field.get(plan);
  if (value.is_array()) return names_text(value);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string given_text(const PlanField& field, const RunPlan& plan) {
  return is_left_to_profile(field, plan) ? std::string() : text_of(field, plan);
}

bool is_left_to_profile(const PlanField& field, const RunPlan& plan) {
  if (!field.key.starts_with(kBusPrefix)) return false;
  const bus::Setting* setting = bus::find_setting(field.key.substr(kBusPrefix.size()));
  return setting != nullptr && setting->by_profile() && !plan.bus.settings.contains(std::string(setting->key));
}

bool is_of_own_queue(const PlanField& field) {
  return field.scope == Scope::own_queue || field.scope == Scope::requests;
}

bool is_in_scope(const RunPlan& plan, Scope scope) {
  if (scope == Scope::own_queue || scope == Scope::requests)
    if (!plan.bus.traits().own_queue) return false;
  if (scope == Scope::requests) return plan.queue.requests.on;
  return scope != Scope::replies || asks_for_replies(plan);
}

bool is_idle(const PlanField& field, const RunPlan& plan) {
  return !is_in_scope(plan, field.scope) || (field.idle != nullptr && field.idle(plan));
}

Result<void> set_field(RunPlan& plan, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  const std::string_view key = trimmed(assignment.substr(0, equals));
  if (equals == std::string_view::npos)
    return fail("\"" + std::string(assignment) + "\" sets nothing; enter key=value, such as senders.count=5");
  const PlanField* known = find_field(key);
  if (known == nullptr)
    return fail("\"" + std::string(key) + "\" is not a plan field; did you mean " + std::string(nearest_key(key)) +
                "?");
  return known->set(plan, Json(std::string(trimmed(assignment.substr(equals + 1)))));
}

}  // namespace n2nq::plan
