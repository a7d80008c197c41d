#include "workers/control/commands.h"

#include <gmock/gmock.h>

namespace n2nq::control {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string why_not(std::string_view line) {
  const auto command = parse_command(line);
  return command ? "it was taken" : command.error().text;
}

TEST(Services, AreReadAsPeopleTypeThem) {
  EXPECT_EQ(to_text(*parse_services("1-5,9")), "1-5,9");
  EXPECT_EQ(to_text(*parse_services("9,4..5,1..3")), "1-5,9");
  EXPECT_EQ(to_text(*parse_services("")), "all");
  EXPECT_EQ(to_text(*parse_services("all")), "all");
  EXPECT_EQ(to_text(*parse_services("1..4294967295,7")), "1-4294967295");
  for (const char* text : {"0", "5-1", "x", "1,", ",", "1-", "-1", "1--2", "4294967296", "1 2"})
    EXPECT_FALSE(parse_services(text)) << text;
  std::string many = "1";
  for (int i = 3; i < 6000; i += 2) many += "," + std::to_string(i);
  EXPECT_TRUE(parse_services(many).error().text.contains("more than 1024 ranges"));
}

TEST(Services, ContainWhatTheySay) {
  const auto services = *parse_services("2-4,9");
  for (const uint32_t in : {2u, 3u, 4u, 9u}) EXPECT_TRUE(services.contains(in)) << in;
  for (const uint32_t out : {1u, 5u, 8u, 10u}) EXPECT_FALSE(services.contains(out)) << out;
  EXPECT_TRUE(ServiceSet{}.contains(77));
}

TEST(Commands, SurviveTheirLine) {
  const Command commands[] = {
      HelloCommand{"s3cret"},
      HelloCommand{.token = "s3cret", .bus_password = "pass word"},
      HelloCommand{.token = "s3cret", .bus_ca = "-----BEGIN CERTIFICATE-----\n"},
      PingCommand{18446744073709551615u},
      PingCommand{},
      StartCommand{},
      LookCommand{.path = true},
      LookCommand{.bandwidth = true},
      StopCommand{},
      SinkCommand{.id = 3, .word = "s3cret", .for_ns = 5, .listen = "fe80::1", .ports = "7400-7500"},
      SinkCommand{.id = 3, .word = "s3cret", .for_ns = 5},
      FillCommand{.id = 3, .to = "lab1:7400", .word = "s3cret", .for_ns = 5},
      PauseCommand{*parse_services("3")},
      ResumeCommand{},
      GoAwayCommand{*parse_services("2-4")},
      ComeCommand{},
      RequestCommand{.services = *parse_services("1-5,9"), .filter = "senders=self;size=10B..1KiB", .count = 7},
      RequestCommand{.count = kUntilFurtherNotice, .replace = true},
      RequestCommand{.filter = ""}};
  for (const auto& command : commands) {
    const auto back = parse_command(to_line(command));
    ASSERT_TRUE(back) << to_line(command) << " " << back.error().text;
    EXPECT_EQ(*back, command) << to_line(command);
  }
}

TEST(Commands, LookAsDocumented) {
  EXPECT_EQ(to_line(StartCommand{}), R"({"type":"start"})");
  EXPECT_EQ(to_line(PauseCommand{}), R"({"type":"pause","services":"all"})");
  EXPECT_EQ(to_line(RequestCommand{.count = kUntilFurtherNotice}),
            R"({"type":"request","services":"all","count":"unlimited","replace":false})");
}

TEST(Commands, NameTheFieldThatIsWrong) {
  EXPECT_THAT(why_not(R"({"type":"request","count":1,"services":"5-1"})"), HasSubstr("request: field \"services\""));
  EXPECT_THAT(why_not(R"({"type":"request","count":1,"services":5})"), HasSubstr("request: field \"services\""));
  EXPECT_THAT(why_not(R"({"type":"sink","id":1,"word":"x","for_ns":0})"), HasSubstr("sink: field \"for_ns\""));
  EXPECT_THAT(why_not(R"({"type":"sink","id":1,"word":"x","for_ns":1,"ports":"9-8"})"), HasSubstr("field \"ports\""));
  EXPECT_THAT(why_not(R"({"type":"fill","id":1,"word":"x","to":"a:1","for_ns":604800000000001})"),
              HasSubstr("fill: field \"for_ns\""));
  EXPECT_THAT(why_not(R"({"type":"request","filter":"colour=red"})"), HasSubstr("request: field \"filter\""));
  EXPECT_THAT(why_not(R"({"type":"request","count":-1})"), HasSubstr("request: field \"count\""));
  EXPECT_THAT(why_not(R"({"type":"request","count":1.5})"), HasSubstr("request: field \"count\""));
  EXPECT_THAT(why_not(R"({"type":"request","count":"many"})"), HasSubstr("request: field \"count\""));
  EXPECT_THAT(why_not(R"({"type":"request","count":1,"replace":1})"), HasSubstr("request: field \"replace\""));
  EXPECT_THAT(why_not(R"({"type":"request"})"), AllOf(HasSubstr("\"count\""), HasSubstr("\"filter\"")));
  EXPECT_THAT(why_not(R"({"type":"pause","services":"x"})"), HasSubstr("pause: field \"services\""));
  EXPECT_THAT(why_not(R"({"type":"dance"})"), AllOf(HasSubstr("dance"), HasSubstr("start, request")));
  EXPECT_THAT(why_not("{"), HasSubstr("not JSON"));
}

}  // namespace
}  // namespace n2nq::control
