// A session in which something goes wrong: it ends with a reason, a record, and no process.
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "tests/helpers/foreign_client.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::Verdict;
using testing::HasSubstr;

class Trouble : public SessionRig {
 protected:
  // As the first line of its log has it, once that is written.
  uint16_t queue_port() const {
    std::ifstream file(session_->folder() + "/broker.log");
    std::string line;
    std::getline(file, line);
    const size_t at = line.find(" port=");
    return at == std::string::npos ? uint16_t{0} : static_cast<uint16_t>(std::stoi(line.substr(at + 6)));
  }
  // A run that is well under way loses a process of this role.
  const record::RunRecord& kill_one(Role role) {
    plan::RunPlan plan = long_plan();
    plan.queue.drain_timeout_ns = 1'000'000'000;
    make(plan).start_all();
    EXPECT_TRUE(wait_received(50)) << story();
    ::kill(static_cast<pid_t>(pid_of(role)), SIGKILL);
    return over();
  }
};

TEST_F(Trouble, ABrokerThatIsKilledFailsTheRun) {
  const record::RunRecord& record = kill_one(Role::broker);
  EXPECT_EQ(record.verdict, Verdict::failed) << story();
  EXPECT_THAT(record.reason, HasSubstr("queue: killed by signal 9"));
  EXPECT_GT(record.totals.received, 0u);
  EXPECT_EQ(record.totals.received, logged("receiver"));
}

TEST_F(Trouble, SendersThatAreKilledFailTheRun) {
  const record::RunRecord& record = kill_one(Role::sender);
  EXPECT_EQ(record.verdict, Verdict::failed) << story();
  EXPECT_THAT(record.reason, HasSubstr("senders: killed by signal 9"));
  EXPECT_THAT(record.notes,
              testing::Contains(testing::AllOf(testing::Field(&record::RunNote::kind, record::EventKind::lost),
                                               testing::Field(&record::RunNote::subject, "senders"),
                                               testing::Field(&record::RunNote::was_killed, true))));
  EXPECT_EQ(session_->role_status(Role::sender).doing, Doing::killed);
  EXPECT_EQ(record.totals.received, logged("receiver"));
}

TEST_F(Trouble, OfSendersThatAreKilledTheQueueTellsWhatItAccepted) {
  const record::RunRecord& record = kill_one(Role::sender);
  const auto heard = static_cast<uint64_t>(session_->live().all_senders().accepted);
  EXPECT_GE(record.totals.sent, record.totals.accepted);
  // Each message reaches all four, who have told to the end what they got.
  EXPECT_GE(4 * record.totals.accepted, record.totals.received) << story();
  EXPECT_GE(record.totals.accepted, heard);
  EXPECT_TRUE(record::is_at_least(record, Role::sender));
  EXPECT_FALSE(record::is_at_least(record, Role::receiver));
}

TEST_F(Trouble, OfSendersThatAreKilledBeforeTheyTellAnythingAllIsUncertain) {
  plan::RunPlan plan = long_plan();
  plan.queue.drain_timeout_ns = 1'000'000'000;
  SessionOptions silent = options();
  silent.programs = programs_with("n2nq-sender", "exec '" N2NQ_BUILT_BIN_DIR "/n2nq-sender' \"$@\" --telemetry off");
  make(plan, silent).start_all();
  ASSERT_TRUE(wait_received(50)) << story();
  ASSERT_EQ(session_->live().all_senders().count, 0);
  ::kill(static_cast<pid_t>(pid_of(Role::sender)), SIGKILL);
  const record::RunRecord& record = over();
  EXPECT_EQ(record.processes.at(static_cast<size_t>(Role::sender)).figures_from, "nothing");
  EXPECT_TRUE(record::is_at_least(record, Role::sender)) << "it has sent, and told nothing of it";
}

TEST_F(Trouble, ReceiversThatAreKilledFailTheRun) {
  const record::RunRecord& record = kill_one(Role::receiver);
  EXPECT_EQ(record.verdict, Verdict::failed) << story();
  EXPECT_THAT(record.reason, HasSubstr("receivers: killed by signal 9"));
  EXPECT_FALSE(record.totals.lost) << "nobody can count them";
}

TEST_F(Trouble, RefusedConnectionsAreToldOfByTheResult) {
  RunSession& session = make(long_plan());
  session.start_all();
  ASSERT_TRUE(wait_received(20)) << story();
  ASSERT_TRUE(wait([&] { return queue_port() != 0; }));
  const uint16_t port = queue_port();
  for (int i = 0; i < 3; i++) {
    test::ForeignClient stranger(port);
    stranger.send("GET / HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(stranger.wait_closed(std::chrono::seconds(20)));
  }
  session.stop();
  const record::RunRecord& record = over();
  EXPECT_THAT(record.processes.front().reason, HasSubstr("3 connections refused"));
  EXPECT_THAT(story(), HasSubstr("3 connections refused"));
}

class Hanging : public SessionRig, public testing::WithParamInterface<Role> {
 protected:
  // A run that is well under way, and whose process of this role stands still from now on.
  void hang() {
    SessionOptions impatient = options();
    impatient.quiet_timeout = std::chrono::milliseconds(300);
    impatient.term_timeout = std::chrono::milliseconds(200);
    plan::RunPlan plan = long_plan();
    plan.queue.drain_timeout_ns = 1'000'000'000;
    plan.queue.stall_timeout_ns = 500'000'000;
    plan.queue.retention_ns = 500'000'000;
    make(plan, impatient).start_all();
    ASSERT_TRUE(wait_received(50)) << story();
    ::kill(static_cast<pid_t>(pid_of(GetParam())), SIGSTOP);
  }
};

TEST_P(Hanging, AProcessThatHangsEndsTheRunWithAReason) {
  hang();
  EXPECT_EQ(over().verdict, Verdict::failed) << story();
  EXPECT_THAT(session_->record().reason, testing::AnyOf(HasSubstr("hangs"), HasSubstr("lost"))) << story();
}

TEST_P(Hanging, ItAloneIsMadeToEnd) {
  hang();
  const record::RunRecord& record = over();
  const std::string hung = record.processes.at(static_cast<size_t>(GetParam())).name;
  for (const record::ProcessRecord& process : record.processes) {
    SCOPED_TRACE(process.name + "\n" + story());
    const std::string unwilling = process.name + ": does not respond";
    if (process.name == hung) {
      EXPECT_THAT(story(), HasSubstr(unwilling));
      EXPECT_EQ(process.end, "killed");
      EXPECT_EQ(process.cpu_ns, 0u) << "it says nothing any more";
    } else if (process.role == Role::broker) {
      EXPECT_THAT(story(), testing::Not(HasSubstr(unwilling)));
      EXPECT_EQ(process.end, "incomplete");
      EXPECT_GT(process.cpu_ns, 0u) << "its summary is kept";
    }
  }
}

TEST_P(Hanging, AStopByTheUserWhileTheRunIsGivenUpHidesNothingAndKillsNothing) {
  hang();
  ASSERT_TRUE(wait([&] { return session_->stopping(); })) << story();
  EXPECT_FALSE(session_->stopped_by_user());
  session_->stop();
  EXPECT_TRUE(session_->stopped_by_user());
  EXPECT_EQ(over().verdict, Verdict::failed) << story();
  EXPECT_THAT(session_->record().reason, HasSubstr("hangs"));
  EXPECT_THAT(session_->record().reason, HasSubstr("; then stopped by the user"));
}

INSTANTIATE_TEST_SUITE_P(Roles, Hanging, testing::Values(Role::broker, Role::sender, Role::receiver),
                         [](const auto& one) { return control::to_text(one.param); });

TEST_F(Trouble, ReceiversThatStandStillForLessThanTheStallTimeoutFailNothing) {
  SessionOptions impatient = options();
  impatient.quiet_timeout = std::chrono::milliseconds(300);
  plan::RunPlan plan = short_plan();
  plan.senders.messages = 400;
  plan.queue.drain_timeout_ns = 300'000'000;
  plan.queue.stall_timeout_ns = 5'000'000'000;
  plan.queue.retention_ns.reset();
  make(plan, impatient).start_all();
  ASSERT_TRUE(wait_received(50)) << story();
  ::kill(static_cast<pid_t>(pid_of(Role::receiver)), SIGSTOP);
  const int64_t since_ns = *session_->elapsed_ns();
  EXPECT_TRUE(wait([&] { return *session_->elapsed_ns() - since_ns >= 1'500'000'000; }));
  ::kill(static_cast<pid_t>(pid_of(Role::receiver)), SIGCONT);
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  const auto silent = std::ranges::find(record.warnings, "silent-receiver-1", &record::RunWarning::id);
  ASSERT_NE(silent, record.warnings.end()) << story();
  EXPECT_TRUE(silent->doubt);
  EXPECT_THAT(silent->text, HasSubstr("the process of receivers gave no sign of life for 1."));
  EXPECT_EQ(record.trust, record::Trust::doubtful);
}

TEST_F(Trouble, AMissingProgramIsNamed) {
  SessionOptions nowhere = options();
  nowhere.programs = (dir_ / "none").string();
  make(short_plan(), nowhere).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(session_->record().reason, HasSubstr("cannot be started"));
}

TEST_F(Trouble, AProgramThatSaysNothingIsGivenUp) {
  SessionOptions impatient = options();
  impatient.ready_timeout = std::chrono::milliseconds(300);
  impatient.programs = programs_with("n2nq-sender", "exec sleep 1000");
  make(short_plan(), impatient).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(story(), HasSubstr("senders: no answer within"));
}

TEST_F(Trouble, AProgramThatTalksNonsenseIsGivenUpAndTheNonsenseNoted) {
  SessionOptions impatient = options();
  impatient.ready_timeout = std::chrono::milliseconds(500);
  impatient.programs = programs_with("n2nq-receiver", "echo hello world; echo 'trouble' >&2; exec sleep 1000");
  make(short_plan(), impatient).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(story(), HasSubstr("hello world"));
  EXPECT_THAT(story(), HasSubstr("receivers: trouble"));
}

TEST_F(Trouble, ARunThatDoesNotBeginInTimeSaysWhoIsMissing) {
  plan::RunPlan plan = short_plan();
  plan.join_timeout_ns = 500'000'000;
  SessionOptions waiting = options();
  // Joins nothing: as if its way to the broker were cut.
  waiting.programs = programs_with(
      "n2nq-sender", R"(echo '{"type":"ready","role":"sender","pid":1,"version":"0","first_service":1,"services":5}'
while read -r line; do case $line in *stop*) exit 4;; esac; done)");
  make(plan, waiting).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(session_->record().reason, HasSubstr("did not begin within 500.0 ms: 0 of 5 senders joined"));
}

TEST_F(Trouble, AFolderThatCannotBeMadeIsSaidAndNothingIsStarted) {
  SessionOptions nowhere = options();
  nowhere.runs_folder = "/proc/none";
  make(short_plan(), nowhere).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(session_->record().reason, HasSubstr("/proc/none"));
  EXPECT_TRUE(session_->processes().empty());
}

TEST_F(Trouble, ATokenFileThatIsNotThereIsSaid) {
  plan::RunPlan plan = short_plan();
  plan.queue.token_file = (dir_ / "none").string();
  make(plan).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(session_->record().reason, HasSubstr("token file"));
}

TEST_F(Trouble, ATokenFileThatIsAPipeIsNotWaitedFor) {
  plan::RunPlan plan = short_plan();
  plan.queue.token_file = (dir_ / "pipe").string();
  ASSERT_EQ(::mkfifo(plan.queue.token_file.c_str(), 0600), 0);
  make(plan).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(session_->record().reason, HasSubstr("is not a file"));
}

TEST_F(Trouble, AProgramThatSaysNothingButNonsenseIsKilled) {
  SessionOptions options = this->options();
  options.programs = programs_with("n2nq-sender", "while echo nonsense; do :; done");
  options.ready_timeout = std::chrono::minutes(1);
  make(short_plan(), options).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(story(), HasSubstr("is it a program of this version?"));
}

TEST_F(Trouble, DestroyingASessionInMidRunLeavesNoProcess) {
  make(long_plan()).start_all();
  ASSERT_TRUE(wait_received(10)) << story();
  session_.reset();
  EXPECT_TRUE(true) << "the rig looks for processes";
}

}  // namespace
}  // namespace n2nq::run
