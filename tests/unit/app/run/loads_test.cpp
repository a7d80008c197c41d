// Background loads of a run, over the real programs.
#include <csignal>

#include "app/record/trust.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using record::EventKind;
using record::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr int64_t kLoadMs = 1'000'000;

class RunWithLoads : public SessionRig {
 protected:
  static plan::RunPlan loaded_plan(const char* loads) {
    plan::RunPlan plan = short_plan();
    plan.senders.messages = 150;  // a second and a half
    plan.background = *plan::parse_loads(loads);
    return plan;
  }
  static std::vector<EventKind> kinds(const record::RunRecord& record) {
    std::vector<EventKind> kinds;
    for (const record::RunNote& note : record.notes)
      if (note.text.starts_with("background load")) kinds.push_back(note.kind);
    return kinds;
  }
  static const record::RunNote* note_of(const record::RunRecord& record, EventKind kind) {
    const auto found = std::ranges::find(record.notes, kind, &record::RunNote::kind);
    return found == record.notes.end() ? nullptr : &*found;
  }
  bool wait_flowing() {
    return wait([&] { return note_of(session_->notes()) != nullptr; });
  }
  static const record::RunNote* note_of(const std::vector<record::RunNote>& notes) {
    const auto found = std::ranges::find(notes, EventKind::load, &record::RunNote::kind);
    return found == notes.end() ? nullptr : &*found;
  }
};

TEST_F(RunWithLoads, HasThemAsEventsAndWhatArrived) {
  make(loaded_plan("this computer to This Computer at 300ms for 400ms")).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_THAT(kinds(record), ElementsAre(EventKind::load, EventKind::load_end)) << story();
  ASSERT_THAT(record.background_loads, SizeIs(1)) << story();
  const record::BackgroundLoad& load = record.background_loads[0];
  EXPECT_EQ(load.from, "this computer");
  EXPECT_EQ(load.to, "this computer");
  EXPECT_EQ(load.trouble, "");
  EXPECT_FALSE(load.cut_short);
  ASSERT_TRUE(load.at_ns && load.bytes && load.duration_ns) << story();
  EXPECT_GE(*load.at_ns, 300 * kLoadMs);
  EXPECT_GE(*load.duration_ns, 360 * kLoadMs);
  EXPECT_GT(*load.bytes, 1'000'000u);
  const record::RunNote *begins = note_of(record, EventKind::load), *ends = note_of(record, EventKind::load_end);
  EXPECT_EQ(begins->subject, "this computer to this computer");
  EXPECT_GE(*ends->since_begin_ns - *begins->since_begin_ns, 360 * kLoadMs);
  EXPECT_THAT(record::doubts_of(record), Not(testing::Contains(HasSubstr("background"))));
}

TEST_F(RunWithLoads, CutsThemShortAtItsEnd) {
  make(loaded_plan("this computer to this computer at 0s for 1h; this computer to this computer at 2h for 1s"))
      .start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  ASSERT_THAT(record.background_loads, SizeIs(2)) << story();
  const record::BackgroundLoad &never = record.background_loads[0], &cut = record.background_loads[1];
  EXPECT_TRUE(cut.cut_short);
  EXPECT_EQ(cut.trouble, "");
  EXPECT_GT(cut.bytes.value_or(0), 1'000'000u) << story();
  EXPECT_FALSE(never.at_ns);
  EXPECT_EQ(never.trouble, "the run ended before it was to begin");
  EXPECT_THAT(record::doubts_of(record),
              testing::Contains(HasSubstr("from this computer to this computer was not as planned: the run ended")));
}

TEST_F(RunWithLoads, GoesOnWhereTheRecorderDies) {
  plan::RunPlan plan = loaded_plan("this computer to this computer at 0s for 1h");
  plan.senders.messages = 300;
  make(plan).start_all();
  ASSERT_TRUE(wait_flowing()) << story();
  ASSERT_EQ(::kill(child_called("n2nq-recorder"), SIGKILL), 0);
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_EQ(record.totals.received, 300u * 5 * 4);
  ASSERT_THAT(record.background_loads, SizeIs(1)) << story();
  EXPECT_EQ(record.background_loads[0].trouble, "the recorder on this computer was lost");
  EXPECT_FALSE(record.background_loads[0].bytes);
  EXPECT_FALSE(record.background_loads[0].cut_short);
}

TEST_F(RunWithLoads, StoppedBeginsNoneThatWasToCome) {
  plan::RunPlan plan = long_plan();
  plan.background =
      *plan::parse_loads("this computer to this computer at 0s for 1h; this computer to this computer at 2h for 1s");
  make(plan).start_all();
  ASSERT_TRUE(wait_flowing()) << story();
  session_->stop();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::stopped) << story();
  EXPECT_EQ(record.totals.lost, 0u);
  ASSERT_THAT(record.background_loads, SizeIs(2)) << story();
  EXPECT_TRUE(record.background_loads[1].cut_short) << story();
}

}  // namespace
}  // namespace n2nq::run
