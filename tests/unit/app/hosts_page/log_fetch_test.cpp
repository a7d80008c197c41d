// What is brought home from a host, and what is not, whatever the host says that it has.
#include "app/run/log_fetch.h"

#include <gmock/gmock.h>
#include <sys/statvfs.h>

#include <QTest>
#include <limits>

#include "broker/base/clock.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/hosts_page/fake_host_link.h"

namespace n2nq::run {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr int64_t kMiB = 1 << 20;

struct LogFetchTest : testing::Test {
  ~LogFetchTest() override { test::forget_fake_hosts(); }

  test::FakeHost& script = test::fake_host("vm1");
  test::TempDir dir;
  HostLinks links{{.hosts = {{.name = "vm1", .address = "10.0.0.5"}, {.name = "vm2", .address = "10.0.0.6"}}}, {}};
  int64_t free = 1000 * kMiB;
  std::vector<record::RunNote> notes;

  static FarFolder folder_on(const std::string& host) {
    return {.host = host,
            .path = "/work/runs/one",
            .used = true,
            .files = {"sender-1.log", "sender-2.log", "sender-1.summary.json"}};
  }
  // What is fetched is missing from the disk.
  int64_t free_now() {
    int64_t left = free;
    for (const char* host : {"vm1", "vm2"})
      for (const auto& [path, size] : test::fake_host(host).fetched) left -= size;
    return left;
  }
  void fetch() { fetch({folder_on("vm1")}); }
  void fetch(const std::vector<FarFolder>& folders) {
    LogFetch fetch(links, "one", folders, dir.path().string(), {}, [this](const std::string&) { return free_now(); });
    bool over = false;
    QObject::connect(&fetch, &LogFetch::finished, &fetch, [&over] { over = true; });
    fetch.start();
    ASSERT_TRUE(QTest::qWaitFor([&over] { return over; }));
    notes = fetch.notes();
  }
};

TEST(FreeBytes, AreThoseOfTheFolderItselfAndForbidNothingWhereTheyCannotBeTold) {
  const test::TempDir dir;
  EXPECT_GT(record::free_bytes(dir.path().string()), 0);
  EXPECT_EQ(record::free_bytes((dir / "none").string()), std::nullopt);
  struct statvfs told{};
  ASSERT_EQ(::statvfs("/proc", &told), 0);  // which no table of mounted disks names
  EXPECT_EQ(record::free_bytes("/proc"), static_cast<int64_t>(told.f_bavail * told.f_frsize));
}

TEST_F(LogFetchTest, IsOfTheFilesOfItsProcessesAlone) {
  script.files = {{.name = "sender-1.log", .size = 10},   {.name = "sender-2.log", .size = 20},
                  {.name = "sender-3.log", .size = 30},   {.name = "receiver-1.log", .size = 30},
                  {.name = "broker.log", .size = 30},     {.name = "sender-1.summary.json", .size = 5},
                  {.name = "journal.jsonl", .size = 30},  {.name = "sender-2.summary.json", .size = 5},
                  {.name = "../sender-1.log", .size = 1}, {.name = "sender-2.log", .size = 1, .folder = true}};
  fetch();
  EXPECT_THAT(script.fetched,
              UnorderedElementsAre(Pair("/work/runs/one/sender-1.log", 10), Pair("/work/runs/one/sender-2.log", 20),
                                   Pair("/work/runs/one/sender-1.summary.json", 5)))
      << "and no more of each than the host said";
  EXPECT_TRUE(script.folder_removed);
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(LogFetchTest, LeavesThereWhatThisDiskHasNoRoomFor) {
  script.files = {{.name = "sender-1.log", .size = 60 * kMiB}, {.name = "sender-2.log", .size = 60 * kMiB}};
  free = 180 * kMiB;
  fetch();
  EXPECT_THAT(script.fetched, IsEmpty());
  EXPECT_FALSE(script.folder_removed);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0].text, testing::AllOf(HasSubstr("vm1"), HasSubstr("120"), HasSubstr("116"),
                                            HasSubstr("they stay there in /work/runs/one")));
  free = 303 * kMiB;
  fetch();
  EXPECT_THAT(script.fetched, IsEmpty()) << "the master file is as large again";
  free = 304 * kMiB;
  fetch();
  EXPECT_EQ(script.fetched.size(), 2u);
}

TEST_F(LogFetchTest, OfManyHostsAtOnceFillsNoDisk) {
  test::FakeHost& other = test::fake_host("vm2");
  script.files = other.files = {{.name = "sender-1.log", .size = 60 * kMiB}};
  const std::vector<FarFolder> two{folder_on("vm1"), folder_on("vm2")};
  free = 300 * kMiB;
  fetch(two);
  EXPECT_EQ(script.fetched.size() + other.fetched.size(), 1u) << "there is room for either, but not for both";
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0].text, HasSubstr("there is room for"));
  free = 500 * kMiB;
  fetch(two);
  EXPECT_EQ(script.fetched.size() + other.fetched.size(), 3u);
}

// A host that was cut off is not waited for once all that ran there has written its last file.
TEST_F(LogFetchTest, OfAHostThatWasCutOffIsAtOnceWhereAllLeftTheirSummaries) {
  script.files = {{.name = "sender-1.log", .size = 10}, {.name = "sender-1.summary.json", .size = 5}};
  FarFolder folder = folder_on("vm1");
  folder.cut_off_ns = now_ns();
  const auto settle = std::chrono::steady_clock::now() + LogFetch::Bounds{}.settle;
  fetch({folder});
  EXPECT_EQ(script.fetched.size(), 2u);
  EXPECT_LT(std::chrono::steady_clock::now(), settle);
}

TEST_F(LogFetchTest, IsNotFooledBySizesThatCannotBe) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  script.files = {{.name = "sender-1.log", .size = kHuge}, {.name = "sender-2.log", .size = kHuge}};
  fetch();
  EXPECT_THAT(script.fetched, IsEmpty());
  script.files = {{.name = "sender-1.log", .size = -7}};
  fetch();
  EXPECT_THAT(script.fetched, UnorderedElementsAre(Pair("/work/runs/one/sender-1.log", 0)));
}

}  // namespace
}  // namespace n2nq::run
