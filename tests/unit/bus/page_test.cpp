// docs/buses.md is held against the table of the buses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "workers/bus/bus_table.h"

namespace n2nq::bus {
namespace {

// The rows of tables, by the heading above them.
std::map<std::string, std::vector<std::string>> rows_of_page() {
  std::ifstream page(N2NQ_SOURCE_DIR "/docs/buses.md");
  std::map<std::string, std::vector<std::string>> rows;
  std::string heading;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (line.starts_with("| ")) rows[heading].push_back(line);
  }
  return rows;
}

std::string cell(std::string_view text) {
  return " " + std::string(text) + " |";
}

std::string traits_row(const BusTraits& bus) {
  const std::string modes =
      bus.broadcaster ? bus.load_balancer ? "broadcaster, load balancer" : "broadcaster" : "load balancer";
  return "|" + cell(bus.kind) + cell(modes) +
         cell(!bus.request_reply   ? "none"
              : bus.reply_from_all ? "from one, first or all"
                                   : "from one") +
         cell(bus.answers ? "yes" : "no") +
         cell(bus.meets_directly ? "nothing"
              : bus.own_queue    ? "the broker"
                                 : "a server") +
         cell(bus.kept);
}

std::string setting_row(const Setting& setting) {
  const std::string initial = setting.initial.empty() ? "empty" : "`" + std::string(setting.initial) + "`";
  return "|" + cell("`bus." + std::string(setting.key) + "`") + cell(setting.form) + cell(initial) + cell(setting.help);
}

TEST(BusesPage, SaysWhatTheTableSays) {
  const auto rows = rows_of_page();
  std::vector<std::string> traits{"| bus | modes | requests | answered for | between sender and receiver | kept in |"};
  for (const BusTraits& bus : all_buses()) {
    traits.push_back(traits_row(bus));
    std::vector<std::string> settings;
    if (!bus.settings.empty()) settings.push_back("| setting | what may be given | initial | what it does |");
    for (const Setting& setting : bus.settings) settings.push_back(setting_row(setting));
    const auto found = rows.find(std::string(bus.kind));
    EXPECT_EQ(found == rows.end() ? std::vector<std::string>() : found->second, settings) << bus.kind;
  }
  EXPECT_EQ(rows.at(""), traits);
}

}  // namespace
}  // namespace n2nq::bus
