#include "tests/bench/measurement.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/bench/child_process.h"
#include "tests/bench/now.h"

namespace n2nq::bench {
namespace {

using nlohmann::json;

constexpr int kBrokerCore = 0;
constexpr int kClientsCore = 1;
constexpr int64_t kReadyNs = 10'000'000'000;
constexpr int64_t kGraceNs = 40'000'000'000;

std::vector<std::string> broker_command(const Programs& programs, System system, const Workload& workload) {
  std::vector<std::string> command = {system == System::floor ? programs.floor : programs.bus,
                                      "--listen",
                                      "127.0.0.1:0",
                                      "--mode",
                                      std::string(workload.mode),
                                      "--expect-senders",
                                      std::to_string(workload.senders),
                                      "--expect-receivers",
                                      std::to_string(workload.receivers)};
  if (system == System::floor) return command;
  command.insert(command.end(), {"--insecure-no-token"});
  if (workload.mode == "load-balancer") command.insert(command.end(), {"--policy", "round-robin"});
  if (workload.kind == Kind::saturated) command.insert(command.end(), {"--retention", "until-collected"});
  return command;
}

std::vector<std::string> clients_command(const Programs& programs, const Workload& workload, const Setting& setting,
                                         int port, pid_t broker) {
  std::vector<std::string> command = {programs.clients,
                                      "--port",
                                      std::to_string(port),
                                      "--mode",
                                      std::string(workload.mode),
                                      "--senders",
                                      std::to_string(workload.senders),
                                      "--receivers",
                                      std::to_string(workload.receivers),
                                      "--payload-bytes",
                                      std::to_string(workload.payload_bytes),
                                      "--delay-ns",
                                      std::to_string(workload.delay_ns),
                                      "--seconds",
                                      std::to_string(setting.seconds),
                                      "--warmup-seconds",
                                      std::to_string(setting.warmup_seconds),
                                      "--watch",
                                      std::to_string(broker)};
  if (setting.count_calls) command.emplace_back("--count-calls");
  return command;
}

Result<json> parse(const std::string& line, std::string_view type) {
  json value = json::parse(line, nullptr, false);
  if (!value.is_object() || value.value("type", "") != type)
    return fail("expected a line of type " + std::string(type) + ", got: " + line);
  return value;
}

Result<void> check_counts(const Workload& workload, const json& clients, const json& summary) {
  const uint64_t sent = clients.at("sent");
  const uint64_t owed = sent * (workload.mode == "broadcaster" ? workload.receivers : 1);
  const bool good = clients.at("complete").get<bool>() && sent > 0 && clients.at("received") == owed &&
                    summary.value("accepted", uint64_t{0}) == sent && summary.value("delivered", uint64_t{0}) == owed;
  if (good) return {};
  return fail("the counts differ: " + clients.dump() + " against " + summary.dump());
}

// Where the kernel did not let us count: what the program says about its whole run.
Figures counts_of(const Workload& workload, const json& summary) {
  Figures figures;
  const double delivered = summary.at("delivered");
  const double messages = delivered / (workload.mode == "broadcaster" ? workload.receivers : 1);
  if (summary.contains("writes")) figures[Figure::writes] = summary.at("writes").get<double>() / delivered;
  if (summary.contains("reads")) figures[Figure::reads] = summary.at("reads").get<double>() / messages;
  if (summary.contains("wakeups")) figures[Figure::waits] = summary.at("wakeups").get<double>() / messages;
  return figures;
}

Figures figures_from(const Workload& workload, const Setting& setting, const json& clients, const json& summary) {
  Figures figures;
  const double deliveries = clients.at("deliveries");
  const double messages = deliveries / (workload.mode == "broadcaster" ? workload.receivers : 1);
  const json& watched = clients.at("watched");
  const auto per = [&](Figure figure, const char* field, double by) {
    if (watched.contains(field) && by > 0) figures[figure] = watched.at(field).get<double>() / by;
  };
  if (setting.count_calls) {
    if (!watched.contains("write_calls")) return counts_of(workload, summary);
    per(Figure::writes, "write_calls", deliveries);
    per(Figure::reads, "read_calls", messages);
    per(Figure::waits, "wait_calls", messages);
    per(Figure::allocations, "allocations", messages);
    return figures;
  }
  per(Figure::cpu, "cpu_ns", deliveries * 1000);
  per(Figure::sleeps, "sleeps", messages);
  if (workload.kind == Kind::saturated)
    figures[Figure::rate] = workload.payload_bytes >= 16 * 1024 ? clients.at("mb_per_s").get<double>()
                                                                : clients.at("deliveries_per_s").get<double>() / 1000;
  const json& latency = clients.at("latency_ns");
  if (latency.contains("p50")) {
    figures[Figure::p50] = latency.at("p50").get<double>() / 1000;
    figures[Figure::p99] = latency.at("p99").get<double>() / 1000;
  }
  return figures;
}

}  // namespace

Result<Measurement> measure(const Programs& programs, System system, const Workload& workload, const Setting& setting) {
  auto broker = ChildProcess::start(broker_command(programs, system, workload),
                                    workload.pinned ? std::optional(kBrokerCore) : std::nullopt);
  if (!broker) return std::unexpected(broker.error());
  auto ready_line = broker->read_line(now_ns() + kReadyNs);
  if (!ready_line) return std::unexpected(ready_line.error());
  auto ready = parse(*ready_line, "ready");
  if (!ready) return std::unexpected(ready.error());

  auto clients =
      ChildProcess::start(clients_command(programs, workload, setting, ready->value("port", 0), broker->pid()),
                          workload.pinned ? std::optional(kClientsCore) : std::nullopt);
  if (!clients) return std::unexpected(clients.error());
  const int64_t deadline_ns = now_ns() + static_cast<int64_t>(setting.seconds * 1e9) + kGraceNs;
  auto clients_line = clients->finish(deadline_ns);
  if (!clients_line) return std::unexpected(clients_line.error());
  auto summary_line = broker->finish(deadline_ns);
  if (!summary_line) return std::unexpected(summary_line.error());

  auto clients_json = parse(*clients_line, "clients");
  if (!clients_json) return std::unexpected(clients_json.error());
  auto summary_json = parse(*summary_line, "summary");
  if (!summary_json) return std::unexpected(summary_json.error());
  if (auto right = check_counts(workload, *clients_json, *summary_json); !right) return std::unexpected(right.error());
  return Measurement{.figures = figures_from(workload, setting, *clients_json, *summary_json),
                     .clients_line = *clients_line,
                     .summary_line = *summary_line};
}

}  // namespace n2nq::bench
