// docs/buses.md and the pages in docs/buses are held against the table of the buses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "workers/bus/bus_table.h"

namespace n2nq::bus {
namespace {

namespace fs = std::filesystem;

using Rows = std::map<std::string, std::vector<std::string>>;

// The rows of tables, by the heading above them; of a heading without a table, none.
Rows rows_of(const fs::path& file) {
  std::ifstream page(file);
  Rows rows;
  std::string heading;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) {
      heading = line.substr(3);
      EXPECT_TRUE(rows.try_emplace(heading).second) << file << " has it twice: " << heading;
    }
    if (line.starts_with("| ")) rows[heading].push_back(line);
  }
  return rows;
}

Rows rows_of_page() {
  return rows_of(N2NQ_SOURCE_DIR "/docs/buses.md");
}

// By their names.
std::map<std::string, Rows> pages_of_buses() {
  std::map<std::string, Rows> pages;
  for (const auto& entry : fs::directory_iterator(N2NQ_SOURCE_DIR "/docs/buses"))
    pages[entry.path().filename().string()] = rows_of(entry.path());
  return pages;
}

// Pages with the heading of that bus: there is to be one.
std::vector<std::string> pages_with(const std::map<std::string, Rows>& pages, const BusTraits& bus) {
  std::vector<std::string> names;
  for (const auto& [name, rows] : pages)
    if (rows.contains(std::string(bus.kind))) names.push_back(name);
  return names;
}

std::string cell(std::string_view text) {
  return " " + std::string(text) + " |";
}

std::string traits_row(const BusTraits& bus) {
  const std::string modes =
      bus.broadcaster ? bus.load_balancer ? "broadcaster, load balancer" : "broadcaster" : "load balancer";
  return "|" + cell(bus.kind) + cell(modes) +
         cell(!bus.request_reply   ? "none"
              : !bus.load_balancer ? "from first or all"
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
  const auto pages = pages_of_buses();
  for (const BusTraits& bus : all_buses()) {
    traits.push_back(traits_row(bus));
    std::vector<std::string> settings;
    for (const Setting& setting : bus.settings)
      if (buses_with(setting) == bus.kind) settings.push_back(setting_row(setting, ""));
    if (!settings.empty())
      settings.insert(settings.begin(), "| setting | what may be given | initial | what it does |");
    const auto names = pages_with(pages, bus);
    ASSERT_EQ(names.size(), 1u) << bus.kind;
    EXPECT_EQ(pages.at(names.front()).at(std::string(bus.kind)), settings) << bus.kind;
    EXPECT_FALSE(rows.contains(std::string(bus.kind))) << "it has a page";
  }
  EXPECT_EQ(rows.at(""), traits);
}

// Each bus, in the order of the table, with a link to its heading; and no page has anything else.
TEST(BusesPage, LinksToThePageOfEachBus) {
  const auto pages = pages_of_buses();
  const auto links = rows_of_page().at("Pages of the buses");
  ASSERT_EQ(links.size(), all_buses().size() + 1) << "the rows of the buses below the head";
  size_t row = 1;
  for (const BusTraits& bus : all_buses()) {
    const auto names = pages_with(pages, bus);
    ASSERT_EQ(names.size(), 1u) << bus.kind;
    const std::string kind(bus.kind);
    const std::string link = "[" + kind + "](buses/" + names.front() + "#" + kind + ")";
    EXPECT_THAT(links[row++], testing::StartsWith("|" + cell(link)));
  }
  for (const auto& [name, rows] : pages)
    for (const auto& [heading, tables] : rows) EXPECT_NE(find_bus(heading), nullptr) << name << ": " << heading;
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
