#include "app/record/backlog.h"

#include <gmock/gmock.h>

namespace n2nq::record {
namespace {

constexpr int64_t kSlotNs = 100'000'000;
constexpr int64_t kSecondNs = 1'000'000'000;

// So many a second for all of the time, and what is taken of them: nothing in a pause, all that there is up to so many
// a second else.
struct World {
  double in_per_s = 100;
  double out_per_s = 150;
  std::vector<Pause> pauses{};
  int64_t length_ns = 10 * kSecondNs;
  double due = 1;

  std::vector<live::SeriesPoint> slots() const {
    std::vector<live::SeriesPoint> all;
    double before_it = 0;
    for (int64_t t = 0; t < length_ns; t += kSlotNs) {
      bool is_paused = false;
      for (const Pause& pause : pauses) is_paused |= t >= pause.from_ns && t < pause.to_ns;
      const double sent = in_per_s / 10;
      before_it += sent * due;
      const double taken = is_paused ? 0 : std::min(before_it, out_per_s / 10);
      before_it -= taken;
      all.push_back({.start_ns = t, .width_ns = kSlotNs, .sent = sent, .received = taken, .lost = 0});
    }
    return all;
  }
};

TEST(Backlog, GrowsAtTheRateThatComesAndIsDrainedAtWhatIsLeftOfTheOther) {
  const World world{.pauses = {{2 * kSecondNs, 3 * kSecondNs}}};
  const auto slots = world.slots();
  const auto found = catch_ups(slots, world.pauses, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].most, 100, 1e-6) << "1 s at 100 a second";
  EXPECT_NEAR(found[0].before, 0, 1e-6);
  // 100 are there, 50 a second more go than come; what is due in one slot, 10, cannot be told from nothing.
  ASSERT_TRUE(found[0].took_ns);
  EXPECT_NEAR(static_cast<double>(*found[0].took_ns), (100 - 10) / 50.0 * 1e9, 1e6);
}

TEST(Backlog, CountsEachDeliveryOfAMessageAndWhatWasSkipped) {
  const World world{.in_per_s = 100, .out_per_s = 400, .pauses = {{kSecondNs, 2 * kSecondNs}}, .due = 3};
  auto slots = world.slots();
  EXPECT_NEAR(backlog_of(slots, 3)[19].deliveries, 300, 1e-6);
  slots[15].lost = 250;
  EXPECT_NEAR(backlog_of(slots, 3)[19].deliveries, 50, 1e-6);
}

TEST(Backlog, OfReceiversThatStartLateIsCaughtUpWithToo) {
  const World world{.in_per_s = 100, .out_per_s = 200, .pauses = {{0, 2 * kSecondNs}}};
  const auto found = catch_ups(world.slots(), world.pauses, 1);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_TRUE(found[0].took_ns);
  EXPECT_NEAR(static_cast<double>(*found[0].took_ns), (200 - 10) / 100.0 * 1e9, 1e6);
}

TEST(Backlog, ThatIsNeverCaughtUpWithHasNoTime) {
  World world{.in_per_s = 100, .out_per_s = 101, .pauses = {{2 * kSecondNs, 3 * kSecondNs}}};
  ASSERT_EQ(catch_ups(world.slots(), world.pauses, 1).size(), 1u);
  EXPECT_FALSE(catch_ups(world.slots(), world.pauses, 1)[0].took_ns);
  world.out_per_s = 150;
  world.pauses.push_back({3'500'000'000, 4 * kSecondNs});
  const auto found = catch_ups(world.slots(), world.pauses, 1);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[0].took_ns) << "the next pause came first";
  EXPECT_TRUE(found[1].took_ns);
  world.pauses = {{9 * kSecondNs, INT64_MAX}};
  EXPECT_TRUE(catch_ups(world.slots(), world.pauses, 1).empty()) << "nobody resumed";
}

// From when the first has left until the last has come before others leave.
TEST(Backlog, OfReceiversThatComeAndGoIsReadFromNotesToo) {
  const auto note = [](int64_t at_ns, const char* which, bool away) {
    RunNote made = coming_note(*control::parse_services(which), away, 1, 4, {});
    made.since_begin_ns = at_ns;
    return made;
  };
  EXPECT_EQ(note(1, "2-3", true).text, "receivers 2-3: left, 1 of 4 are there");
  EXPECT_EQ(coming_note(*control::parse_services("2"), false, 2, 4, "12 messages wait").text,
            "receivers 2: came, 2 of 4 are there: 12 messages wait");
  const std::vector<RunNote> notes{
      note(0, "2-4", true),           note(3 * kSecondNs, "2", false), note(5 * kSecondNs, "3", false),
      note(8 * kSecondNs, "3", true), note(9 * kSecondNs, "2", true),  note(11 * kSecondNs, "2", false),
      note(15 * kSecondNs, "2", true)};
  EXPECT_EQ(receiver_pauses_of(notes),
            (std::vector<Pause>{{0, 5 * kSecondNs}, {8 * kSecondNs, 11 * kSecondNs}, {15 * kSecondNs, INT64_MAX}}));
  RunNote pause = receiver_pause_note(*control::parse_services("1"), true);
  RunNote resume = receiver_pause_note(*control::parse_services("1"), false);
  pause.since_begin_ns = 2 * kSecondNs;
  resume.since_begin_ns = 5 * kSecondNs;
  EXPECT_EQ(
      receiver_pauses_of(std::vector{pause, note(3 * kSecondNs, "2", true), resume, note(9 * kSecondNs, "2", false)}),
      (std::vector<Pause>{{2 * kSecondNs, 9 * kSecondNs}}))
      << "what overlaps is one";
  EXPECT_EQ(receiver_pauses_of(std::vector{note(3 * kSecondNs, "2", false)}),
            (std::vector<Pause>{{3 * kSecondNs, 3 * kSecondNs}}));
}

TEST(Backlog, IsReadFromTheNotesOfARun) {
  const auto note = [](int64_t at_ns, const char* which, bool paused) {
    RunNote made = receiver_pause_note(*control::parse_services(which), paused);
    made.since_begin_ns = at_ns;
    return made;
  };
  EXPECT_EQ(note(1, "1-3", true).text, "receivers 1-3: paused");
  const std::vector<RunNote> notes{note(2 * kSecondNs, "1", true),  pause_note(1, 2),
                                   note(3 * kSecondNs, "2", true),  note(4 * kSecondNs, "1", false),
                                   note(5 * kSecondNs, "2", false), note(7 * kSecondNs, "all", true)};
  EXPECT_EQ(receiver_pauses_of(notes),
            (std::vector<Pause>{{2 * kSecondNs, 5 * kSecondNs}, {7 * kSecondNs, INT64_MAX}}));
  RunRecord record;
  record.plan.receivers.fleet.count = 1;
  record.series = World{.pauses = {{2 * kSecondNs, 5 * kSecondNs}}, .length_ns = 20 * kSecondNs}.slots();
  record.notes = notes;
  ASSERT_EQ(catch_ups_of(record).size(), 1u);
  EXPECT_NEAR(catch_ups_of(record)[0].most, 300, 1e-6);
  record.requests = {{.since_begin_ns = kSecondNs}};
  EXPECT_TRUE(catch_ups_of(record).empty());
}

TEST(Backlog, KnowsWhatThePlanSaysOfWhenMessagesAreSent) {
  plan::RunPlan plan;
  plan.senders.fleet.count = 7;
  const auto asked = [&plan](std::vector<RunNote> notes = {}) { return asked_sends(plan, notes, {}); };
  EXPECT_FALSE(asked().poisson);
  EXPECT_EQ(asked().out_of_phase, 0);
  EXPECT_FALSE(asked().by_time);
  EXPECT_EQ(asked().until_ns, INT64_MAX);
  plan.senders.phase = plan::Phase::random;
  EXPECT_EQ(asked().out_of_phase, 7);
  plan.senders.pacing = plan::Pacing::poisson;
  EXPECT_EQ(asked().out_of_phase, 0) << "chance has no phase";
  EXPECT_TRUE(asked().poisson) << "though each sends a number of messages";
  EXPECT_FALSE(asked().by_time);
  plan.senders.duration_ns = kSecondNs;
  EXPECT_TRUE(asked().by_time);
}

TEST(Backlog, KnowsSinceWhenNothingIsAsked) {
  plan::RunPlan plan;
  const auto until = [&plan](EventKind kind) {
    return asked_sends(plan,
                       std::vector<RunNote>{{.since_begin_ns = 5, .kind = EventKind::pause},
                                            {.since_begin_ns = 20, .kind = EventKind::kill},
                                            {.since_begin_ns = 10, .kind = kind}},
                       {})
        .until_ns;
  };
  for (const EventKind kind : {EventKind::stop, EventKind::kill, EventKind::lost, EventKind::link_lost})
    EXPECT_EQ(until(kind), 10) << static_cast<int>(kind);
  EXPECT_EQ(until(EventKind::server), 20) << "senders go on without it";
  EXPECT_EQ(until(EventKind::limit), 20);
  std::vector<PassedLimit> passed{{.since_begin_ns = 30}, {.since_begin_ns = 40, .stopped = true}};
  EXPECT_EQ(asked_sends(plan, {}, passed).until_ns, 40) << "the other one only warned";
}

}  // namespace
}  // namespace n2nq::record
