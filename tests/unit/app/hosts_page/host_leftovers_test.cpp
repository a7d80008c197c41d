// `hosts collect` and `hosts clean` on hosts that a bench was killed beside.
#include "app/cli/host_leftovers.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/hosts_page/fake_host_link.h"

namespace n2nq::cli {
namespace {

using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;
using Wish = HostLeftovers::Wish;

struct Leftovers : testing::Test {
  ~Leftovers() override { test::forget_fake_hosts(); }

  test::TempDir dir;
  test::FakeHost& host = test::fake_host("vm1");
  std::string out;
  std::vector<std::string> collected;

  Leftovers() {
    host.left = {
        {.name = "20261120T120000Z-3f2a", .folder = "/work/runs/20261120T120000Z-3f2a-5f3a09c1"},
        {.name = "20261121T120000Z-77aa", .folder = "/work/runs/20261121T120000Z-77aa-5f3a09c1", .busy = true}};
    host.files = {{.name = "sender-1.log", .size = 10}, {.name = "sender-1.summary.json", .size = 5},
                  {.name = "broker.log", .size = 3},    {.name = "../evil", .size = 3},
                  {.name = "journal.jsonl", .size = 3}, {.name = "master.csv", .size = 3},
                  {.name = "id_rsa", .size = 3}};
  }
  BenchExit look_after(Wish wish, const std::vector<std::string>& names = {"vm1"}) {
    hosts::HostList list;
    for (const char* name : {"vm1", "vm2"}) list.hosts.push_back({.name = name, .address = "10.0.0.5"});
    HostAccess access(list, "", {});
    const HostsOptions options;
    HostLeftovers leftovers(
        access, names, wish, [this](const std::string& run) { return (dir / run).string(); }, options);
    testing::internal::CaptureStdout();
    const BenchExit exit = leftovers.execute();
    out = testing::internal::GetCapturedStdout();
    collected = leftovers.collected();
    return exit;
  }
};

TEST_F(Leftovers, AreBroughtIntoTheFolderOfTheirRunAndRemovedThere) {
  EXPECT_EQ(look_after(Wish::collect), BenchExit::passed) << out;
  const std::string from = "/work/runs/20261120T120000Z-3f2a-5f3a09c1/";
  EXPECT_THAT(host.fetched, UnorderedElementsAre(Pair(from + "sender-1.log", 10), Pair(from + "broker.log", 3),
                                                 Pair(from + "sender-1.summary.json", 5)))
      << "nothing that processes do not write, and nothing of the run that goes on";
  EXPECT_TRUE(host.folder_removed);
  const std::string folder = (dir / "20261120T120000Z-3f2a").string();
  EXPECT_THAT(collected, testing::ElementsAre(folder));
  struct stat status{};
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  EXPECT_THAT(out, HasSubstr("20261120T120000Z-3f2a  fetched to " + folder));
  EXPECT_THAT(out, HasSubstr("20261121T120000Z-77aa  is still running there"));
}

TEST_F(Leftovers, ReplaceNothingThatIsHereAlready) {
  const auto folder = dir / "20261120T120000Z-3f2a";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "broker.log") << "abc";
  EXPECT_EQ(look_after(Wish::collect), BenchExit::passed) << out;
  EXPECT_EQ(host.fetched.size(), 2u) << "without the one that is here, and as long";
  host.fetched.clear();
  std::ofstream(folder / "sender-1.log") << "of another host";
  EXPECT_NE(look_after(Wish::collect), BenchExit::passed) << out;
  EXPECT_TRUE(host.fetched.empty());
  EXPECT_EQ(std::filesystem::file_size(folder / "sender-1.log"), 15u);
}

TEST_F(Leftovers, AreRemovedWithoutBeingBroughtHome) {
  EXPECT_EQ(look_after(Wish::clean), BenchExit::passed) << out;
  EXPECT_TRUE(host.folder_removed);
  EXPECT_TRUE(host.fetched.empty());
  EXPECT_THAT(out, HasSubstr("20261120T120000Z-3f2a  removed"));
  EXPECT_THAT(out, HasSubstr("20261121T120000Z-77aa  is still running there"));
}

TEST_F(Leftovers, OfARunThatGoesOnAreLeft) {
  host.left.erase(host.left.begin());
  EXPECT_EQ(look_after(Wish::clean), BenchExit::passed);
  EXPECT_FALSE(host.folder_removed);
}

TEST_F(Leftovers, OfTheOtherHostsAreLookedAfterWhereOneIsNotReached) {
  test::fake_host("vm2").failure = {.trouble = launch::LinkTrouble::unreachable,
                                    .step = launch::LinkStep::reach,
                                    .text = "vm2: nobody answers",
                                    .host = "vm2"};
  EXPECT_EQ(look_after(Wish::clean, {"vm2", "vm1"}), BenchExit::host_trouble);
  EXPECT_TRUE(host.folder_removed);
}

}  // namespace
}  // namespace n2nq::cli
