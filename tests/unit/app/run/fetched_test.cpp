// What a session shows once the summaries of processes are here that were cut off from it.
#include <fstream>

#include "tests/unit/app/run/session_rig.h"
#include "workers/control/line_writer.h"
#include "workers/control/summary.h"
#include "workers/control/telemetry_builder.h"
#include "workers/measure/clock.h"

namespace n2nq::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr int64_t kSent = 1'000'000;

class Fetched : public SessionRig {
 protected:
  // Queue and receivers are here. The link to the senders' host ends in the middle of the run.
  RunSession& cut_off() {
    links_ = std::make_unique<HostLinks>(hosts::HostList{.hosts = {{.name = "box",
                                                                    .kind = hosts::Host::Kind::command,
                                                                    .data_address = "127.0.0.1",
                                                                    .work_folder = placed(),
                                                                    .command = "/usr/bin/env {command}"}}},
                                         launch::LinkOptions{.programs = N2NQ_BUILT_BIN_DIR});
    SessionOptions options = this->options();
    options.links = links_.get();
    plan::RunPlan plan = long_plan();
    plan.senders.fleet.hosts = {"box"};
    RunSession& session = make(plan, options);
    session.start_all();
    EXPECT_TRUE(wait_received(20)) << story();
    EXPECT_TRUE(wait([&] { return session.all_of(Role::sender).count > 0; })) << "its first line was heard";
    links_->to("box").close();
    over();
    return session;
  }
  std::string placed() const {
    const fs::path folder = dir_ / "placed";
    fs::create_directories(folder);
    for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
      fs::create_symlink(fs::path(N2NQ_BUILT_BIN_DIR) / name, folder / name);
    return folder;
  }
  void put_summary(const std::string& text) const {
    std::ofstream(session_->folder() + "/sender-1.summary.json") << text << "\n";
  }

  // A sender's line of telemetry with that number: 5 messages in the first tenth of a second.
  static std::string unheard(uint64_t sequence) {
    control::TelemetryBuilder builder(control::Role::sender, 5);
    while (builder.sequence() + 1 < sequence) builder.remaining_lines(1);
    measure::SlotCounts slots;
    slots.add(0, 5);
    builder.add_slots(slots);
    constexpr int64_t kAll = kSent;
    builder.set_totals({{.count = kAll, .bytes = 1000 * kAll, .accepted = kAll}});
    for (int64_t number = 1; number <= 5; number++)
      builder.set_service(static_cast<size_t>(number - 1),
                          {{.count = kAll / 5, .bytes = 200 * kAll, .accepted = kAll / 5}, number, control::kDone});
    return builder.remaining_lines(measure::now_ns()).front();
  }

  std::unique_ptr<HostLinks> links_;
};

// Without it they would be in no chart.
TEST_F(Fetched, TelemetryThatTheLinkTookWithItIsTaken) {
  RunSession& session = cut_off();
  record::RunRecord kept = session.record();
  const auto in_first_slot = [&] { return kept.series.at(0).sent; };
  const auto before = in_first_slot();
  const std::string summary = control::to_line(control::SenderSummary{
      .outcome = {.services = 5, .exit_code = 1, .verdict = "failed"}, .counts = {.count = kSent, .accepted = kSent}});
  put_summary(unheard(1) + "\n" + unheard(10'000) + "\n" + summary);
  EXPECT_THAT(session.take_fetched(kept), testing::ElementsAre(testing::Not(HasSubstr("in no histogram"))));
  EXPECT_EQ(kept.totals.sent, kSent);
  EXPECT_EQ(in_first_slot(), before + 5) << "of the first line was heard before";
}

TEST_F(Fetched, SummariesRenewTheRecordOfTheSessionAndWhatIsShownOfIt) {
  RunSession& session = cut_off();
  record::RunRecord kept = session.record();
  ASSERT_LT(kept.totals.sent, kSent) << story();
  EXPECT_EQ(session.all_of(Role::sender).count, static_cast<int64_t>(kept.totals.sent));
  put_summary(control::to_line(control::SenderSummary{.outcome = {.services = 5, .exit_code = 1, .verdict = "failed"},
                                                      .counts = {.count = kSent, .accepted = kSent - 1}}));
  int changes = 0;
  QObject::connect(&session, &RunSession::state_changed, &session, [&changes] { changes++; });
  EXPECT_THAT(session.take_fetched(kept), testing::ElementsAre(HasSubstr("from the summary that it left on box")));
  EXPECT_EQ(kept.totals.sent, kSent);
  EXPECT_EQ(session.record().totals, kept.totals);
  EXPECT_EQ(session.record().processes, kept.processes);
  EXPECT_EQ(session.all_of(Role::sender).count, static_cast<int64_t>(kSent));
  EXPECT_EQ(session.all_of(Role::sender).accepted, static_cast<int64_t>(kSent - 1));
  EXPECT_EQ(session.all_of(Role::receiver).count, static_cast<int64_t>(kept.totals.received));
  EXPECT_EQ(changes, 1) << "whoever shows it looks again";
}

TEST_F(Fetched, SummariesOfAPlannedEndJudgeTheRunAnew) {
  RunSession& session = cut_off();
  record::RunRecord kept = session.record();
  ASSERT_EQ(kept.verdict, record::Verdict::failed) << kept.reason;
  const auto planned = static_cast<int64_t>(kept.totals.planned.value());
  put_summary(control::to_line(
      control::SenderSummary{.outcome = {.services = 5, .exit_code = 0, .verdict = "complete", .end = "stopped"},
                             .counts = {.count = planned, .accepted = planned}}));
  const auto said = session.take_fetched(kept);
  EXPECT_EQ(kept.verdict, record::Verdict::passed) << kept.reason;
  EXPECT_THAT(kept.reason, HasSubstr("the link to box was lost before the end"));
  EXPECT_THAT(said.back(), HasSubstr("passed"));
}

TEST_F(Fetched, SummariesOfAnEndForWantOfControlLeaveTheVerdict) {
  RunSession& session = cut_off();
  record::RunRecord kept = session.record();
  const auto planned = static_cast<int64_t>(kept.totals.planned.value());
  put_summary(control::to_line(control::SenderSummary{.outcome = {.services = 5,
                                                                  .exit_code = 0,
                                                                  .verdict = "complete",
                                                                  .reason = "control lost: no ping for 10s",
                                                                  .end = "left",
                                                                  .stopped = true},
                                                      .counts = {.count = planned, .accepted = planned}}));
  session.take_fetched(kept);
  EXPECT_EQ(kept.verdict, record::Verdict::failed);
  EXPECT_EQ(kept.totals.sent, planned);
}

TEST_F(Fetched, ASummaryThatCannotBeReadIsSaid) {
  RunSession& session = cut_off();
  record::RunRecord kept = session.record();
  const record::RunTotals before = kept.totals;
  const auto said_of = [&](const std::string& summary) {
    put_summary(summary);
    const auto said = session.take_fetched(kept);
    return said.empty() ? "" : said.front();
  };
  const auto unread = [](const std::string& why) {
    return testing::AllOf(HasSubstr("the summary that it left could not be read"), HasSubstr(why),
                          HasSubstr("its counts are the last that came over the link"));
  };
  std::string fitting =
      control::to_line(control::SenderSummary{.outcome = {.services = 5}, .counts = {.count = kSent}});
  if (fitting.ends_with('\n')) fitting.pop_back();
  EXPECT_THAT(said_of(fitting + std::string((1 << 20) - fitting.size() + 1, ' ') + "{}"),
              unread("a line is longer than 1 MiB"));
  EXPECT_THAT(said_of(fitting + "\n" + fitting), unread("there is more behind the summary"));
  EXPECT_THAT(said_of(unheard(1)), unread("there is no summary in it"));
  EXPECT_THAT(said_of(fitting.substr(0, fitting.size() / 2)), unread(""));
  EXPECT_THAT(said_of(control::to_line(control::SenderSummary{.outcome = {.services = 4}})),
              unread("it belongs to another process"));
  EXPECT_EQ(kept.totals, before);
  std::filesystem::remove(session.folder() + "/sender-1.summary.json");
  EXPECT_THAT(session.take_fetched(kept).front(), testing::Not(HasSubstr("could not be read")));
}

}  // namespace
}  // namespace n2nq::run
