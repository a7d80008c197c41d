#include "workers/fleet/service_loop.h"

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
  for (const Waiting& waiting : std::exchange(waiting_for_clock_, {})) begin_now(*waiting.service, waiting.begin);
}

void ServiceLoop::service_joined(const std::optional<wire::Welcome>& welcome) {
  if (welcome) welcome_ = welcome;
  if (++settled_ == services_.size()) fleet_.loop_joined(welcome_);
}

bool ServiceLoop::begin_service(Service& service, const wire::Begin& begin) {
  if (!clock_known_ && !service.welcome().same_clock) {
    waiting_for_clock_.push_back({&service, begin});
    return false;
  }
  begin_now(service, begin);
  return true;
}

void ServiceLoop::begin_now(Service& service, const wire::Begin& begin) {
  const int64_t now_ns = now();
  const int64_t begun_ns = begin.broker_ns - clock_.offset_at(now_ns);
  const Beginning beginning{.begin = begin,
                            .welcome = service.welcome(),
                            .origin_ns = service.welcome().begun ? context_.late_origin(now_ns) : begun_ns,
                            .broker_begin_ns = begin.broker_ns};
  if (!begun_) {
    begun_ = true;
    fleet_.loop_begun(beginning);
  }
  service.run(beginning);
}

void ServiceLoop::service_ended() {
  if (++ended_ == services_.size()) fleet_.loop_ended();
}

void ServiceLoop::service_failed(Service& service, const transport::Loss& loss) {
  fleet_.service_lost(service.slot(), loss);
}

}  // namespace n2nq::fleet
