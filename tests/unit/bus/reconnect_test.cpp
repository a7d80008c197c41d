// Connections that end in a run where there are other servers: links go on with the next, and the account of what was
// answered, refused and not answered stays exact.
#include <signal.h>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/fake_nats.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/measure/clock.h"

namespace n2nq::bus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Stretches = std::vector<wire::Tally::Stretch>;

BusOptions links_to(const std::string& kind, const std::string& addresses, bool to_all = true, bool replies = false) {
  return {.kind = kind, .settings = {{"address", addresses}}, .run_id = 0xab, .replies = replies, .to_all = to_all};
}

std::string ack(int index) {
  const std::string text = R"({"stream":"x", "seq":1})";
  return "MSG n2nq.00000000000000ab.sender.7." + std::to_string(index) + " 1 " + std::to_string(text.size()) + "\r\n" +
         text + "\r\n";
}
std::string nobody(int index) {
  return "HMSG n2nq.00000000000000ab.sender.7." + std::to_string(index) + " 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n";
}

Stretches unanswered_of(BusRig& rig) {
  Stretches all;
  rig.call([&] { all = rig.outlet(7).unanswered(); });
  return all;
}

// What is answered late, over the next connection, stays unanswered.
TEST(Reconnect, KeepsTheAccountOfEachMessage) {
  const FakeNats first({.answers = {{"PUB", {ack(1), "", ack(3), FakeNats::kEnds}}}});
  const FakeNats second({.answers = {{"PUB", {ack(2) + ack(5), ack(6)}}}});
  BusRig rig(links_to("jetstream", first.address() + "," + second.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"1", "2", "3"}), 3u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 1; }));
  const int before = rig.heard(sender).writable;
  ASSERT_EQ(rig.send(7, {"4"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.writable > before; })) << "it can go on";
  EXPECT_EQ(rig.heard(sender).accepted, 2u);
  EXPECT_EQ(rig.heard(sender).unanswered, 2u);
  ASSERT_EQ(rig.send(7, {"5", "6"}), 2u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 4; }));
  EXPECT_EQ(unanswered_of(rig), (Stretches{{.first = 2, .last = 2}, {.first = 4, .last = 4}}));
  ASSERT_THAT(rig.heard(sender).told, SizeIs(1));
  EXPECT_THAT(rig.heard(sender).told.front(),
              AllOf(HasSubstr("the connection to the NATS server at " + first.address() + " has ended"),
                    HasSubstr("; it goes on with the NATS server at " + second.address())));
  rig.call([&] { rig.outlet(7).finish(); });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  EXPECT_THAT(rig.heard(sender).lost, IsEmpty());
}

// A refusal for want of a leader is none that ends it.
TEST(Reconnect, GoesOnWhereNobodyTakesMessagesForAWhile) {
  const FakeNats first({.answers = {{"PUB", {nobody(1), nobody(2), "", ack(4) + ack(3)}}}});
  const FakeNats second({});
  BusRig rig(links_to("jetstream", first.address() + "," + second.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"1", "2"}), 2u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.refused == 2 && sender.heard.writable > 0; }));
  EXPECT_EQ(rig.send(7, {"3", "4"}), 1u) << "one at a time";
  EXPECT_EQ(rig.send(7, {"4"}), 0u);
  ASSERT_THAT(rig.heard(sender).told, SizeIs(1));
  EXPECT_THAT(rig.heard(sender).told.front(), HasSubstr("it goes on with one at a time, until one is taken"));
}

// Whoever was to answer may have ended behind a server that lives. What was answered meanwhile was answered then.
TEST(Reconnect, GivesUpWhatNobodyAnswers) {
  const FakeNats first({.answers = {{"PUB", {"", ack(2), ack(3)}}}});
  const FakeNats second({});
  BusRig rig(links_to("jetstream", first.address() + "," + second.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const int64_t sent_ns = measure::now_ns();
  ASSERT_EQ(rig.send(7, {"1", "2"}), 2u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 1; }, 20s));
  EXPECT_GT(measure::now_ns() - sent_ns, 4'000'000'000);
  EXPECT_LT(rig.heard(sender).accepted_ns - sent_ns, 2'000'000'000) << "as it was answered";
  EXPECT_EQ(unanswered_of(rig), (Stretches{{.first = 1, .last = 1}}));
  ASSERT_TRUE(rig.wait([&] { return sender.heard.writable > 0; }));
  ASSERT_EQ(rig.send(7, {"3"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 2; }));
  EXPECT_THAT(rig.heard(sender).lost, IsEmpty());
}

// A new leader may answer for what the old one did, or refused.
TEST(Reconnect, TakesASecondAnswerForNone) {
  const FakeNats first({.answers = {{"PUB", {ack(1), nobody(2), ack(3) + ack(1) + ack(2)}}}});
  const FakeNats second({});
  BusRig rig(links_to("jetstream", first.address() + "," + second.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"1", "2"}), 2u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.refused == 1 && sender.heard.writable > 0; }));
  ASSERT_EQ(rig.send(7, {"3"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 2; }));
  rig.call([&] { rig.outlet(7).finish(); });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  EXPECT_THAT(rig.heard(sender).lost, IsEmpty());
  EXPECT_EQ(rig.heard(sender).accepted, 2u);
}

// With one server all is as ever.
TEST(Reconnect, IsForSeveralServersAlone) {
  const FakeNats only({.answers = {{"PUB", {nobody(1), FakeNats::kEnds}}}});
  BusRig rig(links_to("jetstream", only.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"1"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("refuses a message"));
  EXPECT_THAT(rig.heard(sender).told, IsEmpty());
}

TEST(Reconnect, SubscribesAgain) {
  for (const bool to_all : {true, false}) {
    SCOPED_TRACE(to_all);
    NatsPair pair;
    BusRig rig(links_to("nats", pair.addresses(), to_all, /*replies=*/true));
    Service& replier = rig.receiver(1);
    Service& asking = rig.sender(1, {});  // both begin with the first server
    Service& other = rig.sender(2, {});
    ASSERT_TRUE(rig.wait([&] { return asking.heard.ready && other.heard.ready; }));
    pair.first.process().signal(SIGKILL);
    ASSERT_TRUE(rig.wait([&] { return replier.heard.told.size() == 1 && asking.heard.told.size() == 1; }));
    EXPECT_THAT(rig.heard(asking).told.front(),
                HasSubstr("it goes on with the NATS server at " + pair.second.address()));
    EXPECT_EQ(pair.second.ask("varz")["connections"], 3);
    // Until its subscription is known there.
    ASSERT_TRUE(rig.wait([&] { return asking.heard.writable > 0; }));
    for (const Deadline until = 10s;
         pair.second.ask("subsz?subs=1").dump().find("n2nq.00000000000000ab\"") == std::string::npos &&
         !until.passed();) {
    }
    ASSERT_EQ(rig.send(1, {"question"}), 1u);
    ASSERT_EQ(rig.send(2, {"from elsewhere"}), 1u);
    ASSERT_TRUE(rig.wait([&] { return replier.heard.frames.size() == 2; }));
    rig.call([&] { EXPECT_TRUE(rig.inlet(1).reply(reply_frame(1, 1, 1, "answer"))); });
    ASSERT_TRUE(rig.wait([&] { return payloads_of(asking.heard) == std::vector<std::string>{"answer"}; }));
    EXPECT_THAT(rig.heard(other).told, IsEmpty());
    for (const Service* one : {&replier, &asking, &other}) EXPECT_THAT(rig.heard(*one).lost, IsEmpty());
  }
}

TEST(Reconnect, IsLostWhereNoServerIsLeft) {
  for (const bool finishes : {false, true}) {
    SCOPED_TRACE(finishes);
    NatsPair pair;
    BusRig rig(links_to("nats", pair.addresses()));
    Service& receiver = rig.receiver(1);
    Service& sender = rig.sender(1, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    for (NatsServer* each : {&pair.second, &pair.first}) {
      each->process().signal(SIGKILL);
      ASSERT_TRUE(each->process().wait_exit(10s));
    }
    if (finishes) {
      rig.call([&] {
        rig.outlet(1).finish();
        rig.inlet(1).finish();
      });
      EXPECT_TRUE(rig.wait([&] { return sender.heard.closed && receiver.heard.closed; }, 3s)) << "at once";
      continue;
    }
    ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty() && !sender.heard.lost.empty(); }, 20s));
    for (const Service* one : {&receiver, &sender}) {
      const Loss loss = rig.heard(*one).lost.front();
      EXPECT_EQ(loss.kind, Loss::Kind::broker_gone);
      EXPECT_THAT(loss.text,
                  AllOf(HasSubstr("the connection to the NATS server at " + pair.first.address() + " has ended"),
                        HasSubstr("; then: the NATS cluster at " + pair.addresses() + " cannot be reached: "),
                        HasSubstr(pair.second.address() + ": nothing listens at")));
      EXPECT_THAT(rig.heard(*one).told, IsEmpty());
    }
  }
}

}  // namespace
}  // namespace n2nq::bus::test
