#include "app/place/data_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCoreApplication>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq::place {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// Sets a variable of the environment for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) before_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_.empty())
      ::unsetenv(name_);
    else
      ::setenv(name_, before_.c_str(), 1);
  }

 private:
  const char* name_;
  std::string before_;
};

TEST(DataFolder, IsTheOneGivenThenThatOfTheEnvironmentThenTheUsers) {
  EXPECT_EQ(data_folder_path("/a/../b"), "/b");
  {
    const Variable set("N2NQ_DATA_DIR", "/elsewhere");
    EXPECT_EQ(data_folder_path(), "/elsewhere");
    EXPECT_EQ(data_folder_path("/b"), "/b");
  }
  const Variable unset("N2NQ_DATA_DIR", "");
  EXPECT_THAT(data_folder_path(), EndsWith("/n2nq-bench"));
  EXPECT_TRUE(std::filesystem::path(data_folder_path("relative")).is_absolute());
}

TEST(DataFolder, IsMadeForTheUserAlone) {
  const test::TempDir dir;
  const auto folder = open_data_folder(dir / "a" / "b");
  ASSERT_TRUE(folder) << folder.error().text;
  EXPECT_EQ(std::filesystem::status(folder->path).permissions(), std::filesystem::perms(0700));
  EXPECT_THAT(folder->store(), EndsWith("/a/b/results.sqlite"));
}

TEST(DataFolder, SaysWhatToDoWhereItCannotBe) {
  const test::TempDir dir;
  std::ofstream(dir / "file") << "x";
  const auto folder = open_data_folder(dir / "file" / "b");
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().text, HasSubstr("--data-dir"));
}

TEST(TemporaryFolder, IsOfTheUserAloneAndTheSameAtEachStart) {
  const test::TempDir dir;
  const Variable set("TMPDIR", dir.path().string());
  const auto folder = open_temporary_folder();
  ASSERT_TRUE(folder) << folder.error().text;
  EXPECT_EQ(std::filesystem::status(folder->path).permissions(), std::filesystem::perms(0700));
  EXPECT_EQ(open_temporary_folder()->path, folder->path);
}

TEST(TemporaryFolder, IsAnotherOneWhereItsNameIsTaken) {
  const test::TempDir dir;
  const Variable set("TMPDIR", dir.path().string());
  const std::string name = dir / ("n2nq-bench-" + std::to_string(::geteuid()));
  std::filesystem::create_directory(dir / "somebody's");
  const auto expect_another = [&](const char* why) {
    const auto folder = open_temporary_folder();
    ASSERT_TRUE(folder) << folder.error().text;
    EXPECT_NE(folder->path, name) << why;
    EXPECT_EQ(std::filesystem::status(folder->path).permissions(), std::filesystem::perms(0700));
    std::filesystem::remove(name);
  };
  std::filesystem::create_directory_symlink(dir / "somebody's", name);
  expect_another("a link");
  std::filesystem::create_directory(name);
  std::filesystem::permissions(name, std::filesystem::perms(0755));
  expect_another("others may look into it");
  std::ofstream(name) << "x";
  expect_another("a file");
}

TEST(TemporaryFolder, SaysWhatToDoWhereThereIsNone) {
  const test::TempDir dir;
  const Variable set("TMPDIR", (dir / "nowhere").string());
  const auto folder = open_temporary_folder();
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().text, HasSubstr("--data-dir"));
}

TEST(ProgramsFolder, IsThatOfTheEnvironmentOrOfThisProgram) {
  EXPECT_EQ(programs_folder(), QCoreApplication::applicationDirPath().toStdString());
  const Variable set("N2NQ_PROGRAMS", "/some/where");
  EXPECT_EQ(programs_folder(), "/some/where");
}

// Another user's 0700 folder is closed to who acts as somebody else, whoever started it.
TEST(DataFolders, AsksWhatWhoItActsAsMay) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to act as somebody else";
  const test::TempDir dir;
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0700));
  EXPECT_TRUE(may(dir.path(), R_OK | X_OK));
  ASSERT_EQ(::seteuid(65534), 0);
  const bool closed = !may(dir.path(), R_OK | X_OK);
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_TRUE(closed);
}

TEST(ProgramsFolder, NamesTheProgramThatIsMissing) {
  const test::TempDir dir;
  for (const char* program : {"n2nq-broker", "n2nq-sender"}) {
    std::ofstream(dir / program) << "";
    std::filesystem::permissions(dir / program, std::filesystem::perms(0700));
  }
  const auto checked = check_programs(dir.path());
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().text, HasSubstr("n2nq-receiver cannot be run"));
  EXPECT_THAT(checked.error().text, HasSubstr("N2NQ_PROGRAMS"));
}

}  // namespace
}  // namespace n2nq::place
