#include "app/live/warnings.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/text/quantity.h"

namespace n2nq::live {
namespace {

constexpr double kBusyCore = 0.9;
constexpr int64_t kLeastLatenessNs = 1'000'000;
// A line or two is merged whenever the bench starts or a disk hiccups; a second of them makes charts coarser.
constexpr uint64_t kManyMerged = 10;

// What carries the messages.
std::string carrier_of(const plan::RunPlan& plan) {
  return plan.bus.traits().own_queue ? "the queue" : "the bus";
}

std::string noun_of(Role role) {
  return role == Role::sender ? "senders" : "receivers";
}

uint32_t loops_of(Role role, const plan::RunPlan& plan) {
  return std::max(plan::fleet_of(plan, role).loops, 1u);
}

// "the senders' process", or which of them: "the process of senders 1-50".
std::string process_name(const LiveFigures& figures, const WorkerFigures& worker) {
  const auto alike = std::ranges::count(figures.workers(), worker.role, &WorkerFigures::role);
  if (alike == 1) return "the " + noun_of(worker.role) + "' process";
  const uint64_t last = uint64_t{worker.first_service} + std::max(worker.services, 1u) - 1;
  return "the process of " + noun_of(worker.role) + " " + std::to_string(worker.first_service) + "-" +
         std::to_string(last);
}

std::string id_of(const std::string& what, const WorkerFigures& worker) {
  return what + "-" + control::to_text(worker.role) + "-" + std::to_string(worker.first_service);
}

std::optional<LiveWarning> late_warning(const LiveFigures& figures, const plan::RunPlan& plan) {
  const int64_t delay_ns = plan::mean_delay_ns(plan);
  if (delay_ns <= 0) return {};
  const int64_t allowed_ns = std::max(kLeastLatenessNs, delay_ns / 10);
  const ServiceFigures* worst = nullptr;
  int64_t late = 0;
  for (const ServiceFigures& sender : figures.senders()) {
    if (sender.state != ServiceState::running || sender.lateness_ns.value_or(0) <= allowed_ns) continue;
    late++;
    if (worst == nullptr || *sender.lateness_ns > *worst->lateness_ns) worst = &sender;
  }
  if (worst == nullptr) return {};
  const std::string who = "sender " + std::to_string(worst->number);
  const std::string lateness = text::duration(static_cast<double>(*worst->lateness_ns));
  return LiveWarning{.id = "behind",
                     .role = Role::sender,
                     .text = (late == 1 ? who + " is up to " + lateness + " behind its schedule: its computer"
                                        : who + " and " + text::count(late - 1) + " more are up to " + lateness +
                                              " behind their schedule: their computer") +
                             " or " + carrier_of(plan) +
                             " is slower than the plan requires; raise the delay or lower the amounts",
                     .size = *worst->lateness_ns};
}

std::optional<LiveWarning> lost_warning(const LiveFigures& figures, const plan::RunPlan& plan) {
  const int64_t lost = figures.all_receivers().lost;
  if (lost == 0) return {};
  std::string text =
      text::amount(static_cast<uint64_t>(lost), "message") + (lost == 1 ? " was" : " were") + " lost to receivers: ";
  if (plan.bus.may_drop())
    text += "bus.max_length or bus.max_bytes lets the server drop messages";
  else if (const std::string given_up = plan::given_up_after(plan); !given_up.empty())
    text += "nothing more had come for " + given_up + " when they were given up";
  else if (plan.queue.retention_ns)
    text += "the queue removed what was not delivered within " +
            text::duration(static_cast<double>(*plan.queue.retention_ns)) + "; keep messages for longer, or send less";
  else
    text += "the queue gave up delivering; check the receivers' logs";
  return LiveWarning{.id = "lost", .role = Role::receiver, .text = text};
}

std::optional<LiveWarning> timeout_warning(const LiveFigures& figures, const plan::RunPlan& plan) {
  const int64_t timeouts = figures.all_senders().timeouts;
  if (timeouts == 0) return {};
  return LiveWarning{.id = "timeouts",
                     .role = Role::sender,
                     .text = text::amount(static_cast<uint64_t>(timeouts), "request") + " got no reply within " +
                             text::duration(static_cast<double>(plan.senders.timeout_ns)) + ": repliers or " +
                             carrier_of(plan) +
                             " are slower than the plan allows; send less, add "
                             "receivers, or raise the timeout"};
}

std::optional<LiveWarning> corrupt_warning(const LiveFigures& figures) {
  const int64_t corrupt = figures.all_senders().corrupt + figures.all_receivers().corrupt;
  if (corrupt == 0) return {};
  return LiveWarning{.id = "corrupt",
                     .role = Role::receiver,
                     .text = text::amount(static_cast<uint64_t>(corrupt), "message") +
                             " arrived corrupted: something between the programs alters bytes; check for faulty memory "
                             "or network hardware, and turn on responses to have such messages sent again"};
}

std::optional<LiveWarning> clock_warning(const LiveFigures& figures) {
  const ClockState clocks = figures.clocks();
  const auto& median_ns = figures.summary(Latency::latency).p50;
  if (clocks.kind == "unknown")
    return LiveWarning{
        .id = "clock",
        .role = Role::receiver,
        .text = "a sender's clock offset is unknown: latencies may be far off; use senders of this version"};
  if (!clocks.bound_ns || !median_ns || *clocks.bound_ns <= static_cast<uint64_t>(std::max<int64_t>(*median_ns, 0)))
    return {};
  return LiveWarning{.id = "clock",
                     .role = Role::receiver,
                     .text = "clock offsets are known to within " +
                             text::duration(static_cast<double>(*clocks.bound_ns)) +
                             ", more than the median latency of " + text::duration(static_cast<double>(*median_ns)) +
                             ": do not compare latencies below that; a shorter or quieter network path between the "
                             "hosts gives a better bound"};
}

std::optional<LiveWarning> cpu_warning(const LiveFigures& figures, const WorkerFigures& worker,
                                       const plan::RunPlan& plan) {
  const uint32_t loops = loops_of(worker.role, plan);
  if (!figures.begun() || worker.cpu_share < kBusyCore * loops) return {};
  const std::string share = std::to_string(std::lround(worker.cpu_share * 100)) + " % of a core";
  return LiveWarning{.id = id_of("cpu", worker),
                     .role = worker.role,
                     .text = process_name(figures, worker) + " uses " + share +
                             (loops == 1 ? "" : " with " + std::to_string(loops) + " loops") +
                             ": figures may show the limit of the bench, not of the bus; use more processes",
                     .weight = Weight::if_it_lasts};
}

std::optional<LiveWarning> unwritten_warning(const LiveFigures& figures, const WorkerFigures& worker) {
  const auto lines = static_cast<int64_t>(std::min<uint64_t>(worker.process.log_lines_not_written, INT64_MAX));
  if (lines == 0) return {};
  return LiveWarning{.id = id_of("log", worker),
                     .role = worker.role,
                     .text = text::amount(static_cast<uint64_t>(lines), "log line") + " of " +
                             process_name(figures, worker) +
                             " could not be written: the disk may be full; free some space, or log less",
                     .weight = Weight::always};
}

std::optional<LiveWarning> stall_warning(const ServiceFigures& all) {
  if (all.log_stalls == 0) return {};
  return LiveWarning{.id = "stalls-" + control::to_text(all.role),
                     .role = all.role,
                     .text = noun_of(all.role) + " waited " +
                             text::amount(static_cast<uint64_t>(all.log_stalls), "time") +
                             " for their log files, which delays messages: log less, or log to a faster disk",
                     .weight = Weight::always};
}

std::optional<LiveWarning> merged_warning(const LiveFigures& figures, const WorkerFigures& worker) {
  if (worker.merged < kManyMerged) return {};
  return LiveWarning{.id = id_of("merged", worker),
                     .role = worker.role,
                     .text = process_name(figures, worker) + " merged " + text::amount(worker.merged, "sample") +
                             " of its figures: this computer is busy or there are very many services; counts are "
                             "complete, charts are coarser than 0.1 s"};
}

std::optional<LiveWarning> nonsense_warning(const LiveFigures& figures, const WorkerFigures& worker) {
  if (worker.nonsense == 0) return {};
  return LiveWarning{.id = id_of("nonsense", worker),
                     .role = worker.role,
                     .text = process_name(figures, worker) + " reported impossible figures, " +
                             text::amount(worker.nonsense, "time") +
                             ", which are ignored: its version may not match this bench",
                     .weight = Weight::always};
}

std::optional<LiveWarning> awake_warning(const LiveFigures& figures, const std::string& place,
                                         const plan::RunPlan& plan) {
  if (!plan.awake || !figures.begun()) return {};
  const auto why = figures.hosts().why_not_awake(place);
  if (!why) return {};
  return LiveWarning{.id = "awake-" + place,
                     .role = Role::sender,
                     .text = "the cores of " + place + " are not kept awake, as the plan wants: " + *why,
                     .weight = Weight::always};
}

}  // namespace

std::vector<LiveWarning> warnings_of(const LiveFigures& figures, const plan::RunPlan& plan) {
  std::vector<LiveWarning> warnings;
  const auto note = [&](std::optional<LiveWarning> warning) {
    if (warning) warnings.push_back(std::move(*warning));
  };
  note(late_warning(figures, plan));
  note(lost_warning(figures, plan));
  note(timeout_warning(figures, plan));
  note(corrupt_warning(figures));
  note(clock_warning(figures));
  for (const WorkerFigures& worker : figures.workers()) note(cpu_warning(figures, worker, plan));
  for (const WorkerFigures& worker : figures.workers()) note(unwritten_warning(figures, worker));
  note(stall_warning(figures.all_senders()));
  note(stall_warning(figures.all_receivers()));
  for (const WorkerFigures& worker : figures.workers()) note(merged_warning(figures, worker));
  for (const WorkerFigures& worker : figures.workers()) note(nonsense_warning(figures, worker));
  for (const std::string& place : figures.hosts().places()) note(awake_warning(figures, place, plan));
  return warnings;
}

std::vector<LiveWarning> at_their_largest(std::vector<LiveWarning> now, std::span<const LiveWarning> before) {
  for (LiveWarning& one : now) {
    const auto was = std::ranges::find(before, one.id, &LiveWarning::id);
    if (was != before.end() && was->size > one.size) one = *was;
  }
  return now;
}

}  // namespace n2nq::live
