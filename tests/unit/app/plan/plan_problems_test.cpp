#include <gmock/gmock.h>

#include "app/plan/plain_text.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_file.h"
#include "app/plan/run_plan.h"

namespace n2nq::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> keys_with(const std::vector<std::string>& assignments) {
  RunPlan plan;
  for (const std::string& assignment : assignments) {
    const auto set = set_field(plan, assignment);
    EXPECT_TRUE(set) << set.error().text;
  }
  std::vector<std::string> keys;
  for (const PlanProblem& problem : problems_of(plan)) {
    keys.push_back(problem.key);
    EXPECT_NE(find_field(problem.key), nullptr) << problem.key;
    EXPECT_FALSE(problem.text.empty());
  }
  return keys;
}

TEST(PlanProblems, AreNoneInTheDefaultPlan) {
  EXPECT_THAT(keys_with({}), IsEmpty());
}

TEST(PlanProblems, AreNoneInPlansThatAreUnusualButPossible) {
  EXPECT_THAT(keys_with({"senders.delay=0", "senders.duration=5s"}), IsEmpty());
  EXPECT_THAT(keys_with({"senders.processes=10", "senders.loops=64"}), IsEmpty());
  EXPECT_THAT(keys_with({"queue.retention=until-collected", "join_timeout=0"}), IsEmpty());
  EXPECT_THAT(keys_with({"queue.requests=true", "queue.filters=1-3:senders=1..5 / 4,6:senders=self"}), IsEmpty());
}

TEST(PlanProblems, NameWhatDoesNotGoTogetherWithReplies) {
  const char* mode = "queue.mode=request-reply";
  EXPECT_THAT(keys_with({mode}), IsEmpty());
  EXPECT_THAT(keys_with({mode, "senders.outstanding=4", "senders.duration=5s", "queue.reply_from=all"}), IsEmpty());
  EXPECT_THAT(keys_with({mode, "queue.requests=true"}), ElementsAre("queue.requests"));
  EXPECT_THAT(keys_with({mode, "queue.responses=true"}), ElementsAre("queue.responses"));
  EXPECT_THAT(keys_with({mode, "receivers.reply_size=2MiB"}), ElementsAre("queue.max_message"));
  EXPECT_THAT(keys_with({mode, "receivers.reply_size=2MiB", "bus.kind=http"}), IsEmpty());
  EXPECT_THAT(keys_with({mode, "senders.outstanding=1", "senders.shape=ramp 1/s..9/s over 30s"}),
              ElementsAre("senders.shape"));
  EXPECT_THAT(keys_with({mode, "senders.outstanding=1", "senders.pacing=poisson"}), ElementsAre("senders.pacing"));
  EXPECT_THAT(keys_with({"queue.requests=true", "senders.outstanding=1", "senders.pacing=poisson"}), IsEmpty())
      << "other modes do not look at it";
}

TEST(PlanProblems, NameMembersThatWereSetBeyondTheirRange) {
  RunPlan plan;
  plan.senders.fleet.count = 0;
  plan.receivers.fleet.loops = 65;
  plan.queue.tries = 0;
  plan.senders.messages = 0;
  plan.senders.delay_ns = -1;
  std::vector<std::string> keys;
  for (const PlanProblem& problem : problems_of(plan)) keys.push_back(problem.key);
  EXPECT_THAT(keys, ElementsAre("senders.count", "senders.messages", "senders.delay", "queue.tries", "receivers.loops",
                                "senders.processes"));
}

TEST(PlanProblems, NameNoValueThatARunDoesNotLookAt) {
  RunPlan plan;
  plan.senders.messages = 0;
  plan.senders.duration_ns = 1;
  plan.senders.timeout_ns = 0;
  plan.queue.requests.at_a_time = 0;
  EXPECT_THAT(problems_of(plan), IsEmpty());
  plan.senders.duration_ns = -1;
  plan.senders.delay_ns = -1;
  plan.senders.shape = *measure::parse_shape("ramp 1/s..9/s over 30s");
  EXPECT_THAT(problems_of(plan), IsEmpty());
  plan = {};
  plan.queue.tries = 0;
  plan.queue.mode = Mode::load_balancer;
  plan.bus.kind = "websocket";
  for (const PlanProblem& problem : problems_of(plan)) EXPECT_THAT(problem.text, HasSubstr("does not have it"));
}

TEST(PlanProblems, SayOfAValueWhatAFileWithItWouldBeToldOf) {
  RunPlan plan;
  plan.senders.delay_ns = -1;
  plan.queue.max_message_bytes = 0;
  plan.queue.retention_ns = 1;
  plan.senders.size_bytes = {.min = 2, .max = 1};
  std::string all;
  for (const PlanProblem& problem : problems_of(plan)) all += problem.key + ": " + problem.text + "\n";
  EXPECT_THAT(all, HasSubstr("senders.size: \"2B..1B\" is in the wrong order; enter the smaller size first\n"));
  EXPECT_THAT(all, HasSubstr("senders.delay: \"-1ns\" is out of range; expected 0s to 3600s\n"));
  EXPECT_THAT(all, HasSubstr("queue.retention: \"1ns\" is out of range; expected 1ms to 3456000s\n"));
  EXPECT_THAT(all, HasSubstr("queue.max_message: \"0B\" is out of range; expected 1B to 64MiB\n"));
}

TEST(PlanProblems, NameLimitsOfProcessesThatCannotBe) {
  EXPECT_THAT(keys_with({"receivers.attach=127.0.0.1:7401", "queue.listen=127.0.0.1:7400", "queue.token_file=/tmp/t",
                         "tcp.congestion=bbr", "tcp.no_delay=true"}),
              ElementsAre("tcp.congestion"));
  EXPECT_THAT(keys_with({"senders.cpus=0.5", "receivers.cpus=0", "receivers.memory=0 B", "queue.cpus=1"}), IsEmpty());
  EXPECT_THAT(keys_with({"queue.memory=256MiB"}), ElementsAre("queue.memory"));
  EXPECT_THAT(keys_with({"queue.memory=272MiB"}), IsEmpty());
  EXPECT_THAT(keys_with({"queue.memory=272MiB", "queue.mode=request-reply"}), ElementsAre("queue.memory"));
  EXPECT_THAT(keys_with({"queue.memory=528MiB", "queue.mode=request-reply"}), IsEmpty());
  EXPECT_THAT(keys_with({"bus.kind=nats", "queue.memory=272MiB"}), ElementsAre("queue.memory"));
  EXPECT_THAT(keys_with({"senders.cpus=1", "senders.attach=127.0.0.1:7500", "queue.listen=127.0.0.1:7400",
                         "queue.token_file=t"}),
              ElementsAre("senders.cpus"));
  RunPlan plan;
  for (const char* wrong : {"senders.cpus=0.001", "senders.cpus=half", "senders.cpus=2000", "senders.memory=7MiB"})
    EXPECT_FALSE(set_field(plan, wrong)) << wrong;
  for (const nlohmann::json& zero : {nlohmann::json(0U), nlohmann::json("0"), nlohmann::json("none")})
    for (const char* key : {"queue.cpus", "queue.memory"}) EXPECT_TRUE(find_field(key)->set(plan, zero)) << key << zero;
  // Half a processor takes twice as long to compute.
  EXPECT_THAT(keys_with({"receivers.count=1", "receivers.service_time=busy:6s", "queue.responses=true"}), IsEmpty());
  EXPECT_THAT(
      keys_with({"receivers.count=1", "receivers.service_time=busy:6s", "queue.responses=true", "receivers.cpus=0.5"}),
      ElementsAre("queue.stall_timeout"));
}

TEST(PlanProblems, NameWhereReceiversCannotComeAndGo) {
  const auto keys = [](std::vector<std::string> settings) {
    settings.insert(settings.begin(), {"receivers.count=4", "queue.mode=load-balancer"});
    return keys_with(settings);
  };
  EXPECT_THAT(keys({"receivers.away=2-3:0s..5s; 4:1s..2s; 4:3s..1h"}), IsEmpty());
  EXPECT_THAT(keys({"receivers.scaling=from 3 above 10 below 1 every 1s"}), IsEmpty());
  EXPECT_THAT(keys({"receivers.away=2:1s..2s", "bus.kind=nats"}), IsEmpty());
  for (const char* wrong : {"1-2:1s..2s", "1s..2s", "5:1s..2s", "2:1s..3s; 2-3:2s..4s", "2:1s..2s; 2:2s..3s"})
    EXPECT_THAT(keys({std::string("receivers.away=") + wrong}), ElementsAre("receivers.away")) << wrong;
  EXPECT_THAT(keys({"receivers.scaling=from 4 above 10 below 1 every 1s"}), ElementsAre("receivers.scaling"));
  EXPECT_THAT(keys({"receivers.away=2:1s..2s", "receivers.scaling=from 1 above 10 below 1 every 1s"}),
              ElementsAre("receivers.scaling"));
  EXPECT_THAT(keys({"receivers.away=2:1s..2s", "queue.mode=request-reply"}), IsEmpty());
  for (const char* other : {"queue.reply_from=first", "bus.kind=nats"})
    EXPECT_THAT(keys({"receivers.away=2:1s..2s", "queue.mode=request-reply", other}), ElementsAre("receivers.away"))
        << other;
  EXPECT_THAT(keys({"receivers.scaling=from 3 above 10 below 1 every 1s", "queue.mode=request-reply"}),
              ElementsAre("receivers.scaling"))
      << "requests wait at repliers";
  EXPECT_THAT(keys({"receivers.away=2:1s..2s", "queue.mode=broadcaster"}), ElementsAre("receivers.away"));
  for (const char* bus : {"bus.kind=http", "bus.kind=websocket"})
    EXPECT_THAT(keys({"receivers.away=2:1s..2s", bus}), ElementsAre("receivers.away")) << bus;
  EXPECT_THAT(keys({"receivers.away=2:1s..2s", "queue.requests=on"}), IsEmpty());
  EXPECT_THAT(keys({"receivers.away=2:1s..2s", "queue.requests=on", "queue.filters=2:senders=1"}),
              testing::Contains("receivers.away"));
}

TEST(PlanProblems, NameATakeOverThatNeverComesOrComesTooSoon) {
  const auto keys = [](std::vector<std::string> settings) {
    settings.insert(settings.begin(), {"queue.mode=load-balancer", "queue.responses=true", "queue.take_over=1s"});
    return keys_with(settings);
  };
  EXPECT_THAT(keys({}), IsEmpty());
  for (const char* never : {"queue.stall_timeout=1s", "queue.drain_timeout=900ms", "queue.tries=1"})
    EXPECT_THAT(keys({never}), ElementsAre("queue.take_over")) << never;
  EXPECT_THAT(keys({"queue.tries=1", "queue.responses=false"}), IsEmpty()) << "nobody waits for an answer";
  EXPECT_THAT(keys({"queue.tries=1", "queue.mode=broadcaster"}), IsEmpty()) << "each gets it anyway";
  EXPECT_THAT(keys({"receivers.service_time=1ms"}), ElementsAre("queue.take_over")) << "of 1,024 that it holds";
  EXPECT_THAT(keys({"receivers.service_time=1ms", "queue.response_window=100"}), IsEmpty());
  EXPECT_THAT(keys({"receivers.service_time=1ms", "queue.requests=true"}), IsEmpty()) << "of 8";
  EXPECT_THAT(keys({"receivers.service_time=1ms", "queue.mode=request-reply", "queue.responses=false",
                    "senders.outstanding=2"}),
              IsEmpty())
      << "of 20";
}

TEST(PlanProblems, NameATimeoutThatAServiceMayOutlast) {
  EXPECT_THAT(keys_with({"receivers.service_time=20s"}), IsEmpty());  // nobody waits for what is pushed
  EXPECT_THAT(keys_with({"receivers.service_time=1s", "queue.requests=true", "queue.at_a_time=8"}), IsEmpty());
  EXPECT_THAT(keys_with({"receivers.service_time=1s", "queue.requests=true", "queue.at_a_time=10"}),
              ElementsAre("queue.drain_timeout"));
  EXPECT_THAT(keys_with({"receivers.service_time=exponential:1s", "queue.requests=true", "queue.at_a_time=1"}),
              ElementsAre("queue.drain_timeout"));
  EXPECT_THAT(keys_with({"receivers.service_time=11s", "queue.responses=true"}), ElementsAre("queue.stall_timeout"));
  EXPECT_THAT(keys_with({"receivers.service_time=exponential:400ms", "queue.responses=true"}), IsEmpty());
  EXPECT_THAT(keys_with({"receivers.service_time=0s+10ms/1B", "queue.responses=true", "senders.size=2kB"}),
              ElementsAre("queue.stall_timeout"));
  // Ten receivers that share it.
  EXPECT_THAT(keys_with({"receivers.service_time=1s", "queue.responses=true", "receivers.shared_limit=pool:2"}),
              IsEmpty());
  EXPECT_THAT(keys_with({"receivers.service_time=1s", "queue.responses=true", "receivers.shared_limit=pool:1"}),
              ElementsAre("queue.stall_timeout"));
  EXPECT_THAT(keys_with({"receivers.service_time=1ms", "queue.responses=true", "receivers.shared_limit=rate:1/s"}),
              ElementsAre("queue.stall_timeout"));
  EXPECT_THAT(keys_with({"receivers.shared_limit=pool:4"}), ElementsAre("receivers.shared_limit"));
  // Each host has a process of its own, and that a limit of its own.
  EXPECT_THAT(keys_with({"receivers.service_time=1s", "queue.responses=true", "receivers.shared_limit=pool:1",
                         "receivers.hosts=vm1, vm2", "queue.listen=10.0.0.1:0"}),
              IsEmpty());
  RunPlan without_processes;
  without_processes.receivers.service_time = *measure::parse_service_time("1s");
  without_processes.receivers.fleet.processes = 0;  // said elsewhere
  EXPECT_EQ(longest_service_ns(without_processes, 1, 1), 1'000'000'000);
}

TEST(PlanProblems, NameMoreProcessesThanServices) {
  EXPECT_THAT(keys_with({"receivers.count=3", "receivers.processes=4"}), ElementsAre("receivers.processes"));
}

TEST(PlanProblems, NameAQueueThatTakesNoMessageSoLarge) {
  EXPECT_THAT(keys_with({"senders.size=1B..2MiB"}), ElementsAre("queue.max_message"));
  EXPECT_THAT(keys_with({"senders.size=1B..2MiB", "queue.max_message=2MiB"}), IsEmpty());
}

TEST(PlanProblems, NameAQueueWithTooLittleMemory) {
  EXPECT_THAT(keys_with({"queue.max_memory=7MiB"}), ElementsAre("queue.max_memory"));
  EXPECT_THAT(keys_with({"queue.max_memory=8MiB"}), IsEmpty());
  EXPECT_THAT(keys_with({"queue.max_message=64MiB", "queue.max_memory=260MiB"}), IsEmpty());
}

TEST(PlanProblems, NameFiltersThatCannotBeReadOrThatOverlap) {
  EXPECT_THAT(keys_with({"queue.requests=true", "queue.filters=1:senders=x"}), ElementsAre("queue.filters"));
  EXPECT_THAT(keys_with({"queue.requests=true", "queue.filters=1-3:senders=1 / 3:senders=2"}),
              ElementsAre("queue.filters"));
  EXPECT_THAT(keys_with({"queue.requests=true", "queue.filters=all:senders=1 / 3:senders=2"}),
              ElementsAre("queue.filters"));
  EXPECT_THAT(keys_with({"queue.filters=1:senders=x"}), IsEmpty());  // nobody asks for anything
}

TEST(PlanProblems, NameWhatAnAttachedWorkerNeeds) {
  EXPECT_THAT(keys_with({"senders.attach=127.0.0.1:7500"}), ElementsAre("queue.listen", "queue.token_file"));
  EXPECT_THAT(keys_with({"senders.attach=127.0.0.1:7500", "queue.listen=127.0.0.1:7400", "queue.token_file=t"}),
              IsEmpty());
  EXPECT_THAT(keys_with({"receivers.attach=nowhere", "receivers.processes=2", "queue.listen=127.0.0.1:7400",
                         "queue.token_file=t"}),
              ElementsAre("receivers.attach", "receivers.processes"));
  EXPECT_THAT(keys_with({"senders.attach=h:1", "receivers.attach=h:1", "queue.listen=h:2", "queue.token_file=t"}),
              ElementsAre("receivers.attach"));
}

TEST(PlanProblems, NameHostsThatDoNotFit) {
  EXPECT_THAT(keys_with({"senders.hosts=a, b", "receivers.hosts=a", "queue.host=b"}), IsEmpty());
  EXPECT_THAT(keys_with({"senders.hosts=a, a"}), ElementsAre("senders.hosts"));
  EXPECT_THAT(keys_with({"senders.count=1", "senders.hosts=a, b"}), ElementsAre("senders.hosts"));
  EXPECT_THAT(keys_with({"senders.hosts=a", "senders.attach=127.0.0.1:7500", "queue.listen=127.0.0.1:7400",
                         "queue.token_file=t"}),
              ElementsAre("senders.hosts"));
  EXPECT_THAT(
      keys_with({"queue.host=a", "senders.attach=127.0.0.1:7500", "queue.listen=127.0.0.1:7400", "queue.token_file=t"}),
      ElementsAre("queue.host"));
}

TEST(PlanProblems, NameAnAddressThatIsNone) {
  for (const char* listen : {"queue.listen=", "queue.listen=x", "queue.listen=:1", "queue.listen=h:70000"})
    EXPECT_THAT(keys_with({listen}), ElementsAre("queue.listen")) << listen;
}

// Each of a plan's texts.
const std::pair<const char*, std::string& (*)(RunPlan&)> kTexts[] = {
    {"name", [](RunPlan& plan) -> std::string& { return plan.name; }},
    {"queue.listen", [](RunPlan& plan) -> std::string& { return plan.queue.listen; }},
    {"queue.token_file", [](RunPlan& plan) -> std::string& { return plan.queue.token_file; }},
    {"senders.attach", [](RunPlan& plan) -> std::string& { return plan.senders.fleet.attach; }},
    {"receivers.attach", [](RunPlan& plan) -> std::string& { return plan.receivers.fleet.attach; }},
};

RunPlan plan_with_addresses() {
  RunPlan plan;
  plan.queue.listen = "h:2";
  plan.queue.token_file = "t";
  plan.senders.fleet.attach = "h:3";
  plan.receivers.fleet.attach = "h:4";
  return plan;
}

TEST(PlanProblems, NameContentsThatAttachedSendersCannotHave) {
  RunPlan plan = plan_with_addresses();
  EXPECT_THAT(problems_of(plan), IsEmpty());
  plan.senders.payload = {.kind = measure::Payload::Kind::file, .file = measure::bytes_from("c", "content").value()};
  const auto problems = problems_of(plan);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "senders.payload");
  plan.senders.fleet.attach.clear();
  EXPECT_THAT(problems_of(plan), IsEmpty());
}

TEST(PlanProblems, NameATextThatAFileCannotHold) {
  for (const auto& [key, text_of] : kTexts) {
    for (const std::string& wrong :
         {std::string("a\nb"), std::string("\t"), std::string("\0", 1), std::string(4097, 'x')}) {
      RunPlan plan = plan_with_addresses();
      text_of(plan).insert(0, wrong);
      std::vector<std::string> keys;
      for (const PlanProblem& problem : problems_of(plan)) keys.push_back(problem.key);
      EXPECT_THAT(keys, testing::Contains(key)) << testing::PrintToString(wrong.substr(0, 10));
    }
  }
}

TEST(PlanProblems, AreNoneOnlyInPlansThatReadBackAsTheyWere) {
  std::string every_byte;
  for (char c = 1; c < 127; c++) every_byte += c;
  int good = 0;
  for (const auto& [key, text_of] : kTexts) {
    for (const std::string& part :
         {std::string(), std::string("a\nb"), std::string("a\tb"), std::string("\x1f"), std::string("\x7f \"\\/"),
          std::string("bürö"), std::string(4093, 'x'), std::string(4094, 'x'), every_byte, plain_text(every_byte)}) {
      RunPlan plan = plan_with_addresses();
      text_of(plan).insert(0, part);
      if (!problems_of(plan).empty()) continue;
      good++;
      const auto again = plan_from_json(plan_to_json(plan));
      ASSERT_TRUE(again) << key << ": " << again.error().text;
      EXPECT_EQ(*again, plan);
    }
  }
  EXPECT_GT(good, 10);
}

TEST(PlainText, IsOneLineOfWholeLetters) {
  EXPECT_EQ(plain_text("a\nb\tc"), "a b c");
  EXPECT_EQ(plain_text(std::string(4095, 'x') + "ü"), std::string(4095, 'x'));
  EXPECT_EQ(plain_text(std::string(4094, 'x') + "ü"), std::string(4094, 'x') + "ü");
}

std::string problem_with(std::initializer_list<const char*> assignments) {
  RunPlan plan;
  for (const char* assignment : assignments) EXPECT_TRUE(set_field(plan, assignment)) << assignment;
  std::string all;
  for (const PlanProblem& problem : problems_of(plan)) all += problem.key + ": " + problem.text + "\n";
  return all;
}

TEST(PlanProblems, NameALimitOfRepliesWhereThereAreNone) {
  const char* limits = "limits=turnaround-p99 <= 5ms; p99 <= 5ms; timeouts <= 0 stop";
  EXPECT_EQ(problem_with({limits, "queue.mode=load-balancer"}),
            "limits: turnaround-p99 is of replies, and in load-balancer mode there are none; remove it, or set "
            "queue.mode to request-reply\n"
            "limits: timeouts is of replies, and in load-balancer mode there are none; remove it, or set queue.mode to "
            "request-reply\n");
  EXPECT_EQ(problem_with({limits, "queue.mode=request-reply"}), "");
}

TEST(PlanProblems, NameALimitOfAnswersThatAreNotTimed) {
  const char* limit = "limits=publish-p99 <= 5ms";
  EXPECT_EQ(problem_with({limit}),
            "limits: publish-p99 is of the answers to messages, which are not timed over N2NQ; remove it, or choose a "
            "bus whose answers are timed, such as redis-pubsub\n");
  EXPECT_EQ(problem_with({limit, "bus.kind=http", "queue.mode=request-reply"}),
            "limits: publish-p99 is of the answers to messages, which are not timed in request-reply mode; remove it, "
            "or take a turnaround\n");
  EXPECT_EQ(problem_with({limit, "bus.kind=redis-pubsub"}), "");
  EXPECT_EQ(problem_with({limit, "bus.kind=http", "queue.mode=load-balancer"}), "");
}

TEST(PlanProblems, NameWhatTheBusDoesNotHave) {
  EXPECT_EQ(problem_with({"bus.kind=http", "queue.mode=load-balancer"}), "");
  EXPECT_EQ(problem_with({"bus.kind=http", "queue.mode=request-reply", "bus.connection=fresh"}), "");
  EXPECT_EQ(problem_with({"bus.kind=websocket", "queue.mode=request-reply", "queue.reply_from=all"}), "");
  EXPECT_EQ(problem_with({"bus.kind=http"}),
            "queue.mode: HTTP/1.1 has no broadcaster; choose another mode, or another bus\n");
  EXPECT_EQ(problem_with({"bus.connection=fresh"}),
            "bus.connection: N2NQ has no such setting; remove it, or set bus.kind to http\n");
  EXPECT_EQ(problem_with({"bus.host_name=a.example"}),
            "bus.host_name: N2NQ has no such setting; remove it, or set bus.kind to http or websocket\n");
  EXPECT_EQ(problem_with({"bus.kind=websocket", "queue.retention=30s"}),
            "queue.retention: WebSocket does not have it; set it back to 5s, or set bus.kind to n2nq\n");
  EXPECT_EQ(problem_with({"bus.kind=websocket", "queue.at_a_time=30"}), "") << "without requests nobody looks at it";
  EXPECT_EQ(problem_with({"bus.kind=http", "queue.mode=request-reply", "queue.reply_from=first"}),
            "queue.reply_from: with HTTP/1.1 a request goes to one receiver; set it to one, or choose another bus\n");
  EXPECT_EQ(problem_with({"bus.kind=redis-pubsub", "queue.mode=request-reply"}),
            "queue.reply_from: with Redis pub/sub a request goes to all receivers; set it to first or all, or choose "
            "another bus\n");
  EXPECT_EQ(problem_with({"bus.kind=redis-streams", "queue.mode=request-reply"}), "");
  EXPECT_EQ(problem_with({"bus.kind=websocket", "bus.tls=true", "bus.tls_key=/tmp/key.pem"}),
            "bus.tls_key: a certificate and its private key belong together; give both, or neither\n");
}

TEST(PlanProblems, NameAnAddressOfAServerThatCannotBeReached) {
  const char* redis = "bus.kind=redis-pubsub";
  EXPECT_EQ(problem_with({redis}), "");
  EXPECT_EQ(problem_with({redis, "bus.address=redis.example:6379", "senders.hosts=vm2"}), "");
  EXPECT_EQ(problem_with({redis, "bus.address=127.0.0.1:6379"}), "");
  EXPECT_EQ(problem_with({redis, "bus.address=127.0.0.1:6379", "senders.hosts=vm2", "receivers.hosts=vm2"}), "");
  for (const std::string address : {"127.0.0.1:6379", "localhost:6379", "[::1]:6379", "0.0.0.0:6379", "[::]:6379"})
    EXPECT_EQ(problem_with({redis, ("bus.address=" + address).c_str(), "senders.hosts=vm2"}),
              "bus.address: " + address +
                  " is on each host that host itself, and this plan has workers on several; enter the address at which "
                  "all of them reach the server\n");
  for (const std::string address : {"here", "here:0", ":6379", "here:99999"}) {
    RunPlan plan;
    EXPECT_FALSE(set_field(plan, "bus.address=" + address)) << address;
  }
}

TEST(PlanProblems, NameAListOfServersThatIsNone) {
  EXPECT_EQ(problem_with({"bus.kind=kafka", "bus.address=a:9092, b:9092"}), "");
  for (const char* redis : {"bus.kind=redis-pubsub", "bus.kind=redis-streams"})
    EXPECT_EQ(problem_with({redis, "bus.address=a:6379,b:6379"}),
              "bus.address: this bus takes one server, not a list; give one HOST:PORT, or choose nats, jetstream, "
              "rabbitmq or kafka\n");
  EXPECT_EQ(problem_with({"bus.kind=nats", "bus.address=a:4222,127.0.0.1:4222", "senders.hosts=vm2"}),
            "bus.address: 127.0.0.1:4222 is on each host that host itself, and this plan has workers on several; enter "
            "the address at which all of them reach the server\n");
  for (const auto& [address, why] :
       {std::pair("a:1,,b:1", "\"a:1,,b:1\" has an empty part; write it like a:4222,b:4222"),
        std::pair("a:1,", "\"a:1,\" has an empty part; write it like a:4222,b:4222"),
        std::pair("a:1,b:2, a:1", "it names a:1 twice; name each server once"),
        std::pair("a:1,b", "'b' has no port; write it like 127.0.0.1:7400"),
        std::pair("a:1,B:1,b:1", "it names b:1 twice; name each server once"),
        std::pair("a.example:1,A.Example.:01", "it names A.Example.:01 twice; name each server once"),
        std::pair("[fe80::A]:1,[fe80::a]:1", "it names [fe80::a]:1 twice; name each server once"),
        std::pair("a:00", "'a:00' has no port from 1 to 65535; write it like a:4222"),
        std::pair("a:1,b:0", "'b:0' has no port from 1 to 65535; write it like a:4222")}) {
    RunPlan plan;
    const auto set = set_field(plan, std::string("bus.address=") + address);
    ASSERT_FALSE(set) << address;
    EXPECT_THAT(set.error().text, testing::HasSubstr(why));
  }
}

TEST(PlanProblems, RefuseWhatOnlyAServerOfTheRunCanBeGiven) {
  const char* streams = "bus.kind=redis-streams";
  EXPECT_EQ(problem_with({streams, "bus.append_fsync=always"}), "");
  EXPECT_EQ(problem_with({streams, "bus.address=127.0.0.1:6379", "bus.take_over=1s"}), "");
  EXPECT_EQ(
      problem_with({streams, "bus.address=127.0.0.1:6379", "bus.append_fsync=always"}),
      "bus.append_fsync: the server at bus.address has settings of its own; remove it, or leave bus.address empty\n");
}

TEST(PlanProblems, RefuseWhatOnlyAClusterOfTheUsersHas) {
  EXPECT_EQ(problem_with({"bus.kind=jetstream", "bus.replicas=1"}), "");
  EXPECT_EQ(problem_with({"bus.kind=jetstream", "bus.address=127.0.0.1:4222", "bus.replicas=3"}), "");
  EXPECT_EQ(problem_with({"bus.kind=rabbitmq", "bus.queue_type=quorum", "bus.replicas=3"}),
            "bus.replicas: there are not so many servers; set bus.servers to as many, or more\n");
  RunPlan plan;
  EXPECT_FALSE(set_field(plan, "bus.deduplication=50ms")) << "the server refuses it";
  for (const char* good : {"bus.deduplication=0s", "bus.deduplication=100ms"})
    EXPECT_EQ(problem_with({"bus.kind=jetstream", good}), "");
}

TEST(PlanProblems, RefuseWhatAClusterOfTheRunCannotBe) {
  const char *kafka = "bus.kind=kafka", *three = "bus.servers=3";
  EXPECT_EQ(problem_with({kafka, three, "bus.replicas=3", "bus.kill=leader:5s, 3:8s"}), "");
  EXPECT_EQ(problem_with({kafka, "bus.servers=2", "bus.replicas=3"}),
            "bus.replicas: there are not so many servers; set bus.servers to as many, or more\n");
  EXPECT_EQ(problem_with({kafka, "bus.kill=leader:5s"}),
            "bus.kill: without its only server the run ends; set bus.servers to 3\n");
  EXPECT_EQ(problem_with({kafka, three, "bus.kill=leader:5s, 4:8s"}),
            "bus.kill: there is no server of that number; choose one up to bus.servers\n");
  EXPECT_EQ(problem_with({kafka, three, "bus.kill=2:5s, 2:8s"}),
            "bus.kill: it names one server twice, which stays dead; name each once\n");
  EXPECT_EQ(problem_with({"bus.kind=jetstream", three, "bus.replicas=3", "bus.kill=leader:5s"}), "");
  EXPECT_EQ(problem_with({"bus.kind=jetstream", "bus.replicas=3"}),
            "bus.replicas: there are not so many servers; set bus.servers to as many, or more\n");
  EXPECT_EQ(problem_with({"bus.kind=nats", three, "bus.kill=2:5s"}), "");
  EXPECT_EQ(problem_with({"bus.kind=nats", three, "bus.kill=2:5s, leader:8s"}),
            "bus.kill: none of its servers leads; name one by its number, such as 2:5s\n");
  EXPECT_EQ(problem_with({kafka, "bus.address=127.0.0.1:9092", "bus.kill=1:5s"}),
            "bus.kill: the server at bus.address has settings of its own; remove it, or leave bus.address empty\n");
  RunPlan plan;
  for (const char* bad : {"5s", "leader", "leader:0s", "0:5s", "6:5s", "first:5s", "leader:5s,", "leader:5"})
    EXPECT_FALSE(set_field(plan, std::string("bus.kill=") + bad)) << bad;
  ASSERT_TRUE(set_field(plan, "bus.kill=2:8000ms,leader:5s"));
  EXPECT_EQ(plan.bus.setting("kill"), "leader:5s, 2:8s") << "by time, in their shortest form";
}

TEST(PlanProblems, RefuseLimitsWithoutAContainerAndContainersWhereThereIsNone) {
  const char *nats = "bus.kind=nats", *image = "bus.image=docker.io/library/nats:2.10";
  EXPECT_EQ(problem_with({nats, image, "bus.cpus=0.5", "bus.memory=64MiB"}), "");
  EXPECT_EQ(problem_with({nats, "bus.cpus=0.5"}),
            "bus.cpus: it is a limit of a container; give bus.image, or set it back to 0\n");
  EXPECT_EQ(problem_with({nats, "bus.memory=64MiB"}),
            "bus.memory: it is a limit of a container; give bus.image, or set it back to 0\n");
  EXPECT_EQ(problem_with({nats, image, "bus.address=127.0.0.1:4222"}),
            "bus.image: the server at bus.address has settings of its own; remove it, or leave bus.address empty\n");
  EXPECT_EQ(problem_with({"bus.kind=relay", image}),
            "bus.image: Bare relay has no such setting; remove it, or set bus.kind to redis-pubsub or redis-streams or "
            "nats or jetstream or rabbitmq or kafka\n");
  RunPlan plan;
  for (const char* bad : {"bus.image=--privileged", "bus.image=a b", "bus.image=a;b", "bus.cpus=0.05", "bus.cpus=1025",
                          "bus.cpus=1.0001", "bus.cpus=two", "bus.cpus=-1", "bus.memory=1MiB", "bus.memory=2TB"})
    EXPECT_FALSE(set_field(plan, bad)) << bad;
  ASSERT_TRUE(set_field(plan, nats));
  for (const auto& [given, is] : {std::pair("bus.cpus=2.50", "2.5"), std::pair("bus.cpus=4.000", "4"),
                                  std::pair("bus.cpus=0", "0"), std::pair("bus.cpus=0.125", "0.125")}) {
    ASSERT_TRUE(set_field(plan, given)) << given;
    EXPECT_EQ(plan.bus.setting("cpus"), is);
  }
  ASSERT_TRUE(find_field("bus.cpus")->set(plan, nlohmann::json(1.5)));
  EXPECT_EQ(find_field("bus.cpus")->get(plan), nlohmann::json(1.5));
}

TEST(PlanProblems, RefuseSettingsOfABusThatContradictEachOther) {
  const char *rabbit = "bus.kind=rabbitmq", *balanced = "queue.mode=load-balancer", *stream = "bus.queue_type=stream";
  const char *quorum = "bus.queue_type=quorum", *theirs = "bus.address=127.0.0.1:5672";
  EXPECT_EQ(problem_with({rabbit, stream}), "");
  EXPECT_EQ(problem_with({rabbit, balanced, "bus.queues=5", "bus.exchange=topic"}), "");
  EXPECT_EQ(problem_with({rabbit, quorum, theirs, "bus.replicas=3"}), "");
  const auto key_of = [](const std::string& problem) { return problem.substr(0, problem.find(':')); };
  EXPECT_EQ(key_of(problem_with({rabbit, balanced, "bus.queues=5"})), "bus.exchange");
  EXPECT_EQ(key_of(problem_with({rabbit, "bus.queues=5"})), "bus.queues");
  EXPECT_EQ(key_of(problem_with({rabbit, balanced, stream})), "bus.queue_type");
  EXPECT_EQ(key_of(problem_with({rabbit, stream, "bus.acknowledge=none"})), "bus.acknowledge");
  EXPECT_EQ(key_of(problem_with({rabbit, stream, "bus.prefetch=0"})), "bus.prefetch");
  const char *late = "bus.acknowledge_after=service", *streams = "bus.kind=redis-streams";
  EXPECT_EQ(key_of(problem_with({rabbit, late, "bus.acknowledge=none"})), "bus.acknowledge_after");
  EXPECT_EQ(key_of(problem_with({streams, late})), "bus.acknowledge_after");
  EXPECT_EQ(problem_with({streams, balanced, late}), "");
  const char *stream_of_nats = "bus.kind=jetstream", *all = "bus.acknowledge=all";
  EXPECT_EQ(key_of(problem_with({stream_of_nats, balanced, late, all})), "bus.acknowledge_after");
  EXPECT_EQ(problem_with({stream_of_nats, late, all}), "");
  EXPECT_EQ(problem_with({streams, balanced, late, "receivers.service_time=1s", "bus.take_over=60s"}),
            "bus.take_over: 60s is too short: with this receivers.service_time a receiver may work on what it has "
            "(bus.fetch) for 100s; raise it, or shorten that\n");
  EXPECT_EQ(problem_with({streams, balanced, late, "receivers.service_time=1s", "bus.fetch=1"}), "");
  EXPECT_EQ(problem_with({streams, balanced, "receivers.service_time=1s"}), "") << "of what it has read";
  EXPECT_EQ(key_of(problem_with({rabbit, balanced, late, "receivers.service_time=8s"})), "bus.prefetch");
  EXPECT_EQ(problem_with({rabbit, balanced, late, "receivers.service_time=8s", "bus.prefetch=10"}), "");
  for (const char* kind : {"bus.kind=rabbitmq", "bus.kind=jetstream", "bus.kind=kafka"})
    EXPECT_EQ(problem_with({kind, late}), "") << kind;
  EXPECT_EQ(key_of(problem_with({rabbit, stream, "bus.max_length=10"})), "bus.max_length");
  EXPECT_EQ(key_of(problem_with({rabbit, stream, "bus.max_bytes=1kB"})), "bus.max_bytes");
  EXPECT_EQ(key_of(problem_with({rabbit, quorum, "bus.lazy=true"})), "bus.lazy");
  EXPECT_EQ(key_of(problem_with({rabbit, theirs, "bus.replicas=3"})), "bus.replicas");
  EXPECT_EQ(problem_with({rabbit, balanced, stream}),
            "bus.queue_type: a stream gives each message to all receivers; choose classic or quorum, or the "
            "broadcaster\n");
}

TEST(PlanProblems, RefuseWhatKafkaDoesNotDo) {
  const char* kafka = "bus.kind=kafka";
  EXPECT_EQ(problem_with({kafka, "bus.idempotence=true"}), "");
  EXPECT_EQ(problem_with({kafka, "bus.acks=1"}), "");
  EXPECT_EQ(problem_with({kafka, "bus.idempotence=true", "bus.acks=1"}),
            "bus.idempotence: it needs acks=all; choose that, or set it back to false\n");
  EXPECT_EQ(problem_with({kafka, "bus.transactions=100ms"}),
            "bus.transactions: it needs bus.idempotence=true; set that, or set it back to 0s\n");
  EXPECT_EQ(problem_with({kafka, "bus.transactions=1min", "bus.idempotence=true", "bus.delivery_timeout=14min"}), "");
  EXPECT_EQ(problem_with({kafka, "bus.transactions=1min", "bus.idempotence=true", "bus.delivery_timeout=841s"}),
            "bus.transactions: with bus.delivery_timeout it is open for longer than the 15 min that a server allows; "
            "choose less of either\n");
  const auto key_of = [](const std::string& problem) { return problem.substr(0, problem.find(':')); };
  EXPECT_EQ(key_of(problem_with({kafka, "bus.linger=30s"})), "bus.delivery_timeout");
  EXPECT_EQ(key_of(problem_with({kafka, "bus.session_timeout=1s"})), "bus.session_timeout");
  EXPECT_EQ(problem_with({kafka, "bus.session_timeout=1s", "bus.commit_interval=300ms"}), "");
  EXPECT_EQ(key_of(problem_with({kafka, "bus.fetch_min=1kB", "bus.fetch_wait=2s"})), "bus.fetch_wait");
  EXPECT_EQ(problem_with({kafka, "bus.profile=throughput", "bus.session_timeout=30min"}), "");
}

TEST(PlanProblems, RefuseLoginsWhereThereIsNothingToLogInAt) {
  const char *nats = "bus.kind=nats", *theirs = "bus.address=127.0.0.1:4222", *file = "bus.password_file=/tmp/x";
  EXPECT_EQ(problem_with({nats, theirs, "bus.user=a", file}), "");
  EXPECT_EQ(problem_with({nats, theirs, file}), "") << "a token";
  EXPECT_EQ(problem_with({nats, theirs, "bus.user=a"}), "") << "the password is typed";
  EXPECT_EQ(problem_with({nats, file}),
            "bus.password_file: a server that is started for the run cannot have it; remove it, or give bus.address\n");
  RunPlan plan;
  EXPECT_FALSE(set_field(plan, "bus.user=a;b"));
}

TEST(PlanProblems, WantARecorderWhereCoresAreToBeKeptAwake) {
  EXPECT_EQ(problem_with({"awake=true"}), "");
  EXPECT_EQ(problem_with({"awake=true", "recorder.on=false"}),
            "awake: the recorder of each host keeps its cores awake; set recorder.on to true, or set this back to "
            "false\n");
}

TEST(PlanProblems, RefuseTlsWhereThereIsNone) {
  const char *tls = "bus.tls=true", *ca = "bus.tls_ca=/tmp/ca.pem";
  for (const std::string kind : {"redis-pubsub", "redis-streams", "nats", "jetstream", "rabbitmq", "kafka"}) {
    const std::string bus = "bus.kind=" + kind, theirs = "bus.address=a.example:1";
    EXPECT_EQ(problem_with({bus.c_str(), theirs.c_str(), tls, ca}), "");
    EXPECT_EQ(problem_with({bus.c_str(), theirs.c_str(), tls}), "") << "whom the host trusts";
    EXPECT_EQ(problem_with({bus.c_str(), tls}),
              "bus.tls: a server that is started for the run cannot have it; set it back to false, or give "
              "bus.address\n");
    EXPECT_EQ(problem_with({bus.c_str(), theirs.c_str(), ca}),
              "bus.tls_ca: without bus.tls no certificate is looked at; set bus.tls to true, or remove this\n");
  }
  EXPECT_EQ(problem_with({"bus.kind=websocket", tls}), "") << "made for the run";
}

TEST(PlanProblems, RefuseCertificatesThatNobodyLooksAt) {
  const char *tls = "bus.tls=true", *ca = "bus.tls_ca=/tmp/ca.pem", *key = "bus.tls_key=/tmp/k.pem";
  const char* certificate = "bus.tls_certificate=/tmp/c.pem";
  for (const std::string kind : {"bus.kind=n2nq", "bus.kind=http", "bus.kind=websocket"}) {
    SCOPED_TRACE(kind);
    const char *bus = kind.c_str(), *mode = "queue.mode=load-balancer";
    EXPECT_THAT(keys_with({bus, mode, tls}), IsEmpty());
    EXPECT_THAT(keys_with({bus, mode, tls, certificate, key}), IsEmpty());
    EXPECT_THAT(keys_with({bus, mode, tls, certificate, key, ca}), IsEmpty());
    EXPECT_THAT(keys_with({bus, mode, tls, certificate}), ElementsAre("bus.tls_key"));
    EXPECT_THAT(keys_with({bus, mode, tls, ca}), ElementsAre("bus.tls_ca")) << "nobody has signed it";
    EXPECT_THAT(keys_with({bus, mode, ca}), ElementsAre("bus.tls_ca"));
    EXPECT_THAT(keys_with({bus, mode, certificate, key}), ElementsAre("bus.tls_certificate"));
  }
}

TEST(PlanProblems, NameWhatALoadBalancerNeeds) {
  const char *balancer = "bus.address=lb.example:443", *port = "bus.receiver_port=8000";
  for (const std::string kind : {"bus.kind=http", "bus.kind=websocket"}) {
    const char *bus = kind.c_str(), *mode = "queue.mode=load-balancer";
    EXPECT_THAT(keys_with({bus, mode, balancer, port, "bus.host_name=queue.lab"}), IsEmpty());
    EXPECT_THAT(keys_with({bus, mode, balancer, port, "bus.tls=true", "bus.tls_ca=/tmp/ca.pem"}), IsEmpty());
    EXPECT_THAT(keys_with({bus, mode, balancer, port, "bus.tls_ca=/tmp/ca.pem"}), ElementsAre("bus.tls_ca"));
    EXPECT_THAT(keys_with({bus, mode, port}), IsEmpty()) << "each sender finds each receiver";
    EXPECT_THAT(keys_with({bus, mode, balancer}), ElementsAre("bus.receiver_port"));
    EXPECT_THAT(keys_with({bus, mode, "bus.host_name=queue.lab"}), ElementsAre("bus.host_name"));
    EXPECT_THAT(keys_with({bus, "queue.mode=request-reply", "queue.reply_from=one", balancer, port}), IsEmpty());
    EXPECT_THAT(keys_with({bus, mode, "bus.receiver_port=65100", "receivers.count=600", "receivers.processes=218",
                           "receivers.loops=2"}),
                IsEmpty());
    EXPECT_THAT(keys_with({bus, mode, "bus.receiver_port=65100", "receivers.count=600", "receivers.processes=219",
                           "receivers.loops=2"}),
                ElementsAre("bus.receiver_port"));
    // Receivers reach no load balancer.
    EXPECT_THAT(keys_with({bus, mode, "bus.address=127.0.0.1:443", port, "receivers.hosts=vm2"}), IsEmpty());
  }
  EXPECT_THAT(keys_with({"bus.kind=websocket", "queue.mode=broadcaster", balancer, port}), ElementsAre("bus.address"));
}

TEST(PlanProblems, NameSourcePortsThatAreTooFewOrTaken) {
  EXPECT_THAT(keys_with({"senders.count=3", "senders.source_ports=20000-20002", "receivers.source_ports=20003-20099"}),
              IsEmpty());
  EXPECT_THAT(keys_with({"senders.count=3", "senders.source_ports=20000-20001"}), ElementsAre("senders.source_ports"));
  EXPECT_THAT(keys_with({"senders.source_ports=20000-20099", "receivers.source_ports=20099-20199"}),
              ElementsAre("receivers.source_ports"));
  EXPECT_THAT(keys_with({"bus.kind=http", "queue.mode=load-balancer", "senders.source_ports=20000-20099",
                         "receivers.source_ports=20099-20199"}),
              IsEmpty())
      << "receivers have no connections of their own";
  EXPECT_THAT(keys_with({"senders.attach=127.0.0.1:7500", "queue.listen=127.0.0.1:7400", "queue.token_file=t",
                         "senders.source_ports=20000-20099"}),
              ElementsAre("senders.source_ports"));
}

TEST(PlanProblems, NameWhereNoPathCanBeExamined) {
  const char *path = "look.path=true", *bandwidth = "look.bandwidth=true", *http = "bus.kind=http";
  EXPECT_THAT(keys_with({path, bandwidth}), IsEmpty());
  EXPECT_THAT(keys_with({"bus.kind=nats", path, bandwidth}), IsEmpty()) << "its server is beside the queue";
  EXPECT_THAT(keys_with({"bus.kind=nats", "bus.address=a.example:4222", path, bandwidth}),
              ElementsAre("look.bandwidth"));
  EXPECT_THAT(keys_with({http, "queue.mode=load-balancer", path, bandwidth}),
              ElementsAre("look.path", "look.bandwidth"));
  EXPECT_THAT(keys_with({http, "queue.mode=load-balancer", "bus.address=a:80", "bus.receiver_port=8000", path}),
              IsEmpty());
}

TEST(PlanProblems, RefuseAttachedWorkersOverAnotherBus) {
  const char *listen = "queue.listen=127.0.0.1:7400", *token = "queue.token_file=t";
  EXPECT_EQ(problem_with({"senders.attach=127.0.0.1:7500", listen, token}), "");
  EXPECT_EQ(problem_with({"bus.kind=websocket", "senders.attach=127.0.0.1:7500", listen, token}),
            "senders.attach: workers started by hand keep to the bus that they were started with; leave it empty with "
            "WebSocket\n");
  EXPECT_EQ(problem_with({"bus.kind=websocket", "receivers.attach=127.0.0.1:7500", listen, token}),
            "receivers.attach: workers started by hand keep to the bus that they were started with; leave it empty "
            "with WebSocket\n");
}

}  // namespace
}  // namespace n2nq::plan
