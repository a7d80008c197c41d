// Runs whose folders lie where the bench does not look by itself.
#include "app/journal/begun_runs.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "app/journal/journal.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::journal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct BegunRuns : testing::Test {
  n2nq::test::TempDir dir;
  std::string begun = (dir / "data/begun").string();

  std::string made(const std::string& name) const {
    const auto folder = dir / name;
    std::filesystem::create_directories(folder);
    return folder.string();
  }
  static std::unique_ptr<Journal> journal_in(const std::string& folder) {
    record::RunRecord start;
    start.folder = folder;
    return Journal::create(start).value();
  }
  std::ptrdiff_t links() const { return std::distance(std::filesystem::directory_iterator(begun), {}); }
};

TEST_F(BegunRuns, AreFoundOnceTheirBenchIsGone) {
  const std::string one = made("out/one"), same_name = made("elsewhere/one");
  auto journal = journal_in(one);
  journal_in(same_name);
  ASSERT_TRUE(remember_run(begun, one));
  ASSERT_TRUE(remember_run(begun, same_name));
  EXPECT_THAT(begun_and_cut_off(begun), ElementsAre(same_name));
  journal.reset();
  EXPECT_THAT(begun_and_cut_off(begun), ElementsAre(same_name, one));
  EXPECT_THAT(begun_run(begun, "one"), testing::AnyOf(one, same_name));
  EXPECT_EQ(begun_run(begun, "other"), "");
}

TEST_F(BegunRuns, AreForgottenWhenTheyAreStoredOrRemoved) {
  const std::string one = made("out/one"), other = made("out/other"), gone = made("out/gone");
  for (const std::string& folder : {one, other, gone}) {
    journal_in(folder);
    ASSERT_TRUE(remember_run(begun, folder));
  }
  forget_run(begun, one);
  std::filesystem::remove_all(gone);
  EXPECT_THAT(begun_and_cut_off(begun), ElementsAre(other));
  EXPECT_EQ(links(), 1);
}

TEST_F(BegunRuns, AreKeptWhileTheirDiskIsNotThere) {
  const std::string one = made("disk/out/one");
  journal_in(one);
  ASSERT_TRUE(remember_run(begun, one));
  std::filesystem::rename(dir / "disk", dir / "unplugged");
  EXPECT_THAT(begun_and_cut_off(begun), IsEmpty());
  std::filesystem::rename(dir / "unplugged", dir / "disk");
  EXPECT_THAT(begun_and_cut_off(begun), ElementsAre(one));
}

TEST_F(BegunRuns, AreNoneWithoutTheFolder) {
  EXPECT_THAT(begun_and_cut_off(begun), IsEmpty());
}

}  // namespace
}  // namespace n2nq::journal
