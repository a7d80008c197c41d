// problems_of(): what makes a plan impossible.
#include <algorithm>
#include <set>
#include <string>

#include "app/plan/bus_fit.h"
#include "app/plan/exact_text.h"
#include "app/plan/metric_limit.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_limits.h"
#include "app/plan/run_plan.h"
#include "broker/wire/filter.h"

namespace n2nq::plan {
namespace {

class Problems {
 public:
  void add(const std::string& key, std::string text) { found_.push_back({.key = key, .text = std::move(text)}); }
  std::vector<PlanProblem> take() { return std::move(found_); }

 private:
  std::vector<PlanProblem> found_;
};

// Each value by itself. Of messages and duration only one counts.
void check_values(Problems& problems, const RunPlan& plan) {
  for (const PlanField& field : plan_fields()) {
    if (field.trouble == nullptr) continue;
    auto trouble = field.trouble(plan);
    if (!trouble || is_idle(field, plan)) continue;
    if (field.key == "senders.messages" && plan.senders.duration_ns != 0) continue;
    problems.add(std::string(field.key), *std::move(trouble));
  }
}

// The port of HOST:PORT.
std::optional<uint16_t> port_of(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  if (address.find_first_of(" \t") != std::string::npos) return std::nullopt;
  const auto port = parse_whole(std::string_view(address).substr(colon + 1));
  if (!port || *port > 65535) return std::nullopt;
  return static_cast<uint16_t>(*port);
}

void check_hosts(Problems& problems, const std::string& role, const Fleet& fleet) {
  const std::string key = role + ".hosts";
  if (fleet.hosts.empty()) return;
  if (!fleet.attach.empty())
    return problems.add(key,
                        "attached " + role + " run where they were started; leave hosts empty, or " + role + ".attach");
  if (fleet.hosts.size() > fleet.count)
    problems.add(key, "there are more hosts (" + std::to_string(fleet.hosts.size()) + ") than " + role + " (" +
                          std::to_string(fleet.count) + "); use at most as many");
  std::vector<std::string> names = fleet.hosts;
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end())
    problems.add(key, "\"" + *twice + "\" is listed twice; name each host once, and set " + role +
                          ".processes for more processes");
}

void check_fleet(Problems& problems, const std::string& role, const Fleet& fleet) {
  if (fleet.processes > fleet.count && fleet.processes <= kMaxProcesses)
    problems.add(role + ".processes", "there are more processes (" + std::to_string(fleet.processes) + ") than " +
                                          role + " (" + std::to_string(fleet.count) + "); use at most as many");
  check_hosts(problems, role, fleet);
  if (fleet.attach.empty()) return;
  if (port_of(fleet.attach).value_or(0) == 0)
    problems.add(role + ".attach",
                 "\"" + fleet.attach + "\" is not a worker address; enter it like 127.0.0.1:7500, or leave it empty");
  if (fleet.processes > 1)
    problems.add(role + ".processes", "attached " + role + " are one process; set 1, or start them from here");
}

// Parts that the shape has not are as they are in a new plan: set, they would change nothing.
void check_shape(Problems& problems, const SenderPlan& senders) {
  const std::string key = "senders.shape";
  for (const measure::ShapeProblem& problem : measure::problems_of(senders.shape))
    problems.add(key, problem.part + ": " + problem.text);
  const bool recorded = senders.shape.kind == measure::LoadShape::Kind::recorded;
  if (recorded && senders.pacing == Pacing::poisson)
    problems.add("senders.pacing", "recorded times are as they are; set fixed, or another load shape");
  const auto plain = recorded ? measure::recorded_shape(senders.shape.recorded)
                              : measure::parse_shape(measure::exact_shape(senders.shape));
  if (plain && *plain != senders.shape)
    problems.add(key, "a part is set that a " + measure::to_text(senders.shape.kind) +
                          " load does not have; choose the shape that has it, or remove the part");
  if (!senders.shape.exists() || !measure::problems_of(senders.shape).empty()) return;
  if (!senders.fleet.attach.empty())
    problems.add(key, "attached senders have the load that they were started with; set constant, or start them here");
  const double messages = measure::LoadProfile(senders.shape).messages();
  if (messages < 1) problems.add(key, "not one message is due in it; raise its rates, or over");
  if (messages > static_cast<double>(kMaxMessages) * senders.fleet.count)
    problems.add(key,
                 "more than " + std::to_string(kMaxMessages) + " messages are due from each sender; lower its rates");
}

void check_senders(Problems& problems, const SenderPlan& senders) {
  check_fleet(problems, "senders", senders.fleet);
  check_shape(problems, senders);
  if (senders.payload.kind == measure::Payload::Kind::file && !senders.fleet.attach.empty())
    problems.add("senders.payload",
                 "attached senders have the contents that they were started with; set random, or start them here");
}

// A reply confirms its request, and who gets one follows from queue.reply_from alone.
void check_replies(Problems& problems, const RunPlan& plan) {
  if (!asks_for_replies(plan)) return;
  const SenderPlan& senders = plan.senders;
  if (plan.queue.requests.on)
    problems.add("queue.requests", "in request-reply mode the queue pushes requests to receivers; set it to false");
  if (plan.queue.responses)
    problems.add("queue.responses", "in request-reply mode a reply confirms its request; set it to false");
  const SizeRange& reply = plan.receivers.reply_bytes;
  if (plan.bus.traits().own_queue && plan.queue.max_message_bytes < reply.max)
    problems.add("queue.max_message", "replies are up to " + exact_size(reply.max) + " and the queue accepts only " +
                                          exact_size(plan.queue.max_message_bytes) +
                                          "; raise it, or set a smaller receivers.reply_size");
  if (senders.outstanding == 0) return;
  const std::string loop =
      "with senders.outstanding " + std::to_string(senders.outstanding) + " (closed loop) replies say when requests go";
  if (senders.shape.exists())
    problems.add("senders.shape", loop + ", not a load over time; set it to constant, or senders.outstanding to 0");
  if (senders.pacing == Pacing::poisson)
    problems.add("senders.pacing", loop + ", not a schedule; set it to fixed, or senders.outstanding to 0");
}

void check_held(Problems& problems, const RunPlan& plan) {
  for (const auto& [role, fleet] : {std::pair("senders", &plan.senders.fleet), {"receivers", &plan.receivers.fleet}})
    if (fleet->held.exist() && !fleet->attach.empty())
      problems.add(std::string(role) + (fleet->held.cpu_thousandths > 0 ? ".cpus" : ".memory"),
                   "attached " + std::string(role) +
                       " have the limits that they were started with; set none, or start them here");
  for (const PlanField& field : plan_fields()) {
    if (!field.key.starts_with("tcp.") || field.get(plan) == field.get(RunPlan())) continue;
    for (const auto& [role, fleet] : {std::pair("senders", &plan.senders.fleet), {"receivers", &plan.receivers.fleet}})
      if (!fleet->attach.empty())
        problems.add(std::string(field.key), "attached " + std::string(role) +
                                                 " have the connections that they were started for; leave it as it is, "
                                                 "or start them here");
  }
  const uint64_t memory = plan.queue.held.memory_bytes;
  constexpr uint64_t kBesideMessages = 16ull << 20;
  const bool replies = asks_for_replies(plan);
  const uint64_t needed = plan.queue.max_memory_bytes * (replies ? 2 : 1) + kBesideMessages;
  if (memory == 0 || !plan.bus.traits().own_queue || memory >= needed) return;
  problems.add("queue.memory",
               exact_size(memory) + " is too little for queue.max_memory=" + exact_size(plan.queue.max_memory_bytes) +
                   " of " + (replies ? "requests, as much of replies" : "messages") + " and " +
                   exact_size(kBesideMessages) + " of its own; set at least " + exact_size(needed) + ", or keep less");
}

// What the queue, or a server, takes for the end, or for a receiver that is stuck, must not be one that serves.
void check_service(Problems& problems, const RunPlan& plan) {
  const QueuePlan& queue = plan.queue;
  if (!plan.receivers.service_time.exists()) {
    if (plan.receivers.shared_limit.exists())
      problems.add(
          "receivers.shared_limit",
          "without a service time no receiver works on a message; set receivers.service_time, or this to none");
    return;
  }
  const auto check_time = [&](const std::string& key, int64_t ns, int64_t longest_ns, const std::string& what) {
    if (longest_ns < ns) return;
    problems.add(key, exact_duration(ns) + " is too short: with this receivers.service_time a receiver may " + what +
                          " for " + exact_duration(longest_ns) + "; raise it, or shorten that");
  };
  const auto check = [&](const std::string& key, int64_t ns, uint64_t services, const std::string& what) {
    check_time(key, ns, longest_service_ns(plan, services, kCoresOfAHost), what);
  };
  const auto take_over_ns = parse_duration(plan.bus.setting("take_over"));
  if (take_over_ns && plan.bus.acknowledges_late())
    check_time("bus.take_over", *take_over_ns, longest_unserved_ns(plan), "work on what it has (bus.fetch)");
  constexpr int64_t kConsumerTimeoutNs = 1'800'000'000'000;  // of RabbitMQ, as it is shipped
  if (bus::find_setting(plan.bus.traits(), "prefetch") != nullptr && plan.bus.most_unserved() &&
      longest_unserved_ns(plan) >= kConsumerTimeoutNs)
    problems.add("bus.prefetch",
                 "with this receivers.service_time a receiver may work on what it has for " +
                     exact_duration(longest_unserved_ns(plan)) +
                     ", and a server closes its channel after 30min without an acknowledgement; set less, or shorten "
                     "that");
  if (!plan.bus.traits().own_queue) return;
  if (takes_over(plan)) {
    uint64_t held = queue.response_window;
    if (queue.requests.on) held = std::min(held, queue.requests.at_a_time);
    if (const uint32_t outstanding = closed_loop(plan); outstanding > 0)
      held = std::min(held, uint64_t{outstanding} * plan.senders.fleet.count);
    check("queue.take_over", *queue.take_over_ns, held,
          "work on what it has (queue.response_window" + std::string(queue.requests.on ? ", queue.at_a_time)" : ")"));
  }
  if (queue.responses || asks_for_replies(plan))
    check("queue.stall_timeout", queue.stall_timeout_ns, 1, "give no answer");
  else if (queue.requests.on)
    check("queue.drain_timeout", queue.drain_timeout_ns, queue.requests.at_a_time, "ask for nothing");
}

// After either of these the queue waits for nobody.
void check_take_over(Problems& problems, const RunPlan& plan) {
  if (!takes_over(plan)) return;
  const QueuePlan& queue = plan.queue;
  if (queue.tries < 2)
    problems.add("queue.take_over", "with queue.tries 1 nothing goes to a second receiver; raise that, or set never");
  for (const auto& [key, ns, what] :
       {std::tuple("queue.stall_timeout", queue.stall_timeout_ns, "a receiver that gives no answer is dropped"),
        {"queue.drain_timeout", queue.drain_timeout_ns, "the run ends, if nothing moves"}})
    if (*queue.take_over_ns >= ns)
      problems.add("queue.take_over", exact_duration(*queue.take_over_ns) + " is too long: after " +
                                          exact_duration(ns) + " (" + key + ") " + what +
                                          "; shorten it, or raise that");
}

// The queue takes a receiver that takes nothing for one that is stuck, and ends where nothing moves once all was sent.
void check_pauses(Problems& problems, const RunPlan& plan) {
  const std::vector<ReceiverSpan>& pauses = plan.receivers.pauses;
  const std::string key = "receivers.pause";
  if (pauses.empty()) return;
  if (const auto trouble = trouble_with(pauses, plan.receivers.fleet.count)) return problems.add(key, *trouble);
  if (!plan.bus.traits().own_queue) return;
  const int64_t longest_ns = longest_span_ns(pauses);
  const auto check = [&](const std::string& timeout, int64_t ns) {
    if (longest_ns >= ns)
      problems.add(timeout, exact_duration(ns) + " is too short: receivers pause for up to " +
                                exact_duration(longest_ns) + "; raise it, or shorten receivers.pause");
  };
  check("queue.stall_timeout", plan.queue.stall_timeout_ns);
  check("queue.drain_timeout", plan.queue.drain_timeout_ns);
}

// Others are to take meanwhile what is sent.
void check_coming(Problems& problems, const RunPlan& plan) {
  const ReceiverPlan& receivers = plan.receivers;
  if (!receivers.come_and_go()) return;
  const bool by_time = !receivers.away.empty();
  const std::string key = by_time ? "receivers.away" : "receivers.scaling";
  if (by_time && receivers.scaling.exists())
    return problems.add("receivers.scaling", "receivers.away says already who is there when; set one of them to none");
  if (!balances(plan.queue))
    return problems.add(key, std::string("only where each message goes to one receiver do others take what is sent "
                                         "while one is away; set ") +
                                 (asks_for_replies(plan) ? "queue.reply_from=one" : "queue.mode=load-balancer") +
                                 ", or this to none");
  if (asks_for_replies(plan) && !by_time)
    return problems.add(key, "requests wait at repliers and not in the queue; set it to none");
  if (asks_for_replies(plan) && !plan.bus.traits().own_queue)
    return problems.add(
        key, "over " + std::string(plan.bus.traits().title) +
                 " a replier needs its connection to answer, and stays; choose our own queue, or set this to "
                 "none");
  if (plan.bus.traits().meets_directly)
    return problems.add(key,
                        "over " + std::string(plan.bus.traits().title) +
                            " senders know all receivers from the begin on; choose a bus with a server between, or "
                            "set this to none");
  if (plan.queue.requests.on && !plan.queue.requests.filters.empty())
    return problems.add(
        key,
        "with queue.filters nobody else may take what a receiver that is away would; set them, or this, "
        "to none");
  if (!by_time) {
    if (receivers.scaling.from >= receivers.fleet.count)
      problems.add(key, "there are " + std::to_string(receivers.fleet.count) +
                            " receivers, of which none is left to come; set receivers.count to more, or from to "
                            "fewer");
    return;
  }
  if (const auto trouble = trouble_with(receivers.away, receivers.fleet.count, /*may_touch=*/false))
    return problems.add(key, *trouble);
  for (const ReceiverSpan& span : receivers.away)
    if (span.receivers.contains(1))
      return problems.add(
          key, to_text(span) +
                   ": receiver 1 stays, as it makes what all receivers share; name others, of two or more, such as 2:" +
                   exact_duration(span.from_ns) + ".." + exact_duration(span.to_ns));
}

void check_memory(Problems& problems, const RunPlan& plan) {
  const QueuePlan& queue = plan.queue;
  if (queue.max_message_bytes < plan.senders.size_bytes.max)
    problems.add("queue.max_message", "messages are up to " + exact_size(plan.senders.size_bytes.max) +
                                          " and the queue accepts only " + exact_size(queue.max_message_bytes) +
                                          "; raise it, or send smaller ones");
  const uint64_t least = least_memory_for(queue.max_message_bytes);
  if (queue.max_message_bytes <= kLargestMessage && queue.max_memory_bytes < least)
    problems.add("queue.max_memory", exact_size(queue.max_memory_bytes) + " is too little for messages of up to " +
                                         exact_size(queue.max_message_bytes) + "; set at least " + exact_size(least));
}

void check_filters(Problems& problems, const RequestPlan& requests) {
  if (!requests.on) return;
  const std::string key = "queue.filters";
  if (requests.filters.size() > kMaxFilters) return problems.add(key, "too many; use fewer, wider ones");
  std::vector<control::ServiceSet::Range> taken;
  for (const ReceiverFilter& rule : requests.filters) {
    if (auto filter = wire::parse_filter(rule.filter, 1); !filter)
      problems.add(key, "receivers " + control::to_text(rule.receivers) + ": " + filter.error().text);
    if (rule.receivers.all())
      taken.push_back({.first = 1, .last = UINT32_MAX});
    else
      taken.insert(taken.end(), rule.receivers.ranges.begin(), rule.receivers.ranges.end());
  }
  std::ranges::sort(taken, {}, &control::ServiceSet::Range::first);
  const auto twice = std::ranges::adjacent_find(taken, [](const auto& a, const auto& b) { return b.first <= a.last; });
  if (twice != taken.end())
    problems.add(key, "receiver " + std::to_string(std::next(twice)->first) +
                          " has more than one filter; give each receiver at most one");
}

void check_queue(Problems& problems, const RunPlan& plan) {
  check_filters(problems, plan.queue.requests);
  check_memory(problems, plan);
}

bool is_each_hosts_own(const std::string& address) {
  return address.starts_with("127.") || address.starts_with("localhost:") || address.starts_with("[::1]:") ||
         address.starts_with("0.0.0.0:") || address.starts_with("[::]:");
}

// "127.0.0.1" is another computer on each host.
void check_server(Problems& problems, const RunPlan& plan) {
  const auto addresses = bus::parts_in(plan.bus.attached_server());
  const auto own = std::ranges::find_if(addresses, is_each_hosts_own);
  if (own == addresses.end()) return;
  std::set<std::string> places;
  for (const Fleet* fleet : {&plan.senders.fleet, &plan.receivers.fleet}) {
    if (fleet == &plan.receivers.fleet && plan.bus.traits().meets_directly) continue;
    places.insert(fleet->hosts.begin(), fleet->hosts.end());
    if (fleet->hosts.empty()) places.emplace();
  }
  if (places.size() > 1)
    problems.add("bus.address", *own +
                                    " is on each host that host itself, and this plan has workers on several; "
                                    "enter the address at which all of them reach the server");
}

// Both leave from it.
bool share_a_host(const Fleet& one, const Fleet& other) {
  if (one.hosts.empty() || other.hosts.empty()) return one.hosts.empty() && other.hosts.empty();
  return std::ranges::find_first_of(one.hosts, other.hosts) != one.hosts.end();
}

void check_source_ports(Problems& problems, const RunPlan& plan) {
  const auto check_fleet = [&](const Fleet& fleet, const std::string& role) {
    if (!fleet.source_ports.any() && !fleet.attach.empty())
      problems.add(role + ".source_ports", "attached " + role +
                                               " have the ports that they were started with; leave it empty, or start "
                                               "them here");
    else if (!fleet.source_ports.any() && fleet.source_ports.size() < fleet.count)
      problems.add(role + ".source_ports", "there are " + std::to_string(fleet.count) + " " + role + " and " +
                                               std::to_string(fleet.source_ports.size()) +
                                               " source ports; give at least one for each");
  };
  const Fleet& senders = plan.senders.fleet;
  const Fleet& receivers = plan.receivers.fleet;
  check_fleet(senders, "senders");
  if (plan.bus.traits().meets_directly) return;
  check_fleet(receivers, "receivers");
  const PortRange& one = senders.source_ports;
  const PortRange& other = receivers.source_ports;
  if (!one.any() && !other.any() && one.first <= other.last && other.first <= one.last &&
      share_a_host(senders, receivers))
    problems.add("receivers.source_ports",
                 "some of them are the senders' as well; two connections to one place cannot leave from one port");
}

// A port each for the event loops of a host, from the first on.
void check_receiver_ports(Problems& problems, const RunPlan& plan) {
  const auto first = parse_whole(plan.bus.setting(bus::kReceiverPortKey));
  if (!first || *first == 0) return;
  const Fleet& fleet = plan.receivers.fleet;
  const uint64_t processes = (process_count(fleet) + host_count(fleet) - 1) / host_count(fleet);
  const uint64_t services = (fleet.count + process_count(fleet) - 1) / process_count(fleet);
  const uint64_t last = *first + processes * std::min<uint64_t>(fleet.loops, services) - 1;
  if (last > 65535)
    problems.add("bus." + std::string(bus::kReceiverPortKey),
                 "the receivers of a host need the ports up to " + std::to_string(last) +
                     ", and there are none above 65535; enter a smaller one");
}

// What the bus does not have is refused, so that nobody believes it was in force.
void check_bus(Problems& problems, const RunPlan& plan) {
  for (const PlanField& field : plan_fields())
    if (auto why = misfit(field, plan)) problems.add(std::string(field.key), *std::move(why));
  const bus::BusTraits& bus = plan.bus.traits();
  for (const bus::Setting& setting : bus.settings) {
    const std::string value = bus::value_of(bus, plan.bus.settings, setting.key);
    if (auto good = bus::check_setting(setting, value); !good)
      problems.add("bus." + std::string(setting.key), good.error().text);
  }
  if (const auto wrong = bus::contradiction(bus, plan.bus.settings, !balances(plan.queue)))
    problems.add("bus." + std::string(wrong->key), std::string(wrong->text));
  check_server(problems, plan);
  check_receiver_ports(problems, plan);
  check_source_ports(problems, plan);
  const auto given = [&](const char* key) { return !bus::value_of(bus, plan.bus.settings, key).empty(); };
  if (given("tls_certificate") != given("tls_key"))
    problems.add("bus.tls_key", "a certificate and its private key belong together; give both, or neither");
  const bool balanced = bus::has_balancer(bus, plan.bus.settings);
  const bool encrypts = bus::value_of(bus, plan.bus.settings, bus::kTlsKey) == "true";
  if (given("tls_certificate") && !encrypts)
    problems.add("bus.tls_certificate", "without bus.tls nothing is encrypted; set bus.tls to true, or remove this");
  if (given("tls_ca") && !encrypts)
    problems.add("bus.tls_ca", "without bus.tls no certificate is looked at; set bus.tls to true, or remove this");
  if (given("tls_ca") && (bus.own_queue || (bus.meets_directly && !balanced)) && encrypts && !given("tls_certificate"))
    problems.add("bus.tls_ca",
                 "without bus.tls_certificate a certificate is made for the run, which nobody has signed; "
                 "give both, or neither");
}

void check_awake(Problems& problems, const RunPlan& plan) {
  if (plan.awake && !plan.recorder.on)
    problems.add("awake",
                 "the recorder of each host keeps its cores awake; set recorder.on to true, or set this back to false");
}

// Whether its hosts take part in the run is known with the list of hosts.
void check_background(Problems& problems, const RunPlan& plan) {
  if (plan.background.empty()) return;
  if (const auto trouble = trouble_with(plan.background)) return problems.add("background", *trouble);
  if (!plan.recorder.on)
    problems.add("background", "it goes from recorder to recorder; set recorder.on to true, or set this back to none");
}

// Attached workers must know where the queue listens, and its token, before it is started.
void check_places(Problems& problems, const RunPlan& plan) {
  const std::string& senders = plan.senders.fleet.attach;
  const std::string& receivers = plan.receivers.fleet.attach;
  const auto port = port_of(plan.queue.listen);
  if (!port)
    problems.add("queue.listen", "\"" + plan.queue.listen + "\" is not an address; enter it like 127.0.0.1:7400, or " +
                                     "127.0.0.1:0 for a free port");
  if (senders.empty() && receivers.empty()) return;
  if (!plan.queue.host.empty())
    problems.add("queue.host", "workers started by hand find the queue on this computer; leave it empty with " +
                                   std::string(senders.empty() ? "receivers.attach" : "senders.attach"));
  const std::string key = senders.empty() ? "receivers.attach" : "senders.attach";
  if (port == 0)
    problems.add("queue.listen",
                 key + " needs a fixed port, the one the attached worker was given; enter it like " + "127.0.0.1:7400");
  if (plan.queue.token_file.empty())
    problems.add("queue.token_file", key + " needs the token file that the attached worker was started with");
  if (!senders.empty() && senders == receivers)
    problems.add("receivers.attach", "it is the same worker as senders.attach; each role needs its own");
}

// One that is never judged would hold in every run.
void check_limits(Problems& problems, const RunPlan& plan) {
  if (const auto twice = limit_given_twice(plan.limits))
    problems.add("limits", twice->substr(0, twice->find(' ')) + " has two limits of the same kind; remove one");
  for (const RunLimit& limit : plan.limits) {
    const LimitMetric* metric = find_limit_metric(LimitUse::plan, limit.metric);
    if (metric != nullptr && !has(plan, metric->of)) problems.add("limits", not_in_plan(*metric, plan));
  }
}

}  // namespace

std::string not_in_plan(const LimitMetric& metric, const RunPlan& plan) {
  if (metric.of == MetricOf::answers)
    return std::string(metric.name) + " is of the answers to messages, which are not timed " +
           (asks_for_replies(plan) ? "in request-reply mode; remove it, or take a turnaround"
                                   : "over " + std::string(plan.bus.traits().title) +
                                         "; remove it, or choose a bus whose answers are timed, such as redis-pubsub");
  return std::string(metric.name) + " is of replies, and in " + to_text(plan.queue.mode) +
         " mode there are none; remove it, or set queue.mode to request-reply";
}

std::vector<PlanProblem> problems_of(const RunPlan& plan) {
  Problems problems;
  check_values(problems, plan);
  check_senders(problems, plan.senders);
  check_bus(problems, plan);
  if (plan.bus.traits().own_queue) check_queue(problems, plan);
  check_service(problems, plan);
  check_take_over(problems, plan);
  check_fleet(problems, "receivers", plan.receivers.fleet);
  check_replies(problems, plan);
  check_pauses(problems, plan);
  check_coming(problems, plan);
  check_held(problems, plan);
  check_awake(problems, plan);
  check_background(problems, plan);
  check_places(problems, plan);
  check_limits(problems, plan);
  return problems.take();
}

}  // namespace n2nq::plan
