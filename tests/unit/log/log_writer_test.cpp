#include "workers/log/log_writer.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace n2nq::log {
namespace {

namespace fs = std::filesystem;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class LogWriterTest : public testing::Test {
 protected:
  LogWriterTest() {
    std::string pattern = testing::TempDir() + "n2nq_log_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LogWriterTest() override {
    writer_.reset();
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  LogOptions options(std::vector<std::string> services) {
    return {.folder = folder_,
            .role = LogRole::receiver,
            .program = "n2nq-receiver",
            .version = "0.1.0",
            .services = std::move(services),
            .on_error = [this](const std::string& text) {
              const std::lock_guard lock(mutex_);
              errors_.push_back(text);
              told_.notify_all();
            }};
  }
  void open(LogOptions with) {
    auto opened = LogWriter::open(std::move(with), {&queue_});
    ASSERT_TRUE(opened) << opened.error().text;
    writer_ = std::move(*opened);
  }
  // Pushes like a service does: waits for room.
  void push(uint32_t slot, uint64_t index, std::string_view payload = "ABC") {
    const LogRecord record{.service_slot = slot,
                           .sender = 3,
                           .index = index,
                           .payload_bytes = static_cast<uint32_t>(payload.size()),
                           .sent_ns = 100,
                           .received_ns = 150,
                           .latency_ns = 50};
    while (!queue_.try_push(record, {reinterpret_cast<const uint8_t*>(payload.data()), payload.size()})) {
      pollfd wait{.fd = queue_.room_fd(), .events = POLLIN, .revents = 0};
      ASSERT_EQ(::poll(&wait, 1, 20'000), 1);
      uint64_t count = 0;
      ASSERT_EQ(::read(queue_.room_fd(), &count, sizeof count), 8);
    }
  }
  void begin() {
    writer_->begin({.run_id = "00ff", .origin_monotonic_ns = 7, .origin_utc_ns = 0, .clock_note = "same clock"});
  }
  std::string text_of(const std::string& service) {
    std::ifstream file(folder_ + "/" + service + ".log", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static size_t message_lines(const std::string& text) {
    std::istringstream lines(text);
    size_t n = 0;
    for (std::string line; std::getline(lines, line);) n += !line.empty() && line[0] >= '0' && line[0] <= '9' ? 1 : 0;
    return n;
  }

  std::string folder_;
  LogQueue queue_{64 * 1024};
  std::unique_ptr<LogWriter> writer_;
  std::mutex mutex_;
  std::condition_variable told_;
  std::vector<std::string> errors_;
};

TEST_F(LogWriterTest, WritesHeaderTitleLinesAndEnd) {
  open(options({"receiver-1", "receiver-2"}));
  begin();
  push(0, 1, "Hello");
  push(0, 2, "tab\there");
  writer_->set_end(0, "received=2 lost=0");
  EXPECT_EQ(writer_->close(), (LogTotals{.written = 2, .not_written = 0}));
  const auto text = text_of("receiver-1");
  EXPECT_EQ(text.rfind("# program: n2nq-receiver 0.1.0\n", 0), 0u);
  EXPECT_THAT(text,
              HasSubstr("# origin_monotonic_ns=7 origin_utc=1970-01-01T00:00:00.000000000Z\n"
                        "index\tsender\tsize_bytes\tintended_ns\tsent_ns\treceived_ns\tlatency_ns\tflags\tcontent\n"
                        "1\t3\t5\t-\t100\t150\t50\t-\tHello\n"
                        "2\t3\t8\t-\t100\t150\t50\t-\ttab\\x09here\n"
                        "# end received=2 lost=0 lines=2 lines_not_written=0\n"));
  EXPECT_THAT(text_of("receiver-2"), AllOf(HasSubstr("# service: receiver-2\n"), HasSubstr("# end lines=0")));
}

TEST_F(LogWriterTest, ReplacesAnOldFileAndMakesItsFolder) {
  folder_ += "/deep/er";
  fs::create_directories(folder_);
  std::ofstream(folder_ + "/r.log") << std::string(100'000, 'o');
  folder_ = fs::path(folder_).parent_path().parent_path();
  auto with = options({"r", "s"});
  with.folder += "/deep/er";
  open(std::move(with));
  writer_->close();
  std::ifstream file(folder_ + "/deep/er/r.log");
  std::string first;
  std::getline(file, first);
  EXPECT_EQ(first, "# program: n2nq-receiver 0.1.0");
  EXPECT_LT(fs::file_size(folder_ + "/deep/er/r.log"), 2000u);
}

TEST_F(LogWriterTest, LosesNoLineWhenTheQueueIsFullAgainAndAgain) {
  open(options({"r"}));
  begin();
  const std::string payload(5000, 'Z');
  for (uint64_t i = 1; i <= 5000; i++) push(0, i, payload);
  EXPECT_EQ(writer_->close().written, 5000u);
  const auto text = text_of("r");
  EXPECT_EQ(message_lines(text), 5000u);
  EXPECT_THAT(text.substr(text.size() - 200), HasSubstr("lines=5000 lines_not_written=0\n"));
}

TEST_F(LogWriterTest, IsFollowedByTailWithinItsFlushTime) {
  open(options({"r"}));
  begin();
  const int notify = ::inotify_init1(IN_CLOEXEC);
  ASSERT_GE(::inotify_add_watch(notify, (folder_ + "/r.log").c_str(), IN_MODIFY), 0);
  push(0, 1, "tailed");
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (text_of("r").find("tailed\n") == std::string::npos && std::chrono::steady_clock::now() < deadline) {
    pollfd wait{.fd = notify, .events = POLLIN, .revents = 0};
    ::poll(&wait, 1, 20'000);
    char events[4096];
    ASSERT_GT(::read(notify, events, sizeof events), 0);
  }
  ::close(notify);
  EXPECT_THAT(text_of("r"), AllOf(HasSubstr("tailed\n"), Not(HasSubstr("# end"))));
}

TEST_F(LogWriterTest, ReportsAFullDiskOnceAndGoesOn) {
  fs::create_symlink("/dev/full", folder_ + "/full.log");
  auto with = options({"full", "good"});
  with.flush_every = 1ms;
  open(std::move(with));
  begin();
  for (uint64_t i = 1; i <= 2000; i++) {
    push(0, i);
    push(1, i);
  }
  {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(told_.wait_for(lock, 20s, [&] { return !errors_.empty(); }));
  }
  for (uint64_t i = 2001; i <= 3000; i++) {
    push(0, i);
    push(1, i);
  }
  const auto totals = writer_->close();
  EXPECT_EQ(totals, (LogTotals{.written = 3000, .not_written = 3000}));
  EXPECT_EQ(writer_->not_written(), 3000u);
  ASSERT_EQ(errors_.size(), 1u);
  EXPECT_THAT(errors_[0], AllOf(HasSubstr("full.log"), HasSubstr("the disk is full"), HasSubstr("the run continues")));
  EXPECT_EQ(message_lines(text_of("good")), 3000u);
}

// A file that may grow to so many bytes only, as if the disk were full then.
TEST_F(LogWriterTest, CountsExactlyWhatDidNotFit) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  open(options({"r"}));
  const rlimit small{.rlim_cur = 20'000, .rlim_max = old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  begin();
  for (uint64_t i = 1; i <= 3000; i++) push(0, i);
  const auto totals = writer_->close();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  const auto text = text_of("r");
  const auto whole = text.substr(0, text.rfind('\n') + 1);
  EXPECT_EQ(totals.written, message_lines(whole));
  EXPECT_EQ(totals.written + totals.not_written, 3000u);
  EXPECT_GT(totals.written, 100u);
}

TEST_F(LogWriterTest, SaysWhichFolderItCannotUse) {
  std::ofstream(folder_ + "/file") << "x";
  auto with = options({"r"});
  with.folder = folder_ + "/file/logs";
  const auto opened = LogWriter::open(std::move(with), {&queue_});
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text, AllOf(HasSubstr(folder_ + "/file/logs"), HasSubstr("--log-dir")));
}

TEST_F(LogWriterTest, SaysWhichFileItCannotUse) {
  fs::create_directory(folder_ + "/b.log");
  const auto opened = LogWriter::open(options({"a", "b"}), {&queue_});
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text, AllOf(HasSubstr("/b.log"), HasSubstr("--log-dir")));
  ::mkfifo((folder_ + "/c.log").c_str(), 0600);
  EXPECT_FALSE(LogWriter::open(options({"c"}), {&queue_})) << "it would have waited for a reader";
}

TEST_F(LogWriterTest, SaysThatItMayNotWriteThere) {
  ::chmod(folder_.c_str(), 0555);
  const uid_t me = ::geteuid();
  ASSERT_TRUE(me != 0 || ::seteuid(65534) == 0);  // root may write anywhere
  const auto opened = LogWriter::open(options({"r"}), {&queue_});
  ASSERT_TRUE(me != 0 || ::seteuid(0) == 0);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text, HasSubstr("not allowed"));
}

TEST_F(LogWriterTest, KeepsHeaderAndEndOnlyAsASummary) {
  auto with = options({"r"});
  with.level = LogLevel::summary;
  open(std::move(with));
  EXPECT_FALSE(writer_->wants_messages());
  begin();
  writer_->set_end(0, "received=5");
  writer_->close();
  EXPECT_THAT(text_of("r"), AllOf(HasSubstr("# run: 00ff\n"), HasSubstr("# end received=5 ")));
}

TEST_F(LogWriterTest, MakesNothingWhenOff) {
  auto with = options({"r"});
  with.level = LogLevel::off;
  open(std::move(with));
  begin();
  writer_->set_end(0, "x");
  EXPECT_EQ(writer_->close(), LogTotals{});
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(LogWriterTest, SaysInTheHeaderThatTheRunNeverBegan) {
  open(options({"r"}));
  writer_->close();
  EXPECT_THAT(text_of("r"), HasSubstr("# origin_monotonic_ns=- origin_utc=-\n"));
}

TEST_F(LogWriterTest, ServesAThousandServicesFromSeveralLoops) {
  constexpr uint32_t kServices = 1000;
  constexpr uint64_t kMessages = 20;
  std::vector<std::string> names;
  for (uint32_t i = 1; i <= kServices; i++) names.push_back("receiver-" + std::to_string(i));
  LogQueue queues[2] = {LogQueue(1 << 20), LogQueue(1 << 20)};
  auto opened = LogWriter::open(options(names), {&queues[0], &queues[1]});
  ASSERT_TRUE(opened) << opened.error().text;
  (*opened)->begin({.run_id = "00ff"});
  const auto produce = [&](uint32_t which) {
    const std::vector<uint8_t> payload(50, 'q');
    for (uint64_t index = 1; index <= kMessages; index++)
      for (uint32_t slot = which; slot < kServices; slot += 2)
        while (!queues[which].try_push({.service_slot = slot, .index = index}, payload)) {
          pollfd wait{.fd = queues[which].room_fd(), .events = POLLIN, .revents = 0};
          ASSERT_EQ(::poll(&wait, 1, 20'000), 1);
          uint64_t count = 0;
          ASSERT_EQ(::read(queues[which].room_fd(), &count, sizeof count), 8);
        }
  };
  std::thread other([&] { produce(1); });
  produce(0);
  other.join();
  EXPECT_EQ((*opened)->close(), (LogTotals{.written = kServices * kMessages, .not_written = 0}));
  for (const auto& name : names) ASSERT_EQ(message_lines(text_of(name)), kMessages) << name;
}

TEST_F(LogWriterTest, WritesALargeContentWhole) {
  LogQueue large(8 << 20);
  auto opened = LogWriter::open(options({"r"}), {&large});
  ASSERT_TRUE(opened);
  (*opened)->begin({.run_id = "00ff"});
  const std::vector<uint8_t> payload(1 << 20, 0xff);
  ASSERT_TRUE(large.try_push({.index = 1}, payload));
  (*opened)->close();
  const auto text = text_of("r");
  EXPECT_GT(text.size(), 4u << 20);
  EXPECT_EQ(message_lines(text), 1u);
}

}  // namespace
}  // namespace n2nq::log
