#include "app/record/run_folder.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::record {
namespace {

const std::string kLogs[] = {log_name(Role::broker, 0),   log_name(Role::broker, 1),   log_name(Role::broker, 2),
                             log_name(Role::broker, 12),  log_name(Role::sender, 1),   log_name(Role::sender, 400),
                             log_name(Role::receiver, 1), log_name(Role::receiver, 37)};

TEST(RunFolder, KnowsEveryLogOfARunForOne) {
  for (const std::string& name : kLogs) {
    EXPECT_TRUE(is_run_file(name)) << name;
    EXPECT_TRUE(is_process_file(name)) << name;
  }
  for (const char* name : {"server-.log", "server-x.log", "server.txt", "notes.log"})
    EXPECT_FALSE(is_process_file(name)) << name;
}

TEST(RunFolder, HasANameByWhichItIsKnown) {
  EXPECT_TRUE(is_run_name(new_run_name())) << new_run_name();
  EXPECT_TRUE(is_run_name("imported-8c0e-2"));
}

TEST(RunFolder, IsRemovedWithTheLogsOfAllServers) {
  const n2nq::test::TempDir runs;
  const std::string folder = runs / new_run_name();
  std::filesystem::create_directories(folder);
  for (const std::string& name : kLogs) test::write_file(folder + "/" + name, "a line\n");
  EXPECT_EQ(run_files(folder).size(), std::size(kLogs));
  ASSERT_TRUE(remove_run_folder(folder, runs_folder_of(folder)));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace n2nq::record
