#include "app/run/run_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/text/quantity.h"

namespace n2nq::run {
namespace {

using record::Severity;

constexpr int64_t kSilenceNs = 800'000'000;         // of who speaks ten times a second
constexpr int64_t kDeafNs = kSilenceNs / 2;         // the bench itself: what was said is not heard yet
constexpr int64_t kFarSilenceNs = 3'000'000'000;    // a link may stand still for a while
constexpr int64_t kLinkSilenceNs = 12'000'000'000;  // longer than a link takes to be told lost

constexpr int64_t kAskQueueNs = 1'000'000'000;  // while the run goes on

constexpr Role kSpeakers[] = {Role::broker, Role::sender, Role::receiver};

// The queue says no more of the run than that it is ready, and how it ended.
bool goes_on(const Worker& worker) {
  return worker.state() == (worker.identity().role == Role::broker ? Worker::State::ready : Worker::State::running);
}

// Ten times a second, or when it is asked; a queue that ends a server, or asks one, answers a little later.
bool speaks_seldom(const Worker& worker) {
  return worker.identity().role == Role::broker || !worker.identity().share.host.empty();
}

int64_t in_ns(std::chrono::nanoseconds time) {
  return time.count();
}

std::string time_text(int64_t ns) {
  return text::duration(static_cast<double>(ns));
}

}  // namespace

int64_t still_ns(const plan::RunPlan& plan) {
  return plan::drain_timeout_ns(plan) + plan.queue.stall_timeout_ns + plan::quiet_ns(plan.bus);  // pauses are shorter
}

RunWatch::RunWatch(const plan::RunPlan& plan, const SessionOptions& options, const RunStage& stage,
                   const live::LiveFigures& live, TakeNote note)
    : plan_(plan),
      options_(options),
      stage_(stage),
      live_(live),
      note_(std::move(note)),
      patience_ns_(still_ns(plan) + plan.queue.retention_ns.value_or(0) + 2 * plan::longest_gap_ns(plan) +
                   (plan::asks_for_replies(plan) ? plan.senders.timeout_ns : 0) + in_ns(options.quiet_timeout) +
                   (hosts_of(plan).empty() ? 0 : kLinkSilenceNs)) {}

bool RunWatch::begins_late(int64_t now_ns) const {
  return plan_.join_timeout_ns > 0 && now_ns - joining_since_ns_ >= plan_.join_timeout_ns;
}

bool RunWatch::moved(int64_t now_ns) {
  const live::ServiceFigures& senders = live_.all_senders();
  uint64_t moved = static_cast<uint64_t>(senders.accepted + senders.replies + senders.timeouts) + live_.delivered();
  // A receiver that has all of its messages stays until it has worked on them.
  if (plan_.bus.acknowledges_late()) moved += live_.histogram(Latency::service).count();
  if (std::exchange(moved_so_far_, moved) == moved) return false;
  last_moved_ns_ = now_ns;
  return true;
}

bool RunWatch::served() {
  const uint64_t served = live_.histogram(Latency::service).count();
  return std::exchange(served_so_far_, served) != served;
}

void RunWatch::ask_queue(int64_t now_ns) {
  if (now_ns - queue_asked_ns_ < kAskQueueNs) return;
  queue_asked_ns_ = now_ns;
  for (const auto& worker : stage_.group(Role::broker).workers())
    if (goes_on(*worker)) worker->send(control::PingCommand{.id = 1});
}

void RunWatch::note_silence(int64_t now_ns) {
  if (now_ns - std::exchange(looked_ns_, now_ns) > kDeafNs) return;
  for (const Role role : kSpeakers) {
    for (const auto& worker : stage_.group(role).workers()) {
      const std::string& name = worker->identity().name;
      const int64_t quiet_ns = worker->silent_ns();
      const bool running = goes_on(*worker) && worker->responds();
      const bool silent = running && quiet_ns > (speaks_seldom(*worker) ? kFarSilenceNs : kSilenceNs);
      const auto known = silent_.find(worker.get());
      if (silent && known == silent_.end()) {
        silent_.emplace(worker.get(), now_ns - quiet_ns);
        note_({.severity = Severity::warning,
               .text = name + ": silent from here on; is its process stopped?",
               .kind = record::EventKind::silent,
               .subject = name},
              quiet_ns);
      }
      if (silent || known == silent_.end()) continue;
      if (running)
        note_({.text = name + ": responding again, after " + time_text(now_ns - quiet_ns - known->second),
               .kind = record::EventKind::responding,
               .subject = name},
              quiet_ns);
      silent_.erase(known);
    }
  }
}

std::vector<live::LiveWarning> RunWatch::silences(int64_t now_ns) const {
  std::vector<live::LiveWarning> warnings;
  for (const auto& [worker, since_ns] : silent_) {
    const Worker::Identity& who = worker->identity();
    warnings.push_back({.id = "silent-" + control::to_text(who.role) + "-" + std::to_string(who.share.first),
                        .role = who.role,
                        .text = std::string("the process of ") + (who.role == Role::broker ? "the " : "") + who.name +
                                " gave no sign of life for " + time_text(now_ns - since_ns) +
                                ": messages may have waited for it, and not for the bus",
                        .weight = live::Weight::always,
                        .size = now_ns - since_ns});
  }
  return warnings;
}

// What goes on without its link says nothing of it here.
int64_t RunWatch::survival_ns() const {
  int64_t longest_ns = 0;
  for (const Role role : kRoles)
    for (const auto& worker : stage_.group(role).workers()) {
      const std::string& host = worker->identity().share.host;
      if (worker->cut_off_ns() != 0 && options_.survives_longer_on(host))
        longest_ns = std::max(longest_ns, in_ns(options_.survive_on(host)));
    }
  return longest_ns;
}

std::optional<Failure> RunWatch::hanging(int64_t begun_ns, bool sending, int64_t now_ns) const {
  const int64_t patience_ns = patience_ns_ + survival_ns();
  for (const Role role : kSpeakers)
    for (const auto& worker : stage_.group(role).workers())
      if (goes_on(*worker) && worker->responds() && worker->silent_ns() > patience_ns)
        return Failure{
            .text = worker->identity().name + ": silent for " + time_text(worker->silent_ns()) + "; its process hangs",
            .of = worker->identity().name};
  const bool paced_elsewhere = !plan_.senders.fleet.attach.empty() && sending;
  const int64_t still_for_ns = now_ns - std::max(last_moved_ns_, begun_ns);
  if (paced_elsewhere || still_for_ns <= patience_ns) return std::nullopt;
  return Failure{.text = "no progress for " + time_text(still_for_ns) +
                         (plan_.bus.traits().own_queue ? ": the queue hangs" : ": the run hangs")};
}

bool RunWatch::joined_any(const Worker& worker) const {
  if (worker.state() >= Worker::State::joined) return true;
  const auto services = worker.identity().role == Role::sender ? live_.senders() : live_.receivers();
  const Share& share = worker.identity().share;
  return std::ranges::any_of(services, [&share](const live::ServiceFigures& service) {
    return service.number >= share.first && service.number - share.first < share.count &&
           service.state >= live::ServiceState::joined;
  });
}

bool RunWatch::is_far(const Worker& worker) const {
  const std::string& queue_host = stage_.group(Role::broker).workers().front()->identity().share.host;
  const std::string& host = worker.identity().share.host;
  if (hosts::is_local(host) || hosts::is_local(queue_host)) return hosts::is_local(host) != hosts::is_local(queue_host);
  return host != queue_host;
}

// Each process elsewhere makes real connections to the queue as soon as both are there. Where not one comes about, it
// is not a matter of waiting for longer.
std::optional<Failure> RunWatch::unreachable(int64_t now_ns) {
  const auto& brokers = stage_.group(Role::broker).workers();
  if (brokers.empty() || !brokers.front()->ready()) return std::nullopt;
  for (const Role role : {Role::sender, Role::receiver}) {
    for (const auto& worker : stage_.group(role).workers()) {
      if (!is_far(*worker) || worker->state() != Worker::State::ready || joined_any(*worker)) continue;
      const int64_t since_ns = tries_since_ns_.try_emplace(worker.get(), now_ns).first->second;
      if (now_ns - since_ns >= in_ns(options_.reach_timeout))
        return Failure{.text = unreachable_text(*worker), .of = worker->identity().name};
    }
  }
  return std::nullopt;
}

std::string RunWatch::unreachable_text(const Worker& worker) {
  const std::string& queue_host = stage_.group(Role::broker).workers().front()->identity().share.host;
  const std::string& host = worker.identity().share.host;
  const bool here = hosts::is_local(queue_host);
  const std::string text = worker.identity().name + " on " + (hosts::is_local(host) ? hosts::kThisComputer : host) +
                           " cannot reach the queue on " + (here ? hosts::kThisComputer : queue_host) + " at " +
                           stage_.queue_address(host) + ": no connection within " +
                           std::to_string(options_.reach_timeout.count() / 1000) +
                           " s, a router or firewall may be blocking it; ";
  if (here) return text + advice_text(host);
  return text +
         "open that port there (data_ports of the host sets which ports its queues may use), or set the host's "
         "data_address to the address at which others reach it";
}

// Of a queue on this computer that a host cannot reach.
std::string RunWatch::advice_text(const std::string& host) {
  better_queue_host_ = options_.links == nullptr ? "" : host_for_queue(plan_, options_.links->list(), host);
  const std::string elsewhere =
      better_queue_host_.empty()
          ? "give " + host + " a data address in the list of hosts and move the queue there"
          : "move the queue to a host that all of them can reach (queue.host=" + better_queue_host_ + ")";
  return elsewhere +
         ", or let it listen on an address of this computer that they can reach (queue.listen; in the window \"Listen "
         "on\", in More settings of the queue)";
}

}  // namespace n2nq::run
