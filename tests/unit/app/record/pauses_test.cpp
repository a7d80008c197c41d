#include "app/record/pauses.h"

#include <gtest/gtest.h>

#include "broker/base/clock.h"

namespace n2nq::record {
namespace {

constexpr int64_t kTenth = kSecond / 10;

RunNote paused(int64_t since_ns, size_t senders, size_t of = 4) {
  return {.since_begin_ns = since_ns, .text = pause_text(senders, of), .kind = EventKind::pause};
}

RunNote resumed(int64_t since_ns, size_t still_paused = 0, size_t of = 4) {
  return {.since_begin_ns = since_ns, .text = resume_text(still_paused, of), .kind = EventKind::resume};
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

TEST(Pauses, AreNotReadFromOtherNotes) {
  EXPECT_EQ(of({{.since_begin_ns = 1, .text = "senders: 4 of 4 paused"},
                {.since_begin_ns = 2, .text = "senders: many paused", .kind = EventKind::pause},
                {.since_begin_ns = 3, .text = "senders: 4 of", .kind = EventKind::pause},
                {.since_begin_ns = 4, .text = "senders: resumed, ", .kind = EventKind::resume}}),
            Pauses{});
}

}  // namespace
}  // namespace n2nq::record
