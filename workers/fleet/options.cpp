#include "workers/fleet/options.h"

#include "broker/base/units.h"
#include "broker/control/token.h"
#include "broker/net/resolve.h"
#include "workers/bus/bus_table.h"

namespace n2nq::fleet {
namespace {

constexpr uint32_t kMaxServices = 1'000'000;
constexpr uint32_t kMaxNumber = 4'000'000'000;

void add_joining(process::CommandLine& line, WorkerOptions& options, const std::string& noun) {
  line.heading("Joining");
  line.option("--broker", "HOST:PORT", "", "Where the broker listens (required)",
              [&](const std::string& given) -> Result<void> {
                options.broker = given;
                return net::check_endpoint(given);
              });
  line.option(
      "--broker-certificate", "HEX", "",
      "Connections to the broker are encrypted, and its certificate has this fingerprint, as its first line says. On "
      "our own bus with --bus-set tls=true, which alone wants one that an authority has signed",
      [&](const std::string& given) -> Result<void> {
        options.broker_certificate = given;
        return control::check_fingerprint(given);
      });
  line.whole("--count", options.count, 1, kMaxServices, "How many " + noun + "s this process is");
  line.whole("--first", options.first, 1, kMaxNumber,
             "The number of the first one; unique in the run, so a second fleet takes the next free one");
  line.duration("--connect-timeout", options.connect_timeout_ns,
                "How long to try to join, from the start of the program; 0 = for ever");
  line.text("--token-file", options.token_file, "FILE", "The run token, as the broker has it");
  line.option("--source-ports", "FIRST-LAST", "",
              "Local ports that connections with messages leave from: on our own bus one a " + noun +
                  ", in order; on another the next that is free",
              [&](const std::string& given) -> Result<void> {
                auto ports = parse_ports(given);
                if (!ports) return std::unexpected(ports.error());
                options.source_ports = *ports;
                return {};
              });
  line.whole("--loops", options.loops, 1, 64, "Event loops (threads) to spread the " + noun + "s over");
}

void add_bus(process::CommandLine& line, WorkerOptions& options, const std::string& noun) {
  line.heading("The bus");
  line.option("--bus", "KIND", options.bus.kind,
              "What the messages travel over: " + bus::bus_names() + "; all but n2nq need a broker with --elsewhere",
              [&](const std::string& given) -> Result<void> {
                options.bus.kind = given;
                if (bus::find_bus(given) == nullptr)
                  return fail("there is no bus '" + given + "'; " + bus::bus_names());
                return {};
              });
  line.settings("--bus-set", options.bus.settings, "Settings of that bus (docs/buses.md, docs/buses/)");
  line.flag("--bus-own-server", options.bus.own_server,
            "The server of the bus was started by the broker (--serve), and wants the token of the run");
  if (noun == "receiver")
    line.text("--bus-listen", options.bus.listen, "HOST[:PORT]",
              "Where senders reach the receivers of this process, on a bus without a server; else where they reach the "
              "broker from");
}

void add_sockets(process::CommandLine& line, net::SocketWishes& wishes) {
  line.heading("Connections that carry messages");
  line.text("--tcp-congestion", wishes.congestion, "NAME",
            "Congestion control, as the kernel calls it; else the host's own");
  line.flag(
      "--tcp-nagle", wishes.nagle,
      "Without TCP_NODELAY: small pieces wait until those before are acknowledged (Kafka has its setting no_delay)");
  for (const auto& [name, bytes, what] :
       {std::tuple("--tcp-send-buffer", &wishes.send_buffer_bytes, "Send buffer (SO_SNDBUF); else the kernel decides"),
        {"--tcp-receive-buffer", &wishes.receive_buffer_bytes, "Receive buffer (SO_RCVBUF); the same"}})
    line.option(name, "SIZE", "", what, [bytes](const std::string& given) -> Result<void> {
      auto size = parse_size(given);
      if (!size) return std::unexpected(size.error());
      *bytes = *size;
      return {};
    });
}

void add_records(process::CommandLine& line, WorkerOptions& options, const std::string& noun) {
  line.heading("Figures and files");
  line.text("--log-dir", options.log_dir, "FOLDER",
            "Where each service writes its own log, " + noun + "-1.log and so on; without it none does");
  line.choice("--log", options.log,
              {{"full", log::LogLevel::full}, {"summary", log::LogLevel::summary}, {"off", log::LogLevel::off}},
              "What goes in: every message, or head and end only");
  line.duration("--warmup", options.warmup_ns, "Messages due within this time after BEGIN are reported apart");
  line.text("--hlog", options.hlog, "FILE", "Write the histograms of each second as an HdrHistogram log");
}

void add_control(process::CommandLine& line, WorkerOptions& options) {
  line.heading("Control");
  line.flag("--controlled", options.controlled, "Take commands on stdin (see docs/control.md); begin when told to");
  line.option("--control", "HOST:PORT", "", "Take commands over TCP; needs --token-file",
              [&](const std::string& given) -> Result<void> {
                options.control = given;
                return net::check_endpoint(given);
              });
  line.choice("--on-control-lost", options.on_control_lost,
              {{"stop", WorkerOptions::OnControlLost::stop}, {"finish", WorkerOptions::OnControlLost::finish}},
              "What to do when stdin ends or no ping comes for 10 s");
  line.duration("--control-timeout", options.control_timeout_ns,
                "How long pings may be missing, and how long to run on after stdin ends; 0 = 10s, and not at all");
  line.flag("--keep-summary", options.keep_summary,
            "Leave the summary in --log-dir too, for whoever reaches this computer later");
  line.option("--telemetry", "DURATION|off", "off; 100ms if controlled", "How often to report live figures",
              [&](const std::string& given) -> Result<void> {
                options.telemetry_given = true;
                if (given == "off") {
                  options.telemetry_ns = 0;
                  return {};
                }
                const auto ns = parse_duration(given);
                if (!ns || *ns < 10'000'000 || *ns > 60'000'000'000)
                  return fail("'" + given + "' is out of range; write 'off' or a duration from 10ms to 1min");
                options.telemetry_ns = *ns;
                return {};
              });
}

void add_hidden(process::CommandLine& line, WorkerOptions& options) {
  line.hidden();
  // May be negative, which a duration by itself cannot be.
  line.option("--clock-skew", "DURATION", "", "For tests: use a clock that is ahead by this",
              [&](const std::string& given) -> Result<void> {
                const bool behind = given.starts_with('-');
                const auto ns = parse_duration(behind ? given.substr(1) : given);
                if (!ns) return std::unexpected(ns.error());
                options.clock_skew_ns = behind ? -*ns : *ns;
                return {};
              });
  line.option("--clock-drift", "PPM", "", "For tests: use a clock that gains this many millionths",
              [&](const std::string& given) -> Result<void> {
                const bool slow = given.starts_with('-');
                const auto ppm = parse_whole(slow ? given.substr(1) : given);
                if (!ppm || *ppm > 1000) return fail("'" + given + "' is out of range; write -1000 to 1000");
                options.clock_drift_ppm = static_cast<int64_t>(*ppm) * (slow ? -1 : 1);
                return {};
              });
}

// Of our own bus; other buses know by themselves what goes together.
Result<void> check_tls(const WorkerOptions& options) {
  const bus::BusTraits& bus = *bus::find_bus(options.bus.kind);
  if (!bus.own_queue) return {};
  const auto& settings = options.bus.settings;
  const bool encrypts = bus::value_of(bus, settings, bus::kTlsKey) == "true";
  const bool authority = !bus::value_of(bus, settings, bus::kTlsCaKey).empty();
  if (!encrypts && !options.broker_certificate.empty())
    return fail("--broker-certificate is for encrypted connections; give --bus-set tls=true too");
  if (!encrypts && authority) return fail("--bus-set: tls_ca is for encrypted connections; give tls=true too");
  if (authority && !options.broker_certificate.empty())
    return fail("--broker-certificate and tls_ca exclude each other: a certificate is known by one of them");
  return {};
}

}  // namespace

void add_options(process::CommandLine& line, WorkerOptions& options, const std::string& noun) {
  add_joining(line, options, noun);
  add_bus(line, options, noun);
  add_sockets(line, options.bus.sockets);
  add_records(line, options, noun);
  add_control(line, options);
  process::add_limit_options(line, options.limits);
  add_hidden(line, options);
}

Result<void> check(const WorkerOptions& options) {
  if (options.broker.empty()) return fail("--broker is missing; write it like --broker 127.0.0.1:7400");
  if (uint64_t{options.first} + options.count - 1 > UINT32_MAX)
    return fail("--first and --count: the numbers would run beyond 4294967295");
  if (auto good = check_tls(options); !good) return good;
  if (!options.source_ports.any() && options.source_ports.size() < options.count)
    return fail("--source-ports: the range holds fewer ports than --count " + std::to_string(options.count));
  if (auto good = bus::check_settings(*bus::find_bus(options.bus.kind), options.bus.settings); !good)
    return fail("--bus-set: " + good.error().text);
  if (!options.control.empty() && options.token_file.empty())
    return fail("--control needs --token-file: whoever attaches must present the run token");
  if (options.keep_summary && options.log_dir.empty()) return fail("--keep-summary needs --log-dir, where it is left");
  if (!options.control.empty() && options.controlled)
    return fail("--control and --controlled: commands come either over TCP or on stdin; use only one");
  return {};
}

}  // namespace n2nq::fleet
