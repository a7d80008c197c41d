// A server of the run's own in a container: it is held to its limits, known for what it is, and gone with the run,
// whoever is killed. Images are made of the servers that tests have, without any registry.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/lab/boxes.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kSecret = "token-of-a-contained-run";

class Contained : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = Boxes::why_not()) GTEST_SKIP() << *why;
    boxes_ = std::make_unique<Boxes>();
    boxes_->make_image_of("redis-image", "redis-server", "/usr/bin/redis-check-rdb");
    boxes_->make_image_of("nats-image", "nats-server", N2NQ_TEST_SERVERS "/usr/sbin/nats-server");
    make_images();
    boxes_->enter_environment();
  }
  ~Contained() override {
    if (boxes_ == nullptr) return;
    EXPECT_TRUE(pid_ == 0 || wait_gone(pid_, 10s));
    EXPECT_TRUE(boxes_->wait_no_container(10s));
    EXPECT_THAT(processes_left_at(10s), IsEmpty());
    EXPECT_TRUE(folder_.empty() || !fs::exists(folder_));
  }

  virtual void make_images() {}

  Process& start_raw(const std::string& kind, const std::string& set, const Options& more = {"--insecure-no-token"}) {
    fs::create_directories(stage_.logs());
    Options options{"--elsewhere", "--serve",        kind,        "--serve-set", set,
                    "--listen",    stage_.address(), "--log-dir", stage_.logs()};
    options.insert(options.end(), more.begin(), more.end());
    return stage_.start_raw("n2nq-broker", options);
  }
  Process& start(const std::string& kind, const std::string& set, const Options& more = {"--insecure-no-token"}) {
    Process& broker = start_raw(kind, set, more);
    server_ = await_json(broker, "ready", 60s)["servers"][0];
    pid_ = server_.value("pid", 0);
    folder_ = fs::read_symlink("/proc/" + std::to_string(pid_) + "/cwd");
    watcher_ = parent_of(pid_);
    monitor_ = parent_of(watcher_);
    guard_ = parent_of(monitor_);
    EXPECT_EQ(parent_of(guard_), broker.pid());
    return broker;
  }
  std::string said_in_vain(const std::string& kind, const std::string& set, int code) {
    Process& broker = start_raw(kind, set);
    const auto exit = broker.wait_exit(60s);
    EXPECT_TRUE(exit && exit->code == code) << broker.err();
    return broker.err();
  }
  std::string ask(const Options& words) const {
    const std::string address = server_.value("address", "");
    Options argv{"/usr/bin/redis-cli", "-p", address.substr(address.rfind(':') + 1)};
    argv.insert(argv.end(), words.begin(), words.end());
    return output_of(argv);
  }

  std::unique_ptr<Boxes> boxes_;
  Stage stage_;
  Json server_;
  pid_t pid_ = 0, watcher_ = 0, monitor_ = 0, guard_ = 0;
  fs::path folder_{};
};

TEST_F(Contained, IsHeldToItsLimitsAndKnownForWhatItIs) {
  Process& broker = start("redis", "image=redis-image;cpus=0.5;memory=64MiB;append_fsync=always");
  EXPECT_EQ(comm_of(pid_), "redis-server");
  EXPECT_EQ(comm_of(monitor_), "conmon");
  EXPECT_EQ(boxes_->containers(), (std::vector<std::string>{"localhost/redis-image:latest watch redis-server -"}));
  EXPECT_THAT(group_has(pid_, "cpu", "cpu.cfs_quota_us", "cpu.max"), testing::StartsWith("50000"));
  EXPECT_EQ(group_has(pid_, "memory", "memory.limit_in_bytes", "memory.max"), "67108864");
  EXPECT_EQ(ask({"CONFIG", "GET", "dir"}), "dir\n" + folder_.string() + "\n");
  EXPECT_THAT(ask({"CONFIG", "GET", "appendfsync"}), HasSubstr("always"));
  EXPECT_TRUE(fs::exists(folder_ / "appendonlydir")) << "its files are on the host";
  EXPECT_THAT(server_.value("version", ""), testing::MatchesRegex("[0-9.]+ in redis-image \\(sha256:[0-9a-f]+\\)"));
  broker.signal(SIGTERM);
  ASSERT_TRUE(broker.wait_exit(20s));
  EXPECT_THAT(boxes_->containers(), IsEmpty()) << "before the broker";
  EXPECT_FALSE(fs::exists("/proc/" + std::to_string(pid_)));
  std::ifstream log(stage_.logs() / "server.log");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(log), {}}), HasSubstr("Ready to accept connections"));
}

// Those that are more than a program see what else they need of this computer.
class ContainedEach : public Contained, public testing::WithParamInterface<const char*> {
 protected:
  void make_images() override {
    const std::string servers = N2NQ_TEST_SERVERS;
    std::vector<std::string> folders{servers};
    for (const auto& entry : fs::directory_iterator("/etc"))
      if (const std::string name = entry.path().filename(); name == "alternatives" || name.starts_with("java-"))
        folders.push_back(entry.path());
    if (GetParam() == std::string("kafka")) {
      std::map<std::string, std::string> files;
      for (const auto& entry : fs::directory_iterator(servers + "/kafka/libs"))
        files["opt/kafka/libs/" + entry.path().filename().string()] = entry.path();
      boxes_->make_image_of_here("kafka-image", files, folders, "/usr/bin");
    }
    if (GetParam() == std::string("rabbitmq"))
      boxes_->make_image_of_here("rabbitmq-image", {}, folders,
                                 servers + "/usr/lib/rabbitmq/bin:" + servers + "/usr/bin:/usr/bin");
  }
  static std::string image() {
    return GetParam() == std::string("jetstream") ? "nats-image" : GetParam() + std::string("-image");
  }
};

TEST_P(ContainedEach, CarriesARunWithTheRunsTokenAndShowsItToNobody) {
  const std::string kind = GetParam();
  const std::string file = stage_.dir() / "token";
  std::ofstream(file) << kSecret << "\n";
  fs::permissions(file, fs::perms::owner_read);
  SecretWatch watch({kSecret});
  Process& broker = start(kind, "image=" + image() + ";memory=1536MiB", {"--token-file", file});
  EXPECT_THAT(server_.value("version", ""), testing::MatchesRegex("[0-9.]+ in " + image() + " \\(sha256:[0-9a-f]+\\)"));
  const Options bus{"--token-file",    file,
                    "--bus",           kind == "redis" ? "redis-streams" : kind,
                    "--bus-set",       "address=" + server_.value("address", "") + ";quiet=5s",
                    "--bus-own-server"};
  Fleet receiving = receivers(2, bus), sending = senders(2, bus);
  sending.options.insert(sending.options.end(), {"--messages", "50", "--delay", "1ms"});
  Process& receiver = stage_.start(receiving);
  Process& sender = stage_.start(sending);
  watch.look();
  for (Process* each : {&sender, &receiver, &broker}) {
    const auto exit = each->wait_exit(30s);
    ASSERT_TRUE(exit) << each->err();
    EXPECT_EQ(exit->code, 0) << each->out() << each->err();
  }
  EXPECT_THAT(receiver.out(), HasSubstr("\"received\":200"));
  EXPECT_THAT(watch.found(), IsEmpty());
  EXPECT_TRUE(watch.looked_at().contains("conmon"));
}

INSTANTIATE_TEST_SUITE_P(Servers, ContainedEach, testing::Values("redis", "nats", "jetstream", "rabbitmq", "kafka"));

TEST_F(Contained, IsGoneWhenTheBrokerIsKilled) {
  Process& broker = start("nats", "image=nats-image");
  broker.signal(SIGKILL);
  EXPECT_TRUE(broker.wait_exit(20s));
}

// The kernel ends its child, podman, and nobody tells the container but the pipe of its watcher.
TEST_F(Contained, IsGoneWhenItsGuardIsKilled) {
  Process& broker = start("nats", "image=nats-image");
  ::kill(guard_, SIGKILL);
  EXPECT_TRUE(wait_gone(pid_, 10s)) << "while the broker is there";
  EXPECT_TRUE(broker.wait_err("has ended by itself with its guard", 10s)) << broker.err();
  broker.signal(SIGTERM);
  EXPECT_TRUE(broker.wait_exit(20s));
}

TEST_F(Contained, IsGoneWhenTheProcessesBetweenAreKilled) {
  for (const char* who : {"podman", "monitor", "watcher"}) {
    SCOPED_TRACE(who);
    Process& broker = start("redis", "image=redis-image");
    pid_t podman = 0;
    for (const auto& entry : fs::directory_iterator("/proc"))
      if (const pid_t pid = std::atoi(entry.path().filename().c_str()); pid > 0 && parent_of(pid) == guard_)
        if (comm_of(pid) == "podman") podman = pid;
    ASSERT_GT(podman, 0);
    ::kill(who == std::string("podman") ? podman : who == std::string("monitor") ? monitor_ : watcher_, SIGKILL);
    if (who != std::string("monitor")) {
      EXPECT_TRUE(wait_gone(pid_, 10s));
    }
    broker.signal(SIGTERM);
    EXPECT_TRUE(broker.wait_exit(30s));
    EXPECT_TRUE(wait_gone(pid_, 10s));
    EXPECT_TRUE(boxes_->wait_no_container(10s));
    EXPECT_FALSE(fs::exists(folder_));
  }
}

TEST_F(Contained, ThatWantsMoreMemoryThanItMayIsKilledAndThatIsSaid) {
  Process& broker = start("redis", "image=redis-image;memory=32MiB");
  Process filler({"/usr/bin/redis-cli", "-p", server_.value("address", "").substr(10), "DEBUG", "POPULATE", "200000",
                  "k", "1000"});
  Process more({"/usr/bin/redis-benchmark", "-p", server_.value("address", "").substr(10), "-d", "1000000", "-r",
                "100000", "-t", "set", "-n", "2000", "-q"});
  EXPECT_TRUE(broker.wait_err("it wanted more memory than bus.memory allows; give more", 30s)) << broker.err();
  EXPECT_THAT(broker.err(), HasSubstr("redis-server was ended by signal 9 (Killed)"));
  broker.signal(SIGTERM);
  EXPECT_TRUE(broker.wait_exit(20s));
  EXPECT_TRUE(filler.wait_exit(20s));
  EXPECT_TRUE(more.wait_exit(20s));
}

TEST_F(Contained, ThatIsNotToBeHadSaysWhatIsMissingAndWhatToDo) {
  EXPECT_THAT(said_in_vain("redis", "image=not-there", 6),
              testing::AllOf(HasSubstr("podman has no image 'not-there'"), HasSubstr("podman pull not-there")));
  EXPECT_THAT(said_in_vain("redis", "image=nats-image", 3),
              testing::AllOf(HasSubstr("has not started"), HasSubstr("the image has no redis-server"),
                             HasSubstr("give one that has in bus.image")));
  EXPECT_THAT(said_in_vain("redis", "image=--privileged", 6), HasSubstr("podman has no image '--privileged'"));
  EXPECT_THAT(said_in_vain("redis", "cpus=1", 2), HasSubstr("limits of a container; give image=NAME too"));
  EXPECT_THAT(said_in_vain("relay", "image=redis-image", 2), HasSubstr("can be given no setting"));
  Process without({"/usr/bin/env", "PATH=/nowhere", program("n2nq-broker"), "--elsewhere", "--serve", "redis",
                   "--serve-set", "image=redis-image", "--insecure-no-token", "--listen", stage_.address()});
  const auto exit = without.wait_exit(20s);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 6);
  EXPECT_THAT(without.err(),
              HasSubstr("podman is not installed where the server is to run, and bus.image needs it; install "
                        "it there: sudo apt install podman, or leave bus.image empty"));
}

}  // namespace
}  // namespace n2nq::test
