// What a reply means to a requester, with a clock that the test holds.
#include "workers/sender/requests.h"

#include <gtest/gtest.h>

namespace n2nq::sender {
namespace {

using Meaning = Requests::Meaning;
using wire::ReplyFrom;

TEST(Requests, AreAnsweredInAnyOrderWithTheStampsTheyWentOutWith) {
  Requests requests(ReplyFrom::one, 3, 1000);
  for (int64_t i = 1; i <= 3; i++) requests.sent({.intended_ns = i * 10, .sent_ns = i * 10 + 1, .measured = i > 1});
  EXPECT_EQ(requests.outstanding(), 3u);
  for (const uint64_t index : {2, 3, 1}) {
    const auto reply = requests.replied(index, 1);
    EXPECT_EQ(reply.meaning, Meaning::answer);
    EXPECT_EQ(reply.request.intended_ns, static_cast<int64_t>(index) * 10);
    EXPECT_EQ(reply.request.sent_ns, static_cast<int64_t>(index) * 10 + 1);
    EXPECT_EQ(reply.request.measured, index > 1);
  }
  EXPECT_EQ(requests.outstanding(), 0u);
  EXPECT_FALSE(requests.next_deadline_ns());
}

TEST(Requests, TimeOutInTheOrderOfTheirSendingAndWhatComesThenIsLate) {
  Requests requests(ReplyFrom::one, 1, 1000);
  for (const int64_t sent_ns : {0, 100, 200, 300}) requests.sent({.sent_ns = sent_ns});
  EXPECT_EQ(requests.replied(2, 1).meaning, Meaning::answer);
  EXPECT_EQ(requests.time_out(999), 0u);
  EXPECT_EQ(requests.time_out(1000), 1u);
  EXPECT_EQ(requests.next_deadline_ns(), 1200) << "the second has been answered";
  EXPECT_EQ(requests.time_out(1200), 1u);
  EXPECT_EQ(requests.outstanding(), 1u);
  EXPECT_EQ(requests.replied(1, 1).meaning, Meaning::late);
  EXPECT_EQ(requests.replied(1, 2).meaning, Meaning::repeated);
  EXPECT_EQ(requests.replied(2, 2).meaning, Meaning::repeated);
  EXPECT_EQ(requests.replied(4, 1).meaning, Meaning::answer);
}

TEST(Requests, ToAllAreAnsweredOnceEachReplierHasReplied) {
  Requests requests(ReplyFrom::all, 2, 1000);
  requests.sent({.sent_ns = 0});
  requests.sent({.sent_ns = 0});
  EXPECT_EQ(requests.replied(1, 7).meaning, Meaning::answer);
  EXPECT_EQ(requests.replied(1, 7).meaning, Meaning::repeated);
  EXPECT_EQ(requests.outstanding(), 2u);
  EXPECT_EQ(requests.replied(1, 8).meaning, Meaning::answer);
  EXPECT_EQ(requests.outstanding(), 1u);
  EXPECT_EQ(requests.replied(2, 7).meaning, Meaning::answer);
  EXPECT_EQ(requests.time_out(1000), 1u);
  EXPECT_EQ(requests.replied(2, 8).meaning, Meaning::late);
}

TEST(Requests, OfWhichTheFirstReplyCountsPassOverTheOthers) {
  Requests requests(ReplyFrom::first, 3, 1000);
  requests.sent({.sent_ns = 0});
  requests.sent({.sent_ns = 0});
  EXPECT_EQ(requests.replied(1, 2).meaning, Meaning::answer);
  EXPECT_EQ(requests.replied(1, 1).meaning, Meaning::further);
  EXPECT_EQ(requests.replied(1, 1).meaning, Meaning::repeated);
  EXPECT_EQ(requests.time_out(1000), 1u);
  EXPECT_EQ(requests.replied(2, 1).meaning, Meaning::late);
  EXPECT_EQ(requests.replied(2, 3).meaning, Meaning::further);
}

}  // namespace
}  // namespace n2nq::sender
