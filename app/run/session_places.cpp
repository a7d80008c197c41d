// Where a run takes place, before anything is started, and whether its processes then reach the queue.
#include "app/record/machine.h"
#include "app/run/session_impl.h"

namespace n2nq::run {

void RunSession::Impl::prepare() {
  record_.started_utc_ns = wall_ns();
  record_.machine_json = record::machine_json();
  record_.campaign = options_.campaign;
  if (hosts_of(plan_).empty()) return look_up(plan_.queue.listen);
  const auto problems = host_problems(plan_, options_.links != nullptr ? options_.links->list() : hosts::HostList{});
  if (!problems.empty()) return fail_start(problems.front().key + ": " + problems.front().text);
  prepare_hosts();
}

void RunSession::Impl::prepare_hosts() {
  setup_ = std::make_unique<HostSetup>(plan_, *options_.links, stage_.run_name());
  connect(setup_.get(), &HostSetup::changed, this, [this] { Q_EMIT owner_.state_changed(); });
  connect(setup_.get(), &HostSetup::noted, this,
          [this](const QString& text) { note(Severity::info, text.toStdString()); });
  connect(setup_.get(), &HostSetup::failed, this, [this](const QString& text) { fail_start(text.toStdString()); });
  connect(setup_.get(), &HostSetup::finished, this, [this] {
    const Places& places = setup_->places();
    if (places.queue_host.empty()) return look_up(places.listen);
    note(Severity::info, "the queue will listen at " + places.listen + " on " + places.queue_host);
    open_stage({});
  });
  note(Severity::info, setup_->status_text());
  setup_->start();
}

void RunSession::Impl::look_up(const std::string& listen) {
  if (const auto known = AddressLookup::known(listen)) return open(*known);
  note(Severity::info, "looking up the queue's address " + listen);
  lookup_.emplace(listen, [this](const Result<net::Endpoint>& found) { open(found); });
}

void RunSession::Impl::open(const Result<net::Endpoint>& listen) {
  if (state_ == State::over) return;
  if (!listen) return fail_start("the queue's address: " + listen.error().text);
  open_stage(*listen);
}

void RunSession::Impl::open_stage(const std::optional<net::Endpoint>& listen) {
  if (state_ == State::over) return;
  const auto opened = stage_.open(plan_, listen, setup_ ? setup_->places() : Places{});
  record_.folder = stage_.folder();
  if (!opened) return fail_start(opened.error().text);
  tick_.start(kTickMs);
  opened_ = true;
  for (const Role role : std::exchange(waiting_, {})) launch(role);
}

void RunSession::Impl::fail_start(const std::string& text) {
  if (state_ == State::over) return;
  facts_.failures.push_back(text);
  note(Severity::error, text);
  finish();
}

bool RunSession::Impl::joined_any(const Worker& worker) const {
  if (worker.state() >= WorkerState::joined) return true;
  const auto services = worker.identity().role == Role::sender ? live_.senders() : live_.receivers();
  const Share& share = worker.identity().share;
  return std::ranges::any_of(services, [&share](const live::ServiceFigures& service) {
    return service.number >= share.first && service.number - share.first < share.count &&
           service.state >= live::ServiceState::joined;
  });
}

// Each process elsewhere makes real connections to the queue as soon as both are there. Where not one comes about, it
// is not a matter of waiting for longer.
void RunSession::Impl::watch_reach(int64_t now) {
  const auto& brokers = stage_.group(Role::broker).workers();
  if (facts_.began || ladder_.rung() != Rung::none || brokers.empty() || !brokers.front()->ready()) return;
  const std::string& queue_host = brokers.front()->identity().share.host;
  for (const Role role : {Role::sender, Role::receiver}) {
    for (const auto& worker : stage_.group(role).workers()) {
      const std::string& host = worker->identity().share.host;
      const bool far =
          hosts::is_local(host) != hosts::is_local(queue_host) || (!hosts::is_local(host) && host != queue_host);
      if (!far || worker->state() != WorkerState::ready || joined_any(*worker)) continue;
      const int64_t since = tries_since_ns_.try_emplace(worker.get(), now).first->second;
      if (now - since >= std::chrono::nanoseconds(options_.reach_timeout).count())
        return give_up(unreachable_text(*worker));
    }
  }
}

std::string RunSession::Impl::unreachable_text(const Worker& worker) {
  const std::string& queue_host = stage_.group(Role::broker).workers().front()->identity().share.host;
  const std::string& host = worker.identity().share.host;
  const bool here = hosts::is_local(queue_host);
  const std::string text = worker.identity().name + " on " + (hosts::is_local(host) ? hosts::kThisComputer : host) +
                           " cannot reach the queue on " + (here ? hosts::kThisComputer : queue_host) + " at " +
                           stage_.queue_address(host) + ": no connection within " +
                           std::to_string(options_.reach_timeout.count() / 1000) +
                           " s, a router or firewall may be blocking it; ";
  if (!here)
    return text +
           "open that port there (data_ports of the host sets which ports its queues may use), or set the host's "
           "data_address to the address at which others reach it";
  better_queue_host_ = options_.links == nullptr ? "" : host_for_queue(plan_, options_.links->list(), host);
  const std::string elsewhere =
      better_queue_host_.empty()
          ? "give " + host + " a data address in the list of hosts and move the queue there"
          : "move the queue to a host that all of them can reach (queue.host=" + better_queue_host_ + ")";
  return text + elsewhere +
         ", or let it listen on an address of this computer that they can reach (queue.listen; in the window \"Listen "
         "on\", in More settings of the queue)";
}

}  // namespace n2nq::run
