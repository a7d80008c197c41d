// What is left when the bench itself is killed.
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include <QCoreApplication>

#include "app/results/journal.h"
#include "app/results/store.h"
#include "app/run/run_sequence.h"
#include "tests/helpers/process.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using results::Verdict;

class Keeping : public testing::Test {
 protected:
  // A bench of its own process, killed once its journal has figures.
  void run_and_kill() {
    const pid_t bench = ::fork();
    ASSERT_GE(bench, 0);
    if (bench == 0) {
      const std::string self = "/proc/self/exe";
      ::execl(self.c_str(), "session_test", "--gtest_also_run_disabled_tests",
              "--gtest_filter=KeepingChild.DISABLED_RunsUntilItIsKilled", nullptr);
      ::_exit(127);
    }
    const auto has_figures = [this] {
      for (const auto& folder : std::filesystem::directory_iterator(dir_.path() / "runs")) {
        std::error_code error;
        if (std::filesystem::file_size(folder.path() / "journal.jsonl", error) > 0 && !error &&
            std::filesystem::exists(folder.path() / "receiver-1.log"))
          return lines_of(folder.path() / "journal.jsonl") >= 3;
      }
      return false;
    };
    std::filesystem::create_directories(dir_.path() / "runs");
    EXPECT_TRUE(QTest::qWaitFor(has_figures, kPatienceMs));
    ::kill(bench, SIGKILL);
    int status = 0;
    ::waitpid(bench, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  static size_t lines_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return static_cast<size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }

  test::TempDir dir_;
};

TEST_F(Keeping, ABenchThatIsKilledLeavesARunThatIsListedAsCutOffAndNoProcess) {
  ::setenv("N2NQ_TEST_KEEPING", dir_.path().c_str(), 1);
  run_and_kill();
  EXPECT_TRUE(QTest::qWaitFor([] { return test::processes_left().empty(); }, kPatienceMs))
      << test::processes_left().front();
  const auto found = results::find_cut_off((dir_ / "runs").string());
  ASSERT_EQ(found.size(), 1u);
  const auto record = results::recover(found.front());
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_EQ(record->verdict, Verdict::cut_off);
  EXPECT_GT(record->totals.sent, 0u);
  EXPECT_GT(record->totals.received, 0u);
  EXPECT_FALSE(record->series.empty());
  EXPECT_EQ(record->plan.name, "long");
}

// The other side of the test above.
TEST(KeepingChild, DISABLED_RunsUntilItIsKilled) {
  const char* folder = std::getenv("N2NQ_TEST_KEEPING");
  ASSERT_NE(folder, nullptr);
  RunSequence sequence({.programs = N2NQ_BUILT_BIN_DIR, .runs_folder = std::string(folder) + "/runs"}, nullptr);
  ASSERT_TRUE(sequence.start_all({.base = long_plan()}));
  EXPECT_TRUE(QTest::qWaitFor([&] { return !sequence.active(); }, 2 * kPatienceMs));
}

}  // namespace
}  // namespace n2nq::run
