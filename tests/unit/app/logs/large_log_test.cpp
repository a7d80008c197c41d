// Logs of several GB in a window: little is read to open them, and little memory is taken whatever one does.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QtTest/QTest>

#include "app/text/quantity.h"
#include "tests/unit/app/logs/await.h"
#include "tests/unit/app/logs/made_log.h"
#include "ui/logs/log_view.h"
#include "ui/logs/log_window.h"

namespace n2nq::ui {
namespace {

using n2nq::test::TempDir;
// Looking through five GB takes seconds, and more where others are at work. With all patience it is less than the time
// the program is given, so that a wait that fails can say so.
bool await(const std::function<bool()>& there) {
  return logs::test::await(there, 60);
}

constexpr int64_t kMiB = 1024 * 1024;
constexpr int64_t kSize = 5'000 * kMiB;
constexpr int64_t kMostRead = kMiB;
constexpr int64_t kMostMemory = 64 * kMiB;

#ifdef N2NQ_SANITIZED
constexpr bool kMemoryTells = false;  // a sanitizer keeps what was freed
#else
constexpr bool kMemoryTells = true;
#endif

int64_t memory_now() {
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

void write_at(int fd, int64_t offset, const std::string& text) {
  ASSERT_EQ(::pwrite(fd, text.data(), text.size(), offset), std::ssize(text));
}

class LargeLogTest : public testing::Test {
 protected:
  LargeLogTest() {
    // What Qt reads for a first window is not the log's.
    logs::test::write_file(folder_ / "small.log", logs::test::receiver_log(500));
    open("small.log");
    expect_beginning();
    delete window_;
  }
  ~LargeLogTest() override { delete window_; }

  void open(const char* name) {
    window_ = LogWindow::open(QString::fromStdString((folder_ / name).string()), "receiver 1", nullptr);
    view_ = window_->findChild<LogView*>("log_view");
    window_->resize(1000, 600);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_));
  }
  void expect_beginning() const {
    const auto there = [&] { return view_->visible_text().contains("# program"); };
    ASSERT_TRUE(await(there)) << view_->visible_text().left(500).toStdString();
  }
  bool says(const QString& name, const QString& text) const {
    const auto* label = window_->findChild<QLabel*>(name);
    const bool said = await([&] { return label->text().contains(text); });
    if (!said) ADD_FAILURE() << name.toStdString() << " says: " << label->text().toStdString();
    return said;
  }
  void search(const char* open_key, const QString& name, const QString& text) {
    QTest::keySequence(window_, QKeySequence(open_key));
    for (auto* edit : window_->findChildren<QLineEdit*>()) {
      if (edit->accessibleName() != name) continue;
      edit->setText(text);
      QTest::keyClick(edit, Qt::Key_Return);
    }
  }
  void expect_little_memory(const char* when) const {
    EXPECT_LT(kMemoryTells ? memory_now() - memory_before_ : 0, kMostMemory) << when;
  }
  // Opens it and looks at what that took.
  void open_sparingly(const char* name) {
    memory_before_ = memory_now();
    const int64_t before = logs::test::bytes_read_so_far();
    open(name);
    expect_beginning();
    EXPECT_LT(logs::test::bytes_read_so_far() - before, kMostRead);
    expect_little_memory("opened");
  }
  void scroll_about() {
    auto* bar = view_->verticalScrollBar();
    for (int i = 1; i <= 20; ++i) {
      const QString before = view_->visible_text();
      bar->setValue(static_cast<int>(static_cast<int64_t>(bar->maximum()) * (i * 7 % 20) / 20));
      ASSERT_TRUE(await([&] { return view_->visible_text() != before; })) << i;
    }
    expect_little_memory("scrolled about");
  }

  TempDir folder_;
  LogWindow* window_ = nullptr;
  LogView* view_ = nullptr;
  int64_t memory_before_ = 0;
};

// Ordinary lines at the beginning, at the end, and at places between; what lies between these is one long line each, of
// zeros that take no room on the disk.
class SparseLog {
 public:
  static constexpr int kPlaces = 50;
  static constexpr int64_t kRows = 1'000;

  explicit SparseLog(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    ASSERT_GE_fd(fd);
    write_at(fd, 0, logs::test::kReceiverHead);
    lines_ = 4;
    int64_t offset = std::ssize(logs::test::kReceiverHead);
    for (int place = 0; place < kPlaces; ++place) {
      std::string rows;
      for (int64_t i = 1; i <= kRows; ++i) {
        const bool slowest = place == 7 && i == kRows / 2;
        rows += logs::test::receiver_row(
            {.index = i, .sender = place + 1, .latency_ns = slowest ? 987'654'321 : 1'000 + i});
      }
      write_at(fd, offset, rows);
      lines_ += kRows + (place + 1 < kPlaces ? 1 : 0);
      offset = kSize / kPlaces * (place + 1);
      if (place + 1 < kPlaces) write_at(fd, offset - 1, "\n");
    }
    write_at(fd, kSize - std::ssize(logs::test::kEnd) - 1, "\n" + logs::test::kEnd);
    lines_ += 2;
    ::close(fd);
  }
  int64_t lines() const { return lines_; }

 private:
  static void ASSERT_GE_fd(int fd) { ASSERT_GE(fd, 0); }
  int64_t lines_ = 0;
};

TEST_F(LargeLogTest, FiveGigabytesAreOpenedByReadingHardlyAnything) {
  const SparseLog log(folder_ / "receiver-1.log");
  open_sparingly("receiver-1.log");
  EXPECT_TRUE(says("status", "of about "));
  EXPECT_TRUE(says("status", "4.88 GiB"));
  scroll_about();

  QTest::keySequence(window_, QKeySequence("Ctrl+M"));
  EXPECT_TRUE(says("note", "slowest: 987.7 ms latency"));
  EXPECT_TRUE(says("status", QString::fromStdString("of " + text::count(log.lines()))));
  EXPECT_TRUE(await([&] { return view_->visible_text().contains("987,654.321"); }));
  expect_little_memory("looked for the slowest");

  QTest::keyClick(view_, Qt::Key_End);
  EXPECT_TRUE(says("status", QString::fromStdString("line " + text::count(log.lines()) + " of")));
  search("Ctrl+G", "Number to go to", "15010");
  EXPECT_TRUE(says("status", "line 15,010 of"));

  search("Ctrl+L", "Filter", "sender = 9, latency > 1500ns");
  EXPECT_TRUE(says("filter_note", "500 lines match"));
  expect_little_memory("filtered");
  scroll_about();
}

TEST_F(LargeLogTest, ALogOfLongLinesIsOpenedAsSparingly) {
  {
    const int fd = ::open((folder_ / "long.log").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    ASSERT_GE(fd, 0);
    write_at(fd, 0, logs::test::kReceiverHead);
    for (int64_t i = 1; i < kSize / kMiB; ++i) {
      std::string row = logs::test::receiver_row({.index = i});
      write_at(fd, i * kMiB - 1, "\n" + row.substr(0, row.size() - 1));
    }
    write_at(fd, kSize - 1, "\n");
    ::close(fd);
  }
  std::filesystem::last_write_time(folder_ / "long.log",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  open_sparingly("long.log");
  EXPECT_TRUE(view_->visible_text().contains("scroll to read on"));
  QTest::keyClick(view_, Qt::Key_Down);
  EXPECT_TRUE(await([&] { return !view_->visible_text().contains("scroll to read on"); }));
  expect_little_memory("read on");
  QTest::keyClick(view_, Qt::Key_End);
  EXPECT_TRUE(await([&] { return view_->visible_text().contains(" 4999 "); }));
  expect_little_memory("gone to the end");
}

// Written in full, and every figure compared.
TEST_F(LargeLogTest, AMillionLinesAreAllThere) {
  constexpr int64_t kRows = 1'000'000;
  {
    std::ofstream file(folder_ / "million.log", std::ios::binary);
    file << logs::test::kReceiverHead;
    for (int64_t i = 1; i <= kRows; ++i) {
      file << logs::test::receiver_row(
          {.index = (i + 9) / 10, .sender = 1 + (i - 1) % 10, .latency_ns = 50'000 + i * 7919 % 100'003});
    }
    file << logs::test::kEnd;
  }
  open_sparingly("million.log");
  EXPECT_TRUE(says("status", "of about "));
  search("Ctrl+L", "Filter", "sender = 3");
  EXPECT_TRUE(says("filter_note", "100,000 lines match"));
  EXPECT_TRUE(says("status", "of 1,000,005"));
  QTest::keyClick(view_, Qt::Key_End);
  EXPECT_TRUE(await([&] { return view_->visible_text().contains("999,997 100000 3"); }));
  expect_little_memory("filtered");
  search("Ctrl+L", "Filter", "");
  search("Ctrl+G", "Number to go to", "654321");
  EXPECT_TRUE(says("status", "line 654,321 of 1,000,005"));
  EXPECT_TRUE(await([&] { return view_->visible_text().contains("654,321 65432 7"); }));
}

}  // namespace
}  // namespace n2nq::ui
