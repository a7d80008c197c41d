#include "app/cli/progress_line.h"

#include "app/text/quantity.h"

namespace n2nq::cli {
namespace {

std::string so_many(int64_t count, std::optional<uint64_t> of) {
  return text::count(count) + (of ? " of " + text::count(static_cast<int64_t>(*of)) : "");
}

}  // namespace

std::string progress_line(const run::RunSequence& sequence) {
  const run::RunSession* session = sequence.session();
  if (session == nullptr) return "";
  const live::LiveFigures& live = session->live();
  std::string line;
  if (sequence.count() > 1)
    line = "run " + std::to_string(sequence.index() + 1) + " of " + std::to_string(sequence.count()) + ", ";
  line += plan::to_text(session->plan().queue.mode) + ": " + session->status_text();
  const auto elapsed = session->elapsed_ns();
  if (!elapsed) return line;
  line += " " + text::elapsed(*elapsed);
  line += ", sent " + so_many(live.all_senders().count, session->planned_messages());
  const auto expected = session->expected_deliveries();
  line += ", received " + so_many(live.all_receivers().count, expected ? std::optional(expected->count) : std::nullopt);
  line += ", lost " + text::count(live.all_receivers().lost);
  const auto& latency = live.latency_summary();
  if (latency.p50 && latency.p99)
    line += ", p50 " + text::duration(static_cast<double>(*latency.p50)) + ", p99 " +
            text::duration(static_cast<double>(*latency.p99));
  if (const auto bound_ns = live.clocks().bound_ns; bound_ns && latency.p50)
    line += " (± " + text::duration(static_cast<double>(*bound_ns)) + ")";
  return line;
}

}  // namespace n2nq::cli
