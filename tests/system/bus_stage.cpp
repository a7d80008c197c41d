#include "tests/system/bus_stage.h"

#include <ostream>

#include "tests/helpers/bus_servers.h"

namespace n2nq::test {

bool BusWay::can(const std::string& mode) const {
  if (mode == "broadcaster") return bus->broadcaster;
  if (mode == "load-balancer") return bus->load_balancer;
  return bus->request_reply;
}

std::string BusWay::plain_mode() const {
  return bus->load_balancer ? "load-balancer" : "broadcaster";
}

BusWay BusWay::with(std::string_view key, const std::string& value) const {
  BusWay other = *this;
  if (has(key)) other.settings += (settings.empty() ? "" : ";") + std::string(key) + "=" + value;
  return other;
}

namespace {

std::vector<BusWay> bus_ways(bool left_out) {
  constexpr std::string_view kLeftOut = "," N2NQ_BUSES_LEFT_OUT ",";
  std::vector<BusWay> ways;
  for (const bus::BusTraits& bus : bus::all_buses())
    if (kLeftOut.contains("," + std::string(bus.kind) + ",") == left_out)
      ways.push_back({.name = std::string(bus.kind), .bus = &bus});
  return ways;
}

}  // namespace

std::vector<BusWay> plain_bus_ways() {
  return bus_ways(/*left_out=*/false);
}

std::vector<BusWay> left_out_bus_ways() {
  return bus_ways(/*left_out=*/true);
}

std::vector<BusWay> all_bus_ways() {
  std::vector<BusWay> ways;
  for (const BusWay& plain : plain_bus_ways()) {
    for (const bool fresh : {false, true}) {
      for (const bool tls : {false, true}) {
        if ((fresh && !plain.has("connection")) || (tls && !plain.has("tls_certificate"))) continue;
        BusWay way = plain;
        if (fresh) way = way.with("connection", "fresh");
        if (tls) way = way.with("tls", "true");
        way.name += std::string(fresh ? "_fresh" : "") + (tls ? "_tls" : "");
        ways.push_back(std::move(way));
      }
    }
  }
  return ways;
}

Process& BusStage::start_broker(const std::string& mode, Options options) {
  options.insert(options.begin(), {"--mode", mode, "--max-message", "16MiB"});
  if (!way_.bus->own_queue) options.push_back("--elsewhere");
  const bool encrypted = way_.bus->own_queue && way_.settings.contains("tls=true");
  if (encrypted) options.push_back("--tls");
  Process& broker = stage_.start_broker(std::move(options));
  if (encrypted) certificate_ = parse_line(broker.out().substr(0, broker.out().find('\n')))->at("certificate");
  return broker;
}

Options BusStage::with_bus(Options options) const {
  if (!way_.bus->own_queue) options.insert(options.end(), {"--bus", std::string(way_.bus->kind)});
  BusWay way = !way_.bus->server.empty() ? way_.with("address", shared_server(way_.bus->server).address()) : way_;
  // As plans have it where a test has nothing to say of it: it is waited only for what does not come.
  if (way.bus->quiet_ns > 0 && !way.settings.contains("quiet="))
    way = way.with("quiet", std::to_string(way.bus->quiet_ns / 1'000'000) + "ms");
  if (!way.settings.empty()) options.insert(options.end(), {"--bus-set", way.settings});
  if (!certificate_.empty()) options.insert(options.end(), {"--broker-certificate", certificate_});
  return options;
}

Process& BusStage::start(Fleet fleet) {
  fleet.options = with_bus(std::move(fleet.options));
  return stage_.start(fleet);
}

RunEnded BusStage::run(const std::string& mode, const Fleet& receiving, const Fleet& sending, Options broker) {
  start_broker(mode, std::move(broker));
  start(receiving);
  start(sending);
  return finish();
}

std::ostream& operator<<(std::ostream& out, const BusWay& way) {
  return out << way.name;
}

}  // namespace n2nq::test
