#include "app/run/request_commands.h"

#include <gmock/gmock.h>

#include <map>

namespace n2nq::run {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

plan::ReceiverFilter rule(const std::string& receivers, const std::string& filter) {
  return {.receivers = *control::parse_services(receivers), .filter = filter};
}

std::vector<std::string> texts(const std::vector<control::RequestCommand>& commands) {
  std::vector<std::string> all;
  for (const auto& command : commands) all.push_back(control::to_text(command.services) + ":" + *command.filter);
  return all;
}

// What each receiver asks for by commands that a worker takes, and that name each at most once.
std::map<uint32_t, std::string> asked(const std::vector<control::RequestCommand>& commands) {
  std::map<uint32_t, std::string> asked;
  for (const control::RequestCommand& command : commands) {
    const std::string line = control::to_line(command);
    EXPECT_LT(line.size(), 65'536u);
    const auto taken = control::parse_command(line);
    if (!taken) {
      ADD_FAILURE() << taken.error().text;
      continue;
    }
    EXPECT_EQ(std::get<control::RequestCommand>(*taken), command);
    for (const auto& [first, last] : command.services.ranges)
      for (uint32_t number = first; number <= last; number++)
        EXPECT_TRUE(asked.emplace(number, *command.filter).second) << number << " is named twice";
  }
  return asked;
}

TEST(RequestCommands, WhoHasNoFilterWantsEverything) {
  EXPECT_THAT(texts(request_commands({}, {.first = 1, .count = 4})), ElementsAre("1-4:"));
  EXPECT_THAT(texts(request_commands({rule("2,4-5", "senders=self")}, {.first = 1, .count = 6})),
              ElementsAre("1,3,6:", "2,4-5:senders=self"));
  EXPECT_THAT(texts(request_commands({rule("all", "senders=2")}, {.first = 1, .count = 6})),
              ElementsAre("1-6:senders=2"));
}

TEST(RequestCommands, AProcessIsToldOfItsOwnReceiversOnly) {
  const std::vector filters{rule("1-3", "senders=1"), rule("5-9", "senders=2"), rule("20", "senders=3")};
  EXPECT_THAT(texts(request_commands(filters, {.first = 3, .count = 4})),
              ElementsAre("4:", "3:senders=1", "5-6:senders=2"));
  EXPECT_THAT(texts(request_commands(filters, {.first = 10, .count = 1})), ElementsAre("10:"));
}

TEST(RequestCommands, AreSplitWhereAWorkerWouldRefuseThem) {
  plan::ReceiverFilter odd{.filter = "senders=1"};
  for (uint32_t number = 1; number <= 9999; number += 2) odd.receivers.ranges.push_back({number, number});
  const auto commands = request_commands({odd}, {.first = 1, .count = 10'000});
  EXPECT_THAT(commands, SizeIs(10));
  const auto all = asked(commands);
  ASSERT_THAT(all, SizeIs(10'000));
  for (const auto& [number, filter] : all) EXPECT_EQ(filter, number % 2 == 1 ? "senders=1" : "") << number;
}

TEST(RequestCommands, ALongFilterLeavesRoomForFewerReceivers) {
  plan::ReceiverFilter odd{.filter = "senders=1"};
  while (odd.filter.size() < 55'000) odd.filter += ",1000000000..2000000000";
  for (uint32_t number = 4'000'000'000; number < 4'000'002'000; number += 2)
    odd.receivers.ranges.push_back({number, number});
  const auto all = asked(request_commands({odd}, {.first = 4'000'000'000, .count = 2000}));
  EXPECT_THAT(all, SizeIs(2000));
}

}  // namespace
}  // namespace n2nq::run
