#include "workers/fleet/service_loop.h"

#include <algorithm>
#include <utility>

namespace n2nq::fleet {

ServiceLoop::ServiceLoop(const FleetContext& context, FleetEvents& fleet)
    : context_(context), fleet_(fleet), bus_(events_, context.clock, context.give_up_ns) {
  events_.on_turn_end([this] {
    bus_.turn_end();
    on_turn_end();
  });
}

ServiceLoop::~ServiceLoop() {
  finish();
}

void ServiceLoop::start() {
  post([this] {
    for (Service* service : services_) service->start();
  });
  thread_ = std::thread([this] { events_.run(); });
}

void ServiceLoop::finish() {
  if (!thread_.joinable()) return;
  events_.stop();
  thread_.join();
}

void ServiceLoop::send_ready() {
  for (Service* service : services_) {
    if (!service->connection().open()) continue;
    return service->connection().send(wire::Ready{.fleet = context_.fleet_id});
  }
}

void ServiceLoop::stop() {
  for (Service* service : services_) service->stop();
}

void ServiceLoop::set_clock(const ClockView& clock) {
  clock_ = clock;
  clock_known_ = true;
  announce_fleet_clock();
  for (const Waiting& waiting : std::exchange(waiting_for_clock_, {})) begin_now(*waiting.service, waiting.begin, true);
}

// One loop speaks for the fleet.
void ServiceLoop::announce_fleet_clock() {
  if (services_.empty() || services_.front()->slot() != 0) return;
  for (Service* service : services_)
    if (service->announces_clock())
      return announce_clock(*service, context_.first, context_.first + context_.count - 1);
}

void ServiceLoop::announce_clock(Service& by, uint32_t first, uint32_t last) {
  if (clock_.same) return;
  const int64_t from_ns = clock_.estimate.at_ns;
  const HeldOffset held = clock_.held_from(from_ns);
  by.connection().send(wire::Clock{.first = first,
                                   .last = last,
                                   .offset_ns = held.offset_ns,
                                   .bound_ns = static_cast<uint64_t>(held.bound_ns),
                                   .from_ns = from_ns});
}

void ServiceLoop::service_joined(const std::optional<wire::Welcome>& welcome) {
  if (welcome) welcome_ = welcome;
  if (++settled_ == services_.size()) fleet_.loop_joined(welcome_);
}

Result<void> ServiceLoop::check_bus(const wire::Welcome& welcome) const {
  const bus::BusTraits& traits = *context_.traits;
  const auto lacks = [&](const char* what, const char* option) {
    return fail(std::string(traits.title) + " has no mode in which " + what + "; choose another " + option +
                " of the broker");
  };
  if (welcome.mode == wire::Mode::request_reply) {
    if (!traits.request_reply) return lacks("receivers reply", "--mode");
    if (welcome.to_all() && !traits.reply_from_all) return lacks("every receiver gets every request", "--reply-from");
    if (!welcome.to_all() && !traits.load_balancer) return lacks("each request goes to one receiver", "--reply-from");
    return {};
  }
  if (welcome.to_all() && !traits.broadcaster) return lacks("every receiver gets every message", "--mode");
  if (!welcome.to_all() && !traits.load_balancer) return lacks("each message goes to one receiver", "--mode");
  return {};
}

Result<bus::Bus*> ServiceLoop::other_bus(const wire::Welcome& welcome, int connection_fd) {
  if (other_bus_) return other_bus_.get();
  if (auto able = check_bus(welcome); !able) return std::unexpected(able.error());
  bus::BusOptions options = context_.bus;
  // Without a token whoever may join the run may also send to its receivers.
  options.token = context_.token.empty() ? "run-" + std::to_string(welcome.run_id) : context_.token;
  if (options.listen.empty()) {  // whoever reaches the broker reaches this computer there
    auto own = net::local_endpoint(connection_fd);
    if (!own) return std::unexpected(own.error());
    own->set_port(0);
    options.listen = own->text();
  }
  options.own_server = options.own_server && !context_.token.empty();
  options.run_id = welcome.run_id;
  options.replies = welcome.mode == wire::Mode::request_reply;
  options.to_all = welcome.to_all();
  auto made = bus::make_bus(
      options, {.events = events_, .clock = context_.clock, .sockets = options.sockets, .number = loop_number_});
  if (!made) return std::unexpected(made.error());
  other_bus_ = std::move(*made);
  return other_bus_.get();
}

void ServiceLoop::service_linked() {
  if (++linked_ == services_.size()) fleet_.loop_linked();
}

void TcpSums::add(const TcpSums& other) {
  connections += other.connections;
  rtt_us += other.rtt_us;
  rtt_us_max = std::max(rtt_us_max, other.rtt_us_max);
  cwnd += other.cwnd;
  retransmits += other.retransmits;
  fresh_rtt_us.insert(fresh_rtt_us.end(), other.fresh_rtt_us.begin(), other.fresh_rtt_us.end());
}

TcpSums ServiceLoop::sample_tcp() {
  tcp_.resize(services_.size());
  TcpSums sums;
  for (size_t i = 0; i < std::min(kTcpSamples, services_.size()); i++) {
    next_tcp_ = (next_tcp_ + 1) % services_.size();
    const int fd = services_[next_tcp_]->fd();
    if (fd < 0) continue;
    tcp_[next_tcp_] = net::tcp_info(fd);
    if (tcp_[next_tcp_].rtt_us > 0) sums.fresh_rtt_us.push_back(tcp_[next_tcp_].rtt_us);
  }
  for (const net::TcpInfo& info : tcp_) {
    if (info.rtt_us == 0) continue;
    sums.add({.connections = 1,
              .rtt_us = info.rtt_us,
              .rtt_us_max = info.rtt_us,
              .cwnd = info.cwnd,
              .retransmits = info.retransmits});
  }
  return sums;
}

// All of them are made alike. On a bus that opens connections when they are needed there may be none yet.
net::SocketFacts ServiceLoop::socket_facts() const {
  for (Service* service : services_) {
    if (const int fd = service->fd(); fd >= 0) return net::socket_facts(fd);
  }
  return {};
}

bus::LinkCounters ServiceLoop::wire() const {
  bus::LinkCounters all;
  for (Service* service : services_) all += service->carried();
  return all;
}

bool ServiceLoop::begin_service(Service& service, const wire::Begin& begin) {
  if (!clock_known_ && !service.welcome().same_clock) {
    waiting_for_clock_.push_back({&service, begin});
    return false;
  }
  begin_now(service, begin);
  return true;
}

void ServiceLoop::begin_now(Service& service, const wire::Begin& begin, bool waited_for_clock) {
  const int64_t now_ns = now();
  const int64_t begun_ns = begin.broker_ns - clock_.offset_at(now_ns);
  Beginning beginning{.begin = begin,
                      .welcome = service.welcome(),
                      .clock = clock_,
                      .waited_for_clock = waited_for_clock,
                      .begin_ns = begun_ns,
                      .broker_begin_ns = begin.broker_ns,
                      .origin_ns = service.welcome().begun ? context_.late_origin.settle(now_ns) : begun_ns};
  if (!begun_) {
    begun_ = true;
    if (other_bus_) beginning.bus_server = other_bus_->server();
    beginning.socket = socket_facts();
    fleet_.loop_begun(beginning);
  }
  service.run(beginning);
}

void ServiceLoop::service_told_end(wire::EndReason reason) {
  if (!std::exchange(told_end_, true)) fleet_.told_end(reason);
}

void ServiceLoop::service_ended() {
  if (++ended_ == services_.size()) fleet_.loop_ended();
}

void ServiceLoop::service_failed(Service& service, const transport::Loss& loss) {
  fleet_.service_lost(service.slot(), loss);
}

}  // namespace n2nq::fleet
