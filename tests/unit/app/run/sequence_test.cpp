// Several runs of one plan, and what is kept of each.
#include "app/run/run_sequence.h"

#include <QSignalSpy>

#include "app/journal/journal.h"
#include "app/store/store.h"
#include "tests/helpers/process.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::Verdict;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Sequence : public testing::Test {
 protected:
  Sequence() {
    auto store = store::ResultStore::open((dir_ / "results.sqlite").string());
    EXPECT_TRUE(store) << store.error().text;
    store_ = std::move(*store);
    sequence_ = std::make_unique<RunSequence>(
        SessionOptions{.programs = N2NQ_BUILT_BIN_DIR, .runs_folder = (dir_ / "runs").string()}, store_.get());
  }
  ~Sequence() override {
    sequence_.reset();
    EXPECT_THAT(test::processes_left(), IsEmpty());
  }
  bool wait(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatienceMs); }
  bool wait_end() {
    return wait([this] { return !sequence_->active(); });
  }
  static plan::PlanFile both_modes(const plan::RunPlan& base) {
    return {.base = base, .runs = {{{"queue.mode", "broadcaster"}}, {{"queue.mode", "load-balancer"}}}};
  }

  test::TempDir dir_;
  std::unique_ptr<store::ResultStore> store_;
  std::unique_ptr<RunSequence> sequence_;
};

TEST_F(Sequence, RunsOneAfterAnotherAndKeepsEach) {
  ASSERT_TRUE(sequence_->start_all(both_modes(short_plan())));
  EXPECT_EQ(sequence_->count(), 2u);
  ASSERT_TRUE(wait_end());
  ASSERT_THAT(sequence_->records(), SizeIs(2));
  EXPECT_EQ(sequence_->special_settings(), "load-balancer") << "whose figures are there, the plan has the other mode";
  EXPECT_EQ(sequence_->session()->progress(), 1);
  EXPECT_EQ(sequence_->records()[0].totals.received, 400u);
  EXPECT_EQ(sequence_->records()[1].totals.received, 100u);
  const auto listing = store_->list();
  ASSERT_TRUE(listing);
  EXPECT_THAT(listing->rows, SizeIs(2));
  for (const record::RunRecord& record : sequence_->records()) {
    EXPECT_EQ(record.verdict, Verdict::passed) << record.reason;
    EXPECT_NE(record.id, 0);
    EXPECT_TRUE(std::filesystem::exists(record.master_file));
  }
}

TEST_F(Sequence, RepeatsAllRunsOfThePlanWithTheSeedsOfEachRepeat) {
  ASSERT_TRUE(sequence_->start_all(both_modes(short_plan()), 2));
  EXPECT_EQ(sequence_->count(), 4u);
  EXPECT_EQ(sequence_->repeats(), 2u);
  ASSERT_TRUE(wait_end());
  ASSERT_THAT(sequence_->records(), SizeIs(4));
  EXPECT_EQ(sequence_->special_settings(), "load-balancer") << "seeds are no setting of a run";
  for (size_t run = 0; run < 4; run++) {
    const plan::RunPlan& plan = sequence_->records()[run].plan;
    EXPECT_EQ(plan.queue.mode, run % 2 == 0 ? plan::Mode::broadcaster : plan::Mode::load_balancer);
    EXPECT_EQ(plan.senders.seed == short_plan().senders.seed, run < 2) << "the first has the seeds of the plan";
  }
  EXPECT_FALSE(sequence_->start_all(both_modes(short_plan()), 0));
  EXPECT_FALSE(sequence_->start_all(both_modes(short_plan()), 101));
}

TEST_F(Sequence, AStopEndsAllRepeats) {
  ASSERT_TRUE(sequence_->start_all({.base = long_plan(), .runs = {}}, 3));
  ASSERT_TRUE(wait([this] { return sequence_->session()->state() == State::running; }));
  sequence_->stop();
  ASSERT_TRUE(wait_end());
  ASSERT_THAT(sequence_->records(), SizeIs(1));
  EXPECT_EQ(sequence_->records()[0].verdict, Verdict::stopped);
}

TEST_F(Sequence, AStopEndsThisRunAndNoOtherFollows) {
  ASSERT_TRUE(sequence_->start_all(both_modes(long_plan())));
  ASSERT_TRUE(wait([this] { return sequence_->session()->live().all_receivers().count > 20; }));
  sequence_->stop();
  ASSERT_TRUE(wait_end());
  ASSERT_THAT(sequence_->records(), SizeIs(1));
  EXPECT_EQ(sequence_->records()[0].verdict, Verdict::stopped);
}

TEST_F(Sequence, AStopWhileTheResultIsSavedCutsThatShort) {
  test::Process locker({"/usr/bin/env", "sqlite3", store_->path()}, test::Process::Stdin::pipe);
  locker.send_line("BEGIN IMMEDIATE; SELECT 'locked';");
  ASSERT_EQ(locker.next_line(std::chrono::seconds(20)), "locked") << locker.err();
  ASSERT_TRUE(sequence_->start_all({.base = short_plan()}));
  ASSERT_TRUE(wait([this] { return sequence_->session()->state() == State::over; }));
  sequence_->stop();
  ASSERT_TRUE(wait_end());
  EXPECT_THAT(sequence_->session()->notes().back().text, HasSubstr("the next start of the bench imports the result"));
  locker.close_stdin();
  ASSERT_TRUE(locker.wait_exit(std::chrono::seconds(20)));
  const auto id = journal::take_in(*store_, sequence_->records().front().folder);
  ASSERT_TRUE(id) << id.error().text;
  EXPECT_EQ(store_->load(id->id)->verdict, Verdict::passed);
}

TEST_F(Sequence, AnEndAfterThisRunKeepsItWholeAndNoOtherFollows) {
  ASSERT_TRUE(sequence_->start_all(both_modes(short_plan())));
  const QSignalSpy sessions(sequence_.get(), &RunSequence::session_changed);
  const QSignalSpy ends(sequence_.get(), &RunSequence::finished);
  QObject::connect(sequence_.get(), &RunSequence::changed, sequence_.get(), [this] {
    if (sequence_->session()->state() == State::over) sequence_->end_after_this();
  });
  ASSERT_TRUE(wait([&] { return !ends.empty(); }));
  EXPECT_FALSE(sequence_->active());
  ASSERT_THAT(sequence_->records(), SizeIs(1));
  EXPECT_EQ(sequence_->records()[0].verdict, Verdict::passed);
  QCoreApplication::sendPostedEvents();
  EXPECT_THAT(ends, SizeIs(1));
  EXPECT_THAT(sessions, SizeIs(0));
  EXPECT_THAT(store_->list()->rows, SizeIs(1));
}

TEST_F(Sequence, AnImpossiblePlanIsRefusedByRunAndField) {
  plan::PlanFile file = both_modes(short_plan());
  file.runs[1].push_back({"senders.count", "0"});
  const auto refused = sequence_->start_all(file);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text, HasSubstr("senders.count"));
  EXPECT_FALSE(sequence_->active());
}

TEST_F(Sequence, StartsAnewAfterItsEnd) {
  const plan::PlanFile once{.base = short_plan()};
  for (int i = 0; i < 2; i++) {
    ASSERT_TRUE(sequence_->start(once, Role::sender));
    ASSERT_TRUE(sequence_->start_all(once));
    ASSERT_TRUE(wait_end());
    EXPECT_THAT(sequence_->records(), SizeIs(1));
  }
  EXPECT_THAT(store_->list()->rows, SizeIs(2));
}

}  // namespace
}  // namespace n2nq::run
