// bench_clients: every sender and every receiver of one measurement in one process: a thread with an epoll loop for all
// senders, one for all receivers. It joins a broker (or the floor) on 127.0.0.1, runs one workload, and prints one line
// of JSON. With --watch PID it also reads what that process used up between the end of the warm-up and the end of the
// schedule, beside the deliveries of the same span. Usually started by bus_bench.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <future>
#include <nlohmann/json.hpp>

#include "broker/net/socket.h"
#include "tests/bench/lean_receivers.h"
#include "tests/bench/lean_senders.h"
#include "tests/bench/lean_session.h"
#include "tests/bench/process_meter.h"

namespace n2nq::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  uint16_t port = 0;
  std::string mode = "broadcaster";
  uint32_t senders = 1;
  uint32_t receivers = 1;
  uint32_t payload_bytes = 50;
  int64_t delay_ns = 0;
  double seconds = 1;
  double warmup_seconds = 0.2;
  uint64_t window_messages = 8192;
  uint64_t window_bytes = 16 * 1024 * 1024;
  int watch_pid = 0;
  bool count_calls = false;
};

constexpr double kNsPerSecond = 1e9;
constexpr int64_t kGraceNs = 20'000'000'000;

Plan plan_of(const Options& options) {
  Plan plan{.port = options.port,
            .mode = options.mode == "broadcaster" ? wire::Mode::broadcaster : wire::Mode::load_balancer,
            .senders = options.senders,
            .receivers = options.receivers,
            .payload_bytes = options.payload_bytes,
            .delay_ns = options.delay_ns,
            .duration_ns = static_cast<int64_t>(options.seconds * kNsPerSecond),
            .warmup_ns = static_cast<int64_t>(options.warmup_seconds * kNsPerSecond)};
  plan.window = std::max<uint64_t>(1, std::min(options.window_messages, options.window_bytes / plan.frame_bytes()));
  plan.deadline_ns = now_ns() + plan.duration_ns + kGraceNs;
  return plan;
}

// A moment of the run: what was delivered, and what it had cost until then.
struct Moment {
  int64_t at_ns = 0;
  uint64_t delivered = 0;
  int64_t own_cpu_ns = 0;
  Usage watched;
};

Moment look(const Shared& shared, const ProcessMeter* meter) {
  timespec cpu{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  Moment moment{.at_ns = now_ns(),
                .delivered = shared.delivered.load(std::memory_order_relaxed),
                .own_cpu_ns = cpu.tv_sec * 1'000'000'000 + cpu.tv_nsec,
                .watched = {}};
  if (meter != nullptr) moment.watched = meter->usage();
  return moment;
}

void sleep_until(int64_t when_ns) {
  const timespec when{.tv_sec = when_ns / 1'000'000'000, .tv_nsec = when_ns % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) == EINTR) {
  }
}

Json quantiles(std::vector<int64_t> values) {
  std::ranges::sort(values);
  Json json{{"count", values.size()}};
  if (values.empty()) return json;
  const auto rank = [&](double q) {
    return values[std::min(values.size() - 1, static_cast<size_t>(q * static_cast<double>(values.size())))];
  };
  json["min"] = values.front();
  json["p50"] = rank(0.5);
  json["p90"] = rank(0.9);
  json["p99"] = rank(0.99);
  json["p999"] = rank(0.999);
  json["max"] = values.back();
  return json;
}

Json watched_json(const Usage& from, const Usage& to) {
  Json json{{"cpu_ns", to.cpu_ns - from.cpu_ns}, {"sleeps", to.sleeps - from.sleeps}};
  if (!from.calls || !to.calls) return json;
  json["write_calls"] = to.calls->writes - from.calls->writes;
  json["read_calls"] = to.calls->reads - from.calls->reads;
  json["wait_calls"] = to.calls->waits - from.calls->waits;
  json["epoll_ctl_calls"] = to.calls->epoll_ctls - from.calls->epoll_ctls;
  if (from.calls->allocations && to.calls->allocations)
    json["allocations"] = *to.calls->allocations - *from.calls->allocations;
  return json;
}

Result<std::optional<ProcessMeter>> meter_for(const Options& options) {
  if (options.watch_pid == 0) return std::nullopt;
  auto meter = ProcessMeter::watch(options.watch_pid);
  if (!meter) return std::unexpected(meter.error());
  if (options.count_calls)
    if (auto counts = meter->count_calls(); !counts)
      std::fprintf(stderr, "bench_clients: %s\n", counts.error().text.c_str());
  return std::move(*meter);
}

Result<Json> measure(const Options& options) {
  const Plan plan = plan_of(options);
  auto meter = meter_for(options);
  if (!meter) return std::unexpected(meter.error());
  const ProcessMeter* watched = *meter ? &**meter : nullptr;

  Shared shared;
  auto receiving_links = join_all(plan, wire::Role::receiver);
  if (!receiving_links) return std::unexpected(receiving_links.error());
  auto sending_links = join_all(plan, wire::Role::sender);
  if (!sending_links) return std::unexpected(sending_links.error());

  auto started = shared.started.get_future();
  auto receiving =
      std::async(std::launch::async, [&] { return run_receivers(plan, std::move(*receiving_links), shared); });
  auto sending = std::async(std::launch::async, [&] { return run_senders(plan, std::move(*sending_links), shared); });
  Moment from;
  Moment to;
  if (started.wait_for(std::chrono::nanoseconds(kGraceNs)) == std::future_status::ready) {
    const int64_t start_ns = started.get();
    sleep_until(start_ns + plan.warmup_ns);
    from = look(shared, watched);
    sleep_until(start_ns + plan.duration_ns);
    to = look(shared, watched);
    shared.end_span();
  }
  auto sent = sending.get();
  auto received = receiving.get();
  if (!sent) return std::unexpected(sent.error());
  if (!received) return std::unexpected(received.error());

  const uint64_t copies = plan.mode == wire::Mode::broadcaster ? plan.receivers : 1;
  const uint64_t deliveries = to.delivered - from.delivered;
  const double seconds = static_cast<double>(to.at_ns - from.at_ns) / kNsPerSecond;
  const double per_second = static_cast<double>(deliveries) / seconds;
  const bool complete = received->received == sent->sent * copies && received->expected == received->received &&
                        received->out_of_order == 0 && sent->sent == sent->accepted;
  return Json{{"type", "clients"},
              {"complete", complete},
              {"sent", sent->sent},
              {"accepted", sent->accepted},
              {"expected", received->expected},
              {"received", received->received},
              {"out_of_order", received->out_of_order},
              {"window_messages", plan.saturated() ? plan.window : 0},
              {"seconds", seconds},
              {"deliveries", deliveries},
              {"deliveries_per_s", per_second},
              {"mb_per_s", per_second * plan.payload_bytes / 1e6},
              {"latency_ns", quantiles(std::move(received->latencies_ns))},
              {"lateness_ns", quantiles(std::move(sent->lateness_ns))},
              {"sender_write_calls", sent->write_calls},
              {"sender_blocked_writes", sent->blocked_writes},
              {"cpu_ns", to.own_cpu_ns - from.own_cpu_ns},
              {"watched", watched_json(from.watched, to.watched)}};
}

void describe(CLI::App& app, Options& options) {
  app.add_option("--port", options.port, "where the broker listens on 127.0.0.1")->required();
  app.add_option("--mode", options.mode)->check(CLI::IsMember({"broadcaster", "load-balancer"}));
  app.add_option("--senders", options.senders);
  app.add_option("--receivers", options.receivers);
  app.add_option("--payload-bytes", options.payload_bytes);
  app.add_option("--delay-ns", options.delay_ns, "between two messages of one sender; 0 = saturated");
  app.add_option("--seconds", options.seconds, "warm-up included");
  app.add_option("--warmup-seconds", options.warmup_seconds);
  app.add_option("--window-messages", options.window_messages, "saturated: messages under way at most");
  app.add_option("--window-bytes", options.window_bytes, "saturated: bytes of frames under way at most");
  app.add_option("--watch", options.watch_pid, "process id of the broker, whose CPU time is read");
  app.add_flag("--count-calls", options.count_calls, "count its system calls and allocations too (slows it down)");
}

}  // namespace
}  // namespace n2nq::bench

int main(int argc, char** argv) {
  n2nq::bench::Options options;
  CLI::App app("all senders and receivers of one measurement of the bench");
  n2nq::bench::describe(app, options);
  CLI11_PARSE(app, argc, argv);
  n2nq::net::raise_descriptor_limit(options.senders + options.receivers + 64);
  auto line = n2nq::bench::measure(options);
  if (!line) {
    std::fprintf(stderr, "bench_clients: %s\n", line.error().text.c_str());
    return 1;
  }
  std::printf("%s\n", line->dump().c_str());
  return (*line)["complete"].get<bool>() ? 0 : 1;
}
