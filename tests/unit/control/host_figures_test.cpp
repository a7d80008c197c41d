// The lines of a recorder, there and back.
#include <gmock/gmock.h>

#include <set>

#include "workers/control/commands.h"
#include "workers/control/line_writer.h"
#include "workers/control/messages.h"

namespace n2nq::control {
namespace {

Recorded example() {
  Recorded recorded{.sequence = 3, .time_ns = 77, .merged = 1};
  for (size_t i = 0; i < kHostColumns.size(); i++)
    recorded.host[i] = kHostColumns[i].on_line ? static_cast<int64_t>(i) + 1 : kNoFigure;
  recorded.host[at(kHostColumns, "disk_read")] = kNoFigure;
  recorded.processes = {{.name = "queue", .values = HostValues(kProcessColumns.size(), 5)}};
  recorded.connections = {{.name = "workers", .values = HostValues(kConnectionColumns.size(), 9)}};
  recorded.lacking = {{.of = RecordedOf::host, .series = {"disk_read"}, .why = "no disk"},
                      {.of = RecordedOf::process, .subject = "queue", .series = {"descriptors"}, .why = "hidden"}};
  return recorded;
}

TEST(RecordLine, IsReadAsItWasWritten) {
  const auto read = parse_message(to_line(example()));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(std::get<Recorded>(*read), example());
}

TEST(RecordLine, HasNothingThatTheBenchKnowsOfTheWorkers) {
  Recorded recorded = example();
  recorded.host[at(kHostColumns, "network_round_trip")] = 5;
  EXPECT_EQ(to_line(recorded), to_line(example()));
}

TEST(RecordLine, TheSummaryIsToo) {
  const RecorderSummary summary{.outcome = {.cpu_ns = 5, .peak_rss_bytes = 6, .verdict = "complete", .reason = "told"},
                                .readings = 7};
  const auto read = parse_message(to_line(summary));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(std::get<RecorderSummary>(*read), summary);
}

TEST(RecordLine, WatchAndSampleAreReadAsTheyWereWritten) {
  const Command watch =
      WatchCommand{.processes = {{.name = "queue", .pid = 12, .program = "n2nq-broker"}}, .port = 7400};
  EXPECT_EQ(parse_command(to_line(watch)).value(), watch);
  EXPECT_EQ(parse_command(to_line(Command(SampleCommand{}))).value(), Command(SampleCommand{}));
}

TEST(RecordLine, ALineThatCannotBeIsRefusedByItsField) {
  const auto refused = [](const std::string& line) {
    const auto read = parse_message(line);
    return read ? std::string("taken") : read.error().text;
  };
  const std::string head = R"({"type":"record","sequence":1,"time_ns":1,)";
  EXPECT_THAT(refused(head + R"("host":7})"), testing::HasSubstr("host"));
  EXPECT_THAT(refused(head + R"("host":{"cpu_user_ns":-1}})"), testing::HasSubstr("cpu_user_ns"));
  EXPECT_THAT(refused(head + R"("host":{"cpu_user_ns":"x"}})"), testing::HasSubstr("cpu_user_ns"));
  EXPECT_THAT(refused(head + R"("host":{},"processes":{}})"), testing::HasSubstr("processes"));
  EXPECT_THAT(refused(head + R"("host":{},"connections":[7]})"), testing::HasSubstr("connections"));
  EXPECT_THAT(refused(head + R"("host":{},"lacking":[{"of":"moon","series":[]}]})"), testing::HasSubstr("of"));
  EXPECT_EQ(refused(head + R"("host":{},"new":1})"), "taken");
}

TEST(RecordLine, EveryColumnHasItsOwnNameAndSaysWhatItIs) {
  for (const RecordedOf of : {RecordedOf::host, RecordedOf::process, RecordedOf::connections}) {
    std::set<std::string_view> names, fields;
    for (const HostColumn& column : columns_of(of)) {
      EXPECT_TRUE(names.insert(column.name).second) << column.name;
      EXPECT_TRUE(fields.insert(column.field).second) << column.field;
      EXPECT_FALSE(column.help.empty() || column.unit.empty()) << column.name;
      EXPECT_EQ(column.counter, !column.total.empty()) << column.name;
    }
  }
}

}  // namespace
}  // namespace n2nq::control
