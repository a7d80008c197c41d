#include "app/run/worker_arguments.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_limits.h"
#include "broker/base/join.h"
#include "workers/control/commands.h"

namespace n2nq::run {
namespace {

static_assert(plan::kShortestReading == control::kShortestReadingNs &&
              plan::kLongestReading == control::kLongestReadingNs);

// What the plan says, where a field has an option for it. A queue process beside another bus is told all that it has of
// its own: some of that holds for its connections.
void add_told(std::vector<std::string>& arguments, const plan::RunPlan& plan, plan::Told whom) {
  for (const plan::PlanField& field : plan::plan_fields()) {
    const plan::Argument& argument = field.argument;
    if ((argument.to & whom) == 0) continue;
    if (field.scope != plan::Scope::own_queue && !plan::is_in_scope(plan, field.scope)) continue;
    if (argument.when != nullptr && !argument.when(plan)) continue;
    const nlohmann::json value = field.get(plan);
    const char* option = value == nlohmann::json(false) ? argument.otherwise : argument.option;
    if (option == nullptr) continue;
    arguments.emplace_back(option);
    if (!value.is_boolean()) arguments.push_back(plan::text_of(field, plan));
  }
}

// Without those of other buses, which a plan may have at their defaults.
std::string settings_text(const plan::BusPlan& bus, bool of_server) {
  std::string text;
  for (const auto& [key, value] : plan::settings_in_force(bus)) {
    const bus::Setting* setting = bus::find_setting(bus.traits(), key);
    if (setting == nullptr || setting->of_server != of_server || setting->of_run || setting->of_bench) continue;
    add_part(text, ";", key + "=" + value);
  }
  return text;
}

void add_bus(std::vector<std::string>& arguments, const plan::BusPlan& bus, const std::string& server) {
  arguments.insert(arguments.end(), {"--bus", bus.kind});
  if (!server.empty()) arguments.emplace_back("--bus-own-server");
  std::string settings = settings_text(bus, /*of_server=*/false);
  if (!server.empty()) settings = "address=" + server + (settings.empty() ? "" : ";") + settings;
  if (!settings.empty()) arguments.insert(arguments.end(), {"--bus-set", settings});
}

void add_servers(std::vector<std::string>& arguments, const plan::BusPlan& bus,
                 const std::vector<std::string>& servers) {
  const std::string all = join(servers, ",");
  arguments.insert(arguments.end(), {"--serve", std::string(bus.traits().server), "--serve-listen", all});
  if (const std::string settings = settings_text(bus, /*of_server=*/true); !settings.empty())
    arguments.insert(arguments.end(), {"--serve-set", settings});
}

// Of the fleet's source ports those of one process, as many as it has services of them.
PortRange part_of(const plan::Fleet& fleet, const Share& share) {
  const PortRange& all = fleet.source_ports;
  if (all.any()) return all;
  const auto from = [&](uint64_t services) {
    return static_cast<uint16_t>(all.first + services * all.size() / fleet.count);
  };
  return {.first = from(share.first - 1),
          .last = static_cast<uint16_t>(from(uint64_t{share.first} - 1 + share.count) - 1)};
}

// What a fleet of either role is told. The bench itself decides when joining has taken too long.
std::vector<std::string> fleet_arguments(const plan::RunPlan& plan, const plan::Fleet& fleet, const plan::BusPlan& bus,
                                         const std::string& broker, const Share& share, const std::string& log_dir,
                                         const std::string& server) {
  std::vector<std::string> arguments{"--controlled",
                                     "--broker",
                                     broker,
                                     "--count",
                                     std::to_string(share.count),
                                     "--first",
                                     std::to_string(share.first),
                                     "--loops",
                                     std::to_string(std::min(fleet.loops, share.count)),
                                     "--connect-timeout",
                                     "0"};
  if (log_dir.empty())
    arguments.insert(arguments.end(), {"--log", plan::to_text(plan::LogLevel::off)});
  else
    arguments.insert(arguments.end(), {"--log-dir", log_dir, "--log", plan::to_text(plan.log)});
  const bool connects = &fleet == &plan.senders.fleet || !plan.bus.traits().meets_directly;
  if (const PortRange ports = part_of(fleet, share); connects && !ports.any())
    arguments.insert(arguments.end(), {"--source-ports", to_text(ports)});
  add_bus(arguments, bus, server);
  return arguments;
}

// Each receiver process of a host listens behind the ports of those before it.
plan::BusPlan bus_of(const plan::RunPlan& plan, const Share& share) {
  plan::BusPlan bus = plan.bus;
  const auto first = parse_whole(bus.setting(bus::kReceiverPortKey));
  if (!first || *first == 0) return bus;
  uint64_t port = *first;
  for (const Share& other : shares_of(plan.receivers.fleet))
    if (other.host == share.host && other.first < share.first)
      port += std::min(plan.receivers.fleet.loops, other.count);
  bus.settings[std::string(bus::kReceiverPortKey)] = std::to_string(port);
  return bus;
}

// Files are here and not where the senders are: what was in them comes over their input, see sender_input().
std::string shape_argument(const measure::LoadShape& shape) {
  if (shape.kind != measure::LoadShape::Kind::recorded) return measure::exact_shape(shape);
  return "recorded stdin:" + std::to_string(measure::pack_times(*shape.recorded.content).size());
}

std::string payload_argument(const measure::Payload& payload) {
  if (payload.kind != measure::Payload::Kind::file) return measure::exact_payload(payload);
  return "file stdin:" + std::to_string(payload.file.content->size());
}

// Over another bus nothing comes to the broker, which tells the fleets all the same how large a payload may be.
uint64_t largest_payload(const plan::RunPlan& plan) {
  if (plan.bus.traits().own_queue) return plan.queue.max_message_bytes;
  const uint64_t reply = plan::asks_for_replies(plan) ? plan.receivers.reply_bytes.max : 0;
  return std::max({plan.queue.max_message_bytes, uint64_t{plan.senders.size_bytes.max}, reply});
}

// As much as the broker asks for, where nobody could set it.
uint64_t memory_of(const plan::RunPlan& plan) {
  if (plan.bus.traits().own_queue) return plan.queue.max_memory_bytes;
  return std::max(plan.queue.max_memory_bytes, plan::least_memory_for(largest_payload(plan)));
}

// The size of part `i` of so many, the first ones larger by one where it does not come out even.
uint32_t part(uint32_t whole, uint32_t parts, uint32_t i) {
  return whole / parts + (i < whole % parts ? 1 : 0);
}

}  // namespace

std::string summary_name(Role role, uint32_t first_service) {
  if (role == Role::broker) return "broker.summary.json";
  return control::to_text(role) + "-" + std::to_string(first_service) + ".summary.json";
}

std::vector<Share> shares_of(const plan::Fleet& fleet) {
  const std::vector<std::string> here{""};
  const auto& hosts = fleet.hosts.empty() || !fleet.attach.empty() ? here : fleet.hosts;
  const uint32_t host_count = plan::host_count(fleet);
  const uint32_t all = plan::process_count(fleet);
  std::vector<Share> shares;
  uint32_t first = 1;
  for (uint32_t i = 0; i < host_count; i++) {
    const uint32_t services = part(fleet.count, host_count, i);
    const uint32_t processes = part(all, host_count, i);
    for (uint32_t k = 0; k < processes; k++) {
      const uint32_t count = part(services, processes, k);
      shares.push_back({.first = first, .count = count, .host = hosts[i]});
      first += count;
    }
  }
  return shares;
}

std::vector<std::string> broker_arguments(const plan::RunPlan& plan, const std::string& listen,
                                          const std::string& log_dir, const std::vector<std::string>& servers) {
  std::vector<std::string> arguments{"--controlled",
                                     "--telemetry",
                                     "off",
                                     "--listen",
                                     listen,
                                     "--max-memory",
                                     plan::exact_size(memory_of(plan)),
                                     "--max-message",
                                     plan::exact_size(largest_payload(plan)),
                                     "--expect-senders",
                                     std::to_string(plan.senders.fleet.count),
                                     "--expect-receivers",
                                     std::to_string(plan.receivers.fleet.count),
                                     "--assemble-timeout",
                                     "0",
                                     "--drain-timeout",
                                     plan::exact_duration(plan::drain_timeout_ns(plan))};
  add_told(arguments, plan, plan::Told::queue);
  if (!plan.bus.traits().own_queue) arguments.emplace_back("--elsewhere");
  if (plan.bus.encrypts_queue()) arguments.emplace_back("--tls");
  if (plan.bus.encrypts_queue() && !plan.bus.makes_certificate())
    for (const auto& [key, option] :
         {std::pair(bus::kTlsCertificateKey, "--tls-certificate"), {bus::kTlsPrivateKey, "--tls-key"}})
      arguments.insert(arguments.end(), {option, plan.bus.setting(key)});
  if (!servers.empty()) add_servers(arguments, plan.bus, servers);
  if (!log_dir.empty()) arguments.insert(arguments.end(), {"--log-dir", log_dir});
  return arguments;
}

std::vector<std::string> server_arguments(const plan::RunPlan& plan, const std::vector<std::string>& servers,
                                          const std::string& apart, const std::string& log_dir) {
  std::vector<std::string> arguments{"--controlled", "--elsewhere"};
  add_servers(arguments, plan.bus, servers);
  arguments.insert(arguments.end(), {"--serve-apart", apart});
  if (!log_dir.empty()) arguments.insert(arguments.end(), {"--log-dir", log_dir});
  return arguments;
}

std::vector<std::string> sender_arguments(const plan::RunPlan& plan, const std::string& broker, const Share& share,
                                          const std::string& log_dir, const std::string& server) {
  const plan::SenderPlan& senders = plan.senders;
  auto arguments = fleet_arguments(plan, senders.fleet, plan.bus, broker, share, log_dir, server);
  add_told(arguments, plan, plan::Told::senders);
  if (senders.shape.exists()) arguments.insert(arguments.end(), {"--shape", shape_argument(senders.shape)});
  arguments.insert(arguments.end(),
                   {"--phase-of", std::to_string(senders.fleet.count), "--payload", payload_argument(senders.payload)});
  return arguments;
}

std::string sender_input(const plan::RunPlan& plan) {
  const auto& [shape, payload] = std::tie(plan.senders.shape, plan.senders.payload);
  std::string input;
  if (shape.kind == measure::LoadShape::Kind::recorded) input += measure::pack_times(*shape.recorded.content) + "\n";
  if (payload.kind == measure::Payload::Kind::file) input += *payload.file.content + "\n";
  return input;
}

std::vector<std::string> receiver_arguments(const plan::RunPlan& plan, const std::string& broker, const Share& share,
                                            const std::string& log_dir, const std::string& server) {
  auto arguments = fleet_arguments(plan, plan.receivers.fleet, bus_of(plan, share), broker, share, log_dir, server);
  add_told(arguments, plan, plan::Told::receivers);
  if (const auto away = plan.receivers.away_at_first())
    arguments.insert(arguments.end(), {"--away", control::to_text(*away)});
  return arguments;
}

std::vector<std::string> recorder_arguments(const plan::RunPlan& plan) {
  std::vector<std::string> arguments{"--controlled", "--period", plan::exact_duration(plan.recorder.period_ns)};
  if (plan.awake) arguments.emplace_back("--awake");
  return arguments;
}

}  // namespace n2nq::run
