#include "workers/fleet/live_figures.h"

#include <algorithm>

#include "broker/process/process_figures.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {

LiveFigures::LiveFigures(net::EventLoop& loop, const WorkerOptions& options, const FleetContext& context,
                         control::Role role, FleetRole& figures, RoundTrips& round_trips, ControlDesk& desk)
    : options_(options),
      context_(context),
      role_(role),
      figures_(figures),
      round_trips_(round_trips),
      desk_(desk),
      telemetry_(role, context.count),
      timer_(loop, [this] { tick(); }) {}

void LiveFigures::start() {
  const int64_t telemetry_ns = options_.telemetry_period_ns();
  if (telemetry_ns > 0)
    timer_.every(telemetry_ns);
  else if (!options_.hlog.empty())
    timer_.every(kHlogPeriodNs);
}

Result<void> LiveFigures::prepare() const {
  if (options_.hlog.empty()) return {};
  auto hlog = measure::HlogWriter::create(options_.hlog, measure::wall_ns());
  if (!hlog) return fail("--hlog: " + hlog.error().text);
  return {};
}

void LiveFigures::begin(int64_t wall_ns, int64_t machine_ns) {
  if (options_.hlog.empty()) return;
  auto hlog = measure::HlogWriter::create(options_.hlog, wall_ns, "n2nq-" + context_.noun + " " N2NQ_VERSION);
  if (!hlog) {
    hlog_state_ = std::unexpected(hlog.error());
    return;
  }
  hlog_ = std::move(*hlog);
  hlog_origin_ns_ = hlog_interval_from_ns_ = machine_ns;
}

// A tick that comes while the loops still answer the one before is left out: its figures come with the next.
void LiveFigures::tick() {
  if (collecting_ || then_) return;
  collecting_ = true;
  figures_.collect([this] { collected(); });
}

void LiveFigures::collected() {
  collecting_ = false;
  if (then_) return collect_again();
  const int64_t now_ns = measure::now_ns();
  if (hlog_ && now_ns - hlog_interval_from_ns_ >= kHlogPeriodNs) write_hlog(now_ns);
  if (options_.telemetry_period_ns() == 0) return;
  write_telemetry();
  if (const auto line = telemetry_.next_line(time_of_figures(), desk_.idle()))
    desk_.say_telemetry(*line, telemetry_.sequence());
}

void LiveFigures::finish(std::function<void(Result<void>)> then) {
  timer_.disarm();
  then_ = std::move(then);
  if (!collecting_) collect_again();
}

void LiveFigures::collect_again() {
  figures_.collect([this] {
    if (options_.telemetry_period_ns() > 0) {
      write_telemetry();
      desk_.say_last(telemetry_.remaining_lines(time_of_figures()));
    }
    if (hlog_) {
      write_hlog(measure::now_ns());
      if (auto closed = hlog_->close(); !closed && hlog_state_) hlog_state_ = closed;
    }
    std::exchange(then_, nullptr)(hlog_state_);
  });
}

// A message that a receiver's line counts is then counted by its sender's line of the same time too, however long the
// loops take to answer, or their answers lie here.
int64_t LiveFigures::time_of_figures() const {
  const Told told = figures_.told();
  return context_.clock.from_machine(role_ == control::Role::sender ? told.from_ns : told.until_ns);
}

void LiveFigures::write_telemetry() {
  telemetry_.set_process(process_figures());
  figures_.report(telemetry_);
  round_trips_.report(telemetry_);
}

void LiveFigures::write_hlog(int64_t now_ns) {
  const int64_t from_ns = std::exchange(hlog_interval_from_ns_, now_ns);
  auto written = figures_.write_hlog(*hlog_, from_ns - hlog_origin_ns_, now_ns - from_ns);
  if (!written && hlog_state_) hlog_state_ = written;
}

void LiveFigures::take_tcp(const TcpSums& tcp) {
  const int64_t now_ns = measure::now_ns();
  if (tcp.fresh_rtt_us.empty() || now_ns - tcp_taken_ns_ < kTcpPeriodNs) return;
  tcp_taken_ns_ = now_ns;
  for (const uint32_t rtt_us : tcp.fresh_rtt_us) round_trips_.tcp_ns.record(int64_t{rtt_us} * 1000);
}

control::ProcessFigures LiveFigures::process_figures() {
  control::ProcessFigures figures;
  const TcpSums tcp = figures_.tcp();
  take_tcp(tcp);
  figures.network = round_trips_.network;
  figures.tcp = {.connections = tcp.connections,
                 .rtt_us = tcp.rtt_us / std::max<uint64_t>(1, tcp.connections),
                 .rtt_us_max = tcp.rtt_us_max,
                 .cwnd = tcp.cwnd / std::max<uint64_t>(1, tcp.connections),
                 .retransmits = tcp.retransmits};
  figures.cpu_ns = static_cast<uint64_t>(process::process_cpu_ns());
  figures.rss_bytes = process::rss_bytes();
  figures.log_lines_not_written = log_writer_ != nullptr ? log_writer_->not_written() : 0;
  figures.dropped_lines = desk_.dropped_lines();
  figures.wire = to_figures(figures_.wire());
  if (clock_) figures.clock = clock_();
  return figures;
}

}  // namespace n2nq::fleet
