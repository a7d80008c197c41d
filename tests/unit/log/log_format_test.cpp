#include "workers/log/log_format.h"

#include <gtest/gtest.h>

#include <clocale>
#include <vector>

namespace n2nq::log {
namespace {

std::string content(std::string_view payload) {
  std::string out;
  append_content(out, {reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
  return out;
}

std::string fields(LogRole role, const LogRecord& record) {
  std::string out;
  append_fields(out, role, record);
  return out;
}

TEST(LogFormat, WritesOneLineAMessage) {
  const LogRecord record{.sender = 51,
                         .index = 18446744073709551615u,
                         .payload_bytes = 50,
                         .intended_ns = 1'000'000'000'000,
                         .sent_ns = 1'000'000'000'005,
                         .received_ns = 1'000'000'170'005,
                         .latency_ns = -170'000};
  EXPECT_EQ(fields(LogRole::receiver, record),
            "18446744073709551615\t51\t50\t1000000000000\t1000000000005\t1000000170005\t-170000\t-\t");
  EXPECT_EQ(fields(LogRole::sender, record), "18446744073709551615\t51\t50\t1000000000000\t1000000000005\t-\t");
}

TEST(LogFormat, WritesADashForWhatIsAbsent) {
  EXPECT_EQ(fields(LogRole::receiver, {.sender = 1, .index = 2}), "2\t1\t0\t-\t-\t-\t-\t-\t");
}

TEST(LogFormat, NamesItsFlags) {
  EXPECT_EQ(fields(LogRole::sender, {.flags = kLogAgain | kLogDuplicate | kLogCorrupt | kLogReordered}),
            "0\t0\t0\t-\t-\tagain,duplicate,corrupt,reordered\t");
  EXPECT_EQ(fields(LogRole::sender, {.flags = kLogCut}), "0\t0\t0\t-\t-\tcut\t");
}

TEST(LogFormat, KeepsALineALineWhateverItsContent) {
  EXPECT_EQ(content("Letters and blanks ~!"), "Letters and blanks ~!");
  EXPECT_EQ(content("a\tb\nc\\d"), "a\\x09b\\x0ac\\x5cd");
  EXPECT_EQ(content(std::string("\0\x7f\xff", 3)), "\\x00\\x7f\\xff");
  EXPECT_EQ(content(""), "");
}

TEST(LogFormat, SaysLengthAndChecksumOfALongContent) {
  const std::vector<uint8_t> whole(kWholeContent, 'a'), longer(kWholeContent + 1, 'a');
  EXPECT_EQ(logged_part(whole).size(), whole.size());
  EXPECT_EQ(logged_part(longer).size(), kContentHead);
  std::string out;
  append_rest(out, {.payload_bytes = 5000, .checksum = 0x0badf00d});
  EXPECT_EQ(out, "\\...5000 B crc32c=0badf00d");
}

TEST(LogFormat, SaysWhatTheFileIsAbout) {
  const LogRun run{.run_id = "00ff",
                   .origin_monotonic_ns = 123,
                   .origin_utc_ns = 1'700'000'000'000'000'001,
                   .clock_note = "offset 5 ns\nforged line"};
  std::string out;
  append_header(
      out, {.program = "n2nq-receiver", .version = "0.1.0", .service = "receiver-7", .role = LogRole::receiver}, &run);
  for (const char* part : {"# program: n2nq-receiver 0.1.0\n", "# service: receiver-7\n", "# role: receiver\n",
                           "# run: 00ff\n", "# units: ", "# clock: offset 5 ns forged line\n",
                           "# origin_monotonic_ns=123 origin_utc=2023-11-14T22:13:20.000000001Z\n"})
    EXPECT_NE(out.find(part), std::string::npos) << part << " in\n" << out;
  for (size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) EXPECT_EQ(out.substr(at, 2), "# ");
}

TEST(LogFormat, SaysThatTheRunNeverBegan) {
  std::string out;
  append_header(out, {.program = "p", .version = "v", .service = "s"}, nullptr);
  EXPECT_NE(out.find("# origin_monotonic_ns=- origin_utc=-\n"), std::string::npos);
}

TEST(LogFormat, EndsWithTheTotals) {
  std::string out;
  append_end(out, "received=50 lost=0", 50, 0);
  EXPECT_EQ(out, "# end received=50 lost=0 lines=50 lines_not_written=0\n");
}

TEST(LogFormat, DoesNotFollowTheLocale) {
  const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(fields(LogRole::sender, {.index = 1'234'567}), "1234567\t0\t0\t-\t-\t-\t") << (set ? set : "C");
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace n2nq::log
