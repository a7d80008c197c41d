// Runs on hosts that go on while the link to them is down: their figures are exact all the same.
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
  void expect_exact(const record::RunRecord& record) {
    EXPECT_EQ(record.totals.sent, 2500u) << story();
    EXPECT_EQ(record.totals.accepted, 2500u);
    EXPECT_EQ(record.totals.received, 10'000u);
    EXPECT_EQ(record.totals.lost, 0u);
    EXPECT_EQ(logged("sender"), 2500u);
    EXPECT_EQ(logged("receiver"), 10'000u);
    EXPECT_EQ(record.verdict, record::Verdict::passed) << record.reason;
    EXPECT_THAT(record.reason, HasSubstr("was lost before the end"));
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
  const record::RunRecord record = keep(options);
  expect_exact(record);
  for (const record::ProcessRecord& process : record.processes)
    EXPECT_EQ(process.figures_from, process.name == "receivers" ? "fetched" : "summary") << process.name;
}

}  // namespace
}  // namespace n2nq::run
