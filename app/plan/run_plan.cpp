#include "app/plan/run_plan.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/plan/exact_text.h"
#include "app/plan/plan_limits.h"
#include "broker/base/join.h"
#include "broker/base/random.h"
#include "broker/wire/filter.h"
#include "workers/measure/load_parts.h"
#include "workers/measure/pacer.h"

namespace n2nq::plan {
namespace {

using SenderRange = wire::Filter::Range;

// The filter of each receiver; null: everything. A receiver has at most one, the first counts.
std::vector<const std::string*> filters_by_receiver(const RunPlan& plan) {
  const uint32_t count = plan.receivers.fleet.count;
  std::vector<const std::string*> filters(count, nullptr);
  for (const ReceiverFilter& rule : plan.queue.requests.filters) {
    const std::vector<control::ServiceSet::Range> everybody{{.first = 1, .last = count}};
    for (const auto& range : rule.receivers.all() ? everybody : rule.receivers.ranges)
      for (uint64_t receiver = range.first; receiver <= std::min(range.last, count); receiver++)
        if (filters[receiver - 1] == nullptr) filters[receiver - 1] = &rule.filter;
  }
  return filters;
}

measure::PhaseKind phase_kind(Phase phase) {
  switch (phase) {
    case Phase::even:
      break;
    case Phase::together:
      return measure::PhaseKind::together;
    case Phase::random:
      return measure::PhaseKind::random;
  }
  return measure::PhaseKind::even;
}

}  // namespace

RunPlan plan_of_repeat(RunPlan plan, uint32_t repeat) {
  if (repeat <= 1) return plan;
  // Below 2^53: exact also for readers of JSON that know no whole numbers.
  for (uint64_t* seed : {&plan.senders.seed, &plan.queue.seed, &plan.receivers.seed})
    *seed = mix64(mix64(*seed) ^ repeat) >> 11;
  return plan;
}

std::string way_text(const RunPlan& plan) {
  return (plan.bus.traits().own_queue ? "" : plan.bus.kind + ", ") + to_text(plan.queue.mode);
}

bool asks_for_replies(const RunPlan& plan) {
  return plan.queue.mode == Mode::request_reply;
}

bool times_answers(const RunPlan& plan) {
  return bus::times_answers(plan.bus.traits(), plan.bus.settings) && !asks_for_replies(plan);
}

bool has(const RunPlan& plan, MetricOf of) {
  if (of == MetricOf::all) return true;
  if (of == MetricOf::other_buses) return !plan.bus.traits().own_queue;
  if (of == MetricOf::copies) return !plan.bus.traits().own_queue || takes_over(plan);
  return of == MetricOf::replies ? asks_for_replies(plan) : times_answers(plan);
}

std::optional<control::ServiceSet> ReceiverPlan::away_at_first() const {
  control::ServiceSet all;
  if (scaling.exists() && scaling.from < fleet.count) all.ranges = {{.first = scaling.from + 1, .last = fleet.count}};
  for (const ReceiverSpan& span : away)
    if (span.from_ns == 0)
      all.ranges.insert(all.ranges.end(), span.receivers.ranges.begin(), span.receivers.ranges.end());
  if (all.ranges.empty()) return std::nullopt;
  normalise(all.ranges);
  return all;
}

bool balances(const QueuePlan& queue) {
  return queue.mode == Mode::load_balancer || (queue.mode == Mode::request_reply && queue.reply_from == ReplyFrom::one);
}

bool may_take_over(const RunPlan& plan) {
  return plan.bus.traits().own_queue && balances(plan.queue) && (plan.queue.responses || asks_for_replies(plan));
}

bool takes_over(const RunPlan& plan) {
  return may_take_over(plan) && plan.queue.take_over_ns.has_value();
}

bool is_loopback(const std::string& address) {
  std::string host = address.substr(0, address.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  in_addr v4{};
  in6_addr v6{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost";
}

const Fleet& fleet_of(const RunPlan& plan, Role role) {
  return role == Role::sender ? plan.senders.fleet : plan.receivers.fleet;
}

const std::string& attached_at(const RunPlan& plan, Role role) {
  static const std::string kStarted;
  return role == Role::sender || role == Role::receiver ? fleet_of(plan, role).attach : kStarted;
}

bool has_attached(const RunPlan& plan) {
  return !attached_at(plan, Role::sender).empty() || !attached_at(plan, Role::receiver).empty();
}

uint32_t closed_loop(const RunPlan& plan) {
  return asks_for_replies(plan) ? plan.senders.outstanding : 0;
}

std::optional<measure::LoadProfile> asked_load(const RunPlan& plan) {
  const SenderPlan& senders = plan.senders;
  if (!senders.fleet.attach.empty()) return std::nullopt;
  if (senders.shape.exists() && !measure::problems_of(senders.shape).empty()) return std::nullopt;
  if (senders.shape.exists()) return measure::LoadProfile(senders.shape);
  const auto length_ns = planned_duration_ns(plan);
  if (!length_ns || mean_delay_ns(plan) <= 0) return std::nullopt;
  return measure::LoadProfile::steady(senders.fleet.count * 1e9 / static_cast<double>(senders.delay_ns), *length_ns);
}

std::optional<double> asked_rate(const RunPlan& plan) {
  const int64_t delay_ns = mean_delay_ns(plan);
  if (!plan.senders.shape.exists())
    return delay_ns > 0 ? std::optional(plan.senders.fleet.count * 1e9 / static_cast<double>(delay_ns)) : std::nullopt;
  const measure::LoadProfile load(plan.senders.shape);
  if (load.length_ns() == 0) return std::nullopt;
  return load.messages() * 1e9 / static_cast<double>(load.length_ns());
}

int64_t mean_delay_ns(const RunPlan& plan) {
  return closed_loop(plan) > 0 ? 0 : mean_delay_ns(plan.senders);
}

int64_t mean_delay_ns(const SenderPlan& senders) {
  if (!senders.shape.exists()) return senders.delay_ns;
  const measure::LoadProfile load(senders.shape);
  const double each = load.messages() / senders.fleet.count;
  return each < 1 ? load.length_ns() : std::llround(static_cast<double>(load.length_ns()) / each);
}

// Of senders that are staggered otherwise than evenly those of a whole round may be due at once. By chance the next of
// all messages is due later than so many would take on average once in 500 million times; where each sender has a
// number of messages, the last of them may be alone for a while. In closed loop none may be sent until all time out.
int64_t longest_gap_ns(const RunPlan& plan) {
  const SenderPlan& senders = plan.senders;
  if (closed_loop(plan) > 0) return senders.timeout_ns;
  constexpr double kByChance = 20;
  const double count = senders.fleet.count;
  const bool poisson = senders.pacing == Pacing::poisson;
  const bool one_by_one = !poisson && senders.phase == Phase::even;
  if (senders.shape.exists() && one_by_one) return measure::LoadProfile(senders.shape).longest_gap_ns();
  if (senders.shape.exists()) return measure::longest_ns(senders.shape, poisson ? kByChance : count);
  if (!poisson) return senders.delay_ns;
  return std::llround(static_cast<double>(senders.delay_ns) * kByChance / (senders.duration_ns > 0 ? count : 1));
}

// Of a Poisson shape only the time tells.
std::optional<std::vector<uint64_t>> messages_by_sender(const RunPlan& plan) {
  const SenderPlan& senders = plan.senders;
  const uint32_t count = senders.fleet.count;
  if (!senders.fleet.attach.empty()) return std::nullopt;
  if (!senders.shape.exists())
    return senders.duration_ns > 0 ? std::nullopt : std::optional(std::vector<uint64_t>(count, senders.messages));
  if (senders.pacing == Pacing::poisson) return std::nullopt;
  const measure::LoadProfile load(senders.shape);
  std::vector<uint64_t> messages;
  for (uint32_t k = 0; k < count; k++)
    messages.push_back(load.count_of(measure::first_of(phase_kind(senders.phase), k, count, senders.seed), count));
  return messages;
}

std::optional<uint64_t> planned_messages(const RunPlan& plan) {
  const auto each = messages_by_sender(plan);
  if (!each) return std::nullopt;
  return std::accumulate(each->begin(), each->end(), uint64_t{0});
}

std::optional<std::vector<uint64_t>> deliveries_by_sender(const RunPlan& plan) {
  // What is taken from one may count in two processes.
  if (takes_over(plan) && process_count(plan.receivers.fleet) > 1) return std::nullopt;
  const uint32_t senders = plan.senders.fleet.count;
  const RequestPlan& requests = plan.queue.requests;
  if (!plan.receivers.fleet.attach.empty()) return std::nullopt;
  if (balances(plan.queue)) return std::vector<uint64_t>(senders, 1);
  if (!requests.on || requests.filters.empty()) return std::vector<uint64_t>(senders, plan.receivers.fleet.count);
  std::vector<uint64_t> steps(senders + size_t{1}, 0);  // up where a range of senders begins, down behind it
  const auto filters = filters_by_receiver(plan);
  for (uint32_t receiver = 1; receiver <= filters.size(); receiver++) {
    const std::string* text = filters[receiver - 1];
    const auto filter = text == nullptr ? wire::Filter() : wire::parse_filter(*text, receiver);
    if (!filter || filter->size || filter->index) return std::nullopt;
    for (const SenderRange& range : filter->senders.value_or(std::vector<SenderRange>{{.first = 1, .last = senders}})) {
      if (range.first > senders) continue;
      steps[range.first - 1]++;
      steps[std::min(range.last, senders)]--;
    }
  }
  steps.pop_back();
  std::partial_sum(steps.begin(), steps.end(), steps.begin());
  return steps;
}

std::optional<uint64_t> planned_deliveries(const RunPlan& plan) {
  const auto by_sender = deliveries_by_sender(plan);
  const auto messages = messages_by_sender(plan);
  if (!messages || !by_sender) return std::nullopt;
  return std::inner_product(messages->begin(), messages->end(), by_sender->begin(), uint64_t{0});
}

std::optional<int64_t> planned_duration_ns(const RunPlan& plan) {
  if (!plan.senders.fleet.attach.empty()) return std::nullopt;
  if (plan.senders.shape.exists()) return plan.senders.shape.over_ns;
  if (plan.senders.duration_ns > 0) return plan.senders.duration_ns;
  if (mean_delay_ns(plan) <= 0) return std::nullopt;
  int64_t duration_ns = 0;
  if (__builtin_mul_overflow(plan.senders.messages, plan.senders.delay_ns, &duration_ns)) return std::nullopt;
  return duration_ns;
}

uint32_t host_count(const Fleet& fleet) {
  return fleet.attach.empty() ? std::max(static_cast<uint32_t>(fleet.hosts.size()), 1U) : 1;
}

uint32_t process_count(const Fleet& fleet) {
  const uint32_t hosts = host_count(fleet);
  return fleet.attach.empty() ? std::clamp(fleet.processes, hosts, std::max(fleet.count, hosts)) : 1;
}

// One exponential time in 480 million is more than twenty times the mean. Behind a shared limit each waits until the
// others of its process have had their turn.
int64_t longest_service_ns(const RunPlan& plan, uint64_t services, uint32_t cores) {
  using Limit = measure::SharedLimit;
  const measure::ServiceTime& time = plan.receivers.service_time;
  const Limit& limit = plan.receivers.shared_limit;
  const Fleet& fleet = plan.receivers.fleet;
  const uint32_t of_host = (fleet.count + host_count(fleet) - 1) / host_count(fleet);
  const uint32_t least_processes = process_count(fleet) / host_count(fleet);
  const uint32_t most_of_process = std::max((of_host + least_processes - 1) / least_processes, 1U);
  const double of_process = most_of_process;
  const double places = limit.kind == Limit::Kind::pool ? limit.places : of_process;
  const int64_t held = fleet.held.cpu_thousandths;
  const double allowed = held > 0 ? std::min<double>(cores, static_cast<double>(held) / 1000) : cores;
  const double computing = time.computes ? allowed : of_process;
  const double at_once = std::min({places, computing, of_process});
  const double turns = std::ceil(of_process / at_once);
  const double begins_ns = limit.kind == Limit::Kind::rate ? 1e9 / limit.per_s * of_process : 0;
  const double n = static_cast<double>(services) * turns;
  const double spread = time.kind == measure::ServiceTime::Kind::fixed ? 0 : 20 * std::sqrt(n);
  const auto mean_ns = static_cast<double>(time.mean_of(plan.senders.size_bytes.max));
  return std::llround(std::min(mean_ns * (n + spread) + begins_ns * static_cast<double>(services), 9e18));
}

int64_t longest_unserved_ns(const RunPlan& plan) {
  return longest_service_ns(plan, plan.bus.most_unserved().value_or(1), kCoresOfAHost);
}

uint32_t BusPlan::servers() const {
  if (!starts_server()) return 0;
  return static_cast<uint32_t>(parse_whole(setting(bus::kServersKey)).value_or(1));
}

bool BusPlan::asks_for_password() const {
  const std::string file = setting(bus::kPasswordFileKey);
  return !attached_server().empty() && (file == bus::kPasswordTyped || (file.empty() && !setting("user").empty()));
}

std::vector<std::string> BusPlan::server_hosts() const {
  return starts_server() ? bus::parts_in(setting(bus::kHostsKey)) : std::vector<std::string>();
}

std::string BusPlan::elsewhere() const {
  return starts_server() ? setting(bus::kHostsKey) : attached_server();
}

std::vector<bus::Kill> BusPlan::kills() const {
  return starts_server() ? bus::parse_kills(setting(bus::kKillKey)).value_or(std::vector<bus::Kill>())
                         : std::vector<bus::Kill>();
}

namespace {

// Kafka's servers find out that one is dead after 9 s, and look for transactions that nobody ends every 10 s.
constexpr int64_t kTakesOverNs = 15'000'000'000;

int64_t transactions_wait_ns(const BusPlan& bus) {
  const int64_t open_ns = bus::transaction_timeout_ns(bus.traits(), bus.settings);
  return open_ns > 0 ? open_ns + kTakesOverNs : 0;
}

}  // namespace

int64_t quiet_ns(const BusPlan& bus) {
  const bus::Setting* quiet = bus::find_setting(bus.traits(), "quiet");
  const bool initial = quiet != nullptr && bus.setting("quiet") == quiet->initial;
  const int64_t given_ns = parse_duration(bus.setting("quiet")).value_or(0);
  const int64_t least_ns = bus.servers() > 1 ? kTakesOverNs : initial ? bus.traits().quiet_ns : 0;
  return std::max({given_ns, least_ns, transactions_wait_ns(bus)});
}

std::map<std::string, std::string> settings_in_force(const BusPlan& bus) {
  std::map<std::string, std::string> settings = bus.settings;
  if (const int64_t quiet = quiet_ns(bus); quiet != parse_duration(bus.setting("quiet")).value_or(0))
    settings["quiet"] = exact_duration(quiet);
  return settings;
}

namespace {

// What the queue process waits for over another bus, and by what it is so.
struct Wait {
  const char* why;
  int64_t length_ns;
};
std::vector<Wait> drain_waits(const RunPlan& plan) {
  const BusPlan& bus = plan.bus;
  constexpr int64_t kReadNs = 1'000'000'000;  // at most, until what is left over is looked for
  const int64_t quiet = quiet_ns(bus);
  const char* why = quiet == parse_duration(bus.setting("quiet")).value_or(0) ? "bus.quiet"
                    : quiet == transactions_wait_ns(bus)                      ? "as a transaction may stay open"
                    : bus.servers() > 1                                       ? "as bus.servers are several"
                                                                              : "bus.quiet";
  std::vector<Wait> waits{{why, quiet}};
  if (const auto take_over_ns = parse_duration(bus.setting("take_over")))
    waits.push_back({"bus.take_over", 2 * *take_over_ns + kReadNs});
  if (const auto session_ns = parse_duration(bus.setting("session_timeout"));
      session_ns && plan.queue.mode == Mode::load_balancer)
    waits.push_back({"bus.session_timeout", *session_ns + kReadNs});
  if (const int64_t pause_ns = longest_span_ns(plan.receivers.pauses); pause_ns > 0)
    waits.push_back({"receivers.pause", pause_ns});
  // One that works on what it has asks for nothing meanwhile.
  if (plan.receivers.service_time.exists() && bus.acknowledges_late())
    waits.push_back({"receivers.service_time", std::min(longest_unserved_ns(plan), kLongestTimeout)});
  return waits;
}

}  // namespace

int64_t drain_timeout_ns(const RunPlan& plan) {
  if (plan.bus.traits().own_queue) return plan.queue.drain_timeout_ns;
  int64_t whole_ns = 0;
  for (const Wait& wait : drain_waits(plan)) whole_ns += wait.length_ns;
  return whole_ns;
}

// To all receivers each waits by itself, and for the first of these alone.
std::string given_up_after(const RunPlan& plan) {
  if (plan.bus.traits().own_queue) return {};
  std::vector<Wait> waits = drain_waits(plan);
  if (!balances(plan.queue)) waits.resize(1);
  std::string why;
  int64_t whole_ns = 0;
  for (const Wait& wait : waits) {
    add_part(why, " and ", wait.why);
    whole_ns += wait.length_ns;
  }
  return exact_duration(whole_ns) + " (" + why + ")";
}

std::string to_text(Mode mode) {
  switch (mode) {
    case Mode::broadcaster:
      return "broadcaster";
    case Mode::load_balancer:
      return "load-balancer";
    case Mode::request_reply:
      return "request-reply";
  }
  return "";
}

std::string to_text(ReplyFrom from) {
  switch (from) {
    case ReplyFrom::one:
      return "one";
    case ReplyFrom::first:
      return "first";
    case ReplyFrom::all:
      return "all";
  }
  return "";
}

std::string to_text(Policy policy) {
  switch (policy) {
    case Policy::random:
      return "random";
    case Policy::round_robin:
      return "round-robin";
    case Policy::least_outstanding:
      return "least-outstanding";
  }
  return "";
}

std::string to_text(Pacing pacing) {
  return pacing == Pacing::fixed ? "fixed" : "poisson";
}

std::string to_text(Phase phase) {
  switch (phase) {
    case Phase::even:
      return "even";
    case Phase::together:
      return "together";
    case Phase::random:
      return "random";
  }
  return "";
}

std::string to_text(LogLevel level) {
  switch (level) {
    case LogLevel::full:
      return "full";
    case LogLevel::summary:
      return "summary";
    case LogLevel::off:
      return "off";
  }
  return "";
}

}  // namespace n2nq::plan
