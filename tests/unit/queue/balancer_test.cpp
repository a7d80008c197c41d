#include "broker/queue/balancer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "broker/base/random.h"
#include "tests/unit/queue/queue_rig.h"

namespace n2nq::queue {
namespace {

using testing::IsEmpty;

Settings balanced(Policy policy = Policy::round_robin) {
  return {.mode = wire::Mode::load_balancer, .policy = policy};
}

std::vector<Id> all_got(Rig& rig) {
  std::vector<Id> all;
  for (auto& client : rig.clients) all.insert(all.end(), client->got.begin(), client->got.end());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Balancer, GivesEveryMessageToExactlyOneReceiver) {
  for (const Policy policy : {Policy::random, Policy::round_robin, Policy::least_outstanding}) {
    Rig rig(balanced(policy));
    for (int i = 0; i < 7; i++) rig.join();
    std::vector<Id> sent;
    for (int i = 0; i < 7000; i++) sent.push_back(rig.send(1 + static_cast<uint32_t>(i % 3)));
    rig.settle();
    std::sort(sent.begin(), sent.end());
    EXPECT_EQ(all_got(rig), sent);
    EXPECT_FALSE(rig.queue().anything_owed());
  }
}

TEST(Balancer, TakesReceiversInTurn) {
  Rig rig(balanced());
  for (int i = 0; i < 5; i++) rig.join();
  for (int i = 0; i < 50; i++) {
    rig.send(1);
    rig.settle();
  }
  for (auto& client : rig.clients) {
    ASSERT_EQ(client->got.size(), 10u);
    for (size_t k = 1; k < 10; k++) EXPECT_EQ(client->got[k].second - client->got[k - 1].second, 5u);
  }
}

TEST(Balancer, SpreadsAtRandomButReproducibly) {
  auto shares = [](uint64_t seed) {
    Settings settings = balanced(Policy::random);
    settings.seed = seed;
    Rig rig(settings);
    for (int i = 0; i < 4; i++) rig.join();
    for (int i = 0; i < 4000; i++) rig.send(1);
    rig.settle();
    std::vector<size_t> counts;
    for (auto& client : rig.clients) counts.push_back(client->got.size());
    return counts;
  };
  EXPECT_EQ(shares(1), shares(1));
  EXPECT_NE(shares(1), shares(2));
  for (const size_t count : shares(1)) {
    EXPECT_GT(count, 850u);
    EXPECT_LT(count, 1150u);
  }
}

TEST(Balancer, PrefersWhoHasTheLeastOutstanding) {
  Rig rig(balanced(Policy::least_outstanding));
  Client& quick = rig.join({}, wire::kUntilFurtherNotice, true);
  Client& slow = rig.join({}, wire::kUntilFurtherNotice, true);
  for (int i = 0; i < 100; i++) {
    const Id id = rig.send(1);
    rig.settle();
    if (!quick.got.empty() && quick.got.back() == id) rig.answer(quick, id);
  }
  EXPECT_EQ(slow.got.size(), 1u);
  EXPECT_EQ(quick.got.size(), 99u);
}

TEST(Balancer, KeepsWhatNobodyAskedForAndHandsItOutInOrder) {
  Rig rig(balanced());
  Client& client = rig.join({}, 0);
  for (int i = 0; i < 1000; i++) rig.send(1);
  rig.settle();
  EXPECT_THAT(client.got, IsEmpty());
  for (int i = 0; i < 100; i++) {
    rig.request(client, 10);
    rig.settle();
  }
  ASSERT_EQ(client.got.size(), 1000u);
  for (size_t i = 0; i < 1000; i++) EXPECT_EQ(client.got[i].second, i + 1);
}

TEST(Balancer, KeepsToEachReceiversFilter) {
  Random random(5);
  Rig rig(balanced(Policy::random));
  rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice);
  rig.join(filter_of("senders=1..2;size=0B..40B"), wire::kUntilFurtherNotice);
  rig.join(filter_of("senders=2..3"), 0);
  std::vector<Id> sent;
  for (int i = 0; i < 2000; i++) {
    sent.push_back(rig.send(1 + static_cast<uint32_t>(random.below(3)), random.below(80)));
    if (random.below(3) == 0) rig.request(*rig.clients[2], random.below(5));
    if (random.below(2) == 0) rig.turn();
  }
  rig.request(*rig.clients[2], wire::kUntilFurtherNotice);
  rig.settle();
  std::sort(sent.begin(), sent.end());
  EXPECT_EQ(all_got(rig), sent);
  for (const Id& id : rig.clients[0]->got) EXPECT_EQ(id.first, 1u);
  for (const Id& id : rig.clients[2]->got) EXPECT_GE(id.first, 2u);
}

TEST(Balancer, GivesAMessageThatNobodyWantedToALaterFilter) {
  Rig rig(balanced());
  Client& client = rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice);
  const Id id = rig.send(2);
  rig.settle();
  EXPECT_THAT(client.got, IsEmpty());
  EXPECT_TRUE(rig.queue().anything_owed());
  rig.filter(client, "senders=2");
  rig.settle();
  EXPECT_THAT(client.got, testing::ElementsAre(id));
}

TEST(Balancer, GivesWhatAVanishedReceiverHadNotAnsweredToAnotherFlagged) {
  Rig rig(balanced());
  Client& lost = rig.join({}, wire::kUntilFurtherNotice, true);
  for (int i = 0; i < 10; i++) rig.send(1);
  rig.settle();
  EXPECT_EQ(lost.got.size(), 10u);
  for (uint64_t i = 1; i <= 4; i++) rig.answer(lost, {1, i});
  Client& heir = rig.join({}, wire::kUntilFurtherNotice, true);
  rig.vanish(lost);
  rig.settle();
  EXPECT_THAT(heir.got, IsEmpty());
  ASSERT_EQ(heir.got_again.size(), 6u);
  for (const Id& id : heir.got_again) rig.answer(heir, id);
  EXPECT_EQ(rig.queue().accounts().in_doubt, 6u);
  EXPECT_EQ(rig.queue().accounts().confirmed, 10u);
  EXPECT_FALSE(rig.queue().anything_owed());
  expect_books_to_balance(rig);
}

Settings with_take_over(uint32_t ms) {
  Settings settings = balanced();
  settings.take_over_ms = ms;
  return settings;
}

TEST(Balancer, GivesWhatIsNotAnsweredInTimeToAnother) {
  Rig rig(with_take_over(500));
  Client& slow = rig.join({}, wire::kUntilFurtherNotice, true, 1);
  Client& other = rig.join({}, wire::kUntilFurtherNotice, true, 2);
  for (int i = 0; i < 6; i++) rig.send(1);
  rig.settle();
  while (!other.open.empty()) rig.answer_next(other);
  rig.answer_next(slow);
  rig.advance_ms(499);
  rig.settle();
  EXPECT_THAT(other.got_again, IsEmpty());
  rig.advance_ms(1);
  for (int i = 0; i < 4; i++) rig.send(1);
  rig.settle();
  EXPECT_EQ(other.got_again, std::vector<Id>(slow.got.begin() + 1, slow.got.end()));
  EXPECT_EQ(slow.got.size(), 3u) << "whoever owes an answer gets nothing more";
  while (!other.open.empty()) rig.answer_next(other);
  EXPECT_EQ(rig.queue().accounts().delivered, 10u);
  EXPECT_TRUE(rig.queue().anything_owed()) << "its answers tell what it had";
  while (!slow.open.empty()) rig.answer_next(slow);
  EXPECT_FALSE(rig.queue().anything_owed());
  EXPECT_EQ(rig.queue().accounts().late, 2u);
  EXPECT_EQ(rig.queue().accounts().confirmed, 10u);
  EXPECT_EQ(rig.queue().expected(slow.receiver), 3u);
  EXPECT_EQ(rig.queue().expected(other.receiver), 9u);
  expect_books_to_balance(rig);
  rig.send(1);
  rig.send(1);
  rig.settle();
  EXPECT_EQ(slow.got.size(), 4u) << "it is given messages again";
}

TEST(Balancer, EndsWhatIsAnsweredTooLateWhereNobodyElseHasIt) {
  for (const bool expires : {false, true}) {
    Settings settings = with_take_over(100);
    if (expires) settings.retention_ms = 300;
    Rig rig(settings);
    Client& only = rig.join({}, wire::kUntilFurtherNotice, true, 1);
    for (int i = 0; i < 3; i++) rig.send(1);
    rig.settle();
    for (int i = 0; i < 5; i++) {
      rig.advance_ms(100);
      rig.settle();
    }
    EXPECT_EQ(rig.queue().accounts().expired, expires ? 3u : 0u);
    while (!only.open.empty()) rig.answer_next(only);
    rig.settle();
    EXPECT_THAT(only.got_again, IsEmpty());
    EXPECT_EQ(rig.queue().accounts().delivered, 3u);
    EXPECT_EQ(rig.queue().accounts().expired, 0u) << "it was had";
    EXPECT_EQ(rig.queue().expected(only.receiver), 3u);
    EXPECT_FALSE(rig.queue().anything_owed());
    expect_books_to_balance(rig);
  }
}

TEST(Balancer, TakesBackWhatIsUnsentToWhoeverTakesNoBytes) {
  Rig rig(with_take_over(100));
  Client& stuck = rig.join({}, wire::kUntilFurtherNotice, true, 1);
  rig.allow(stuck, 20);
  for (int i = 0; i < 5; i++) rig.send(1);
  rig.settle();
  Client& other = rig.join({}, wire::kUntilFurtherNotice, true, 2);
  rig.advance_ms(100);
  rig.settle();
  EXPECT_EQ(other.got.size(), 4u) << "all but what is half-way";
  EXPECT_THAT(other.got_again, IsEmpty()) << "nobody had it";
}

TEST(Balancer, TakesALateReplyAsWhatTheReplierOwed) {
  Rig rig(with_take_over(100));
  Client& slow = rig.join({}, wire::kUntilFurtherNotice, true, 1);
  for (int i = 0; i < 3; i++) rig.send(1);
  rig.settle();
  Client& other = rig.join({}, wire::kUntilFurtherNotice, true, 2);
  rig.advance_ms(100);
  rig.settle();
  EXPECT_EQ(other.got_again.size(), 3u);
  for (const uint64_t index : {2, 3, 1}) {
    EXPECT_TRUE(rig.queue().replied(other.receiver, 1, index));
    EXPECT_TRUE(rig.queue().replied(slow.receiver, 1, index)) << "in any order";
    EXPECT_FALSE(rig.queue().replied(slow.receiver, 1, index)) << "one more than it owed";
  }
  EXPECT_EQ(rig.queue().accounts().late, 3u);
  EXPECT_FALSE(rig.queue().anything_owed());
  expect_books_to_balance(rig);
}

TEST(Balancer, WaitsNoMoreForWhoeverGoesOrIsToldTheEnd) {
  for (const bool goes : {true, false}) {
    Rig rig(with_take_over(100));
    Client& slow = rig.join({}, wire::kUntilFurtherNotice, true, 1);
    rig.send(1);
    rig.settle();
    Client& other = rig.join({}, wire::kUntilFurtherNotice, true, 2);
    rig.advance_ms(100);
    rig.settle();
    rig.answer_next(other);
    EXPECT_TRUE(rig.queue().anything_owed());
    if (goes)
      rig.vanish(slow);
    else
      rig.queue().end(slow.receiver);
    EXPECT_FALSE(rig.queue().anything_owed());
    EXPECT_EQ(rig.queue().accounts().in_doubt, 0u) << "the message has come to its end";
    expect_books_to_balance(rig);
  }
}

TEST(Balancer, WaitsForTheAnswerToTheLastTry) {
  Settings settings = with_take_over(100);
  settings.tries = 2;
  Rig rig(settings);
  Client& one = rig.join({}, wire::kUntilFurtherNotice, true, 1);
  Client& two = rig.join({}, wire::kUntilFurtherNotice, true, 1);
  const Id id = rig.send(1);
  for (int i = 0; i < 20; i++) {
    rig.settle();
    rig.advance_ms(100);
  }
  Client& first = one.got.empty() ? two : one;
  Client& last = one.got.empty() ? one : two;
  EXPECT_THAT(last.got_again, testing::ElementsAre(id));
  EXPECT_THAT(first.got_again, IsEmpty());
  rig.answer_next(first);
  EXPECT_TRUE(rig.queue().anything_owed());
  rig.answer_next(last);
  EXPECT_FALSE(rig.queue().anything_owed());
  EXPECT_EQ(rig.queue().expected(first.receiver) + rig.queue().expected(last.receiver), 1u) << "of one fleet";
  expect_books_to_balance(rig);
}

TEST(Balancer, TakesBackWhatIsUnsentToWhoeverIsLateAndTheRequestForIt) {
  Rig rig(with_take_over(100));
  Client& slow = rig.join({}, 5, true, 1);
  rig.allow(slow, 90 * 2 + 20);
  for (int i = 0; i < 5; i++) rig.send(1);
  rig.settle();
  EXPECT_EQ(slow.got.size(), 2u);
  Client& other = rig.join({}, wire::kUntilFurtherNotice, true, 2);
  rig.advance_ms(100);
  rig.settle();
  EXPECT_EQ(other.got_again.size(), 2u);
  EXPECT_EQ(other.got.size(), 2u) << "what was under way in part is not taken back";
  EXPECT_EQ(slow.receiver.credit, 2u);
  rig.allow(slow, ~uint64_t{0});
  rig.settle();
  EXPECT_EQ(slow.got.size(), 3u);
  for (Client* client : {&slow, &other})
    while (!client->open.empty()) rig.answer_next(*client);
  EXPECT_FALSE(rig.queue().anything_owed());
  EXPECT_EQ(rig.queue().expected(slow.receiver), 3u);
  EXPECT_EQ(rig.queue().expected(other.receiver), 4u);
  expect_books_to_balance(rig);
}

// Receivers of three processes that answer when they like, refuse, come and vanish: each message ends once, and what
// is expected of a process is what it has had, to the message.
TEST(Balancer, CountsForEachFleetWhatItHadHoweverLateItAnswers) {
  uint64_t late = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    Random random(seed);
    Settings settings = with_take_over(100);
    settings.tries = 2 + static_cast<uint32_t>(random.below(3));
    settings.response_window = 1 + static_cast<uint32_t>(random.below(5));
    settings.policy = static_cast<Policy>(random.below(3));
    if (random.below(3) == 0) settings.retention_ms = 700;
    Rig rig(settings);
    std::array<std::set<Id>, 3> had;
    std::array<uint64_t, 3> expected{};
    std::vector<Client*> here;
    const bool asks = random.below(2) == 0;
    const auto join = [&] {
      here.push_back(&rig.join({}, asks ? random.below(3) : wire::kUntilFurtherNotice, true, random.below(3)));
    };
    const auto answer = [&](Client& client) {
      const bool good = random.below(8) > 0;
      if (good) had[client.receiver.fleet].insert(client.open.front().id);
      rig.answer_next(client, good);
    };
    const auto leave = [&](size_t i) {
      const bool vanishes = random.below(3) == 0;
      while (!here[i]->open.empty() && !vanishes) answer(*here[i]);
      if (asks && !vanishes) {
        EXPECT_GE(here[i]->receiver.credit + here[i]->receiver.outgoing.size(), here[i]->asked)
            << "or it waits for what never comes: " << seed;
      }
      expected[here[i]->receiver.fleet] += rig.queue().expected(here[i]->receiver);
      rig.vanish(*here[i], vanishes);
      here.erase(here.begin() + static_cast<ptrdiff_t>(i));
    };
    for (int i = 0; i < 4; i++) join();
    for (int step = 0; step < 200; step++) {
      const size_t at = random.below(here.size());
      if (const uint64_t what = random.below(10); what < 4)
        rig.send(1 + static_cast<uint32_t>(random.below(2)));
      else if (what < 8 && !here[at]->open.empty())
        answer(*here[at]);
      else if (what == 8)
        rig.advance_ms(static_cast<uint32_t>(random.below(80)));
      else if (here.size() > 1 && random.below(4) == 0)
        leave(at);
      if (random.below(20) == 0) join();
      if (asks && random.below(3) == 0) rig.request(*here[random.below(here.size())], random.below(3));
      if (random.below(2) == 0) rig.settle();
    }
    for (int turns = 0; rig.queue().anything_owed() && turns < 5000; turns++) {
      for (Client* client : here) {
        if (!client->open.empty()) answer(*client);
        if (asks && client->asked == 0) rig.request(*client, 1);
      }
      rig.advance_ms(10);
      rig.settle();
    }
    ASSERT_FALSE(rig.queue().anything_owed()) << seed;
    while (!here.empty()) leave(0);
    for (size_t fleet = 0; fleet < had.size(); fleet++) EXPECT_EQ(expected[fleet], had[fleet].size()) << seed;
    std::set<Id> all;
    for (const std::set<Id>& some : had) all.insert(some.begin(), some.end());
    const Accounts& accounts = rig.queue().accounts();
    EXPECT_EQ(accounts.delivered, all.size()) << "what was had is not lost: " << seed;
    expect_books_to_balance(rig);
    late += accounts.late;
    ASSERT_FALSE(testing::Test::HasFailure()) << seed;
  }
  EXPECT_GT(late, 3000u);
}

TEST(Balancer, GivesWhatWasNeverHandedOverToAnotherUnflagged) {
  Rig rig(balanced());
  Client& stuck = rig.join();
  rig.allow(stuck, 90 * 3 + 20);
  for (int i = 0; i < 10; i++) rig.send(1);
  rig.settle();
  EXPECT_EQ(stuck.got.size(), 3u);
  Client& heir = rig.join();
  rig.vanish(stuck);
  rig.settle();
  EXPECT_EQ(heir.got.size(), 7u);
  EXPECT_THAT(heir.got_again, IsEmpty());
  EXPECT_EQ(rig.queue().accounts().in_doubt, 3u);
  expect_books_to_balance(rig);
}

Settings with_wide_window() {
  Settings settings = balanced();
  settings.response_window = 100'000;
  return settings;
}

TEST(Balancer, HandsOnWhatAVanishedReceiverGaveBackAsFastAsAnythingElse) {
  constexpr size_t kMessages = 5000;
  Rig rig(with_wide_window());
  Client& lost = rig.join({}, wire::kUntilFurtherNotice, true);
  for (size_t i = 0; i < kMessages; i++) rig.send(1);
  rig.settle();
  Client& heir = rig.join({}, 0, true);
  rig.vanish(lost);
  rig.request(heir, kMessages);
  size_t turns = 0;
  do {
    rig.turn();
    turns++;
  } while (rig.queue().has_work());
  EXPECT_EQ(heir.got_again.size(), kMessages);          // no tick was needed
  EXPECT_LE(turns, kMessages / Gather::kMaxAgain + 2);  // as many as one write takes in each turn
}

// A group that catches up is passed over by what comes back meanwhile; the last of its catching up is a receiver's
// turn.
TEST(Balancer, HandsOnWhatCameBackWhileItsGroupCaughtUp) {
  Rig rig(with_wide_window());
  Client& lost = rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice, true);
  const Id wanted = rig.send(1);
  rig.settle();
  for (int i = 0; i < 12'000; i++) rig.send(2);
  Client& heir = rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice, true);
  rig.vanish(lost);
  Client& second = rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice, true);
  rig.settle();
  EXPECT_EQ(heir.got_again.size() + second.got_again.size(), 1u);
  EXPECT_THAT(heir.got_again.empty() ? second.got_again : heir.got_again, testing::ElementsAre(wanted));
}

TEST(Balancer, TriesWhatNobodyWantsOncePerReceiverAndThenRests) {
  constexpr size_t kMessages = 20'000;
  Rig rig(with_wide_window());
  Client& lost = rig.join({}, wire::kUntilFurtherNotice, true);
  for (size_t i = 0; i < kMessages; i++) rig.send(1);
  const Id wanted = rig.send(2);
  rig.settle();
  rig.vanish(lost);
  Client& choosy = rig.join(filter_of("senders=2"), wire::kUntilFurtherNotice, true);
  EXPECT_TRUE(rig.queue().has_work());
  rig.settle();
  EXPECT_THAT(choosy.got_again, testing::ElementsAre(wanted));
  EXPECT_FALSE(rig.queue().has_work());
  Client& heir = rig.join({}, wire::kUntilFurtherNotice, true);
  rig.settle();
  EXPECT_EQ(heir.got_again.size(), kMessages);
}

TEST(Balancer, PassesOverAReceiverThatTakesNothing) {
  Rig rig(balanced());
  Client& stuck = rig.join();
  Client& quick = rig.join();
  rig.allow(stuck, 0);
  for (int i = 0; i < 1000; i++) {
    rig.send(1);
    rig.settle();
  }
  EXPECT_GE(quick.got.size(), 999u);
}

TEST(Balancer, TriesARefusedMessageElsewhereAndThenGivesUp) {
  Rig rig(balanced());
  Client& a = rig.join({}, wire::kUntilFurtherNotice, true);
  Client& b = rig.join({}, wire::kUntilFurtherNotice, true);
  const Id id = rig.send(1);
  rig.settle();
  for (int tries = 0; tries < 3; tries++) {
    Client& holder = a.receiver.unanswered.empty() ? b : a;
    rig.answer(holder, id, false);
    rig.settle();
  }
  EXPECT_EQ(a.got_again.size() + b.got_again.size(), 2u);
  EXPECT_EQ(rig.queue().accounts().undeliverable, 1u);
  EXPECT_FALSE(rig.queue().anything_owed());
}

TEST(Balancer, ChargesNothingForARefusedMessageThatGoesToTheSameReceiver) {
  Rig rig(balanced());
  Client& client = rig.join({}, 1, true);
  const Id id = rig.send(1);
  rig.settle();
  rig.answer(client, id, false);
  rig.settle();
  EXPECT_THAT(client.got_again, testing::ElementsAre(id));
  EXPECT_EQ(client.receiver.credit, 0u);
}

// X refuses, Y refuses, X gets it again: what X asked for since is for messages that it has not had.
TEST(Balancer, ChargesNothingForARefusedMessageThatComesBackByWayOfAnother) {
  Rig rig(balanced());
  Client& x = rig.join({}, 1, true);
  Client& y = rig.join({}, 0, true);
  const Id id = rig.send(1);
  rig.settle();
  rig.request(y, 1);
  rig.answer(x, id, false);
  rig.settle();
  ASSERT_THAT(y.got_again, testing::ElementsAre(id));
  EXPECT_EQ(y.receiver.credit, 0u) << "it had not had it yet";
  rig.request(x, 1);
  rig.answer(y, id, false);
  rig.settle();
  ASSERT_THAT(x.got_again, testing::ElementsAre(id));
  rig.answer(x, id);
  const Id next = rig.send(1);
  rig.settle();
  EXPECT_THAT(x.got, testing::ElementsAre(id, next));
  EXPECT_EQ(x.receiver.credit, 0u);
}

TEST(Balancer, ChargesNothingForARefusedMessageThatComesBackFromAReceiverThatVanished) {
  Settings settings = balanced();
  settings.tries = 4;
  Rig rig(settings);
  Client& x = rig.join({}, 1, true);
  Client& y = rig.join({}, 0, true);
  const Id id = rig.send(1);
  rig.settle();
  rig.request(y, 1);
  rig.answer(x, id, false);
  rig.settle();
  rig.vanish(y);  // it waits in the queue until somebody asks
  EXPECT_THAT(x.got_again, IsEmpty());
  rig.request(x, 1);
  rig.settle();
  ASSERT_THAT(x.got_again, testing::ElementsAre(id));
  EXPECT_EQ(x.receiver.credit, 1u);
  rig.answer(x, id);
  EXPECT_FALSE(rig.queue().anything_owed());
  expect_books_to_balance(rig);
}

TEST(Balancer, ExpiresWhatWaitsTooLong) {
  Settings settings = balanced();
  settings.retention_ms = 100;
  Rig rig(settings);
  Client& client = rig.join({}, 0);
  for (int i = 0; i < 10; i++) rig.send(1);
  rig.advance_ms(101);
  EXPECT_EQ(rig.queue().accounts().expired, 10u);
  rig.request(client, 10);
  const Id id = rig.send(1);
  rig.settle();
  EXPECT_THAT(client.got, testing::ElementsAre(id));
  expect_books_to_balance(rig);
}

TEST(Balancer, HoldsNoMoreMemoryThanItsBoundAndFreesWhatIsDone) {
  Settings settings = balanced();
  settings.max_memory = 4 << 20;
  Rig rig(settings);
  Client& client = rig.join({}, 0);
  uint64_t sent = 0;
  while (rig.queue().make_room(256 * 1024))
    for (int k = 0; k < 1000; k++, sent++) rig.send(1, 200);
  EXPECT_LE(rig.queue().store().bytes_held(), uint64_t{4} << 20);
  rig.request(client, wire::kUntilFurtherNotice);
  rig.settle();
  EXPECT_EQ(client.got.size(), sent);
  EXPECT_TRUE(rig.queue().make_room(256 * 1024));
  EXPECT_LT(rig.queue().store().bytes_held(), uint64_t{1} << 20);
}

TEST(Balancer, ReadsOverWhatIsDoneAndLosesNothingByIt) {
  Rig rig(balanced());
  Client& quick = rig.join(filter_of("senders=1"), wire::kUntilFurtherNotice);
  Client& asks = rig.join(filter_of("senders=2"), 0);
  for (int i = 0; i < 5000; i++) {
    rig.queue().space(1000);
    rig.send(1);
    if (i % 7 == 0) rig.send(2);
    if (i % 3 == 0) rig.request(asks, 1);
    rig.settle();
  }
  EXPECT_EQ(quick.got.size(), 5000u);
  EXPECT_EQ(asks.got.size(), 715u);
  EXPECT_FALSE(rig.queue().anything_owed());
  EXPECT_EQ(rig.queue().store().segments_released(), 0u);
}

TEST(Balancer, GivesUpOnAllThatIsQueuedOrUnanswered) {
  Rig rig(balanced());
  Client& client = rig.join({}, 3, true);
  for (int i = 0; i < 10000; i++) rig.send(1);
  rig.settle();
  EXPECT_EQ(client.got.size(), 3u);
  rig.queue().give_up();
  EXPECT_EQ(rig.queue().accounts().undeliverable, 9997u) << "answers may come until END";
  rig.queue().end(client.receiver);
  EXPECT_EQ(rig.queue().accounts().undeliverable, 10000u);
  EXPECT_EQ(rig.queue().accounts().in_doubt, 3u);
  EXPECT_FALSE(rig.queue().anything_owed());
}

TEST(Balancer, CountsAHalfWrittenMessageOfAReceiverThatGoesAfterItGaveUp) {
  for (const bool responses : {false, true}) {
    Rig rig(balanced());
    Client& client = rig.join({}, wire::kUntilFurtherNotice, responses);
    rig.allow(client, 100);
    for (int i = 0; i < 5; i++) rig.send(1);
    rig.settle();
    rig.queue().give_up();
    if (responses) {
      rig.allow(client, ~uint64_t{0});
      rig.settle();
      EXPECT_EQ(client.receiver.unanswered.size(), 2u);
    }
    rig.vanish(client, false);
    EXPECT_FALSE(rig.queue().anything_owed());
    expect_books_to_balance(rig);
  }
}

TEST(Balancer, LooksThroughALongQueueALittleAtATime) {
  Rig rig(balanced());
  rig.join(filter_of("senders=9"), wire::kUntilFurtherNotice);
  for (int i = 0; i < 50000; i++) rig.send(1);
  const Id wanted = rig.send(2);
  Client& late = rig.join(filter_of("senders=2"), wire::kUntilFurtherNotice);
  EXPECT_TRUE(rig.queue().has_work());
  const Id newer = rig.send(2);
  rig.settle();
  EXPECT_THAT(late.got, testing::ElementsAre(wanted, newer));
}

TEST(Balancer, LosesNothingWhateverHappens) {
  Random random(11);
  for (int round = 0; round < 40; round++) {
    Settings settings = balanced(static_cast<Policy>(random.below(3)));
    settings.seed = random.next();
    Rig rig(settings);
    const bool responses = random.below(2) == 0;
    std::vector<Id> sent;
    for (int i = 0; i < 600; i++) {
      if (rig.clients.size() < 8 && random.below(30) == 0)
        rig.join(random.below(3) == 0 ? filter_of("senders=1..2") : wire::Filter(),
                 random.below(2) == 0 ? 0 : wire::kUntilFurtherNotice, responses);
      sent.push_back(rig.send(1 + static_cast<uint32_t>(random.below(3)), random.below(200)));
      for (auto& client : rig.clients) {
        if (client->receiver.gone) continue;
        if (random.below(3) == 0) rig.allow(*client, random.below(1000));
        if (random.below(6) == 0) rig.request(*client, random.below(5));
        while (!client->receiver.unanswered.empty() && random.below(2) == 0) {
          const Delivery& oldest = client->receiver.unanswered.front();
          const wire::DataHeader header = oldest.segment->header(oldest.entry);
          rig.answer(*client, {header.sender, header.index});
        }
        if (random.below(300) == 0) rig.vanish(*client);
      }
      if (random.below(3) == 0) rig.turn();
    }
    Client& last = rig.join({}, wire::kUntilFurtherNotice, false);
    for (auto& client : rig.clients)
      if (!client->receiver.gone && client.get() != &last) rig.vanish(*client);
    rig.advance_ms(1);
    for (int i = 0; i < 50; i++) {
      rig.settle();
      rig.advance_ms(1);
    }
    std::set<Id> distinct;
    for (auto& client : rig.clients) {
      distinct.insert(client->got.begin(), client->got.end());
      distinct.insert(client->got_again.begin(), client->got_again.end());
    }
    const Accounts& accounts = rig.queue().accounts();
    EXPECT_EQ(distinct.size() + accounts.undeliverable, sent.size()) << "in round " << round;
    EXPECT_FALSE(rig.queue().anything_owed()) << "in round " << round;
  }
}

}  // namespace
}  // namespace n2nq::queue
