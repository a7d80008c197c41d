#include "app/run/worker_arguments.h"

#include <gmock/gmock.h>

#include "app/plan/plan_fields.h"

namespace n2nq::run {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

// The value behind an option.
std::string value_of(const std::vector<std::string>& arguments, const std::string& option) {
  const auto at = std::find(arguments.begin(), arguments.end(), option);
  return at == arguments.end() || at + 1 == arguments.end() ? "(none)" : at[1];
}

TEST(Shares, SplitAFleetAsEvenlyAsPossible) {
  EXPECT_THAT(shares_of({.count = 10, .processes = 3}), ElementsAre(Share{1, 4}, Share{5, 3}, Share{8, 3}));
  EXPECT_THAT(shares_of({.count = 2, .processes = 5}), ElementsAre(Share{1, 1}, Share{2, 1}));
  EXPECT_THAT(shares_of({.count = 7, .processes = 2, .attach = "h:1"}), ElementsAre(Share{1, 7}));
}

TEST(WorkerArguments, SplitServicesOverHostsAndThenOverTheirProcesses) {
  EXPECT_THAT(shares_of({.count = 10, .hosts = {"a", "b", "c"}}),
              ElementsAre(Share{1, 4, "a"}, Share{5, 3, "b"}, Share{8, 3, "c"}));
  EXPECT_THAT(shares_of({.count = 10, .processes = 3, .hosts = {"a", "b"}}),
              ElementsAre(Share{1, 3, "a"}, Share{4, 2, "a"}, Share{6, 5, "b"}));
}

TEST(Arguments, WithoutAFolderThereIsNoLog) {
  plan::RunPlan plan;
  plan.log = plan::LogLevel::full;
  const Share share{1, 1};
  for (const auto& arguments :
       {sender_arguments(plan, "127.0.0.1:7", share, ""), receiver_arguments(plan, "127.0.0.1:7", share, "")}) {
    EXPECT_EQ(value_of(arguments, "--log"), "off");
    EXPECT_THAT(arguments, Not(Contains("--log-dir")));
  }
  EXPECT_THAT(broker_arguments(plan, "127.0.0.1:7", ""), Not(Contains("--log-dir")));
  EXPECT_EQ(value_of(sender_arguments(plan, "127.0.0.1:7", share, "/logs"), "--log"), "full");
}

TEST(Arguments, SendersStaggerAsOneHoweverManyProcessesTheyAre) {
  plan::RunPlan plan;
  plan.senders.fleet = {.count = 10, .processes = 2};
  const auto second = sender_arguments(plan, "127.0.0.1:7", {6, 5}, "/logs");
  EXPECT_EQ(value_of(second, "--first"), "6");
  EXPECT_EQ(value_of(second, "--count"), "5");
  EXPECT_EQ(value_of(second, "--phase-of"), "10");
}

TEST(Arguments, ADurationTakesThePlaceOfACount) {
  plan::RunPlan plan;
  EXPECT_EQ(value_of(sender_arguments(plan, "b", {1, 1}, "l"), "--messages"), "500");
  plan.senders.duration_ns = 2'000'000'000;
  const auto timed = sender_arguments(plan, "b", {1, 1}, "l");
  EXPECT_EQ(value_of(timed, "--duration"), "2s");
  EXPECT_THAT(timed, Not(Contains("--messages")));
}

TEST(Arguments, TheBrokerTellsNothingWhileItRuns) {
  const auto arguments = broker_arguments({}, "127.0.0.1:0", "/logs");
  EXPECT_EQ(value_of(arguments, "--telemetry"), "off");
  EXPECT_EQ(value_of(arguments, "--retention"), "5s");
  plan::RunPlan plan;
  plan.queue.retention_ns.reset();
  EXPECT_EQ(value_of(broker_arguments(plan, "a", "l"), "--retention"), "until-collected");
}

TEST(Arguments, RequestsAndResponsesAreTheReceivers) {
  plan::RunPlan plan;
  EXPECT_THAT(receiver_arguments(plan, "b", {1, 1}, "l"),
              AllOf(Not(Contains("--requests")), Not(Contains("--responses"))));
  plan.queue.requests.on = true;
  plan.queue.requests.at_a_time = 5;
  plan.queue.responses = true;
  const auto asking = receiver_arguments(plan, "b", {1, 1}, "l");
  EXPECT_EQ(value_of(asking, "--requests"), "5");
  EXPECT_THAT(asking, Contains("--responses"));
}

TEST(Arguments, PacingAndServiceTimesAreThoseOfThePlan) {
  plan::RunPlan plan;
  EXPECT_EQ(value_of(sender_arguments(plan, "b", {1, 1}, "l"), "--pacing"), "fixed");
  EXPECT_EQ(value_of(receiver_arguments(plan, "b", {1, 1}, "l"), "--service-time"), "none");
  EXPECT_EQ(value_of(receiver_arguments(plan, "b", {1, 1}, "l"), "--seed"), "1");
  plan.senders.pacing = plan::Pacing::poisson;
  plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::exponential, .mean_ns = 5'000'001};
  plan.receivers.seed = 7;
  EXPECT_EQ(value_of(sender_arguments(plan, "b", {1, 1}, "l"), "--pacing"), "poisson");
  const auto serving = receiver_arguments(plan, "b", {1, 1}, "l");
  EXPECT_EQ(value_of(serving, "--service-time"), "exponential:5000.001us");
  EXPECT_EQ(value_of(serving, "--seed"), "7");
}

TEST(Arguments, EachFieldThatSomebodyIsToldHasAnOption) {
  for (const plan::PlanField& field : plan::plan_fields())
    EXPECT_EQ(field.argument.option != nullptr || field.argument.otherwise != nullptr,
              field.argument.to != plan::Told::nobody)
        << field.key;
}

TEST(Arguments, ConnectionsAreAsThePlanAsks) {
  plan::RunPlan plan;
  const auto of_tcp = [&plan] {
    std::vector<std::string> found;
    for (const auto& all : {sender_arguments(plan, "b", {1, 1}, "l"), receiver_arguments(plan, "b", {1, 1}, "l")})
      for (size_t i = 0; i < all.size(); i++)
        if (all[i].starts_with("--tcp-")) found.push_back(all[i] == "--tcp-nagle" ? all[i] : all[i] + " " + all[i + 1]);
    return found;
  };
  EXPECT_THAT(of_tcp(), testing::IsEmpty());
  plan.tcp = {.congestion = "bbr", .no_delay = false, .send_buffer_bytes = 65'536, .receive_buffer_bytes = 4'096};
  const std::vector<std::string> each{"--tcp-congestion bbr", "--tcp-nagle", "--tcp-send-buffer 64KiB",
                                      "--tcp-receive-buffer 4KiB"};
  std::vector<std::string> both = each;
  both.insert(both.end(), each.begin(), each.end());
  EXPECT_EQ(of_tcp(), both);
}

TEST(Arguments, SourcePortsAreDealtOutInTheOrderOfTheServices) {
  plan::RunPlan plan;
  plan.senders.fleet = {.count = 5, .processes = 2, .source_ports = {.first = 20000, .last = 20004}};
  EXPECT_EQ(value_of(sender_arguments(plan, "b", {1, 3}, "l"), "--source-ports"), "20000-20002");
  EXPECT_EQ(value_of(sender_arguments(plan, "b", {4, 2}, "l"), "--source-ports"), "20003-20004");
  plan.senders.fleet.source_ports = {.first = 60000, .last = 65535};
  EXPECT_EQ(value_of(sender_arguments(plan, "b", {4, 2}, "l"), "--source-ports"), "63321-65535") << "to the last";
  EXPECT_THAT(receiver_arguments(plan, "b", {1, 1}, "l"), Not(Contains("--source-ports")));
}

TEST(Arguments, ReceiversOfAHostListenBehindOneAnother) {
  plan::RunPlan plan;
  plan.bus = {.kind = "http", .settings = {{"receiver_port", "8000"}}};
  plan.receivers.fleet = {.count = 9, .processes = 5, .loops = 2, .hosts = {"a", "b"}};
  std::vector<std::string> ports;
  for (const Share& share : shares_of(plan.receivers.fleet)) {
    const std::string settings = value_of(receiver_arguments(plan, "b", share, "l"), "--bus-set");
    ports.push_back(share.host + " " + settings.substr(settings.find("receiver_port=") + 14, 4));
  }
  EXPECT_EQ(ports, (std::vector<std::string>{"a 8000", "a 8002", "a 8004", "b 8000", "b 8002"}));
  EXPECT_THAT(value_of(sender_arguments(plan, "b", {1, 1}, "l"), "--bus-set"),
              testing::HasSubstr("receiver_port=8000"));
}

TEST(Arguments, ALoadShapeTakesThePlaceOfCountDurationAndDelay) {
  plan::RunPlan plan;
  EXPECT_THAT(sender_arguments(plan, "b", {1, 1}, "l"), Not(Contains("--shape")));
  EXPECT_EQ(value_of(sender_arguments(plan, "b", {1, 1}, "l"), "--payload"), "random");
  plan.senders.shape = *measure::parse_shape("ramp 100/s..5000/s over 30s");
  plan.senders.payload = *measure::parse_payload("text 30%");
  const auto shaped = sender_arguments(plan, "b", {1, 1}, "l");
  EXPECT_EQ(value_of(shaped, "--shape"), "ramp 100/s..5000/s over 30s");
  EXPECT_EQ(value_of(shaped, "--payload"), "text 30%");
  for (const char* option : {"--messages", "--duration", "--delay"}) EXPECT_THAT(shaped, Not(Contains(option)));
  EXPECT_EQ(sender_input(plan), "");
}

// The files are where the bench is, which may be another computer.
TEST(Arguments, WhatWasInFilesComesOverTheInput) {
  plan::RunPlan plan;
  plan.senders.shape = measure::recorded_shape(measure::times_from("a b.csv", "0,a,1z").value());
  plan.senders.payload = {.kind = measure::Payload::Kind::file, .file = measure::bytes_from("c", "de\nf").value()};
  const auto arguments = sender_arguments(plan, "b", {1, 1}, "l");
  EXPECT_EQ(value_of(arguments, "--shape"), "recorded stdin:6");
  EXPECT_EQ(value_of(arguments, "--payload"), "file stdin:4");
  EXPECT_EQ(sender_input(plan), "0,a,1z\nde\nf\n");
}

TEST(WorkerArguments, OverAnotherBusTheBrokerLetsThroughWhateverThePlanSends) {
  plan::RunPlan plan;
  plan.bus.kind = "http";
  plan.queue.mode = plan::Mode::load_balancer;
  plan.receivers.reply_bytes = {.min = 1, .max = 64 << 20};
  const auto value = [&plan](const char* option) {
    return value_of(broker_arguments(plan, "127.0.0.1:7", ""), option);
  };
  EXPECT_EQ(value("--max-message"), "1MiB");
  EXPECT_EQ(value("--stall-timeout"), "10s") << "that of its own connections";
  plan.senders.size_bytes = {.min = 1, .max = 2 << 20};
  EXPECT_EQ(value("--max-message"), "2MiB");
  EXPECT_EQ(value("--max-memory"), "256MiB");
  plan.queue.mode = plan::Mode::request_reply;
  EXPECT_EQ(value("--max-message"), "64MiB");
  EXPECT_EQ(value("--max-memory"), "260MiB") << "the broker would not start with less";
  plan.bus.kind = "n2nq";
  EXPECT_EQ(value("--max-message"), "1MiB");
}

TEST(WorkerArguments, OfAServerOfTheRunNameItWithTheRunsTokenAndOfAnotherItsAddressAlone) {
  plan::RunPlan plan;
  plan.bus = {.kind = "redis-pubsub", .settings = {{"window", "5"}}};
  const Share share{.first = 1, .count = 2};
  const auto broker = broker_arguments(plan, "10.0.0.1:7", "", {"10.0.0.1:8"});
  EXPECT_EQ(value_of(broker, "--serve"), "redis");
  EXPECT_EQ(value_of(broker, "--serve-listen"), "10.0.0.1:8");
  const auto own = receiver_arguments(plan, "10.0.0.1:7", share, "", {"10.0.0.1:8"});
  EXPECT_EQ(value_of(own, "--bus-set"), "address=10.0.0.1:8;window=5");
  EXPECT_THAT(own, testing::Contains("--bus-own-server"));
  plan.bus.settings["address"] = "redis.example:6379";
  EXPECT_THAT(broker_arguments(plan, "10.0.0.1:7", ""), testing::Not(testing::Contains("--serve")));
  const auto given = sender_arguments(plan, "10.0.0.1:7", share, "");
  EXPECT_EQ(value_of(given, "--bus-set"), "address=redis.example:6379;window=5");
  plan.bus.settings.insert({{"user", "a b"}, {"password_file", "/tmp/x"}});
  EXPECT_EQ(value_of(sender_arguments(plan, "10.0.0.1:7", share, ""), "--bus-set"),
            "address=redis.example:6379;user=a b;window=5");
  EXPECT_THAT(given, testing::Not(testing::Contains("--bus-own-server")));
}

TEST(WorkerArguments, OfABusThatKeepsMessagesGiveItsServerItsOwnSettings) {
  plan::RunPlan plan;
  plan.bus = {.kind = "redis-streams", .settings = {{"append_fsync", "always"}, {"take_over", "3s"}, {"fetch", "5"}}};
  const auto broker = broker_arguments(plan, "10.0.0.1:7", "", {"10.0.0.1:8"});
  EXPECT_EQ(value_of(broker, "--serve-set"), "append_fsync=always");
  EXPECT_EQ(value_of(broker, "--drain-timeout"), "8s") << "the quiet second, and time to take over twice";
  const auto receiver = receiver_arguments(plan, "10.0.0.1:7", Share{.first = 1, .count = 2}, "", {"10.0.0.1:8"});
  EXPECT_EQ(value_of(receiver, "--bus-set"), "address=10.0.0.1:8;fetch=5;take_over=3s");
}

TEST(WorkerArguments, GiveTheProfileAndWhatIsSetBesideItToBothRoles) {
  plan::RunPlan plan;
  for (const char* set : {"bus.kind=redis-streams", "bus.profile=throughput", "bus.window=1000"})
    ASSERT_TRUE(plan::set_field(plan, set));
  const Share share{.first = 1, .count = 2};
  for (const auto& arguments : {sender_arguments(plan, "10.0.0.1:7", share, "", {"10.0.0.1:8"}),
                                receiver_arguments(plan, "10.0.0.1:7", share, "", {"10.0.0.1:8"})})
    EXPECT_EQ(value_of(arguments, "--bus-set"), "address=10.0.0.1:8;profile=throughput;window=1000");
  EXPECT_EQ(value_of(broker_arguments(plan, "10.0.0.1:7", "", {"10.0.0.1:8"}), "--serve-set"), "(none)");
}

TEST(WorkerArguments, AreWithoutSettingsOfAnotherBusThatAreAtTheirDefaults) {
  plan::RunPlan plan;
  for (const char* set : {"bus.kind=http", "queue.mode=load-balancer", "bus.window=1000", "bus.connections=3"})
    ASSERT_TRUE(plan::set_field(plan, set));
  ASSERT_TRUE(plan::problems_of(plan).empty());
  const Share share{.first = 1, .count = 2};
  EXPECT_EQ(value_of(sender_arguments(plan, "10.0.0.1:7", share, ""), "--bus-set"), "connections=3");
  plan.bus = {.kind = "n2nq", .settings = {{"window", "1000"}}};
  EXPECT_EQ(value_of(sender_arguments(plan, "10.0.0.1:7", share, ""), "--bus-set"), "(none)");
}

TEST(WorkerArguments, SpeakOfRepliesInRequestReplyModeOnly) {
  plan::RunPlan plan;
  const Share share{.first = 1, .count = 2};
  for (const auto& arguments :
       {broker_arguments(plan, "127.0.0.1:7", ""), sender_arguments(plan, "127.0.0.1:7", share, ""),
        receiver_arguments(plan, "127.0.0.1:7", share, "")})
    for (const char* option : {"--reply-from", "--timeout", "--outstanding", "--reply-size"})
      EXPECT_THAT(arguments, Not(Contains(option)));
  plan.queue.mode = plan::Mode::request_reply;
  plan.queue.reply_from = plan::ReplyFrom::all;
  plan.senders.outstanding = 3;
  plan.receivers.reply_bytes = {.min = 10, .max = 20};
  const auto broker = broker_arguments(plan, "127.0.0.1:7", "");
  EXPECT_EQ(value_of(broker, "--mode"), "request-reply");
  EXPECT_EQ(value_of(broker, "--reply-from"), "all");
  const auto sender = sender_arguments(plan, "127.0.0.1:7", share, "");
  EXPECT_EQ(value_of(sender, "--reply-from"), "all");
  EXPECT_EQ(value_of(sender, "--timeout"), "5s");
  EXPECT_EQ(value_of(sender, "--outstanding"), "3");
  const auto receiver = receiver_arguments(plan, "127.0.0.1:7", share, "");
  EXPECT_EQ(value_of(receiver, "--reply-size"), "10B..20B");
  EXPECT_EQ(value_of(receiver, "--seed"), "1") << "contents of replies follow from it";
}

}  // namespace
}  // namespace n2nq::run
