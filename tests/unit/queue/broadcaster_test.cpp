#include "broker/queue/broadcaster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "broker/base/random.h"
#include "tests/unit/queue/queue_rig.h"

namespace n2nq::queue {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Settings until_collected() {
  return {.mode = wire::Mode::broadcaster};
}
Settings kept_for(uint32_t ms) {
  return {.mode = wire::Mode::broadcaster, .retention_ms = ms};
}

TEST(Broadcaster, GivesEveryMessageToEveryReceiverInOrder) {
  Rig rig(until_collected());
  Client& a = rig.join();
  Client& b = rig.join();
  std::vector<Id> sent;
  for (int i = 0; i < 10000; i++) sent.push_back(rig.send(1 + static_cast<uint32_t>(i % 3)));
  rig.settle();
  EXPECT_EQ(a.got, sent);
  EXPECT_EQ(b.got, sent);
  EXPECT_FALSE(rig.queue().anything_owed());
  EXPECT_EQ(rig.queue().accounts().delivered, 20000u);
}

TEST(Broadcaster, OwesALateReceiverOnlyWhatComesAfterIt) {
  Rig rig(kept_for(5000));
  rig.send(1);
  Client& late = rig.join();
  const Id second = rig.send(1);
  rig.settle();
  EXPECT_THAT(late.got, ElementsAre(second));
}

TEST(Broadcaster, DeliversWhateverTheSocketsTakeAtATime) {
  Random random(7);
  for (int round = 0; round < 30; round++) {
    Rig rig(until_collected());
    std::vector<Id> sent;
    for (int i = 0; i < 5; i++) rig.join(i < 3 ? wire::Filter() : filter_of("senders=1..2;size=0B..300B"));
    for (auto& client : rig.clients) client->room = 0;
    for (int i = 0; i < 300; i++) {
      sent.push_back(rig.send(1 + static_cast<uint32_t>(random.below(3)), random.below(500)));
      for (auto& client : rig.clients)
        if (random.below(4) == 0) rig.allow(*client, random.below(700));
      if (random.below(3) == 0) rig.turn();
    }
    for (auto& client : rig.clients) rig.allow(*client, ~uint64_t{0});
    rig.settle();
    for (int i = 0; i < 3; i++) EXPECT_EQ(rig.clients[static_cast<size_t>(i)]->got, sent);
    EXPECT_EQ(rig.clients[3]->got, rig.clients[4]->got);
    for (const Id& id : rig.clients[3]->got) EXPECT_LE(id.first, 2u);
    EXPECT_FALSE(rig.queue().anything_owed());
    expect_books_to_balance(rig);
  }
}

TEST(Broadcaster, GivesNothingUnasked) {
  Rig rig(until_collected());
  Client& client = rig.join({}, 0);
  for (int i = 0; i < 10; i++) rig.send(1);
  rig.settle();
  EXPECT_THAT(client.got, IsEmpty());
  rig.request(client, 3);
  rig.settle();
  EXPECT_EQ(client.got.size(), 3u);
  rig.request(client, wire::kUntilFurtherNotice);
  rig.settle();
  EXPECT_EQ(client.got.size(), 10u);
}

TEST(Broadcaster, AppliesANewFilterFromTheReceiversPositionOn) {
  Rig rig(until_collected());
  Client& client = rig.join(filter_of("senders=1"), 2);
  const Id a = rig.send(1);
  const Id b = rig.send(1);
  rig.settle();
  EXPECT_THAT(client.got, ElementsAre(a, b));
  // Not asked for any more: the position stays, so these two are still ahead.
  rig.send(1);
  const Id c = rig.send(2);
  rig.settle();
  rig.filter(client, "senders=2");
  rig.request(client, 10);
  rig.settle();
  EXPECT_THAT(client.got, ElementsAre(a, b, c));
  EXPECT_FALSE(rig.queue().anything_owed());
  expect_books_to_balance(rig);
}

TEST(Broadcaster, ReachesBackForAnIndexRangeToWhatTheReceiverHasNotHad) {
  Rig rig(kept_for(60000));
  Client& client = rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice);
  for (int i = 0; i < 5; i++) {
    rig.send(1);
    rig.send(2);
  }
  rig.settle();
  EXPECT_EQ(client.got.size(), 5u);
  rig.filter(client, "index=2..3");
  rig.settle();
  // 2 and 3 of sender 1 it has had; those of sender 2 it gets now, once.
  ASSERT_EQ(client.got.size(), 7u);
  EXPECT_EQ(client.got[5], Id(2, 2));
  EXPECT_EQ(client.got[6], Id(2, 3));
  rig.filter(client, "index=3..4");
  rig.settle();
  ASSERT_EQ(client.got.size(), 8u);
  EXPECT_EQ(client.got[7], Id(2, 4));
  rig.filter(client, "");
  const Id next = rig.send(2);
  rig.settle();
  EXPECT_EQ(client.got.back(), next);
  expect_books_to_balance(rig);
}

TEST(Broadcaster, ReachingBackGetsEachMessageOnceWhateverTheFilters) {
  Random random(3);
  const char* filters[] = {"senders=1", "senders=2..3;index=1..40", "index=10..90", "size=10B..60B",
                           "",          "size=0B..30B;index=5..200"};
  for (int round = 0; round < 50; round++) {
    Rig rig(kept_for(1000000));
    Client& client = rig.join({}, 0);
    for (int i = 0; i < 400; i++) {
      rig.send(1 + static_cast<uint32_t>(random.below(3)), random.below(100));
      if (random.below(5) == 0) rig.request(client, random.below(6));
      if (random.below(20) == 0) rig.filter(client, filters[random.below(6)]);
      if (random.below(3) == 0) rig.turn();
    }
    rig.filter(client, "index=1..1000");
    rig.request(client, wire::kUntilFurtherNotice);
    rig.settle();
    std::set<Id> distinct(client.got.begin(), client.got.end());
    EXPECT_EQ(distinct.size(), client.got.size()) << "in round " << round;
    EXPECT_EQ(distinct.size(), 400u) << "in round " << round;
    expect_books_to_balance(rig);
  }
}

TEST(Broadcaster, ExpiresWhatIsNotFetchedInTimeAndSaysSo) {
  Rig rig(kept_for(100));
  Client& asks = rig.join();
  Client& silent = rig.join({}, 0);
  for (int i = 0; i < 10; i++) rig.send(1);
  rig.settle();
  rig.advance_ms(101);
  rig.settle();
  EXPECT_EQ(asks.got.size(), 10u);
  EXPECT_THAT(silent.got, IsEmpty());
  EXPECT_EQ(silent.skipped(wire::SkipReason::expired), 10u);
  EXPECT_EQ(rig.queue().accounts().expired, 10u);
  EXPECT_FALSE(rig.queue().anything_owed());
  expect_books_to_balance(rig);
}

TEST(Broadcaster, ExpiresOnlyWhatTheFilterWants) {
  Rig rig(kept_for(100));
  Client& silent = rig.join(filter_of("senders=2"), 0);
  for (int i = 0; i < 10; i++) rig.send(1 + static_cast<uint32_t>(i % 2));
  rig.advance_ms(101);
  rig.settle();
  EXPECT_EQ(silent.skipped(wire::SkipReason::expired), 5u);
  EXPECT_EQ(rig.queue().accounts().owed, 5u);
}

TEST(Broadcaster, DropsWhatNobodyIsOwedBeforeItMakesSendersWait) {
  Settings settings = kept_for(1000000);
  settings.max_memory = 4 << 20;
  Rig rig(settings);
  rig.join();
  for (int i = 0; i < 100; i++) {
    ASSERT_TRUE(rig.queue().make_room(256 * 1024)) << i;
    for (int k = 0; k < 1000; k++) rig.send(1, 200);
    rig.settle();
  }
  EXPECT_LE(rig.queue().store().bytes_held(), uint64_t{4} << 20);
  Client& stuck = rig.join();
  rig.allow(stuck, 0);
  int rounds = 0;
  for (; rounds < 100 && rig.queue().make_room(256 * 1024); rounds++) {
    for (int k = 0; k < 1000; k++) rig.send(1, 200);
    rig.settle();
  }
  EXPECT_LT(rounds, 100);
  EXPECT_EQ(rig.queue().accounts().expired, 0u);
  rig.advance_ms(1000001);
  EXPECT_TRUE(rig.queue().make_room(256 * 1024));
  rig.allow(stuck, ~uint64_t{0});
  rig.settle();
  EXPECT_GT(rig.queue().accounts().expired, 0u);
  expect_books_to_balance(rig);
}

TEST(Broadcaster, SendsARefusedMessageAgainAndGivesUpAfterItsTries) {
  Rig rig(until_collected());
  Client& client = rig.join({}, wire::kUntilFurtherNotice, true);
  const Id id = rig.send(1);
  rig.settle();
  EXPECT_TRUE(rig.queue().anything_owed());
  rig.answer(client, id, false);
  rig.settle();
  rig.answer(client, id, false);
  rig.settle();
  EXPECT_EQ(client.got_again.size(), 2u);
  rig.answer(client, id, false);
  rig.settle();
  EXPECT_EQ(client.got_again.size(), 2u);
  EXPECT_EQ(client.skipped(wire::SkipReason::undeliverable), 1u);
  EXPECT_EQ(rig.queue().accounts().redelivered, 2u);
  EXPECT_EQ(rig.queue().accounts().undeliverable, 1u);
  EXPECT_FALSE(rig.queue().anything_owed());
  expect_books_to_balance(rig);
}

TEST(Broadcaster, RefusesAnAnswerThatIsNotTheOldest) {
  Rig rig(until_collected());
  Client& client = rig.join({}, wire::kUntilFurtherNotice, true);
  rig.send(1);
  const Id second = rig.send(1);
  rig.settle();
  const wire::ResponseItem item{.index = second.second, .sender = second.first, .verdict = wire::Verdict::good};
  EXPECT_FALSE(rig.queue().respond(client.receiver, {&item, 1}));
}

TEST(Broadcaster, LeavesNoMoreUnansweredThanTheWindow) {
  Settings settings = until_collected();
  settings.response_window = 4;
  Rig rig(settings);
  Client& plain = rig.join({}, wire::kUntilFurtherNotice, true);
  Client& filtered = rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice, true);
  for (int i = 0; i < 10; i++) rig.send(1);
  rig.settle();
  for (Client* client : {&plain, &filtered}) {
    EXPECT_EQ(client->got.size(), 4u);
    for (uint64_t i = 1; i <= 10; i++) {
      rig.answer(*client, {1, i});
      rig.settle();
    }
    EXPECT_EQ(client->got.size(), 10u);
  }
  EXPECT_EQ(rig.queue().accounts().confirmed, 20u);
  expect_books_to_balance(rig);
}

TEST(Broadcaster, CountsWhatAVanishedReceiverWasOwed) {
  Rig rig(until_collected());
  Client& client = rig.join();
  rig.allow(client, 90 * 5 + 10);
  for (int i = 0; i < 20; i++) rig.send(1);
  rig.settle();
  rig.vanish(client);
  const Accounts& accounts = rig.queue().accounts();
  EXPECT_EQ(accounts.delivered, 5u);
  EXPECT_EQ(accounts.in_doubt, 5u);
  EXPECT_EQ(accounts.undeliverable, 15u);
  EXPECT_EQ(accounts.owed, 20u);
  EXPECT_EQ(rig.queue().store().head()->holds, 0u);
}

TEST(Broadcaster, FinishesAHalfWrittenFrameWhenItGivesUp) {
  Rig rig(until_collected());
  Client& client = rig.join();
  rig.allow(client, 100);
  for (int i = 0; i < 5; i++) rig.send(1);
  rig.settle();
  rig.queue().give_up();
  rig.allow(client, ~uint64_t{0});
  rig.settle();
  EXPECT_EQ(client.got.size(), 2u);
  EXPECT_EQ(client.skipped(wire::SkipReason::undeliverable), 3u);
  EXPECT_TRUE(client.stream.empty());
  expect_books_to_balance(rig);
}

// Of both disciplines.
TEST(Queue, TakesAnswersUntilTheEndAfterItGaveUpAndDeliversNothingAgain) {
  for (const wire::Mode mode : {wire::Mode::broadcaster, wire::Mode::load_balancer}) {
    Rig rig({.mode = mode});
    Client& client = rig.join({}, wire::kUntilFurtherNotice, true);
    std::vector<Id> sent;
    rig.allow(client, 90 * 3 + 20);
    for (int i = 0; i < 6; i++) sent.push_back(rig.send(1));
    rig.settle();
    ASSERT_EQ(client.got.size(), 3u);
    rig.queue().give_up();
    rig.answer(client, sent[0]);
    rig.answer(client, sent[1], false);
    rig.allow(client, ~uint64_t{0});  // the rest of the fourth
    rig.settle();
    ASSERT_EQ(client.got.size(), 4u);
    EXPECT_THAT(client.got_again, IsEmpty());
    rig.answer(client, sent[2]);
    rig.queue().end(client.receiver);
    rig.settle();
    EXPECT_EQ(client.receiver.accounts.delivered, 2u);
    EXPECT_EQ(rig.queue().accounts().confirmed, 2u);
    EXPECT_EQ(rig.queue().accounts().undeliverable, 4u);
    EXPECT_EQ(rig.queue().accounts().in_doubt, 1u) << "the fourth, which was not answered";
    EXPECT_EQ(client.skipped(wire::SkipReason::undeliverable), mode == wire::Mode::broadcaster ? 4u : 0u);
    rig.vanish(client, false);
    expect_books_to_balance(rig);
  }
}

TEST(Broadcaster, LetsALeavingReceiverFinishWhatIsUnderWay) {
  Rig rig(until_collected());
  Client& client = rig.join();
  rig.allow(client, 100);
  for (int i = 0; i < 5; i++) rig.send(1);
  rig.settle();
  rig.queue().leave(client.receiver);
  rig.allow(client, ~uint64_t{0});
  rig.settle();
  EXPECT_EQ(client.got.size(), 2u);
  EXPECT_FALSE(rig.queue().anything_owed());
  expect_books_to_balance(rig);
}

TEST(Broadcaster, DoesNotWaitForAReceiverThatWantsNothingOfWhatIsKept) {
  Rig rig(until_collected());
  rig.join(filter_of("senders=9"), 0);
  for (int i = 0; i < 5; i++) rig.send(1);
  rig.settle();
  EXPECT_FALSE(rig.queue().anything_owed());
}

TEST(Broadcaster, PutsNoReceiverAlwaysLast) {
  Rig rig(until_collected());
  for (int i = 0; i < 4; i++) rig.join();
  std::set<Client*> first;
  for (int i = 0; i < 16; i++) {
    rig.send(1);
    first.insert(rig.turn());
  }
  EXPECT_EQ(first.size(), 4u);
}

}  // namespace
}  // namespace n2nq::queue
