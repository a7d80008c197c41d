#include "app/record/pauses.h"

#include <gtest/gtest.h>

#include "broker/base/clock.h"

namespace n2nq::record {
namespace {

constexpr int64_t kTenth = kSecond / 10;

RunNote at(int64_t since_ns, RunNote note) {
  note.since_begin_ns = since_ns;
  return note;
}

RunNote paused(int64_t since_ns, uint64_t senders) {
  return at(since_ns, pause_note(senders, 4));
}

RunNote resumed(int64_t since_ns, uint64_t still_paused = 0) {
  return at(since_ns, resume_note(still_paused, 4));
}

Pauses of(const std::vector<RunNote>& notes) {
  return pauses_of(notes);
}

TEST(Pauses, AreFromWhenAllSendersPauseUntilOneGoesOn) {
  EXPECT_EQ(of({paused(kSecond, 4), resumed(3 * kSecond), paused(5 * kSecond, 4)}),
            (Pauses{.all = {{kSecond, 3 * kSecond}, {5 * kSecond, INT64_MAX}}}));
  EXPECT_EQ(of({}), Pauses{});
  RunNote before = paused(0, 4);
  before.since_begin_ns = std::nullopt;
  EXPECT_EQ(of({before, resumed(kSecond)}), (Pauses{.all = {{0, kSecond}}})) << "they began paused";
}

TEST(Pauses, OfProcessesThatAreToldOneAfterTheOtherAreOne) {
  EXPECT_EQ(of({paused(kSecond, 2), paused(kSecond + 2 * kTenth, 4), resumed(3 * kSecond, 2),
                resumed(3 * kSecond + 2 * kTenth)}),
            (Pauses{.all = {{kSecond, 3 * kSecond}}}));
}

TEST(Pauses, OfSomeSendersAreKnownAsSuch) {
  EXPECT_EQ(of({paused(kSecond, 1), resumed(3 * kSecond)}), (Pauses{.some_since_ns = kSecond}));
  EXPECT_EQ(of({paused(kSecond, 1)}), (Pauses{.some_since_ns = kSecond}));
  EXPECT_EQ(of({paused(kSecond, 4), resumed(3 * kSecond, 1), resumed(9 * kSecond)}),
            (Pauses{.all = {{kSecond, 3 * kSecond}}, .some_since_ns = 3 * kSecond}));
}

TEST(Pauses, AreNotReadFromOtherNotesNorFromWords) {
  RunNote words = pause_note(4, 4);
  words.text = "anything";
  EXPECT_EQ(of({at(1, words)}), of({at(1, pause_note(4, 4))}));
  EXPECT_EQ(of({{.since_begin_ns = 1, .text = pause_note(4, 4).text},
                at(2, receiver_pause_note(*control::parse_services("all"), true)),
                {.since_begin_ns = 3, .kind = EventKind::stop, .subject = "senders", .paused = 4, .senders = 4}}),
            Pauses{});
}

TEST(Pauses, AreSaidInTheLog) {
  EXPECT_EQ(pause_note(2, 3).text, "senders: 2 of 3 paused");
  EXPECT_EQ(resume_note(0, 3).text, "senders: resumed");
  EXPECT_EQ(resume_note(1, 3).text, "senders: resumed, 1 of 3 still paused");
  EXPECT_EQ(receiver_pause_note(*control::parse_services("1-3"), true).text, "receivers 1-3: paused");
  EXPECT_EQ(receiver_pause_note(*control::parse_services("all"), false).text, "receivers: resumed");
}

}  // namespace
}  // namespace n2nq::record
