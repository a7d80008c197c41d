// Workers that somebody started by hand.
#include <fstream>

#include "app/journal/master_file.h"
#include "tests/helpers/process.h"
#include "tests/helpers/run.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::Verdict;
using testing::AllOf;
using testing::HasSubstr;

class Attach : public SessionRig {
 protected:
  Attach() {
    std::ofstream(token_) << "s3cret\n";
    std::filesystem::permissions(token_, std::filesystem::perms::owner_read);
  }
  static std::string address(const test::ReservedPort& port) { return "127.0.0.1:" + std::to_string(port.number()); }
  plan::RunPlan plan() const {
    plan::RunPlan plan = short_plan();
    plan.queue.listen = address(queue_);
    plan.queue.token_file = token_.string();
    plan.receivers.fleet.attach = address(control_);
    return plan;
  }
  test::Process by_hand(int count) const {
    return test::Process({test::program("n2nq-receiver"), "--broker", address(queue_), "--count", std::to_string(count),
                          "--token-file", token_.string(), "--control", address(control_), "--telemetry", "100ms",
                          "--log-dir", (dir_ / "theirs").string()});
  }

  std::filesystem::path token_ = dir_ / "token";
  test::ReservedPort queue_, control_;
};

TEST_F(Attach, AWorkerStartedByHandTakesPart) {
  test::Process theirs = by_hand(4);
  ASSERT_TRUE(test::await_json(theirs, "ready").contains("port"));
  make(plan()).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.received, 400u);
  record::RunRecord kept = record;
  journal::add_master_file(kept);
  EXPECT_THAT(kept.notes.back().text,
              AllOf(HasSubstr("the master file has no lines of the receivers"), HasSubstr((dir_ / "theirs").string())));
  EXPECT_EQ(record.processes.back().place, "attached at " + address(control_));
  EXPECT_EQ(session_->log_path(Role::receiver, 2), (dir_ / "theirs" / "receiver-2.log").string());
  EXPECT_EQ(theirs.wait_exit(test::Deadline(std::chrono::seconds(20))), (test::Exit{.code = 0}));
}

TEST_F(Attach, AFleetOfAnotherSizeIsRefusedWithWhatToDo) {
  test::Process theirs = by_hand(3);
  ASSERT_TRUE(test::await_json(theirs, "ready").contains("port"));
  make(plan()).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(story(), HasSubstr("set the amount to 3"));
}

TEST_F(Attach, NobodyThereIsSaid) {
  make(plan()).start_all();
  EXPECT_EQ(over().verdict, Verdict::failed);
  EXPECT_THAT(session_->record().reason, HasSubstr("no worker answers at " + address(control_)));
}

}  // namespace
}  // namespace n2nq::run
