// Runs whose server finds no more room on its disk: the disk is named first, whatever server and clients say of it.
#include <sched.h>
#include <sys/mount.h>

#include <fstream>
#include <ostream>
#include <thread>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct FullDiskCase {
  std::string kind, title;
  Json settings = Json::object();
};

std::ostream& operator<<(std::ostream& out, const FullDiskCase& one) {
  return out << one.kind;
}

struct FullDisk : ForeignBus, testing::WithParamInterface<FullDiskCase> {
  std::string runs() const { return (place.data() / "runs").string(); }
  // A small disk for all that runs write, which only the calling thread sees, and what it starts.
  bool mount_disk() const {
    std::filesystem::create_directories(runs());
    return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("none", runs().c_str(), "tmpfs", 0, "size=96m") == 0;
  }
  void fill_disk() const {
    std::ofstream rest(runs() + "/rest");
    const std::string block(4096, 'x');
    while (rest << block << std::flush) {
    }
  }
  Json plan() const {
    Json plan = base({}, GetParam().kind);
    plan["bus"].update(GetParam().settings);
    plan["senders"] = {{"count", 2}, {"duration", "20s"}, {"messages", nullptr}, {"delay", "5ms"}, {"size", "16KiB"}};
    plan["receivers"] = {{"count", 2}};
    return plan;
  }
};

TEST_P(FullDisk, OfItsServerIsWhyARunFailed) {
  bool possible = false;
  Json run;
  std::thread([&] {
    possible = mount_disk();
    if (!possible) return;
    Process bench = place.start({"run", place.plan(plan()), "--json"});
    EXPECT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
    fill_disk();
    ASSERT_TRUE(bench.wait_exit(150s)) << bench.err();
    run = Json::parse(bench.out())["runs"][0];
  }).join();
  if (!possible) GTEST_SKIP() << "no disk of its own here";
  EXPECT_EQ(run["verdict"], "failed");
  const std::string reason = run["reason"];
  EXPECT_THAT(reason, StartsWith("the server of this run, " + GetParam().title +
                                 ", keeps its files on a disk that is "
                                 "full: "));
  EXPECT_THAT(reason, HasSubstr("B free at " + runs() + "/"));
}

const auto kNameOfFull = [](const auto& info) {
  std::string name = info.param.kind;
  std::erase(name, '-');
  return name;
};
INSTANTIATE_TEST_SUITE_P(Buses, FullDisk,
                         testing::Values(FullDiskCase{"redis-streams", "Redis", {{"append_fsync", "always"}}},
                                         FullDiskCase{"jetstream", "NATS with JetStream"},
                                         FullDiskCase{"rabbitmq", "RabbitMQ", {{"persistent", true}}},
                                         FullDiskCase{"kafka", "Kafka"}),
                         kNameOfFull);

}  // namespace
}  // namespace n2nq::test
