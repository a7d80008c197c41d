// What a run leaves at a server of the user's own where it could not remove it, judged by what the server has of it.
#include <memory>
#include <ostream>
#include <sstream>

#include "tests/headless/foreign_bus.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

struct LeavingCase {
  const char* kind;
  const char* name;  // {} is the run's id
  bool by_last;      // whichever receiver leaves last removes it, or senders where none is left
  const char* told;  // begins what removes it
};

std::ostream& operator<<(std::ostream& out, const LeavingCase& one) {
  return out << one.kind;
}

struct LeftBehind : ForeignBus, testing::WithParamInterface<LeavingCase> {
  std::string names_there() const {
    if (const auto* kafka = dynamic_cast<const KafkaServer*>(server_.get())) return kafka->of_runs();
    if (const auto* rabbit = dynamic_cast<const RabbitServer*>(server_.get())) return rabbit->of_runs();
    return dynamic_cast<const NatsServer&>(*server_).ask("jsz?accounts=true&streams=true").dump();
  }
  // Of a run whose processes of these programs are killed while messages flow.
  void expect_said_if_it_is_there(const std::vector<std::string>& killed, bool there, const Json& more = {}) const {
    SCOPED_TRACE("killed: " + testing::PrintToString(killed));
    const BenchPlace its_own;
    Json plan = base(server_->address(), GetParam().kind);
    plan["senders"] = {
        {"count", 1}, {"duration", killed.empty() ? "2s" : "4s"}, {"messages", nullptr}, {"delay", "5ms"}};
    if (!more.is_null()) plan.merge_patch(more);
    Process bench = its_own.start({"run", its_own.plan(plan), "--json"});
    ASSERT_TRUE(bench.wait_err("sent ", 60s)) << bench.err();
    std::vector<pid_t> pids;
    for (const std::string& program : killed) {
      pids.push_back(child_of(bench, program));
      ASSERT_GT(pids.back(), 0) << program;
    }
    for (const pid_t pid : pids) ::kill(pid, SIGKILL);
    const BenchEnded ended = BenchPlace::finish(bench);
    EXPECT_EQ(ended.exit == Exit{.code = 0}, killed.empty()) << ended.err;
    std::istringstream id_line(its_own.stored("SELECT run_id FROM results"));
    std::string id, name = GetParam().name;
    ASSERT_TRUE(id_line >> id);
    name.replace(name.find("{}"), 2, id);
    if (!there) {
      EXPECT_THAT(names_there(), testing::Not(HasSubstr(id)));
      EXPECT_THAT(ended.err, testing::Not(HasSubstr("may still be there")));
      return;
    }
    EXPECT_THAT(names_there(), HasSubstr(name));
    const std::string kept = its_own.stored("SELECT text FROM run_log WHERE text LIKE 'what the run made%'");
    EXPECT_THAT(kept, HasSubstr("what the run made at " + server_->address() + " may still be there: "));
    EXPECT_THAT(kept, testing::AnyOf(HasSubstr(" " + name + ", "), HasSubstr(" " + name + "; ")));
    EXPECT_THAT(kept, HasSubstr(GetParam().told));
    EXPECT_THAT(ended.err, HasSubstr("may still be there: "));
  }

  // Its receiver is there, and its sender never comes.
  void expect_said_of_a_run_that_does_not_begin() const {
    SCOPED_TRACE("not begun");
    const BenchPlace its_own;
    Json plan = base(server_->address(), GetParam().kind);
    plan["join_timeout"] = "2s";
    Process bench = its_own.start({"run", its_own.plan(plan), "--json"});
    const pid_t sender = await_child_of(bench, "n2nq-sender", 30s);
    ASSERT_GT(sender, 0);
    ::kill(sender, SIGSTOP);
    const BenchEnded ended = BenchPlace::finish(bench);
    EXPECT_NE(ended.exit, (Exit{.code = 0})) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("may still be there: "));
  }

  std::unique_ptr<BusServer> server_ = new_server(GetParam().kind);  // others want theirs without such names
};

TEST_P(LeftBehind, IsSaidWithWhatRemovesItAndOnlyWhereItIsThere) {
  expect_said_if_it_is_there({}, false);
  expect_said_if_it_is_there({"n2nq-receiver"}, !GetParam().by_last);
  expect_said_if_it_is_there({"n2nq-receiver", "n2nq-sender"}, true);
  // One of two, and the other ends well.
  Json two{{"receivers", {{"count", 2}, {"processes", 2}}}};
  expect_said_if_it_is_there({"n2nq-receiver"}, !GetParam().by_last, two);
  if (GetParam().kind != std::string("kafka")) expect_said_of_a_run_that_does_not_begin();  // whose joining takes long
  if (GetParam().kind != std::string("rabbitmq")) return;
  two["bus"]["persistent"] = true;  // the queue of the dead one stays bound for a while
  expect_said_if_it_is_there({"n2nq-receiver"}, true, two);
}

INSTANTIATE_TEST_SUITE_P(
    Buses, LeftBehind,
    testing::Values(LeavingCase{"jetstream", "n2nq_{}", true, "stream rm n2nq_"},
                    LeavingCase{"rabbitmq", "n2nq.{}", true, "the server's management page removes them"},
                    LeavingCase{"kafka", "n2nq.{}", false, "kafka-topics.sh --bootstrap-server 127.0.0.1:"}),
    [](const auto& one) { return std::string(one.param.kind); });

}  // namespace
}  // namespace n2nq::test
