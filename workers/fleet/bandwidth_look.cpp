#include "workers/fleet/bandwidth_look.h"

#include <utility>

#include "workers/measure/clock.h"

namespace n2nq::fleet {

BandwidthLook::BandwidthLook(net::EventLoop& loop, const FleetContext& context,
                             std::function<void(control::BandwidthFigures)> then, int64_t patience_ns)
    : patience_ns_(patience_ns),
      bus_(loop, context.clock, context.give_up_ns),
      connection_(bus_, *this,
                  {.broker = context.broker, .hello = context.hello(wire::Role::clock), .trust = context.trust}),
      deadline_(
          loop,
          [this] {
            finish("the broker did not accept all of it within " + std::to_string(patience_ns_ / 1'000'000'000) + " s");
          }),
      then_(std::move(then)) {
  wire::append_fill(frame_, wire::kMaxControlFrame);
}

void BandwidthLook::start() {
  deadline_.arm_at(measure::now_ns() + patience_ns_);
  connection_.start();
}

void BandwidthLook::on_welcome(const wire::Welcome&) {
  net::bound_unsent(connection_.fd(), kUnsentBytes);
  began_ns_ = measure::now_ns();
  fill();
}

void BandwidthLook::on_writable() {
  if (began_ns_ != 0) fill();
}

void BandwidthLook::fill() {
  while (!asked_ && connection_.writable()) {
    if (sent_ >= kMostBytes || measure::now_ns() - began_ns_ >= kFillNs) {
      asked_ = true;
      return connection_.send(wire::Probe{.t1 = began_ns_});
    }
    const size_t written = connection_.write(frame_);
    sent_ += frame_.size();
    if (written < frame_.size()) connection_.finish_later(std::span(frame_).subspan(written));
  }
}

void BandwidthLook::on_frame(const wire::Header& header, wire::Frame frame, int64_t) {
  const auto echo = header.type == wire::Type::echo ? wire::decode_echo(frame)
                                                    : fail(std::string(name(header.type)) + " on a clock connection");
  if (!echo || !asked_) return connection_.refuse(echo ? "an unrequested ECHO" : echo.error().text);
  finish("");
}

void BandwidthLook::finish(const std::string& trouble) {
  auto then = std::exchange(then_, nullptr);
  if (!then) return;
  deadline_.disarm();
  const int64_t took_ns = measure::now_ns() - began_ns_;
  // What a slow way has not taken would go on to fill it in the run.
  if (trouble.empty())
    connection_.leave(wire::Bye{});
  else
    connection_.cut_off();
  then(trouble.empty() ? control::BandwidthFigures{.bytes = sent_, .duration_ns = took_ns}
                       : control::BandwidthFigures{.trouble = trouble});
}

}  // namespace n2nq::fleet
