// A session that goes as planned, or is ended by its user.
#include "tests/unit/app/run/session_rig.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>

#include "app/figures/figures.h"
#include "app/figures/metric.h"
#include "app/store/store.h"
#include "broker/base/clock.h"
#include "broker/wire/frames.h"
#include "workers/measure/load_shape.h"

namespace n2nq::run {
namespace {

using record::Verdict;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class Session : public SessionRig {};
class SessionInMode : public SessionRig, public testing::WithParamInterface<plan::Mode> {};

TEST_P(SessionInMode, RunsToItsEndAndItsFiguresAreThoseOfTheLogs) {
  plan::RunPlan plan = short_plan();
  plan.queue.mode = GetParam();
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  const uint64_t owed = GetParam() == plan::Mode::broadcaster ? 400 : 100;
  EXPECT_EQ(record.totals.sent, 100u);
  EXPECT_EQ(record.totals.expected, owed);
  EXPECT_EQ(record.totals.received, owed);
  EXPECT_EQ(record.totals.lost, 0u);
  EXPECT_EQ(record.latencies[Latency::latency].count, owed);
  EXPECT_EQ(record.latencies[Latency::scheduled_latency].count, owed);
  EXPECT_EQ(logged("sender"), record.totals.sent);
  EXPECT_EQ(logged("receiver"), record.totals.received);
  EXPECT_THAT(record.processes, SizeIs(3));
  // Each message to the queue and from it, with the header of its frame; and some frames more.
  const uint64_t frames =
      record.totals.bytes_sent * (1 + owed / record.totals.sent) + (100 + owed) * wire::kDataHeaderBytes;
  EXPECT_GT(record.totals.wire_bytes, frames);
  EXPECT_LT(record.totals.wire_bytes, frames + 100'000);
  EXPECT_EQ(record.totals.connections, record.services.size()) << "one of each service";
  EXPECT_EQ(record.processes.front().wire_sent_bytes, std::nullopt) << "the queue is at their other end";
  EXPECT_THAT(record.services, SizeIs(9));
  EXPECT_FALSE(record.run_id.empty());
  EXPECT_TRUE(record.began_utc_ns);
}

// Messages by tenth of a second since BEGIN, as the logs have them.
std::map<int64_t, double> logged_by_slot(const std::string& folder, const std::string& role) {
  std::map<int64_t, double> slots;
  constexpr std::string_view kOrigin = "# origin_monotonic_ns=";
  for (const auto& [number, log] : test::read_logs(folder, role)) {
    const auto line = std::ranges::find_if(log.header, [&](const auto& one) { return one.starts_with(kOrigin); });
    const int64_t origin_ns = line == log.header.end() ? 0 : std::stoll(line->substr(kOrigin.size()));
    for (const test::LogRow& row : log.rows)
      slots[((role == "sender" ? *row.sent_ns : *row.received_ns) - origin_ns) / 100'000'000]++;
  }
  return slots;
}

// Bursts of 100 ms: whoever spreads over the time between two looks shows less of them, and something
// in between.
TEST_F(Session, BurstsAreAsHighOverTimeAsTheLogsHaveThem) {
  plan::RunPlan plan = short_plan();
  plan.queue.mode = plan::Mode::load_balancer;
  plan.senders.fleet.count = 2;
  plan.senders.shape = *measure::parse_shape("burst 0/s..2000/s every 500ms for 100ms over 2s");
  make(plan).start_all();
  const record::RunRecord& record = over();
  ASSERT_EQ(record.verdict, Verdict::passed) << story();
  auto sent = logged_by_slot(record.folder, "sender"), received = logged_by_slot(record.folder, "receiver");
  ASSERT_GE(record.series.size(), 15u);
  double all = 0;
  for (const live::SeriesPoint& point : record.series) {
    ASSERT_EQ(point.width_ns, 100'000'000);
    const int64_t slot = point.start_ns / point.width_ns;
    EXPECT_EQ(point.sent, sent[slot]) << "slot " << slot;
    EXPECT_EQ(point.received, received[slot]) << "slot " << slot;
    all += point.sent;
  }
  EXPECT_EQ(all, static_cast<double>(record.totals.sent));
  EXPECT_GE(std::ranges::max(record.series, {}, &live::SeriesPoint::sent).sent, 150) << "of 200 in a burst";
}

TEST_F(Session, OverAnotherBusRequestsAndRepliesMayBeLargerThanTheQueueTakes) {
  plan::RunPlan plan = short_plan();
  plan.bus.kind = "http";
  plan.queue.mode = plan::Mode::request_reply;
  plan.senders.messages = 2;
  plan.senders.size_bytes = plan.receivers.reply_bytes = {.min = 2 << 20, .max = 2 << 20};
  plan.log = plan::LogLevel::off;
  ASSERT_LT(plan.queue.max_message_bytes, plan.senders.size_bytes.max);
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.replies, 10u);
}

TEST_F(Session, AQueueWithANameIsStartedOnceItsAddressIsKnown) {
  plan::RunPlan plan = short_plan();
  plan.queue.listen = "localhost:0";
  make(plan).start_all();
  EXPECT_EQ(session_->state(), State::launching);
  EXPECT_TRUE(session_->processes().empty()) << "the address is looked up first";
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
}

TEST_F(Session, AStopBeforeTheAddressIsKnownEndsTheRun) {
  plan::RunPlan plan = short_plan();
  plan.queue.listen = "localhost:0";
  make(plan).start_all();
  session_->stop();
  EXPECT_EQ(over().verdict, Verdict::stopped) << story();
  EXPECT_TRUE(session_->processes().empty());
}

INSTANTIATE_TEST_SUITE_P(Modes, SessionInMode, testing::Values(plan::Mode::broadcaster, plan::Mode::load_balancer),
                         [](const auto& one) {
                           return one.param == plan::Mode::broadcaster ? "broadcaster" : "balancer";
                         });

TEST_F(Session, GoesThroughItsStatesInOrder) {
  std::vector<State> states;
  RunSession& session = make(short_plan());
  QObject::connect(&session, &RunSession::state_changed, &session, [&] {
    if (states.empty() || states.back() != session.state()) states.push_back(session.state());
  });
  session.start_all();
  over();
  EXPECT_TRUE(std::is_sorted(states.begin(), states.end()));
  EXPECT_EQ(states.front(), State::launching);
  EXPECT_EQ(states.back(), State::over);
  EXPECT_EQ(std::count(states.begin(), states.end(), State::running), 1);
}

TEST_F(Session, NobodyIsToldOfAStateThatStaysAsItIs) {
  RunSession& session = make(long_plan());
  session.start_all();
  ASSERT_TRUE(wait([&] { return session.state() == State::running && session.live().delivered() > 0; })) << story();
  ASSERT_TRUE(wait([&] {
    const auto processes = session.processes();
    return std::ranges::all_of(processes, [](const ProcessStatus& process) { return process.state == "running"; });
  })) << "each is told of; "
      << story();
  int told = 0;
  QObject::connect(&session, &RunSession::state_changed, &session, [&told] { told++; });
  const int64_t since_ns = session.live().now_ns();
  ASSERT_TRUE(wait([&] { return session.live().now_ns() > since_ns + 1'000'000'000; })) << story();
  EXPECT_EQ(told, 0) << "in five ticks and ten reports";
}

// With TLS they are told of the queue's certificate, and start only then.
class SessionOverTls : public Session, public testing::WithParamInterface<bool> {
 protected:
  static plan::RunPlan plan() {
    plan::RunPlan plan = short_plan();
    if (GetParam()) plan.bus.settings["tls"] = "true";
    return plan;
  }
};
INSTANTIATE_TEST_SUITE_P(EitherWay, SessionOverTls, testing::Bool(),
                         [](const auto& one) { return one.param ? "Encrypted" : "Plain"; });

TEST_P(SessionOverTls, RolesStartInAnyOrderAndSayForWhomTheyWait) {
  RunSession& session = make(plan());
  session.start(Role::receiver);
  ASSERT_TRUE(wait([&] { return session.role_status(Role::receiver).text == "waiting for queue"; })) << story();
  EXPECT_EQ(session.status_text(), "waiting for queue and senders to be started");
  session.start(Role::sender);
  EXPECT_EQ(session.role_status(Role::broker).phase, RolePhase::idle);
  session.start(Role::broker);
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
}

TEST_F(Session, ALimitThatStopsEndsTheRunAndEverythingSentArrives) {
  plan::RunPlan plan = long_plan();
  plan.limits = {{.metric = "sent-rate", .at_most = false, .value = 1, .action = plan::LimitAction::stops},
                 {.metric = "p50", .at_most = true, .value = 0, .action = plan::LimitAction::stops},
                 {.metric = "mean", .at_most = true, .value = 0}};
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::limit) << story();
  EXPECT_THAT(record.reason, StartsWith("p50 <= 0 s: it was "));
  EXPECT_THAT(record.reason, HasSubstr("; the run was stopped: "));
  EXPECT_EQ(record.totals.lost, 0u);
  EXPECT_LT(record.totals.sent, *record.totals.planned);
  ASSERT_THAT(record.passed_limits, SizeIs(2)) << story();
  EXPECT_EQ(record.passed_limits[0].metric, "p50");
  EXPECT_TRUE(record.passed_limits[0].stopped);
  EXPECT_GT(record.passed_limits[0].since_begin_ns, 0);
  EXPECT_EQ(record.passed_limits[1].metric, "mean");
  EXPECT_FALSE(record.passed_limits[1].since_begin_ns) << "it had not been judged when the run was stopped";
  EXPECT_THAT(story(), HasSubstr("limit exceeded: latency p50 "));
  EXPECT_THAT(story(), HasSubstr("; the run is stopped"));
}

TEST_F(Session, ALimitThatIsPassedInTheWholeRunAloneIsToldAtItsEnd) {
  plan::RunPlan plan = short_plan();
  plan.limits = {{.metric = "p99", .at_most = true, .value = 60e9, .action = plan::LimitAction::stops},
                 {.metric = "rate", .at_most = false, .value = 1e9},
                 {.metric = "undeliverable", .at_most = true, .value = 0}};
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::exceeded) << story();
  EXPECT_THAT(record.reason, testing::MatchesRegex("rate >= .* /s: it was .* /s, .*"));
  EXPECT_THAT(story(), HasSubstr("failed: rate >= "));
  ASSERT_THAT(record.passed_limits, SizeIs(1)) << story();
  EXPECT_EQ(record.passed_limits[0].metric, "rate");
  EXPECT_TRUE(session_->limits()[1].beyond);
  EXPECT_FALSE(session_->limits()[0].beyond);
}

TEST_F(Session, ALimitThatOnlyWarnsLeavesTheVerdictAsItIs) {
  plan::RunPlan plan = short_plan();
  plan.limits = {{.metric = "rate", .at_most = false, .value = 1e9, .action = plan::LimitAction::warns}};
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  ASSERT_THAT(record.passed_limits, SizeIs(1)) << story();
  EXPECT_THAT(story(), HasSubstr("limit exceeded: received per second "));
}

TEST_F(Session, TheWayIsLookedAtWhenEverybodyHasJoined) {
  plan::RunPlan plan = short_plan();
  plan.look.path = true;
  plan.receivers.fleet.processes = 2;
  RunSession& session = make(plan);
  session.start(Role::broker);
  session.start(Role::sender);
  ASSERT_TRUE(wait([&] { return session.role_status(Role::sender).text == "waiting for receivers"; })) << story();
  EXPECT_THAT(story(), Not(HasSubstr("examining the path")));
  session.start(Role::receiver);
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  EXPECT_THAT(story(), HasSubstr("examining the path"));
}

TEST_F(Session, ASecondStartOfARoleChangesNothing) {
  RunSession& session = make(short_plan());
  session.start(Role::broker);
  session.start(Role::broker);
  EXPECT_THAT(session.processes(), SizeIs(1));
  session.stop();
  EXPECT_EQ(over().verdict, Verdict::stopped);
  EXPECT_FALSE(session.record().totals.wire_bytes) << "there was no process whose connections carry messages";
  EXPECT_FALSE(session.record().totals.connections);
}

TEST_F(Session, ManyProcessesOfARoleAreAsOne) {
  plan::RunPlan plan = short_plan();
  plan.senders.fleet.processes = 2;
  plan.receivers.fleet.processes = 3;
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_THAT(record.processes, SizeIs(6));
  EXPECT_EQ(record.totals.received, 400u);
  EXPECT_EQ(record.latencies[Latency::latency].count, 400u);
  EXPECT_EQ(logged("receiver"), 400u);
}

TEST_F(Session, ValuesRiseWhileItRuns) {
  RunSession& session = make(long_plan());
  session.start_all();
  std::set<int64_t> seen;
  ASSERT_TRUE(wait([&] {
    if (session.live().all_receivers().count > 0) seen.insert(session.live().all_receivers().count);
    return seen.size() >= 5;
  })) << story();
  EXPECT_EQ(session.state(), State::running);
  EXPECT_TRUE(session.elapsed_ns());
  EXPECT_EQ(session.planned_messages(), 30'000u);
  EXPECT_EQ(session.expected_deliveries(), Deliveries{.count = 120'000});
  EXPECT_LT(session.progress(), 0.5);
  session.stop();
  over();
}

std::vector<std::string> pictures_of(const figures::RunView& run) {
  const figures::FigureContext context = figures::context_of(run);
  std::vector<std::string> all;
  for (const figures::Picture& picture : figures::pictures())
    all.push_back(figures::figure_json(picture.draw({.run = run, .context = context})));
  return all;
}

std::string stretch_of(const figures::RunView& run) {
  const figures::FigureContext context = figures::context_of(run);
  return figures::figure_json(
      figures::draw("rate", {.run = run, .context = context, .from_ns = 0, .to_ns = 400'000'000}));
}

TEST_F(Session, PicturesThatAreHeldStayAsTheyWere) {
  plan::RunPlan plan = long_plan();
  plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 100'000};
  plan.queue.requests.on = true;
  RunSession& session = make(plan);
  session.start_all();
  ASSERT_TRUE(wait_received(2000)) << story();
  const auto held = session.hold();
  const auto then = pictures_of(*held);
  const std::string stretch = stretch_of(*held);
  EXPECT_EQ(then, pictures_of(*session.view()));
  EXPECT_EQ(stretch, stretch_of(*session.view()));
  EXPECT_THAT(then, Contains(HasSubstr("p99")));
  session.make_request({});
  ASSERT_TRUE(wait_received(3000)) << story();
  EXPECT_NE(then, pictures_of(*session.view())) << "it went on";
  session.stop();
  over();
  EXPECT_EQ(then, pictures_of(*held));
  EXPECT_EQ(stretch, stretch_of(*held)) << "also where one looks closer";
}

// A number of a run is the same whoever is asked for it: what workers have said, or what is kept of it.
class SessionFigures : public SessionInMode {};

TEST_P(SessionFigures, AreThoseOfItsRecordAndItsPicturesThoseOfTheStoredOne) {
  plan::RunPlan plan = short_plan();
  plan.queue.mode = GetParam();
  RunSession& session = make(plan);
  session.start_all();
  const record::RunRecord& record = over();
  ASSERT_EQ(record.verdict, Verdict::passed) << story();
  const figures::RunningView said = session.running();
  size_t compared = 0;
  for (const figures::Metric& metric : figures::all_metrics()) {
    if (metric.so_far == nullptr) continue;
    const auto live = metric.value(said), kept = metric.value(record);
    const std::set<std::string_view> told_at_end{"expected", "refused", "unanswered"};
    const bool at_end =
        told_at_end.contains(metric.name) || (metric.name == "lost" && GetParam() != plan::Mode::broadcaster);
    if (at_end) {
      EXPECT_FALSE(live) << metric.name;
    } else if (metric.part == figures::MetricPart::rates || metric.part == figures::MetricPart::hosts) {
      EXPECT_EQ(live.has_value(), kept.has_value()) << metric.name;
      EXPECT_NEAR(live.value_or(0), kept.value_or(0), kept.value_or(0) / 2) << metric.name << " is of other moments";
    } else {
      EXPECT_EQ(live, kept) << metric.name;
    }
    compared += kept.has_value();
  }
  EXPECT_GE(compared, 20u);
  const auto store = store::ResultStore::open(dir_.path() / "results.db").value();
  const record::RunRecord stored = store->load(store->add(record).value()).value();
  EXPECT_EQ(pictures_of(figures::RecordView(stored)), pictures_of(*session.view()));
}

INSTANTIATE_TEST_SUITE_P(Modes, SessionFigures,
                         testing::Values(plan::Mode::broadcaster, plan::Mode::load_balancer, plan::Mode::request_reply),
                         [](const auto& one) {
                           std::string name = plan::to_text(one.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(Session, StopEndsEarlyAndEverythingSentIsAccountedFor) {
  RunSession& session = make(long_plan());
  session.start_all();
  ASSERT_TRUE(wait_received(50)) << story();
  session.stop();
  EXPECT_TRUE(session.stopping());
  EXPECT_THAT(session.status_text(), HasSubstr("stopping"));
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::stopped) << story();
  EXPECT_GT(session.progress(), 0);
  EXPECT_NEAR(session.progress(), static_cast<double>(record.totals.received) / 120'000, 1e-6)
      << "of the plan, and not of what was sent of it";
  EXPECT_EQ(record.totals.lost, 0u);
  EXPECT_EQ(record.totals.received, record.totals.sent * 4);
  for (const live::ServiceFigures& sender : record::services_of(record, Role::sender))
    EXPECT_EQ(sender.state, live::ServiceState::stopped) << sender.number;
  EXPECT_EQ(session.role_status(Role::sender).text, "ended; stopped before all was sent");
  EXPECT_EQ(logged("sender"), record.totals.sent);
  EXPECT_EQ(logged("receiver"), record.totals.received);
}

TEST_F(Session, StoppingTheSendersEndsTheRunToo) {
  RunSession& session = make(long_plan());
  session.start_all();
  ASSERT_TRUE(wait_received(50)) << story();
  session.stop(Role::sender);
  EXPECT_EQ(over().verdict, Verdict::stopped) << story();
  EXPECT_EQ(session.record().totals.lost, 0u);
}

class StopOfARole : public SessionRig, public testing::WithParamInterface<Role> {};

TEST_P(StopOfARole, EndsTheRunAndTheNextStopOfAnotherRoleKillsNothing) {
  RunSession& session = make(long_plan());
  session.start_all();
  ASSERT_TRUE(wait_received(50)) << story();
  session.stop(GetParam());
  EXPECT_TRUE(session.stopping());
  session.stop(Role::sender);
  EXPECT_EQ(over().verdict, Verdict::stopped) << story();
  EXPECT_THAT(session.record().reason, testing::Not(HasSubstr("killed")));
  EXPECT_THAT(session.record().reason, testing::Not(HasSubstr("then"))) << "nothing has failed";
  EXPECT_EQ(session.record().totals.received, logged("receiver"));
}

INSTANTIATE_TEST_SUITE_P(Roles, StopOfARole, testing::Values(Role::broker, Role::sender, Role::receiver),
                         [](const auto& one) { return control::to_text(one.param); });

TEST_F(Session, ASecondStopKills) {
  RunSession& session = make(long_plan());
  session.start_all();
  ASSERT_TRUE(wait_received(50)) << story();
  session.stop();
  session.stop();
  EXPECT_EQ(over().verdict, Verdict::stopped) << story();
  EXPECT_THAT(session.record().reason, HasSubstr("killed by the user"));
  EXPECT_THAT(session.record().notes, Not(Contains(Field(&record::RunNote::kind, record::EventKind::lost))))
      << "who is killed on purpose is not lost";
}

TEST_P(SessionOverTls, StopBeforeTheBeginLeavesARecordToo) {
  RunSession& session = make(plan());
  session.start(Role::sender);
  ASSERT_TRUE(wait([&] { return session.role_status(Role::sender).text == "waiting for queue"; }));
  session.stop();
  EXPECT_EQ(over().verdict, Verdict::stopped);
  EXPECT_THAT(session.record().reason, HasSubstr("before the run began"));
}

TEST_F(Session, AStoppedProcessIsKilledInTheEndAndSaidToBe) {
  SessionOptions impatient = options();
  impatient.quiet_timeout = std::chrono::milliseconds(200);
  impatient.term_timeout = std::chrono::milliseconds(200);
  plan::RunPlan plan = long_plan();
  plan.queue.drain_timeout_ns = 500'000'000;
  plan.queue.stall_timeout_ns = 500'000'000;
  RunSession& session = make(plan, impatient);
  session.start_all();
  ASSERT_TRUE(wait_received(50)) << story();
  ::kill(static_cast<pid_t>(pid_of(Role::sender)), SIGSTOP);
  session.stop();
  EXPECT_EQ(session.role_status(Role::sender).text, "stopping");
  EXPECT_EQ(over().verdict, Verdict::stopped) << story();
  EXPECT_EQ(session.role_status(Role::sender).text, "killed");
  EXPECT_THAT(session.record().reason, HasSubstr("did not end when asked: "));
  EXPECT_THAT(session.record().reason, HasSubstr("senders"));
  EXPECT_THAT(session.record().notes, Not(Contains(Field(&record::RunNote::kind, record::EventKind::lost))));
}

// The product's promise that nothing but the run occupies the queue.
TEST_F(Session, TheBrokerSaysNothingButThatItLivesBetweenReadyAndSummary) {
  SessionOptions listening = options();
  listening.ping_interval = std::chrono::milliseconds(50);
  listening.programs =
      programs_with("n2nq-broker", "set -o pipefail; '" N2NQ_BUILT_BIN_DIR "/n2nq-broker' \"$@\" | tee '" +
                                       (dir_ / "said").string() + "'");
  plan::RunPlan plan = short_plan();
  plan.senders.messages = 50;
  make(plan, listening).start_all();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  std::ifstream said(dir_ / "said");
  std::vector<std::string> types;
  for (std::string line; std::getline(said, line);) types.push_back(line.substr(0, line.find(',')));
  std::erase(types, R"({"type":"pong")");  // once a second, as it is asked
  EXPECT_THAT(types, ElementsAre(R"({"type":"ready")", R"({"type":"summary")"));
}

// One whose broker or workers say nothing of it would have no computer, or several.
TEST_F(Session, TheRecordHasTheComputerThatEverybodyWasOn) {
  make(short_plan()).start_all();
  const record::RunRecord& record = over();
  ASSERT_THAT(record.machines, SizeIs(1)) << story();
  const MachineFacts here = read_machine_facts();
  EXPECT_EQ(record.machines[0].place, "this computer");
  EXPECT_EQ(record.machines[0].facts.boot_id, here.boot_id);
  EXPECT_EQ(record.machines[0].facts.kernel, here.kernel);
  EXPECT_EQ(record.machines[0].facts.processor, here.processor);
  EXPECT_EQ(record::is_beside_queue(record, "this computer"), true);
  EXPECT_EQ(record::is_beside_queue(record, "vm2"), std::nullopt);
}

// However long the queue takes to end: the rates are of the messages. Processes may take a moment to end, too.
TEST_F(Session, EndsWithItsLastSenderAndReceiver) {
  SessionOptions options = this->options();
  options.programs = programs_with("n2nq-broker", "'" N2NQ_BUILT_BIN_DIR "/n2nq-broker' \"$@\"; sleep 3");
  make(short_plan(), options).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, record::Verdict::passed) << record.reason;
  EXPECT_GE(wall_ns() - record.ended_utc_ns, 2'000'000'000);
}

TEST_F(Session, WhatExpiresIsLostAsThePlanAllows) {
  plan::RunPlan plan = short_plan();
  plan.queue.mode = plan::Mode::load_balancer;
  plan.queue.retention_ns = 50'000'000;
  plan.queue.requests.on = true;
  plan.queue.requests.filters = {{.receivers = *control::parse_services("1-4"), .filter = "senders=1..2"}};
  make(plan).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::lost_allowed) << story();
  EXPECT_EQ(record.totals.expected, 100u);
  EXPECT_EQ(record.totals.received, 40u);
  EXPECT_EQ(record.totals.expired, 60u) << "what senders 3 to 5 sent, which nobody asked for";
  EXPECT_EQ(record.totals.lost, 60u);
  EXPECT_EQ(session_->role_status(Role::broker).text, "ended; lost as the plan allows");
  EXPECT_EQ(record.processes.front().end, "ended; lost as the plan allows");
  EXPECT_EQ(record.processes.front().exit_code, 1) << "what it said is kept";
  EXPECT_THAT(story(), HasSubstr("queue: ended; lost as the plan allows: 60 expired, 0 undeliverable"));
}

TEST_F(Session, AQueueThatCouldNotDeliverSaysSo) {
  plan::RunPlan plan = short_plan();
  plan.queue.mode = plan::Mode::load_balancer;
  plan.queue.retention_ns.reset();
  plan.queue.drain_timeout_ns = 300'000'000;
  plan.queue.requests.on = true;
  plan.queue.requests.filters = {{.receivers = *control::parse_services("1-4"), .filter = "senders=1..2"}};
  make(plan).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed) << story();
  EXPECT_EQ(session_->role_status(Role::broker).text, "incomplete");
  EXPECT_THAT(story(), HasSubstr("queue: incomplete: 0 expired, 60 undeliverable"));
}

TEST_F(Session, TheRecordHasTheServicesOverTheWholeRun) {
  make(short_plan()).start_all();
  const record::RunRecord& record = over();
  ASSERT_EQ(record.verdict, Verdict::passed) << story();
  uint64_t weighted_ns = 0;
  for (const live::ServiceFigures& receiver : record::services_of(record, Role::receiver)) {
    EXPECT_GT(receiver.rate_per_s, 0);
    ASSERT_TRUE(receiver.latency_ns);
    weighted_ns += static_cast<uint64_t>(*receiver.latency_ns * receiver.count);
  }
  EXPECT_NEAR(static_cast<double>(weighted_ns) / static_cast<double>(record.totals.received),
              *record.latencies[Latency::latency].mean, *record.latencies[Latency::latency].mean * 0.01);
}

}  // namespace
}  // namespace n2nq::run
