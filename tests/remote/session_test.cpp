// Runs on hosts that go on while the link to them is down: their figures are exact all the same.
#include <signal.h>

#include <thread>

#include "app/run/run_keeper.h"
#include "tests/helpers/lab/lab.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class SessionOnHosts : public SessionRig {
 protected:
  void SetUp() override {
    if (const auto why = test::Lab::why_not()) GTEST_SKIP() << *why;
    lab_ = std::make_unique<test::Lab>(N2NQ_PROGRAMS_FOR_HOSTS);
    lab_->enter();
  }
  void TearDown() override {
    if (!lab_) return;
    session_.reset();
    links_.reset();
    for (const char* name : {"vm1", "vm2"}) {
      EXPECT_TRUE(lab_->wait_no_process(name, 20s)) << testing::PrintToString(lab_->processes(name));
      EXPECT_TRUE(std::filesystem::is_empty(lab_->home(name) / ".cache/n2nq-bench/runs")) << name;
    }
  }
  SessionOptions on_hosts() {
    hosts::HostList list;
    for (const char* name : {"vm1", "vm2"})
      list.hosts.push_back({.name = name,
                            .address = lab_->address(name),
                            .user = test::Lab::kUser,
                            .key_file = lab_->key(),
                            .data_address = lab_->data_address(name)});
    launch::LinkOptions link{
        .programs = N2NQ_PROGRAMS_FOR_HOSTS, .known_hosts = lab_->known_hosts(), .use_agent = false};
    link.silence = 2000ms * test::kSanitizerPatience;
    links_ = std::make_unique<HostLinks>(std::move(list), link);
    SessionOptions options = this->options();
    options.links = links_.get();
    return options;
  }
  // 5 senders beside the queue on vm1, 4 receivers on vm2; some five seconds.
  static plan::RunPlan on_both() {
    plan::RunPlan plan = short_plan();
    plan.queue.host = "vm1";
    plan.senders.fleet.hosts = {"vm1"};
    plan.receivers.fleet.hosts = {"vm2"};
    plan.senders.messages = 500;
    return plan;
  }
  record::RunRecord keep(const SessionOptions& options) {
    RunKeeper keeper(*session_, nullptr, options);
    bool kept = false;
    QObject::connect(&keeper, &RunKeeper::kept, &keeper, [&kept] { kept = true; });
    keeper.keep(over());
    EXPECT_TRUE(wait([&kept] { return kept; }));
    return keeper.record();
  }
  void stop_for_a_second(const std::string& program, const std::string& host) const {
    const auto all = lab_->processes(host);
    const auto found = std::ranges::find_if(all, [&](const auto& one) { return one.ends_with(program); });
    ASSERT_NE(found, all.end()) << testing::PrintToString(all);
    const pid_t pid = std::atoi(found->c_str());
    ASSERT_EQ(::kill(pid, SIGSTOP), 0);
    std::this_thread::sleep_for(1s);
    ::kill(pid, SIGCONT);
  }
  void expect_exact(const record::RunRecord& record) {
    EXPECT_EQ(record.totals.sent, 2500u) << story();
    EXPECT_EQ(record.totals.accepted, 2500u);
    EXPECT_EQ(record.totals.received, 10'000u);
    EXPECT_EQ(record.totals.lost, 0u);
    EXPECT_EQ(logged("sender"), 2500u);
    EXPECT_EQ(logged("receiver"), 10'000u);
    EXPECT_EQ(record.verdict, record::Verdict::passed) << record.reason;
    EXPECT_THAT(record.reason, HasSubstr("was lost before the end"));
    // Its figures too are of every message, and of the time that they took.
    EXPECT_EQ(record.latencies[Latency::latency].count + record.latencies[Latency::warmup_latency].count, 10'000u);
    uint64_t sent = 0, received = 0;
    for (const live::SeriesPoint& point : record.series) sent += point.sent, received += point.received;
    EXPECT_EQ(sent, 2500u);
    EXPECT_EQ(received, 10'000u);
    int64_t slowest_ns = 0, last_ns = 0, first_ns = INT64_MAX;
    for (const auto& [number, log] : test::read_logs(session_->folder(), "receiver"))
      for (const test::LogRow& row : log.rows) {
        slowest_ns = std::max(slowest_ns, row.latency_ns.value());
        first_ns = std::min(first_ns, row.received_ns.value());
        last_ns = std::max(last_ns, row.received_ns.value());
      }
    EXPECT_EQ(record.latencies[Latency::latency].max, slowest_ns);
    const int64_t ran_ns = record.ended_utc_ns - record.began_utc_ns.value();
    EXPECT_GE(ran_ns, last_ns - first_ns);
    EXPECT_LT(ran_ns, last_ns - first_ns + 3'000'000'000) << "not until the bench gave the link up";
  }

  std::unique_ptr<test::Lab> lab_;
  std::unique_ptr<HostLinks> links_;
};

TEST_F(SessionOnHosts, ThatEndsWhileTheLinksAreDownHasTheFiguresOfTheSummariesLeftThere) {
  const SessionOptions options = on_hosts();
  make(on_both(), options).start_all();
  ASSERT_TRUE(wait_received(200)) << story();
  for (const char* name : {"vm1", "vm2"}) lab_->cut(name);
  ASSERT_TRUE(wait_for(State::over)) << story();
  EXPECT_LT(session_->record().totals.received, 10'000u) << "it ended before the links were lost";
  // As long as pings may stay away, and not longer than the run goes on.
  EXPECT_TRUE(lab_->wait_no_process("vm1", 9s)) << testing::PrintToString(lab_->processes("vm1"));
  for (const char* name : {"vm1", "vm2"}) lab_->heal(name);
  const record::RunRecord record = keep(options);
  expect_exact(record);
  for (const record::ProcessRecord& process : record.processes) EXPECT_EQ(process.figures_from, "fetched");
  const std::string folder = session_->folder();
  EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  for (const char* name : {"/receiver-1.log", "/sender-1.log", "/broker.log"})
    EXPECT_EQ(std::filesystem::status(folder + name).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
        << name;
}

TEST_F(SessionOnHosts, GoesOnWithoutALinkForAsLongAsItIsTold) {
  SessionOptions options = on_hosts();
  options.survive = 60s;
  make(on_both(), options).start_all();
  ASSERT_TRUE(wait_received(200)) << story();
  lab_->kill_sshd("vm2");
  lab_->start_sshd("vm2");
  stop_for_a_second("n2nq-receiver", "vm2");  // after which nobody is told
  const record::RunRecord record = keep(options);
  expect_exact(record);
  EXPECT_GT(record.latencies[Latency::latency].p99.value(), 500'000'000);
  EXPECT_FALSE(std::ranges::any_of(record.warnings, [](const auto& one) { return one.id == "missing"; }));
  for (const record::ProcessRecord& process : record.processes)
    EXPECT_EQ(process.figures_from, process.name == "receivers" ? "fetched" : "summary") << process.name;
}

}  // namespace
}  // namespace n2nq::run
