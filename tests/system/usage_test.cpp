// What a person at a shell gets wrong ends at once, in one clear line and with its exit code.
#include <fstream>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kBroker = "n2nq-broker";
constexpr const char* kSender = "n2nq-sender";
constexpr const char* kReceiver = "n2nq-receiver";

size_t lines_in(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

struct BadOption {
  std::string name, program;
  Options options;
  std::string named;  // what the complaint must name
};

void PrintTo(const BadOption& bad, std::ostream* out) {
  *out << bad.name;
}

const Options kToBroker{"--broker", "127.0.0.1:1"};
Options worker(Options more) {
  more.insert(more.begin(), kToBroker.begin(), kToBroker.end());
  return more;
}
Options broker(Options more) {
  Options all{"--listen", "127.0.0.1:0", "--mode", "broadcaster", "--insecure-no-token"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Options one_each(Options more) {
  more.insert(more.begin(), {"--listen", "127.0.0.1:0", "--mode", "load-balancer", "--insecure-no-token"});
  return more;
}

const BadOption kBadOptions[] = {
    {"unknown_option_broker", kBroker, broker({"--frobnicate"}), "frobnicate"},
    {"unknown_option_sender", kSender, worker({"--frobnicate"}), "frobnicate"},
    {"unknown_option_receiver", kReceiver, worker({"--frobnicate"}), "frobnicate"},
    {"mode", kBroker, {"--listen", "127.0.0.1:0", "--mode", "carousel", "--insecure-no-token"}, "--mode"},
    {"policy", kBroker, broker({"--policy", "best"}), "--policy"},
    {"retention", kBroker, broker({"--retention", "soon"}), "--retention"},
    {"retention_without_unit", kBroker, broker({"--retention", "5"}), "--retention"},
    {"max_memory", kBroker, broker({"--max-memory", "lots"}), "--max-memory"},
    {"take_over_of_all", kBroker, broker({"--take-over", "1s"}), "--take-over"},
    {"take_over_after_the_drop", kBroker, one_each({"--take-over", "10s"}), "--stall-timeout"},
    {"take_over_of_the_only_try", kBroker, one_each({"--take-over", "1s", "--tries", "1"}), "--tries"},
    {"take_over_too_soon", kBroker, one_each({"--take-over", "10ms"}), "100ms"},
    {"port", kBroker, {"--listen", "127.0.0.1:70000", "--mode", "broadcaster", "--insecure-no-token"}, "--listen"},
    {"neither_token_nor_none", kBroker, {"--listen", "127.0.0.1:0", "--mode", "broadcaster"}, "token"},
    {"no_broker_sender", kSender, {"--messages", "5"}, "--broker"},
    {"no_broker_receiver", kReceiver, {}, "--broker"},
    {"count_zero", kSender, worker({"--count", "0"}), "--count"},
    {"count_negative", kReceiver, worker({"--count", "-3"}), "--count"},
    {"count_no_number", kSender, worker({"--count", "ten"}), "--count"},
    {"first_zero", kReceiver, worker({"--first", "0"}), "--first"},
    {"messages_negative", kSender, worker({"--messages", "-1"}), "--messages"},
    {"delay_without_unit", kSender, worker({"--delay", "100"}), "--delay"},
    {"delay_negative", kSender, worker({"--delay", "-5ms"}), "--delay"},
    {"size_reversed", kSender, worker({"--size", "100B..10B"}), "--size"},
    {"size_nonsense", kSender, worker({"--size", "big"}), "--size"},
    {"phase", kSender, worker({"--phase", "full-moon"}), "--phase"},
    {"log_level", kReceiver, worker({"--log", "verbose"}), "--log"},
    {"requests_zero", kReceiver, worker({"--requests", "0"}), "--requests"},
    {"filter_without_requests", kReceiver, worker({"--filter", "senders=1"}), "--requests"},
    {"filter_unknown_field", kReceiver, worker({"--requests", "1", "--filter", "colour=red"}), "colour"},
    {"filter_reversed", kReceiver, worker({"--requests", "1", "--filter", "index=9..3"}), "index"},
    {"filter_bad_senders", kReceiver, worker({"--requests", "1", "--filter", "senders=1..x"}), "senders"},
    {"telemetry", kReceiver, worker({"--telemetry", "sometimes"}), "--telemetry"},
    {"broker_without_port", kSender, {"--broker", "127.0.0.1", "--messages", "1"}, "127.0.0.1"},
};

class Usage : public testing::TestWithParam<BadOption> {};

TEST_P(Usage, ErrorsExitWithTwoAndSayWhichOption) {
  Stage stage;
  Process& process = stage.start_raw(GetParam().program, GetParam().options);
  Ended ended = stage.finish_one(process, 10s);
  EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(GetParam().named));
  EXPECT_EQ(lines_in(ended.err), 1U) << ended.err;
  EXPECT_THAT(ended.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, Usage, testing::ValuesIn(kBadOptions), [](const auto& one) { return one.param.name; });

class EveryProgram : public testing::TestWithParam<std::string> {};

TEST_P(EveryProgram, HelpsAStranger) {
  Stage stage;
  Ended help = stage.finish_one(stage.start_raw(GetParam(), {"--help"}), 10s);
  EXPECT_EQ(help.exit, Exit{.code = 0});
  EXPECT_THAT(help.out, HasSubstr(GetParam() == kBroker ? "--mode" : "--broker"));
  EXPECT_THAT(help.out, HasSubstr("--token-file"));
  EXPECT_THAT(help.out, HasSubstr("127.0.0.1:7400")) << "an example";
  EXPECT_GT(lines_in(help.out), 15U);
}

TEST_P(EveryProgram, TellsItsVersion) {
  Stage stage;
  Ended version = stage.finish_one(stage.start_raw(GetParam(), {"--version"}), 10s);
  EXPECT_EQ(version.exit, Exit{.code = 0});
  EXPECT_THAT(version.out, HasSubstr(N2NQ_VERSION));
  EXPECT_EQ(lines_in(version.out), 1U);
}

INSTANTIATE_TEST_SUITE_P(Programs, EveryProgram, testing::Values(kBroker, kSender, kReceiver),
                         [](const auto& one) { return one.param.substr(5); });

std::string token_file(const Stage& stage, const std::string& name, const std::string& token) {
  std::filesystem::path path = stage.dir() / name;
  std::ofstream(path) << token << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  return path;
}

// Local trouble: exit 3, one line, and the summary all the same.
void expect_trouble(const Ended& ended, int code, const std::string& named) {
  EXPECT_EQ(ended.exit, Exit{.code = code}) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(named));
  EXPECT_EQ(lines_in(ended.err), 1U) << ended.err;
  EXPECT_FALSE(ended.summary.empty()) << ended.out;
}

TEST(LocalTrouble, APortInUseEndsTheBrokerWithThree) {
  Stage stage;
  ReservedPort taken;
  taken.listen();
  std::string address = "127.0.0.1:" + std::to_string(taken.number());
  Process& process = stage.start_raw(kBroker, {"--listen", address, "--mode", "broadcaster", "--insecure-no-token"});
  expect_trouble(stage.finish_one(process, 10s), 3, std::to_string(taken.number()));
}

class WorkerTrouble : public testing::TestWithParam<std::string> {
 protected:
  Ended run(Options options, Deadline deadline = 15s) {
    return stage.finish_one(stage.start_raw(GetParam(), std::move(options)), deadline);
  }
  Stage stage;
};

TEST_P(WorkerTrouble, AnUnwritableLogFolderEndsItWithThree) {
  stage.start_broker({"--mode", "broadcaster"});
  std::ofstream(stage.dir() / "file") << "not a folder";
  std::string folder = stage.dir() / "file" / "logs";
  expect_trouble(run({"--broker", stage.address(), "--log-dir", folder}), 3, folder);
}

TEST_P(WorkerTrouble, NobodyListeningEndsItWithFourAfterTheConnectTimeout) {
  expect_trouble(run({"--broker", stage.address(), "--connect-timeout", "400ms"}), 4, stage.address());
}

TEST_P(WorkerTrouble, ANameThatDoesNotResolveEndsItWithFour) {
  expect_trouble(run({"--broker", "no-such-host.invalid:7400", "--connect-timeout", "1s"}), 4, "no-such-host.invalid");
}

TEST_P(WorkerTrouble, AWrongTokenEndsItWithFourAtOnce) {
  std::string right = token_file(stage, "right", "the-right-token");
  std::string wrong = token_file(stage, "wrong", "the-wrong-token");
  stage.start_broker({"--mode", "broadcaster", "--token-file", right});
  expect_trouble(run({"--broker", stage.address(), "--token-file", wrong}, 10s), 4, "token");
}

TEST_P(WorkerTrouble, NoTokenEndsItWithFourAtOnce) {
  std::string right = token_file(stage, "right", "the-right-token");
  stage.start_broker({"--mode", "broadcaster", "--token-file", right});
  expect_trouble(run({"--broker", stage.address()}, 10s), 4, "token");
}

TEST_P(WorkerTrouble, ANumberTakenEndsItWithFourAtOnceAndLeavesTheOwnerAlone) {
  stage.start_broker({"--mode", "broadcaster"});
  ForeignClient owner =
      ForeignClient::join(stage.port(), {.role = static_cast<uint8_t>(GetParam() == kSender ? 1 : 2), .number = 2});
  expect_trouble(run({"--broker", stage.address(), "--count", "3"}, 10s), 4, "2");
  EXPECT_FALSE(owner.wait_closed(Deadline::window(kLook)));
}

TEST_P(WorkerTrouble, ATokenFileThatIsNotThereEndsIt) {
  Ended ended = run({"--broker", stage.address(), "--token-file", stage.dir() / "nowhere"}, 10s);
  ASSERT_TRUE(ended.exit);
  EXPECT_TRUE(ended.exit->code == 2 || ended.exit->code == 3) << to_string(*ended.exit);
  EXPECT_THAT(ended.err, HasSubstr("nowhere"));
}

INSTANTIATE_TEST_SUITE_P(Workers, WorkerTrouble, testing::Values(kSender, kReceiver),
                         [](const auto& one) { return one.param.substr(5); });

TEST(Token, TheRightOneLetsEverybodyIn) {
  Stage stage;
  std::string file = token_file(stage, "token", "a-token-of-this-run");
  stage.start_broker({"--mode", "broadcaster", "--token-file", file});
  stage.start(receivers(1, {"--token-file", file}));
  stage.start(senders(1, {"--messages", "5", "--delay", "1ms", "--token-file", file}));
  EXPECT_THAT(check_complete_run(stage.finish(), {.messages = 5}), IsEmpty());
}

// As a service manager may start it: what the program opens itself must not become its stdin or stdout.
TEST(Usage, AProgramWithoutStandardStreamsStillEndsAsItShould) {
  Stage stage;
  const std::string command =
      "exec " + program(kSender) + " --broker 127.0.0.1:1 --connect-timeout 100ms --messages 1 <&- >&- 2>&-";
  Process shell({"/bin/sh", "-c", command});
  const auto exit = shell.wait_exit(20s);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 4);
}

}  // namespace
}  // namespace n2nq::test
