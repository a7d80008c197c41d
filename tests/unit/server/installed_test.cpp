// What is installed here of servers: where their programs are, and what these say of their version.
#include "broker/serve/installed.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "broker/base/clock.h"
#include "broker/process/commands.h"
#include "broker/serve/recipe.h"
#include "broker/server/broker_options.h"
#include "broker/server/broker_report.h"

namespace n2nq::serve {
namespace {

namespace fs = std::filesystem;

TEST(Installed, AVersionIsTheFirstNumbersWithDotsBetweenThem) {
  EXPECT_EQ(version_in("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=d81b8ff71cfb150e"),
            "7.0.15");
  EXPECT_EQ(version_in("nats-server: v2.9.10\n"), "2.9.10");
  EXPECT_EQ(version_in("3.10.8\n"), "3.10.8");
  EXPECT_EQ(version_in("3.13.0-rc.1/sbin/rabbitmq-server"), "3.13.0");
  EXPECT_EQ(version_in("started 2 of 3. Version 1.4."), "1.4");
  EXPECT_EQ(version_in("no number, and 7 alone"), "");
  EXPECT_EQ(version_in(""), "");
}

TEST(Installed, AProgramThatDoesNotEndSaysNothingAndIsEndedInTime) {
  EXPECT_EQ(process::said_by({"/bin/sh", "-c", "echo 1.2; echo 3.4 >&2"}), "1.2\n3.4\n");
  EXPECT_EQ(process::said_by({"/nonexistent/program"}), "");
  const int64_t begun_ns = now_ns();
  EXPECT_EQ(process::said_by({"/bin/sh", "-c", "echo 1.2; sleep 60 & wait"}, 200), "");
  EXPECT_LT(now_ns() - begun_ns, 10'000'000'000);
}

// A PATH with nothing but a server that says its version, and one whose folder does.
class Planted : public testing::Test {
 protected:
  Planted() {
    std::string pattern = (fs::temp_directory_path() / "n2nq-installed-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    ::setenv("PATH", folder_.c_str(), 1);
  }
  ~Planted() override {
    ::setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  void plant(const fs::path& file, const std::string& text) const {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(file, fs::perms(0755));
  }

  fs::path folder_;

 private:
  std::string path_ = std::getenv("PATH");
};

TEST_F(Planted, ServersAreFoundWithTheirVersions) {
  plant(folder_ / "nats-server", "test \"$*\" = --version && echo 'nats-server: v2.99.1'");
  auto nats = look_for(*find_recipe("nats"));
  ASSERT_TRUE(nats);
  EXPECT_EQ(nats->file, folder_ / "nats-server");
  EXPECT_EQ(nats->version, "2.99.1");
  const auto line = nlohmann::json::parse(server::server_line(*find_recipe("nats"), nats));
  EXPECT_EQ(line["type"], "server");
  EXPECT_EQ(line["kind"], "nats");
  EXPECT_EQ(line["version"], "2.99.1");
  EXPECT_EQ(line["install"], "sudo apt install nats-server");

  plant(folder_ / "nats-server", "echo broken");
  nats = look_for(*find_recipe("jetstream"));
  ASSERT_TRUE(nats) << "the same program";
  EXPECT_EQ(nats->version, "");
  EXPECT_TRUE(nlohmann::json::parse(server::server_line(*find_recipe("nats"), nats))["version"].is_null());

  if (fs::exists("/usr/lib/rabbitmq/bin/rabbitmq-server")) return;  // that one is before all in PATH
  plant(folder_ / "rabbitmq_server-3.77.2/sbin/rabbitmq-server", "sleep 60");
  fs::create_symlink("rabbitmq_server-3.77.2/sbin/rabbitmq-server", folder_ / "rabbitmq-server");
  auto rabbit = look_for(*find_recipe("rabbitmq"));
  ASSERT_TRUE(rabbit);
  EXPECT_EQ(rabbit->version, "3.77.2") << "of its folder";
  fs::remove(folder_ / "rabbitmq-server");
  plant(folder_ / "rabbitmq-server", "sleep 60");
  plant(folder_ / "rabbitmqctl", "test \"$*\" = version && echo 3.88.4");
  rabbit = look_for(*find_recipe("rabbitmq"));
  ASSERT_TRUE(rabbit);
  EXPECT_EQ(rabbit->version, "3.88.4") << "asked beside it";
}

TEST_F(Planted, OneThatIsNotThereHasNoFile) {
  const Recipe& nats = *find_recipe("nats");
  if (fs::exists("/usr/sbin/nats-server")) GTEST_SKIP() << "nats-server is where it is always looked for";
  EXPECT_FALSE(look_for(nats));
  const auto line = nlohmann::json::parse(server::server_line(nats, std::nullopt));
  EXPECT_TRUE(line["file"].is_null());
  EXPECT_TRUE(line["version"].is_null());
  EXPECT_EQ(line["install"], "sudo apt install nats-server");
}

TEST(Installed, AskingForItNeedsNoToken) {
  std::string words[] = {"n2nq-broker", "--list-servers"};
  char* argv[] = {words[0].data(), words[1].data(), nullptr};
  const auto parsed = server::parse_broker_options(2, argv);
  const auto* options = std::get_if<server::BrokerOptions>(&parsed);
  ASSERT_NE(options, nullptr);
  EXPECT_TRUE(options->list_servers);
}

}  // namespace
}  // namespace n2nq::serve
