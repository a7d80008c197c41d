#include "app/run/trial_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq::run {
namespace {

namespace fs = std::filesystem;

struct TrialFolders : testing::Test {
  TrialFolders() { ::setenv("TMPDIR", dir.path().c_str(), 1); }
  ~TrialFolders() override { ::unsetenv("TMPDIR"); }
  test::TempDir dir;
};

TEST_F(TrialFolders, GoWithTheirTest) {
  std::string path;
  {
    TrialFolder folder;
    path = folder.path();
    ASSERT_TRUE(fs::is_directory(path));
    std::ofstream(path + "/log") << "x";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TrialFolders, OfKilledBenchesGoAsTheNextIsMadeAndThoseInUseStay) {
  fs::create_directories(dir / "n2nq-trial-killed/run");
  fs::create_directories(dir / "elsewhere/kept");
  fs::create_directory_symlink(dir / "elsewhere", dir / "n2nq-trial-linked");
  std::ofstream(dir / "n2nq-trial-file") << "x";
  fs::create_directories(dir / "other");
  const TrialFolder used;
  const TrialFolder second;
  EXPECT_FALSE(fs::exists(dir / "n2nq-trial-killed"));
  EXPECT_TRUE(fs::exists(used.path()));
  EXPECT_TRUE(fs::exists(second.path()));
  for (const char* kept : {"elsewhere/kept", "n2nq-trial-linked", "n2nq-trial-file", "other"})
    EXPECT_TRUE(fs::exists(dir / kept)) << kept;
}

}  // namespace
}  // namespace n2nq::run
