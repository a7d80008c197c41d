// What keeps a run from its hosts: each with its exit code, a text that says what to do, and nothing left behind.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>

#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

using RemoteTrouble = RemoteTest;
using std::chrono::steady_clock;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Json kOnVm1{{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm1"}}}}, {"receivers", {{"hosts", {"vm1"}}}}};

TEST_F(RemoteTrouble, AHostThatIsNotInTheListIsToldBeforeAnything) {
  const BenchEnded ended = run({{"senders", {{"hosts", {"vm9"}}}}}, hosts());
  EXPECT_EQ(ended.exit, (Exit{.code = 2, .signal = 0}));
  EXPECT_THAT(ended.err, HasSubstr("senders.hosts: there is no host \"vm9\": there are vm1, vm2, vm3, gate"));
}

TEST_F(RemoteTrouble, AnUnknownKeyEndsWithTheCommandThatTrustsIt) {
  auto options = hosts();
  options.back() = lab_->unknown_hosts();
  const BenchEnded refused = run(kOnVm1, options);
  EXPECT_EQ(refused.exit, (Exit{.code = 7, .signal = 0})) << refused.err;
  const std::string trust = "n2nq-bench hosts trust vm1 " + lab_->fingerprint("vm1");
  EXPECT_THAT(refused.err, HasSubstr(trust));
  EXPECT_EQ(refused.result()["verdict"], "failed");
  auto for_people = run_arguments(kOnVm1, options);
  std::erase(for_people, "--json");
  const BenchEnded told = place_->run(for_people);
  EXPECT_THAT(told.out, AllOf(HasSubstr("failed: "), Not(HasSubstr("requested rate"))));
  for (const std::string_view sentence : {"compare it with the output", "n2nq-bench hosts trust"})
    EXPECT_EQ(told.err.find(sentence), told.err.rfind(sentence)) << told.err;

  std::vector<std::string> wrong{"hosts", "trust", "vm1", "SHA256:0000000000000000000000000000000000000000000"};
  wrong.insert(wrong.end(), options.begin(), options.end());
  const BenchEnded other = place_->run(wrong);
  EXPECT_EQ(other.exit, (Exit{.code = 7, .signal = 0})) << other.err;
  EXPECT_THAT(other.err, HasSubstr("shows another key, " + lab_->fingerprint("vm1")));
  EXPECT_EQ(run(kOnVm1, options).exit, (Exit{.code = 7, .signal = 0})) << "nothing was written";

  std::vector<std::string> right{"hosts", "trust", "vm1", lab_->fingerprint("vm1")};
  right.insert(right.end(), options.begin(), options.end());
  const BenchEnded trusted = place_->run(right);
  EXPECT_EQ(trusted.exit, (Exit{.code = 0, .signal = 0})) << trusted.err;
  EXPECT_THAT(trusted.out, HasSubstr("the key of vm1 is now trusted"));
  EXPECT_EQ(run(kOnVm1, options).exit, (Exit{.code = 0, .signal = 0}));
}

TEST_F(RemoteTrouble, UnknownKeysOfAllHostsAreToldAtOnce) {
  auto options = hosts();
  options.back() = lab_->unknown_hosts();
  const Json plan{{"queue", {{"host", "vm1"}}}, {"senders", {{"hosts", {"vm2"}}}}, {"receivers", {{"hosts", {"vm3"}}}}};
  const auto expect_all = [&](const BenchEnded& ended) {
    EXPECT_EQ(ended.exit, (Exit{.code = 7, .signal = 0})) << ended.err;
    for (const char* host : {"vm1", "vm2", "gate"}) {  // vm3 is behind gate
      const std::string trust = std::string("n2nq-bench hosts trust ") + host + " " + lab_->fingerprint(host);
      EXPECT_THAT(ended.err, HasSubstr(trust));
      EXPECT_EQ(ended.err.find(trust), ended.err.rfind(trust)) << ended.err;
    }
  };
  expect_all(run(plan, options));
  // Somebody who answers for passwords does not answer for keys.
  options.insert(options.end(), {"--askpass", script("yes", "echo yes\n")});
  expect_all(run(plan, options));
}

TEST_F(RemoteTrouble, AKeyThatCannotBeWrittenDownIsNotTrusted) {
  auto options = hosts();
  options.back() = "/proc/nowhere/known_hosts";
  std::vector<std::string> arguments{"hosts", "trust", "vm1", lab_->fingerprint("vm1")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const BenchEnded ended = place_->run(arguments);
  EXPECT_EQ(ended.exit, (Exit{.code = 3, .signal = 0})) << ended.out;
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, testing::AllOf(HasSubstr("the key of vm1 matches, but cannot be saved"),
                                        HasSubstr("/proc/nowhere/known_hosts"), HasSubstr("--known-hosts")));
}

TEST_F(RemoteTrouble, AKeyOnTheWayIsNamedAsThatOfTheJumpHost) {
  auto options = hosts();
  options.back() = lab_->unknown_hosts();
  const BenchEnded refused = run({{"receivers", {{"hosts", {"vm3"}}}}, {"queue", {{"host", "vm3"}}}}, options);
  EXPECT_EQ(refused.exit, (Exit{.code = 7, .signal = 0})) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("n2nq-bench hosts trust gate " + lab_->fingerprint("gate")));
}

TEST_F(RemoteTrouble, AHostThatIsNotThereOrLetsNobodyInIsTold) {
  Json vm9 = ssh_host("vm1"), locked = ssh_host("vm1");
  vm9["address"] = "10.77.0.99";
  locked["key_file"] = "/nowhere/key";
  for (Json& host : std::vector{vm9, locked}) {
    host["name"] = "vm9";
    const BenchEnded ended =
        run({{"senders", {{"hosts", {"vm9"}}}}, {"queue", {{"host", "vm1"}}}}, hosts({ssh_host("vm1"), host}));
    EXPECT_EQ(ended.exit, (Exit{.code = 4, .signal = 0})) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("vm9"));
  }
}

TEST_F(RemoteTrouble, AQueueHereThatAHostCannotReachIsToldWithAPlaceForIt) {
  const auto begin = steady_clock::now();
  const BenchEnded ended = run({{"receivers", {{"hosts", {"vm3"}}}}}, hosts());
  EXPECT_EQ(ended.exit, (Exit{.code = 1, .signal = 0})) << ended.err;
  EXPECT_THAT(ended.result()["reason"].get<std::string>(),
              AllOf(HasSubstr("receivers on vm3 cannot reach the queue on this computer at 10.77.0.1:"),
                    HasSubstr("queue.host=vm3")));
  EXPECT_LT(steady_clock::now() - begin, 45s) << "earlier than the time to join";
}

TEST_F(RemoteTrouble, AStopWhileItConnectsIsObeyedAtOnce) {
  lab_->freeze_sshd("vm1", true);
  Process bench = place_->start(run_arguments(kOnVm1, hosts()));
  ASSERT_TRUE(bench.wait_err("connecting to vm1", 20s)) << bench.err();
  const auto begin = steady_clock::now();
  bench.signal(SIGINT);
  const BenchEnded ended = BenchPlace::finish(bench);
  EXPECT_LT(steady_clock::now() - begin, 5s);
  EXPECT_EQ(ended.exit, (Exit{.code = 5, .signal = 0})) << ended.err;
  lab_->freeze_sshd("vm1", false);
}

TEST_F(RemoteTrouble, TwoBenchesUseAHostAtOnce) {
  const BenchPlace other;
  Json longer = kOnVm1;
  longer["senders"]["messages"] = 300;
  const auto options = hosts();
  Process first = place_->start(run_arguments(longer, options));
  std::vector<std::string> arguments{"run", other.plan(longer), "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Process second = other.start(arguments);
  for (Process* bench : {&first, &second}) {
    const BenchEnded ended = BenchPlace::finish(*bench);
    EXPECT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
    EXPECT_EQ(ended.result()["runs"][0]["received"], 3600);
  }
}

}  // namespace
}  // namespace n2nq::test
