// The harness itself, without the product: children, deadlines, strays and the parsers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>

#include <fstream>
#include <thread>

#include "tests/helpers/foreign_client.h"
#include "tests/helpers/log_file.h"
#include "tests/helpers/process.h"
#include "tests/helpers/summary.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Process, GivesLinesAndExitCode) {
  Process child({"/bin/sh", "-c", "echo one; echo two; echo wrong >&2; exit 7"});
  EXPECT_EQ(child.wait_line([](const auto& line) { return line == "two"; }, 10s), "two");
  EXPECT_EQ(child.wait_exit(10s), Exit{.code = 7});
  EXPECT_THAT(child.out_lines(), ElementsAre("one", "two"));
  EXPECT_EQ(child.err(), "wrong\n");
}

TEST(Process, TakesLinesAndSeesTheEndOfItsInput) {
  Process child({"/bin/cat"}, Process::Stdin::pipe);
  child.send_line("hello");
  EXPECT_EQ(child.next_line(10s), "hello");
  child.close_stdin();
  EXPECT_EQ(child.wait_exit(10s), Exit{.code = 0});
}

TEST(Process, ReportsASignalAndADeadline) {
  Process child({"/bin/sleep", "100"});
  EXPECT_EQ(child.wait_exit(Deadline::window(20ms)), std::nullopt);
  EXPECT_EQ(child.next_line(Deadline::window(20ms)), std::nullopt);
  child.signal(SIGTERM);
  EXPECT_EQ(child.wait_exit(10s), Exit{.signal = SIGTERM});
}

TEST(Process, NamesWhatCannotBeStarted) {
  Process child({"/does/not/exist"});
  EXPECT_EQ(child.wait_exit(10s), Exit{.code = 127});
  EXPECT_THAT(child.err(), testing::HasSubstr("/does/not/exist"));
}

TEST(Process, IsKilledAndReapedByItsDestructor) {
  {
    // Its environment, by which it is found, is its own only once it runs.
    Process child({"/bin/sh", "-c", "echo up; exec sleep 100"});
    ASSERT_TRUE(child.next_line(10s));
    EXPECT_THAT(processes_left(), SizeIs(1));
  }
  EXPECT_THAT(processes_left(), IsEmpty());
}

TEST(ProcessesLeft, FindsAChildOfAChild) {
  Process child({"/bin/sh", "-c", "setsid sleep 100 & echo $!"});
  auto stray = child.next_line(10s);
  ASSERT_TRUE(stray);
  EXPECT_EQ(child.wait_exit(10s), Exit{.code = 0});
  // In the moment in which it becomes another program, a process has no environment to be found by.
  const Deadline deadline(10s);
  while (processes_left().empty() && !deadline.passed()) std::this_thread::yield();
  EXPECT_THAT(processes_left(), SizeIs(1));
  ::kill(std::stoi(*stray), SIGKILL);
}

TEST(SecretWatch, FindsWhatACommandLineOrAnEnvironmentShows) {
  SecretWatch watch({"word-of-the-line", "word-of-the-surroundings", "word-of-nobody"});
  Process child({"/usr/bin/env", "WORD=word-of-the-surroundings", "/bin/sh", "-c", "read word-of-the-line"},
                Process::Stdin::pipe);
  const Deadline deadline(10s);
  // env shows them too, until it has become the shell.
  while (!watch.found().contains("sh: environ holds secret 2") && !deadline.passed()) watch.look();
  child.close_stdin();
  EXPECT_TRUE(watch.look_until_exit(child, 10s));
  EXPECT_THAT(watch.found(), testing::IsSupersetOf({"sh: cmdline holds secret 1", "sh: environ holds secret 2"}));
  EXPECT_THAT(watch.found(), testing::Not(testing::Contains(testing::HasSubstr("secret 3"))));
  EXPECT_THAT(watch.looked_at(), testing::Contains("sh"));
}

TEST(Summary, IsTheLastLineOrNothing) {
  EXPECT_EQ(count_in(summary_of({"{\"type\":\"ready\"}", "{\"type\":\"summary\",\"sent\":5}"}), "sent"), 5);
  EXPECT_TRUE(summary_of({"{\"type\":\"summary\"}", "noise"}).empty());
  EXPECT_EQ(count_in(Json{{"expected", nullptr}}, "expected"), -1);
}

TEST(LogFile, IsReadByColumnNames) {
  TempDir dir;
  std::ofstream(dir / "receiver-7.log") << "# units: ns\n# origin: now\n"
                                           "sender\tindex\tsize_bytes\tflags\tlatency_ns\tcontent\n"
                                           "3\t1\t2\t-\t15\tab\n3\t2\t2\tagain,corrupt\t-\tcd\nnonsense\n";
  auto logs = read_logs(dir.path(), "receiver");
  ASSERT_TRUE(logs.contains(7));
  const LogFile& log = logs.at(7);
  EXPECT_THAT(log.header, SizeIs(2));
  ASSERT_THAT(log.rows, SizeIs(2));
  EXPECT_EQ(log.rows[0].sender, 3U);
  EXPECT_EQ(log.rows[0].latency_ns, 15);
  EXPECT_EQ(log.rows[1].latency_ns, std::nullopt);
  EXPECT_TRUE(log.rows[1].flagged("corrupt"));
  EXPECT_FALSE(log.rows[0].flagged("corrupt"));
  EXPECT_THAT(log.problems, SizeIs(1));
}

TEST(ForeignClient, HasTheChecksumOfTheProtocolPage) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
}

TEST(ForeignClient, WritesHelloAsOnTheProtocolPage) {
  std::string frame = hello_frame({.role = 2,
                                   .number = 0x01020304,
                                   .wishes = kRequests,
                                   .fleet = 9,
                                   .token = "abc",
                                   .filter = ForeignFilter{.senders = {{{1, 5}}}}});
  EXPECT_EQ(frame.size(), 48U + 3 + 40);
  EXPECT_EQ(frame.substr(8, 4), "N2NQ");
  Frame view{frame};
  EXPECT_EQ(view.u32(0), frame.size());
  EXPECT_EQ(view.u8(14), 2);
  EXPECT_EQ(view.u8(15), 4);
  EXPECT_EQ(view.u32(16), 0x01020304U);
  EXPECT_EQ(view.u16(40), 3);
  EXPECT_EQ(view.u16(42), 40);
  EXPECT_EQ(view.u32(51 + 36), 5U);
}

}  // namespace
}  // namespace n2nq::test
