// A stage for a run over any bus of the table: the same three programs, with the options that each bus needs.
#pragma once

#include <string>
#include <vector>

#include "tests/helpers/run.h"
#include "workers/bus/bus_table.h"

namespace n2nq::test {

// A bus with one choice of its settings.
struct BusWay {
  std::string name;  // for the names of tests
  const bus::BusTraits* bus = nullptr;
  std::string settings{};  // as --bus-set takes them

  bool direct() const { return bus->meets_directly; }
  bool has(std::string_view key) const { return bus::find_setting(*bus, key) != nullptr; }
  bool can(const std::string& mode) const;
  std::string plain_mode() const;  // one that it has
  // With this setting, too, if the bus has it.
  BusWay with(std::string_view key, const std::string& value) const;
};

// Of what the workers were built with. Each bus as it is, and with TLS and fresh connections where it has them.
std::vector<BusWay> all_bus_ways();
// Each bus as it is.
std::vector<BusWay> plain_bus_ways();
// What they were built without.
std::vector<BusWay> left_out_bus_ways();

class BusStage {
 public:
  explicit BusStage(BusWay way) : way_(std::move(way)) {}

  const BusWay& way() const { return way_; }
  Stage& stage() { return stage_; }
  Process& start_broker(const std::string& mode, Options options = {});
  Process& start(Fleet fleet);
  // A worker's options, with those that the bus needs.
  Options with_bus(Options options) const;
  RunEnded finish(Deadline deadline = 30s) { return stage_.finish(deadline); }
  // A whole run in which nothing goes wrong.
  RunEnded run(const std::string& mode, const Fleet& receiving, const Fleet& sending, Options broker = {});

 private:
  BusWay way_;
  Stage stage_;
  std::string certificate_;  // of our own queue, made for the run; empty: none
};

std::ostream& operator<<(std::ostream& out, const BusWay& way);

}  // namespace n2nq::test
