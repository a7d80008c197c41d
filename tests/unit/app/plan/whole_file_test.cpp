#include "app/plan/whole_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/helpers/temp_dir.h"

namespace n2nq::plan {
namespace {

TEST(WholeFile, LiesInAFolderByWhateverLinks) {
  const test::TempDir temp;
  const std::string folder = (temp.path() / "data").string();
  std::filesystem::create_directories(folder + "/runs");
  std::filesystem::create_symlink(folder, temp.path() / "link");
  EXPECT_TRUE(lies_in(folder + "/hosts.json", folder));
  EXPECT_TRUE(lies_in(folder + "/runs/1/new.json", folder));
  EXPECT_TRUE(lies_in((temp.path() / "link" / "new.json").string(), folder));
  EXPECT_TRUE(lies_in((temp.path() / "other/../data/new.json").string(), folder));
  EXPECT_FALSE(lies_in((temp.path() / "new.json").string(), folder));
  EXPECT_FALSE(lies_in(folder + "-2/new.json", folder));
}

TEST(WholeFile, ReplacesNoDeviceAndNoPipe) {
  const test::TempDir temp;
  const std::string pipe = temp.path() / "pipe", link = temp.path() / "link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink(pipe, link);
  for (const std::string& path : {pipe, link})
    EXPECT_THAT(write_whole_file(path, "text").error().text, testing::HasSubstr("a device, pipe or socket"));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

}  // namespace
}  // namespace n2nq::plan
