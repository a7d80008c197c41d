// A broker whose run's messages travel over another bus: it brings everybody together, begins and ends, and says what
// each receiver is to expect, from what senders say.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class Elsewhere : public testing::Test {
 protected:
  void start(const std::string& mode = "broadcaster") { stage.start_broker({"--mode", mode, "--elsewhere"}); }
  ForeignClient join(uint8_t role, uint32_t number = 1, uint8_t wishes = 0) {
    return ForeignClient::join(stage.port(),
                               {.role = role, .number = number, .wishes = static_cast<uint8_t>(wishes | kElsewhere)});
  }
  std::string refusal(const Hello& hello) {
    try {
      ForeignClient::join(stage.port(), hello);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }
  Ended end(std::initializer_list<ForeignClient*> clients, int code, uint64_t count = 0) {
    for (ForeignClient* client : clients) {
      client->send(bye_frame(count));
      client->close();
    }
    Ended broker = stage.finish_one(stage.broker());
    EXPECT_EQ(broker.exit->code, code);
    return broker;
  }
  // The books of the broker: nothing came through it.
  void end_well(std::initializer_list<ForeignClient*> clients) {
    const Ended broker = end(clients, 0);
    EXPECT_EQ(books(broker), Books{});
  }
  // The sender and the receiver of a load balancer.
  std::pair<ForeignClient, ForeignClient> had_seven_of_nine_of_which_two_were_refused() {
    start("load-balancer");
    ForeignClient receiver = join(2), sender = join(1);
    for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
    sender.send(tally_frame(1, 9, {{8, 9, 0, 1}}) + done_frame(9));
    receiver.await(kShare);
    receiver.send(share_frame(1, 7));
    return {std::move(sender), std::move(receiver)};
  }
  Stage stage;
};

TEST_F(Elsewhere, ServicesOfAnotherBusAreRefusedInWords) {
  start();
  EXPECT_THAT(refusal({.role = 1}), HasSubstr("travel over another bus; give the worker its --bus"));
  Stage usual;
  usual.start_broker({"--mode", "broadcaster"});
  EXPECT_THROW(ForeignClient::join(usual.port(), {.role = 1, .wishes = kElsewhere}), std::exception);
}

TEST_F(Elsewhere, SendersHearWhereAllReceiversAreOnceTheyAreReady) {
  start();
  ForeignClient first =
      ForeignClient::join(stage.port(), {.role = 2, .number = 1, .wishes = kHold | kElsewhere, .fleet = 13});
  ForeignClient second =
      ForeignClient::join(stage.port(), {.role = 2, .number = 2, .wishes = kHold | kElsewhere, .fleet = 12});
  ForeignClient sender = ForeignClient::join(stage.port(), {.role = 1, .wishes = kHold | kElsewhere, .fleet = 11});
  first.send(address_frame(1, "ws://127.0.0.1:4001/receiver/1") + ready_frame(13));
  second.send(address_frame(2, "ws://127.0.0.1:4002/receiver/2"));
  EXPECT_FALSE(sender.next(Deadline::window(kLook)));
  second.send(ready_frame(12));
  std::vector<std::pair<uint32_t, std::string>> heard;
  for (int i = 0; i < 2; i++) {
    const Frame address = sender.await(kAddress);
    EXPECT_EQ(address.u32(12), 2U);
    heard.emplace_back(address.u32(8), address.bytes.substr(20));
  }
  EXPECT_THAT(heard, ElementsAre(Pair(1, "ws://127.0.0.1:4001/receiver/1"), Pair(2, "ws://127.0.0.1:4002/receiver/2")));
  sender.send(ready_frame(11));
  for (ForeignClient* client : {&first, &second, &sender}) client->await(kBegin);
  sender.send(done_frame(7));
  EXPECT_EQ(sender.await(kAccepted).u64(8), 7U);
  EXPECT_EQ(counts(first.await(kEnd)), (EndCounts{.expected = 7, .why = 0}));
  EXPECT_EQ(counts(second.await(kEnd)), (EndCounts{.expected = 7, .why = 0}));
  end_well({&sender, &first, &second});
}

TEST_F(Elsewhere, EachReceiverOfALoadBalancerIsToExpectItsShareOfAllSenders) {
  start("load-balancer");
  ForeignClient first = join(2, 1), second = join(2, 2), sender = join(1, 1), other = join(1, 2);
  for (ForeignClient* client : {&first, &second, &sender, &other}) client->await(kBegin);
  sender.send(share_frame(1, 3) + share_frame(2, 2) + done_frame(5));
  other.send(share_frame(1, 4) + done_frame(4));
  EXPECT_EQ(counts(first.await(kEnd)).expected, 7U);
  EXPECT_EQ(counts(second.await(kEnd)).expected, 2U);
  end_well({&sender, &other, &first, &second});
}

// No sender chose the receivers: the bus did.
TEST_F(Elsewhere, ReceiversOfABusThatChoosesThemSayWhatTheyHaveHad) {
  start("load-balancer");
  ForeignClient first = join(2, 1), second = join(2, 2), sender = join(1, 1), other = join(1, 2);
  for (ForeignClient* client : {&first, &second, &sender, &other}) client->await(kBegin);
  sender.send(done_frame(5));
  EXPECT_FALSE(first.next(Deadline::window(kLook))) << "one sends yet";
  other.send(done_frame(4));
  for (ForeignClient* client : {&first, &second}) EXPECT_EQ(client->await(kShare).u64(16), 9U);
  first.send(share_frame(1, 3));
  second.send(share_frame(2, 5));
  EXPECT_FALSE(first.next(Deadline::window(kLook))) << "one message is to come yet";
  first.send(share_frame(1, 4));
  EXPECT_EQ(counts(first.await(kEnd)), (EndCounts{.expected = 4, .why = 0}));
  EXPECT_EQ(counts(second.await(kEnd)), (EndCounts{.expected = 5, .why = 0}));
  end_well({&sender, &other, &first, &second});
}

TEST_F(Elsewhere, WhoComesLateIsAskedAndCountedToo) {
  start("load-balancer");
  ForeignClient first = join(2, 1), sender = join(1, 1);
  for (ForeignClient* client : {&first, &sender}) client->await(kBegin);
  sender.send(done_frame(9));
  first.await(kShare);
  ForeignClient second = join(2, 2), late = join(1, 2);
  EXPECT_EQ(second.await(kShare).u64(16), 9U);
  first.send(share_frame(1, 10));  // one of them from the sender that has not said yet what it sends
  late.send(done_frame(4));
  EXPECT_FALSE(first.next(Deadline::window(kLook))) << "three messages are to come yet";
  second.send(share_frame(2, 3));
  EXPECT_EQ(counts(first.await(kEnd)), (EndCounts{.expected = 10, .why = 0}));
  EXPECT_EQ(counts(second.await(kEnd)), (EndCounts{.expected = 3, .why = 0}));
  end_well({&sender, &late, &first, &second});
}

TEST_F(Elsewhere, WhatNoReceiverHasHadIsSaidWhenNothingMoreComes) {
  for (const bool leaves : {false, true}) {
    SCOPED_TRACE(leaves);
    Stage own;
    own.start_broker({"--mode", "load-balancer", "--elsewhere", "--drain-timeout", "200ms"});
    const auto come = [&](uint8_t role, uint32_t number) {
      return ForeignClient::join(own.port(), {.role = role, .number = number, .wishes = kElsewhere});
    };
    ForeignClient first = come(2, 1), second = come(2, 2), sender = come(1, 1);
    for (ForeignClient* client : {&first, &second, &sender}) client->await(kBegin);
    if (leaves) {
      first.send(bye_frame(2));
      first.close();
    }
    sender.send(done_frame(9));
    EXPECT_EQ(second.await(kShare).u64(16), 9U);
    if (!leaves) first.send(share_frame(1, 2));
    second.send(share_frame(2, 4));
    EXPECT_EQ(counts(second.await(kEnd)), (EndCounts{.expected = 4, .why = 1}));
    for (ForeignClient* client : {&first, &second, &sender}) {
      if (leaves && client == &first) continue;
      client->send(bye_frame(client == &first ? 2 : client == &second ? 4 : 9));
      client->close();
    }
    const Ended broker = own.finish_one(own.broker());
    EXPECT_EQ(broker.exit->code, 1);
    EXPECT_EQ(broker.summary["untaken"], 3);
    EXPECT_EQ(broker.summary["reason"], "drain timeout; 3 messages have come to no receiver");
    EXPECT_EQ(broker.summary["end"], "drain_timeout");
  }
}

// Of two fleets: what was delivered again may be what the other had, and so stands for no other message.
TEST_F(Elsewhere, WhatTwoFleetsMayHaveHadIsWaitedFor) {
  start("load-balancer");
  ForeignClient first = join(2, 1), second = join(2, 2), sender = join(1);
  for (ForeignClient* client : {&first, &second, &sender}) client->await(kBegin);
  sender.send(done_frame(9));
  for (ForeignClient* client : {&first, &second}) client->await(kShare);
  first.send(share_frame(1, 5));
  second.send(share_frame(2, 4, 2));
  EXPECT_FALSE(first.next(Deadline::window(kLook))) << "two may have come to both";
  second.send(share_frame(2, 6, 2));
  EXPECT_EQ(counts(first.await(kEnd)), (EndCounts{.expected = 5, .why = 0}));
  EXPECT_EQ(counts(second.await(kEnd)), (EndCounts{.expected = 6, .why = 0}));
  end({&sender, &first, &second}, 0);
}

// A fleet knows what it had: of one alone, nothing stands for two.
TEST_F(Elsewhere, WhatOneFleetHadAgainCounts) {
  start("load-balancer");
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  sender.send(done_frame(9));
  receiver.await(kShare);
  receiver.send(share_frame(1, 9, 4));
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 9, .why = 0}));
  end_well({&sender, &receiver});
}

// All that there were have left: nobody is asked any more, and still it is known.
TEST_F(Elsewhere, WhatIsSentWhenAllReceiversHaveLeftIsLost) {
  start("load-balancer");
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  receiver.send(bye_frame(2));
  receiver.close();
  sender.send(done_frame(9) + bye_frame(9));
  sender.close();
  const Ended broker = stage.finish_one(stage.broker());
  EXPECT_EQ(broker.exit->code, 1);
  EXPECT_EQ(broker.summary["untaken"], 7);
}

TEST_F(Elsewhere, AShareThatIsNoneIsRefused) {
  const struct {
    std::string share, text;
    bool asked;
  } cases[] = {{share_frame(1, 1), "nobody asked for", false},
               {share_frame(2, 1), "somebody else's", true},
               {share_frame(1, uint64_t{1} << 60), "more than there can be", true},
               {share_frame(1, 3) + share_frame(1, 2), "less than the one before", true}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    Stage own;
    own.start_broker({"--mode", "load-balancer", "--elsewhere"});
    ForeignClient receiver = ForeignClient::join(own.port(), {.role = 2, .wishes = kElsewhere});
    ForeignClient sender = ForeignClient::join(own.port(), {.role = 1, .wishes = kElsewhere});
    for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
    if (one.asked) {
      sender.send(done_frame(9));
      receiver.await(kShare);
    }
    receiver.send(one.share);
    EXPECT_THAT(receiver.await(kError).text(), HasSubstr(one.text));
  }
}

TEST_F(Elsewhere, AShareOfASenderThatCannotBeIsRefused) {
  for (const std::string& share : {share_frame(9, 1), share_frame(1, uint64_t{1} << 60),
                                   share_frame(1, uint64_t{1} << 48) + share_frame(1, uint64_t{1} << 48)}) {
    Stage own;
    own.start_broker({"--mode", "load-balancer", "--elsewhere"});
    ForeignClient receiver = ForeignClient::join(own.port(), {.role = 2, .wishes = kElsewhere});
    ForeignClient sender = ForeignClient::join(own.port(), {.role = 1, .wishes = kElsewhere});
    for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
    sender.send(share);
    EXPECT_THAT(sender.await(kError).text(), HasSubstr("that nobody knows, or of more than there can be"));
  }
}

// Somebody hangs, or waits for the other bus for ever.
TEST_F(Elsewhere, ABrokerThatIsStoppedTwiceWaitsForNoReceiverThatHasHadItsEnd) {
  start();
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  sender.send(done_frame(5) + bye_frame(5));
  sender.close();
  receiver.await(kEnd);
  stage.broker().signal(SIGTERM);
  EXPECT_FALSE(stage.broker().wait_exit(Deadline::window(kLook))) << "once, it waits for the receiver's BYE";
  stage.broker().signal(SIGTERM);
  const Ended broker = stage.finish_one(stage.broker());
  EXPECT_EQ(broker.exit->code, 1);
  EXPECT_EQ(broker.summary["receivers_vanished"], 1);
}

// One receiver of each fleet, for all of it; what senders said of messages that the bus did not accept, to the byte.
TEST_F(Elsewhere, ReceiversHearWhatBecameOfEachSendersMessages) {
  start();
  const auto receiver = [this](uint32_t number, uint64_t fleet) {
    return ForeignClient::join(
        stage.port(),
        {.role = 2, .number = number, .wishes = kElsewhere, .fleet_size = fleet == 13 ? 2u : 1u, .fleet = fleet});
  };
  ForeignClient first = receiver(1, 13), second = receiver(2, 13), third = receiver(3, 77);
  ForeignClient sender = join(1, 1), other = join(1, 2);
  for (ForeignClient* client : {&first, &second, &third, &sender, &other}) client->await(kBegin);
  const std::string tally = tally_frame(1, 7, {{3, 4, 0, 1}, {6, 7, 0, 2}});
  sender.send(tally + done_frame(7));
  other.send(done_frame(5));
  for (ForeignClient* client : {&first, &third}) {
    EXPECT_EQ(client->await(kTally).bytes, tally);
    EXPECT_EQ(client->await(kTally).bytes, tally_frame(2, 5));
    EXPECT_EQ(counts(client->await(kEnd)), (EndCounts{.expected = 12, .why = 0}));
  }
  const auto next = second.next(10s);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->type(), kEnd);
  end_well({&sender, &other, &first, &second, &third});
}

TEST_F(Elsewhere, ATallyThatIsNoneIsRefused) {
  const struct {
    std::string frames, text;
  } cases[] = {{tally_frame(2, 7), "somebody else's"},
               {tally_frame(1, 7, {{5, 8, 0, 1}}), "messages that were not sent"},
               {tally_frame(1, 7, {{5, 7, 0, 1}}) + done_frame(6), "do not agree"},
               {tally_frame(1, 7, {{1, 5, 0, 1}, {3, 7, 0, 2}}) + done_frame(7), "do not agree"},
               {tally_frame(1, 70, {{5, 7, 0, 1}, {2, 6, 0, 2}}) + done_frame(70), "do not agree"},
               {tally_frame(1, 7, {{5, 7, 0, 1}}) + tally_frame(1, 8, {{8, 8, 0, 1}}), "as many messages"}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    Stage own;
    own.start_broker({"--mode", "broadcaster", "--elsewhere"});
    ForeignClient receiver = ForeignClient::join(own.port(), {.role = 2, .wishes = kElsewhere});
    ForeignClient sender = ForeignClient::join(own.port(), {.role = 1, .wishes = kElsewhere});
    for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
    sender.send(one.frames);
    EXPECT_THAT(sender.await(kError).text(), HasSubstr(one.text));
  }
}

// It stays to hear how much it was to have, and the run is not whole.
TEST_F(Elsewhere, AReceiverThatHasLostTheOtherBusHearsWhatItWasToHave) {
  start();
  ForeignClient receiver = join(2, 1), other = join(2, 2), sender = join(1);
  for (ForeignClient* client : {&receiver, &other, &sender}) client->await(kBegin);
  receiver.send(error_frame(19, "the other bus is gone"));
  EXPECT_FALSE(sender.next(Deadline::window(kLook))) << "the other one hears on";
  sender.send(done_frame(5));
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 5, .why = 0}));
  const Ended broker = end({&sender, &receiver, &other}, 1);
  EXPECT_EQ(broker.summary["receivers_cut_off"], 1);
  EXPECT_EQ(broker.summary["receivers_vanished"], 0);
}

TEST_F(Elsewhere, ASenderThatHasLostTheOtherBusSaysWhatItSentAndTheRunIsNotWhole) {
  start();
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  sender.send(error_frame(19, "the other bus is gone") + done_frame(5));
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 5, .why = 0}));
  const Ended broker = end({&sender, &receiver}, 1, 5);
  EXPECT_EQ(broker.summary["senders_cut_off"], 1);
}

TEST_F(Elsewhere, SendersThatNobodyHearsAnyMoreAreCalledOff) {
  stage.start_broker({"--mode", "broadcaster", "--elsewhere", "--drain-timeout", "200ms"});
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  receiver.send(error_frame(19, "the other bus is gone"));
  EXPECT_EQ(sender.await(kEnd).u8(48), 3);
  EXPECT_FALSE(receiver.next(Deadline::window(kLook))) << "the sender has not said yet how much it sent";
  sender.send(done_frame(3));
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 3, .why = 3}));
  end({&sender, &receiver}, 1);
}

TEST_F(Elsewhere, ASenderThatComesWhenNobodyHearsAnyMoreIsCalledOffToo) {
  stage.start_broker({"--mode", "broadcaster", "--elsewhere", "--drain-timeout", "200ms"});
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  receiver.send(error_frame(19, "the other bus is gone"));
  sender.await(kEnd);
  ForeignClient late = join(1, 2);
  EXPECT_EQ(late.await(kEnd).u8(48), 3);
  late.send(done_frame(0));
  sender.send(done_frame(3));
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 3, .why = 3}));
  end({&sender, &late, &receiver}, 1);
}

// Nobody waits for what the bus did not take, nor for what nobody can get.
TEST_F(Elsewhere, WhatTheOtherBusRefusedIsOwedToNobody) {
  auto [sender, receiver] = had_seven_of_nine_of_which_two_were_refused();
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 7, .why = 0}));
  const Ended broker = end({&sender, &receiver}, 0);
  EXPECT_EQ(broker.summary["untaken"], 2) << "it cannot tell which ones";
}

TEST_F(Elsewhere, WhatTheOtherBusRefusedAndDeliversStandsForNoOtherMessage) {
  auto [sender, receiver] = had_seven_of_nine_of_which_two_were_refused();
  EXPECT_FALSE(receiver.next(Deadline::window(kLook))) << "one that was refused may be among the seven";
  receiver.send(share_frame(1, 9));
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 9, .why = 0}));
  end_well({&sender, &receiver});
}

TEST_F(Elsewhere, WhatNobodyCanGetAnyMoreIsNotWaitedFor) {
  stage.start_broker({"--mode", "load-balancer", "--elsewhere", "--drain-timeout", "60s"});
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  receiver.send(error_frame(19, "the other bus is gone"));
  sender.send(done_frame(9));
  receiver.await(kShare);
  EXPECT_FALSE(receiver.next(Deadline::window(kLook))) << "it has not said yet how much it has had";
  receiver.send(share_frame(1, 7));
  EXPECT_EQ(counts(receiver.await(kEnd)), (EndCounts{.expected = 7, .why = 0}));
  const Ended broker = end({&sender, &receiver}, 1, 7);
  EXPECT_EQ(broker.summary["untaken"], 2);
}

// What the other one sent is not known then, and so not what came of it.
TEST_F(Elsewhere, ABrokerThatIsStoppedTwiceWaitsForNoSender) {
  start();
  ForeignClient receiver = join(2), sender = join(1, 1), hangs = join(1, 2);
  for (ForeignClient* client : {&receiver, &sender, &hangs}) client->await(kBegin);
  sender.send(done_frame(3));
  stage.broker().signal(SIGTERM);
  hangs.await(kEnd);
  stage.broker().signal(SIGTERM);
  const auto first = receiver.next(10s);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->type(), kEnd) << "no TALLY";
  EXPECT_EQ(counts(first).expected, UINT64_MAX);
}

TEST_F(Elsewhere, AnErrorOfAReceiverThatIsNoneIsRefused) {
  start();
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  receiver.send(error_frame(7, "not for the broker"));
  EXPECT_THAT(receiver.await(kError).text(), HasSubstr("not for the broker"));
}

TEST_F(Elsewhere, WhatASenderThatVanishedHasSentNobodyKnows) {
  start();
  ForeignClient receiver = join(2), sender = join(1, 1), other = join(1, 2);
  for (ForeignClient* client : {&receiver, &sender, &other}) client->await(kBegin);
  sender.send(done_frame(5));
  other.reset();
  EXPECT_EQ(counts(receiver.await(kEnd)).expected, UINT64_MAX);
  end({&receiver, &sender}, 1, 5);
}

TEST_F(Elsewhere, ASenderThatLeftBeforeTheBeginHasSentNothing) {
  stage.start_broker({"--mode", "broadcaster", "--elsewhere", "--expect-senders", "1"});
  ForeignClient gone = join(1, 1, kHold);
  gone.reset();
  ForeignClient receiver = join(2), sender = join(1, 2);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  sender.send(done_frame(5));
  EXPECT_EQ(counts(receiver.await(kEnd)).expected, 5U);
  end_well({&sender, &receiver});
}

TEST_F(Elsewhere, AReceiverThatComesBackAfterSendersWereToldIsRefusedInWords) {
  start();
  ForeignClient first =
      ForeignClient::join(stage.port(), {.role = 2, .number = 1, .wishes = kHold | kElsewhere, .fleet = 13});
  ForeignClient sender = ForeignClient::join(stage.port(), {.role = 1, .wishes = kHold | kElsewhere, .fleet = 11});
  first.send(address_frame(1, "ws://127.0.0.1:4001/receiver/1") + ready_frame(13));
  sender.await(kAddress);
  first.reset();
  ForeignClient again =
      ForeignClient::join(stage.port(), {.role = 2, .number = 1, .wishes = kHold | kElsewhere, .fleet = 14});
  again.send(address_frame(1, "ws://127.0.0.1:4002/receiver/1") + ready_frame(14));
  EXPECT_THAT(again.await(kError).text(), HasSubstr("start the run again"));
}

TEST_F(Elsewhere, AStoppedBrokerWaitsForWhatSendersSay) {
  start();
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  stage.broker().signal(SIGTERM);
  EXPECT_EQ(sender.await(kEnd).u8(48), 2);
  EXPECT_FALSE(receiver.next(Deadline::window(kLook)));
  sender.send(done_frame(3));
  const EndCounts end = counts(receiver.await(kEnd));
  EXPECT_EQ(end.expected, 3U);
  EXPECT_EQ(end.why, 2);
  end_well({&sender, &receiver});
}

TEST_F(Elsewhere, NoMessageIsTaken) {
  start();
  ForeignClient receiver = join(2), sender = join(1);
  for (ForeignClient* client : {&receiver, &sender}) client->await(kBegin);
  sender.send(data_frame(1, 1, "x"));
  EXPECT_THAT(sender.await(kError).text(), HasSubstr("DATA"));
}

}  // namespace
}  // namespace n2nq::test
