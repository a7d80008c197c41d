#include "broker/base/plain_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string why_not(const std::string& path) {
  const auto file = open_plain_file(path);
  return file ? "it was opened" : file.error().text;
}

TEST(PlainFile, IsReadUpToALimitAndKnownWithoutLinks) {
  const test::TempDir dir;
  std::ofstream(dir / "file") << "abcdef";
  fs::create_symlink("file", dir / "link");
  const auto file = open_plain_file(dir / "link");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->path, fs::canonical(dir / "file").string());
  EXPECT_EQ(read_some_of(file->file, 3).value(), "abcd") << "one byte more, so that it is noticed";
  EXPECT_EQ(read_some_of(open_plain_file(dir / "file")->file, 100).value(), "abcdef");
}

TEST(PlainFile, IsNoFolderPipeOrDevice) {
  const test::TempDir dir;
  const std::string pipe = dir / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink(pipe, dir / "to-pipe");
  for (const std::string& path : {pipe, std::string(dir / "to-pipe"), std::string("/dev/zero"), dir.path().string()})
    EXPECT_THAT(why_not(path), HasSubstr("it is not a file")) << path;
  EXPECT_EQ(open_plain_file(dir / "none").error().error_number, ENOENT);
}

TEST(PlainFile, TellsNothingOfTheSystem) {
  const test::TempDir dir;
  fs::create_symlink("/proc/self/environ", dir / "link");
  fs::create_directory_symlink("/proc/self", dir / "folder");
  for (const std::string& path :
       {std::string("/proc/self/environ"), std::string(dir / "link"), std::string(dir / "folder/environ"),
        std::string("/proc/version"), std::string("/sys/kernel/mm/transparent_hugepage/enabled")})
    EXPECT_THAT(why_not(path), HasSubstr("nothing in /proc, /sys and /dev is read")) << path;
  std::ofstream("/dev/shm/n2nq-plain-file-test") << "x";
  EXPECT_THAT(why_not("/dev/shm/n2nq-plain-file-test"), HasSubstr("nothing in /proc"));
  fs::remove("/dev/shm/n2nq-plain-file-test");
}

}  // namespace
}  // namespace n2nq
