#include "ui/run/live_figure.h"

#include <algorithm>

namespace n2nq::run {
namespace {

constexpr size_t kPoints = 300;

results::FigureContext context_of(const RunSession& session) {
  const auto& record = session.record();
  return {.warmup_ns = session.plan().warmup_ns,
          .clock_kind = record.clock_kind,
          .clock_bound_ns = record.clock_bound_ns,
          .live = session.state() != State::over};
}

results::Figure build(const live::LiveFigures& live, const results::FigureContext& context, const std::string& id,
                      int64_t from_ns, int64_t to_ns) {
  if (id == "rate") return results::rate_figure(live.series().points(from_ns, to_ns, kPoints), context);
  if (id == "latency-over-time")
    return results::latency_over_time_figure(live.series().points(from_ns, to_ns, kPoints), context);
  if (id == "latency-by-percentile")
    return results::latency_by_percentile_figure(live.latency(), live.scheduled_latency(), context);
  if (id == "histogram") return results::histogram_figure(live.latency(), context);
  return results::per_service_figure(live.receivers(), context);
}

}  // namespace

results::Figure live_figure(const RunSession& session, const std::string& id, double from_x, double to_x) {
  // Up to where all workers have spoken: what is younger would look like a fall.
  auto to_ns = static_cast<int64_t>(to_x);
  if (session.state() != State::over) to_ns = std::min(to_ns, session.live().complete_until_ns());
  return build(session.live(), context_of(session), id, static_cast<int64_t>(from_x), to_ns);
}

results::Figure no_figure(const std::string& id) {
  return build(live::LiveFigures(0, 0), {.clock_kind = "same", .clock_bound_ns = {}, .live = true}, id, 0, 0);
}

}  // namespace n2nq::run
