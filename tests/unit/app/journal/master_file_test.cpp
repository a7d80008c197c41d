#include "app/journal/master_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <clocale>

#include "tests/helpers/file_size_limit.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/journal/log_text.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::journal {
namespace {

using log::LogRole;
using record::test::read_file;
using record::test::write_file;
using test::LogText;
using testing::HasSubstr;

constexpr char kHeader[] = "role,service,sender,index,size_bytes,intended_ns,sent_ns,received_ns,latency_ns,flags\r\n";

struct MasterFileTest : testing::Test {
  n2nq::test::TempDir dir;
  std::string folder = dir.path().string();

  MasterFile made() {
    const auto master = write_master_file(folder);
    if (!master) ADD_FAILURE() << master.error().text;
    return master.value_or(MasterFile{});
  }
  std::string text() const { return read_file(dir / "master.csv"); }
};

TEST_F(MasterFileTest, HasTheLinesOfAllLogsSendersFirstByNumber) {
  write_file(dir / "receiver-2.log", LogText(LogRole::receiver).message(1, 10).with_end(1));
  write_file(dir / "sender-10.log", LogText(LogRole::sender).message(1, 10).message(2, 10).with_end(2));
  write_file(dir / "sender-9.log", LogText(LogRole::sender).message(1, 9).with_end(1));
  write_file(dir / "broker.log", "# something else\n");
  const MasterFile master = made();
  EXPECT_EQ(text(), std::string(kHeader) +
                        "sender,9,9,1,7,,1000,,,\r\n"
                        "sender,10,10,1,7,,1000,,,\r\n"
                        "sender,10,10,2,7,,2000,,,\r\n"
                        "receiver,2,10,1,7,,1000,1007,7,\r\n");
  EXPECT_EQ(master.path, folder + "/master.csv");
  EXPECT_EQ(master.rows, 4u);
  EXPECT_EQ(master.bytes, text().size());
  EXPECT_EQ(master.broken_lines, 0u);
}

TEST_F(MasterFileTest, QuotesSeveralFlags) {
  write_file(dir / "receiver-1.log", LogText(LogRole::receiver)
                                         .message(1, 1, log::kLogAgain)
                                         .message(1, 1, log::kLogAgain | log::kLogDuplicate)
                                         .with_end(2));
  made();
  EXPECT_EQ(text(), std::string(kHeader) +
                        "receiver,1,1,1,7,,1000,1007,7,again\r\n"
                        "receiver,1,1,1,7,,1000,1007,,\"again,duplicate\"\r\n");
}

TEST_F(MasterFileTest, IsOnlyAHeaderWithoutLogs) {
  made();
  EXPECT_EQ(text(), kHeader);
}

TEST_F(MasterFileTest, CountsLinesThatAreNone) {
  write_file(
      dir / "sender-1.log",
      LogText(LogRole::sender).message(1, 1).raw("nonsense\n1\t2\t\n\n").message(2, 1).raw("3\t1\t7\t-\t30").text());
  const MasterFile master = made();
  EXPECT_EQ(master.rows, 2u);
  EXPECT_EQ(master.broken_lines, 4u);
}

TEST_F(MasterFileTest, CountsTheCutLineOfAKilledWorker) {
  std::string cut = LogText(LogRole::receiver).message(1, 1).message(2, 1).text();
  cut.pop_back();
  write_file(dir / "receiver-1.log", cut);
  const MasterFile master = made();
  EXPECT_EQ(master.rows, 1u);
  EXPECT_EQ(master.broken_lines, 1u);
}

TEST_F(MasterFileTest, PassesOverHugeContents) {
  const std::string huge(1 << 20, '\x01');  // four characters a byte
  LogText log(LogRole::sender);
  for (uint64_t i = 1; i <= 3; i++) log.message(i, 1, 0, huge);
  write_file(dir / "sender-1.log", log.text());
  EXPECT_EQ(made().rows, 3u);
  EXPECT_LT(text().size(), 1000u);
}

TEST_F(MasterFileTest, TakesTheCLocaleWhateverTheProcessHas) {
  write_file(dir / "sender-1.log", LogText(LogRole::sender).message(1234567, 1).text());
  const char* before = std::setlocale(LC_ALL, nullptr);
  const std::string kept = before;
  (void)std::setlocale(LC_ALL, "de_DE.UTF-8");
  made();
  std::setlocale(LC_ALL, kept.c_str());
  EXPECT_THAT(text(), HasSubstr(",1234567,"));
}

TEST_F(MasterFileTest, ReadsNothingButRegularFiles) {
  std::filesystem::create_symlink("/etc/passwd", dir / "sender-1.log");
  ASSERT_EQ(::mkfifo((dir / "sender-2.log").c_str(), 0600), 0);
  std::filesystem::create_directory(dir / "sender-3.log");
  made();
  EXPECT_EQ(text(), kHeader);
}

TEST_F(MasterFileTest, LeavesNothingBehindOnAFullDisk) {
  LogText log(LogRole::sender);
  for (uint64_t i = 1; i <= 20'000; i++) log.message(i, 1);
  write_file(dir / "sender-1.log", log.text());
  const n2nq::test::FileSizeLimit limit(10'000);
  const auto master = write_master_file(folder);
  ASSERT_FALSE(master);
  EXPECT_THAT(master.error().text, HasSubstr(folder + "/master.csv cannot be written"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST_F(MasterFileTest, LeavesNothingBehindWhenToldToStop) {
  LogText log(LogRole::sender);
  for (uint64_t i = 1; i <= 5000; i++) log.message(i, 1);
  write_file(dir / "sender-1.log", log.text());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(write_master_file(folder, stop.get_token()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST_F(MasterFileTest, SaysWhoseLinesAreAbsent) {
  write_file(dir / "sender-1.log", LogText(LogRole::sender).message(1, 1).with_end(1));
  record::RunRecord record = record::test::example_record();
  record.folder = folder;
  record.notes.clear();
  record.plan.receivers.fleet.attach = "lab3:7500";
  record.processes.back() = {
      .name = "receivers", .role = Role::receiver, .place = "attached at lab3:7500", .log_dir = "/far/logs"};
  add_master_file(record);
  EXPECT_EQ(text(), std::string(kHeader) + "sender,1,1,1,7,,1000,,,\r\nreceiver,,,,,,,,,absent\r\n");
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_EQ(record.notes[0].text,
            "the master file has no lines of the receivers: they were started by hand (attached at lab3:7500, logs in "
            "/far/logs), and their logs are not in " +
                folder);
}

TEST_F(MasterFileTest, SaysWhichHostsKeepNoLogs) {
  write_file(dir / "sender-1.log", LogText(LogRole::sender).message(1, 1).with_end(1));
  record::RunRecord record = record::test::example_record();
  record.folder = folder;
  record.notes.clear();
  record.plan.receivers.fleet.attach.clear();
  record.processes.clear();
  for (const char* place : {"box", "box", "pod", "vm1"})
    record.processes.push_back({.name = "receivers", .role = Role::receiver, .place = place, .exit_code = 0});
  record.processes.back().log_dir = folder;
  add_master_file(record);
  EXPECT_THAT(text(), HasSubstr("receiver,,,,,,,,,absent\r\n"));
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_EQ(record.notes[0].text,
            "the master file lacks some lines of the receivers: on box, pod they write no logs, as there is no shell");
}

TEST_F(MasterFileTest, SaysNothingOfAnAttachedRoleWhoseLogsAreThere) {
  write_file(dir / "receiver-1.log", LogText(LogRole::receiver).message(1, 1).with_end(1));
  record::RunRecord record = record::test::example_record();
  record.folder = folder;
  record.notes.clear();
  record.plan.receivers.fleet.attach = "127.0.0.1:7500";
  add_master_file(record);
  EXPECT_TRUE(record.notes.empty());
  EXPECT_EQ(record.master_file, folder + "/master.csv");
}

TEST_F(MasterFileTest, NotesHowManyLinesAreBroken) {
  write_file(dir / "sender-1.log", LogText(LogRole::sender).message(1, 1).raw("nonsense\nmore\n").text());
  record::RunRecord record = record::test::example_record();
  record.folder = folder;
  add_master_file(record);
  EXPECT_THAT(record.notes.back().text, HasSubstr("2 broken lines in the logs"));
}

TEST_F(MasterFileTest, MarksLogsWithoutTheirLastLineAndSaysWhoseTheyAre) {
  write_file(dir / "sender-1.log", LogText(LogRole::sender).message(1, 1).with_end(1));
  for (const char* name : {"sender-2.log", "sender-3.log", "sender-5.log"})
    write_file(dir / name, LogText(LogRole::sender).message(1, 2).text());
  write_file(dir / "receiver-1.log", LogText(LogRole::receiver).message(1, 1).with_end(1) + "1\t1\t7");
  record::RunRecord record = record::test::example_record();
  record.folder = folder;
  record.notes.clear();
  add_master_file(record);
  EXPECT_EQ(text(), std::string(kHeader) +
                        "sender,1,1,1,7,,1000,,,\r\n"
                        "sender,2,2,1,7,,1000,,,\r\nsender,2,,,,,,,,unended\r\n"
                        "sender,3,2,1,7,,1000,,,\r\nsender,3,,,,,,,,unended\r\n"
                        "sender,5,2,1,7,,1000,,,\r\nsender,5,,,,,,,,unended\r\n"
                        "receiver,1,1,1,7,,1000,1007,7,\r\nreceiver,1,,,,,,,,unended\r\n")
      << "a last line is the last one";
  ASSERT_EQ(record.notes.size(), 3u);
  EXPECT_THAT(record.notes[0].text, HasSubstr("the logs of senders 2-3,5 have no last line"));
  EXPECT_EQ(record.notes[0].severity, record::Severity::warning);
  EXPECT_THAT(record.notes[1].text, HasSubstr("the log of receiver 1 has no last line"));
}

TEST_F(MasterFileTest, SaysHowManyLinesADiskRefused) {
  std::string refused = LogText(LogRole::sender).message(1, 1).text();
  log::append_end(refused, "sent=8", 1, 7);
  write_file(dir / "sender-1.log", refused);
  record::RunRecord record = record::test::example_record();
  record.folder = folder;
  record.notes.clear();
  add_master_file(record);
  EXPECT_THAT(text(), HasSubstr("sender,1,,,,,,,,unended\r\n"));
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_THAT(record.notes[0].text, HasSubstr("7 messages are missing from the logs and the master file"));
}

TEST_F(MasterFileTest, SaysWhenTheFolderIsGone) {
  const auto master = write_master_file(folder + "/nowhere");
  ASSERT_FALSE(master);
  EXPECT_THAT(master.error().text, HasSubstr(folder + "/nowhere"));
}

}  // namespace
}  // namespace n2nq::journal
