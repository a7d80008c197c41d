// docs/buses.md is held against the table of the buses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

std::string setting_row(const Setting& setting, const std::string& buses) {
  const std::string initial = setting.initial.empty() ? "empty" : "`" + std::string(setting.initial) + "`";
  return "|" + cell("`bus." + std::string(setting.key) + "`") + buses + cell(setting.form) + cell(initial) +
         cell(setting.help);
}

std::string buses_with(const Setting& setting) {
  std::string names;
  for (const BusTraits& bus : all_buses())
    if (find_setting(bus, setting.key) != nullptr) names += (names.empty() ? "" : ", ") + std::string(bus.kind);
  return names;
}

// What several buses have stands once.
TEST(BusesPage, SaysWhatTheTableSays) {
  const auto rows = rows_of_page();
  std::vector<std::string> shared{"| setting | buses | what may be given | initial | what it does |"};
  for (const Setting* setting : all_settings())
    if (buses_with(*setting).contains(',')) shared.push_back(setting_row(*setting, cell(buses_with(*setting))));
  EXPECT_EQ(rows.at("Settings of several buses"), shared);
  std::vector<std::string> traits{
      "| bus | modes | request-reply | answered for | between sender and receiver | kept in |"};
  for (const BusTraits& bus : all_buses()) {
    traits.push_back(traits_row(bus));
    std::vector<std::string> settings;
    for (const Setting& setting : bus.settings)
      if (buses_with(setting) == bus.kind) settings.push_back(setting_row(setting, ""));
    if (!settings.empty())
      settings.insert(settings.begin(), "| setting | what may be given | initial | what it does |");
    const auto found = rows.find(std::string(bus.kind));
    EXPECT_EQ(found == rows.end() ? std::vector<std::string>() : found->second, settings) << bus.kind;
  }
  EXPECT_EQ(rows.at(""), traits);
}

TEST(BusesPage, SaysWhatProfilesChoose) {
  std::vector<std::string> expected{"| setting | as-shipped | latency | throughput |"};
  for (const Setting* setting : all_settings()) {
    if (!setting->by_profile()) continue;
    std::string row = "|" + cell("`bus." + std::string(setting->key) + "`");
    for (const char* profile : {"as-shipped", "latency", "throughput"})
      row += cell("`" + value_of(*setting, {{"profile", profile}}) + "`");
    expected.push_back(row);
  }
  EXPECT_EQ(rows_of_page().at("Profiles"), expected);
}

TEST(Profiles, ChooseOnlyWhatIsNotGivenAndIsAValue) {
  for (const BusTraits& bus : all_buses()) {
    const Setting* profile = find_setting(bus, kProfileKey);
    EXPECT_EQ(profile != nullptr, std::ranges::any_of(bus.settings, &Setting::by_profile)) << bus.kind;
    for (const Setting& setting : bus.settings) {
      EXPECT_FALSE(setting.by_profile() && setting.of_server) << setting.key << ": refused at a server of the user's";
      const std::string key(setting.key);
      EXPECT_EQ(value_of(bus, {}, key), setting.initial);
      if (profile == nullptr) continue;
      for (const std::string_view word : profile->words) {
        const std::map<std::string, std::string> given{{"profile", std::string(word)}};
        EXPECT_TRUE(check_settings(bus, given));
        if (&setting == profile) continue;
        const std::string value = value_of(bus, given, key);
        EXPECT_TRUE(check_setting(setting, value)) << key << " in " << word;
        const auto all = all_values(bus, given);
        EXPECT_EQ(all.contains(key), !setting.of_bench) << "in results";
        if (all.contains(key)) {
          EXPECT_EQ(all.at(key), value);
        }
        if (!setting.by_profile() || word == "as-shipped") {
          EXPECT_EQ(value, setting.initial) << key << " in " << word;
        }
        auto both = given;
        both[key] = "7";
        EXPECT_EQ(value_of(bus, both, key), "7") << key << " in " << word;
      }
    }
  }
  const BusTraits& streams = *find_bus("redis-streams");
  EXPECT_EQ(value_of(streams, {{"profile", "throughput"}}, "window"), "10000");
  EXPECT_EQ(value_of(streams, {{"profile", "throughput"}}, "fetch"), "1000");
  EXPECT_EQ(value_of(streams, {{"profile", "latency"}}, "window"), "100");
}

}  // namespace
}  // namespace n2nq::bus
