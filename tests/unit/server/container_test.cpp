// Containers of servers: what is taken for one, and which limits are in force by the files of either version of control
// groups.
#include "broker/serve/container.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "broker/serve/recipe.h"

namespace n2nq::serve {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Groups : public testing::Test {
 protected:
  Groups() {
    std::string pattern = (fs::temp_directory_path() / "n2nq-groups-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  ~Groups() override { fs::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << "\n";
  }
  fs::path root_;
};

TEST_F(Groups, OfVersionOneHaveEachControllerInAFolderOfItsOwn) {
  write("memory/libpod/x/memory.limit_in_bytes", "67108864");
  write("memory/memory.limit_in_bytes", "9223372036854771712");
  write("cpu,cpuacct/libpod/x/cpu.cfs_quota_us", "150000");
  write("cpu,cpuacct/libpod/x/cpu.cfs_period_us", "100000");
  const process::LimitsInForce limits =
      process::limits_of("4:memory:/libpod/x\n1:cpu,cpuacct:/libpod/x\n0::/libpod/x\n", root_);
  EXPECT_EQ(limits.cpus, 1.5);
  EXPECT_EQ(limits.memory_bytes, 67'108'864u);
  EXPECT_FALSE(limits.no_swap);
  write("memory/libpod/x/memory.memsw.limit_in_bytes", "67108864");
  EXPECT_TRUE(process::limits_of("4:memory:/libpod/x\n", root_).no_swap);
  write("cpu,cpuacct/libpod/x/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(process::limits_of("1:cpu,cpuacct:/libpod/x\n", root_).cpus, std::nullopt);
}

// The runtime may put the process into a group below the one with the limits.
TEST_F(Groups, OfVersionTwoCountOnAllLevels) {
  write("machine.slice/libpod-x.scope/memory.max", "67108864");
  write("machine.slice/libpod-x.scope/cpu.max", "50000 100000");
  write("machine.slice/libpod-x.scope/container/memory.max", "max");
  write("machine.slice/libpod-x.scope/container/cpu.max", "max 100000");
  write("machine.slice/memory.max", "1000000000");
  const process::LimitsInForce limits = process::limits_of("0::/machine.slice/libpod-x.scope/container\n", root_);
  EXPECT_EQ(limits.cpus, 0.5);
  EXPECT_EQ(limits.memory_bytes, 67'108'864u);
  EXPECT_FALSE(limits.no_swap);
  write("machine.slice/libpod-x.scope/memory.swap.max", "0");
  EXPECT_TRUE(process::limits_of("0::/machine.slice/libpod-x.scope/container\n", root_).no_swap);
  const process::LimitsInForce none = process::limits_of("0::/user.slice\nnonsense\n", root_);
  EXPECT_EQ(none.cpus, std::nullopt);
  EXPECT_EQ(none.memory_bytes, std::nullopt);
}

TEST(Containers, AreNotTakenForLimitedWhereTheyAreNot) {
  const process::LimitWords words{.prefix = "bus.", .runner = "the queue"};
  EXPECT_TRUE(process::check_limits({}, ::getpid(), words));
  const auto cpus = process::check_limits({.cpus = "0.001"}, ::getpid(), words);
  ASSERT_FALSE(cpus);
  EXPECT_THAT(cpus.error().text, HasSubstr("is not held to bus.cpus=0.001"));
  const auto memory = process::check_limits({.memory_bytes = 1 << 20}, ::getpid(), words);
  ASSERT_FALSE(memory);
  EXPECT_THAT(memory.error().text, HasSubstr("is not held to bus.memory=1MiB"));
  EXPECT_THAT(memory.error().text, HasSubstr("run the queue as root, or remove bus.memory"));
}

TEST(Containers, AreTakenOutOfTheSettingsOfAServer) {
  std::map<std::string, std::string> settings{
      {"image", "redis:7"}, {"cpus", "1.5"}, {"memory", "64MiB"}, {"append_fsync", "no"}};
  const auto container = take_container(settings);
  ASSERT_TRUE(container && *container);
  EXPECT_EQ((*container)->image, "redis:7");
  EXPECT_EQ((*container)->limits.cpus, "1.5");
  EXPECT_EQ((*container)->limits.memory_bytes, 64u << 20);
  EXPECT_EQ(settings, (std::map<std::string, std::string>{{"append_fsync", "no"}}));

  settings = {{"image", "redis:7"}, {"cpus", "0"}, {"memory", "0B"}};
  const auto without = take_container(settings);
  ASSERT_TRUE(without && *without);
  EXPECT_EQ((*without)->limits.cpus, "");
  EXPECT_EQ((*without)->limits.memory_bytes, 0u);

  settings = {{"image", ""}};
  const auto none = take_container(settings);
  EXPECT_TRUE(none && !*none);
  for (const auto& [key, value] : {std::pair("cpus", "two"), std::pair("memory", "much"), std::pair("cpus", "2")}) {
    settings = {{key, value}};
    EXPECT_FALSE(take_container(settings)) << key;
  }
}

// Fields of a mount are between commas.
TEST(Containers, HaveAFolderWhateverItIsCalled) {
  const Site site{.folder = "/tmp/a,dst=/etc,\"b\"/n2nq-server-x"};
  CagedProgram program{.argv = {"server"}};
  put_into({.image = "x", .podman = "/usr/bin/podman"}, site, program);
  EXPECT_THAT(program.argv, testing::Contains("type=bind,\"source=/tmp/a,dst=/etc,\"\"b\"\"/n2nq-server-x\","
                                              "\"destination=/tmp/a,dst=/etc,\"\"b\"\"/n2nq-server-x\""));
}

}  // namespace
}  // namespace n2nq::serve
