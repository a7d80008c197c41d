#include "workers/fleet/service.h"

#include <utility>

#include "workers/fleet/service_loop.h"

namespace n2nq::fleet {
namespace {

transport::Join join_of(const FleetContext& context, uint32_t slot, wire::Hello hello) {
  hello = context.hello(context.role, std::move(hello));
  hello.hold = true;
  hello.number = context.first + slot;
  hello.fleet_size = context.count;
  const bool chosen = !context.elsewhere() && !context.source_ports.any();
  return {.broker = context.broker,
          .hello = std::move(hello),
          .source_port = static_cast<uint16_t>(chosen ? context.source_ports.first + slot : 0),
          .socket = context.elsewhere() ? net::SocketWishes{} : context.bus.sockets,
          .trust = context.trust};
}

}  // namespace

Service::Service(ServiceLoop& loop, uint32_t slot, wire::Hello hello)
    : loop_(loop),
      slot_(slot),
      number_(loop.context().first + slot),
      connection_(loop.bus(), *this, join_of(loop.context(), slot, std::move(hello))) {}

void Service::on_welcome(const wire::Welcome& welcome) {
  welcome_ = welcome;
  welcomed_ = true;
  auto accepted = accept(welcome);
  if (accepted && travels_elsewhere() && !comes_later()) accepted = try_to_open_link();
  if (!accepted) {
    loop_.service_failed(*this, {.kind = transport::Loss::Kind::not_joined, .text = accepted.error().text});
    leave();
  }
  loop_.service_joined(welcome);
  if (accepted && travels_elsewhere() && comes_later()) note_linked();
}

bool Service::travels_elsewhere() const {
  return loop_.context().elsewhere();
}

int Service::fd() {
  if (travels_elsewhere()) return link() != nullptr ? link()->fd() : -1;
  return connection_.open() ? connection_.fd() : -1;
}

bus::LinkCounters Service::carried() {
  if (link() != nullptr) return link()->counters();
  return travels_elsewhere() ? bus::LinkCounters{} : connection_.counters();
}

Result<void> Service::try_to_open_link() {
  auto bus = loop_.other_bus(welcome_, connection_.fd());
  if (!bus) return std::unexpected(bus.error());
  make_link(**bus, link_side_);
  if (starts_link()) link()->start();
  return {};
}

void Service::open_link() {
  if (auto opened = try_to_open_link(); !opened)
    link_lost({.kind = bus::Loss::Kind::not_joined, .text = opened.error().text});
}

void Service::link_ready() {
  on_linked();
  note_linked();
}

void Service::note_linked() {
  if (!std::exchange(linked_, true)) loop_.service_linked();
}

void Service::link_lost(const bus::Loss& loss) {
  if (failed_ || gone_) return;
  failed_ = true;
  loop_.service_failed(*this, loss);
  if (!running_ || !connection_.open()) return connection_.cut_off();
  connection_.send(wire::ErrorFrame{.code = wire::ErrorCode::link_lost, .text = loss.text});
  on_cut_off();
}

void Service::on_begin(const wire::Begin& begin) {
  awaits_clock_ = !loop_.begin_service(*this, begin);
}

void Service::run(const Beginning& beginning) {
  if (running_ || !connection_.open()) return;
  running_ = true;
  begin(beginning);
  if (link() != nullptr) on_readable();
  if (!awaits_clock_) return;
  awaits_clock_ = false;
  connection_.read_on();
}

void Service::stop() {
  if (gone_) return stop_draining();
  if (running_) return stop_running();
  if (connection_.open()) return leave();
  connection_.abandon();
}

void Service::on_told(const std::string& text) {
  loop_.fleet().service_told(slot_, text);
}

void Service::on_closed() {
  gone_ = true;
  if (link() != nullptr) link()->cut_off();
  on_gone();
  end_if_drained();
}

void Service::on_lost(const transport::Loss& loss) {
  gone_ = true;
  failed_ = true;
  if (link() != nullptr) link()->cut_off();
  on_gone();
  loop_.service_failed(*this, loss);
  if (!welcomed_) loop_.service_joined(std::nullopt);
  end_if_drained();
}

control::ServiceState Service::state() const {
  if (failed_) return control::kGone;
  if (gone_) return control::kDone;
  if (running_) return away() ? control::kAway : paused() ? control::kPaused : control::kRunning;
  return welcomed_ ? control::kJoined : control::kConnecting;
}

void Service::end_if_drained() {
  if (!gone_ || ended_ || !drained()) return;
  ended_ = true;
  loop_.service_ended();
}

}  // namespace n2nq::fleet
