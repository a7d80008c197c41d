#include "app/run/stop_ladder.h"

#include <gtest/gtest.h>

namespace n2nq::run {
namespace {

using Rung = StopLadder::Rung;

TEST(StopLadder, IsAsPatientAsItIsToldOnEachRung) {
  StopLadder ladder({.quiet_ns = 100, .term_ns = 10});
  EXPECT_FALSE(ladder.is_time(1'000'000));
  EXPECT_TRUE(ladder.climb_to(Rung::senders_asked, 1000));
  EXPECT_FALSE(ladder.is_time(1099));
  EXPECT_TRUE(ladder.is_time(1100));
  EXPECT_EQ(ladder.next(), Rung::all_asked);
  for (const Rung rung : {Rung::all_asked, Rung::terminated}) {
    EXPECT_TRUE(ladder.climb_to(rung, 2000));
    EXPECT_FALSE(ladder.is_time(2009));
    EXPECT_TRUE(ladder.is_time(2010));
  }
  EXPECT_TRUE(ladder.climb_to(Rung::killed, 3000));
  EXPECT_FALSE(ladder.is_time(1'000'000)) << "there is no rung above";
}

TEST(StopLadder, WaitsOnAsLongAsSomethingMoves) {
  StopLadder ladder({.quiet_ns = 100, .term_ns = 10});
  ladder.climb_to(Rung::senders_asked, 0);
  ladder.moved(90);
  EXPECT_FALSE(ladder.is_time(150));
  EXPECT_TRUE(ladder.is_time(190));
  ladder.climb_to(Rung::all_asked, 200);
  ladder.moved(209);
  EXPECT_TRUE(ladder.is_time(210)) << "only the first rung waits for what moves";
}

TEST(StopLadder, NeverComesDown) {
  StopLadder ladder({.quiet_ns = 100, .term_ns = 10});
  ladder.climb_to(Rung::terminated, 0);
  EXPECT_FALSE(ladder.climb_to(Rung::senders_asked, 1));
  EXPECT_EQ(ladder.rung(), Rung::terminated);
}

}  // namespace
}  // namespace n2nq::run
