// A file that is written beside what it replaces, and takes its place once it is whole.
#include "broker/base/new_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t mode_of(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
}

long files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

TEST(NewFile, TakesItsNameOnlyOnceItIsWhole) {
  const test::TempDir dir;
  const std::string path = dir / "file";
  std::ofstream(path) << "before";
  auto file = NewFile::create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("after"));
  EXPECT_EQ(content(path), "before");
  EXPECT_TRUE(is_unfinished_file(fs::path(file->path_until_finished()).filename().string()));
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(content(path), "after");
  EXPECT_EQ(files_in(dir.path()), 1);
}

TEST(NewFile, LeavesNothingWhereItIsNotFinished) {
  const test::TempDir dir;
  ASSERT_TRUE(NewFile::create(dir / "file"));
  EXPECT_EQ(files_in(dir.path()), 0);
}

TEST(NewFile, HasTheModeOfWhatItReplacesWhateverTheUmask) {
  const test::TempDir dir;
  const std::string path = dir / "file";
  std::ofstream(path) << "before";
  ASSERT_EQ(::chmod(path.c_str(), 0662), 0);
  ASSERT_TRUE(NewFile::create(path)->finish());
  EXPECT_EQ(mode_of(path), 0662u);
  ASSERT_TRUE(NewFile::create(path, {.mode = 0600})->finish());
  EXPECT_EQ(mode_of(path), 0600u);
}

TEST(NewFile, ReplacesALinkAndLeavesWhatItLeadsTo) {
  const test::TempDir dir;
  std::ofstream(dir / "other") << "of somebody else";
  fs::create_symlink(dir / "other", dir / "file");
  ASSERT_TRUE(NewFile::create(dir / "file")->finish());
  EXPECT_FALSE(fs::is_symlink(dir / "file"));
  EXPECT_EQ(content(dir / "other"), "of somebody else");
}

TEST(NewFile, SaysWhatToDoAboutAFolderThatIsNotThere) {
  const test::TempDir dir;
  EXPECT_THAT(NewFile::create(dir / "no" / "file").error().text,
              testing::HasSubstr("no/file cannot be written: No such file or directory; check that its folder exists"));
  EXPECT_THAT(NewFile::create(dir / "no" / "file", {.advice = "do so"}).error().text, testing::EndsWith("; do so"));
}

}  // namespace
}  // namespace n2nq
