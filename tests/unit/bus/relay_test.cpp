// The bare relay as a bus: against the relay itself, and against something that says what no relay says.
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/fake_server.h"
#include "tests/unit/bus/bus_rig.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

BusOptions relay_at(const std::string& address, bool to_all = true) {
  return {.kind = "relay", .settings = {{"address", address}}, .run_id = 0xab, .to_all = to_all};
}

// Says one text to each client once its greeting is there.
class FakeRelay final : public FakeServer {
 public:
  explicit FakeRelay(std::string says) : says_(std::move(says)) { start(); }
  ~FakeRelay() override { stop(); }

 private:
  void on_bytes(Client& client) override {
    if (!client.in.ends_with('\n')) return;
    client.in.clear();
    client.out += says_;
  }
  std::string says_;
};

TEST(BareRelay, PassesOnToAllAndNothingElse) {
  const RelayServer server;
  BusRig rig(relay_at(server.address()));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const std::vector<std::string> sent{"a", "", std::string(4, '\0'), std::string(700'000, 'd'), "e"};
  ASSERT_EQ(rig.send(7, sent), 5u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 10; }));
  EXPECT_EQ(payloads_of(rig.heard(first)), sent);
  EXPECT_EQ(payloads_of(rig.heard(second)), sent);
  EXPECT_THAT(rig.server(), testing::MatchesRegex("n2nq-relay [0-9.]+"));
  finish_all(rig, {&first, &second, &sender}, {7}, {1, 2});
  EXPECT_EQ(rig.heard(sender).accepted, 0u) << "it answers for nothing";
}

TEST(BareRelay, GivesEachToTheNext) {
  const RelayServer server;
  BusRig rig(relay_at(server.address(), /*to_all=*/false));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(200, "x")), 200u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 200; }));
  EXPECT_THAT(rig.heard(first).frames, SizeIs(100));
}

TEST(BareRelay, TakesWhatIsOnItsWayBeforeItLeaves) {
  const RelayServer server;
  for (const bool to_all : {true, false}) {
    BusRig rig(relay_at(server.address(), to_all));
    Service& receiver = rig.receiver(1, /*wants=*/false);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    ASSERT_EQ(rig.send(7, std::vector<std::string>(50, std::string(1000, 'x'))), 50u);
    rig.call([&] { rig.outlet(7).finish(); });
    ASSERT_TRUE(rig.wait([&] { return sender.heard.closed; })) << "the relay has all";
    rig.call([&] { rig.inlet(1).finish(); });
    ASSERT_TRUE(rig.wait([&] { return receiver.heard.closed; }));
    EXPECT_THAT(rig.heard(receiver).frames, SizeIs(50));
  }
}

TEST(BareRelay, LeavesOutWhatIsNoMessageOfTheRun) {
  const RelayServer server;
  BusRig rig(relay_at(server.address()));
  Service& receiver = rig.receiver(1);
  RawClient stranger("http://" + server.address() + "/receiver/1");
  stranger.send("n2nq-relay/1 sender n2nq.00000000000000ab\n");
  stranger.read(20);
  for (int i = 0; i < 2; i++) stranger.send(std::string("\x05\0\0\0hello", 9));
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.told.empty(); }));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  ASSERT_THAT(rig.heard(receiver).told, SizeIs(1));
  EXPECT_THAT(rig.heard(receiver).told.front(), HasSubstr("is no message of this run"));
}

// A sender that has sent all waits for it, however long it is left unread.
TEST(BareRelay, IsNoServerThatHangsWhileItLeavesSendersUnread) {
  const RelayServer server;
  BusRig rig(relay_at(server.address()));
  Service& receiver = rig.receiver(1);
  rig.call([&] { receiver.wants = false; });
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const std::vector<std::string> some(10, std::string(100'000, 'x'));
  size_t sent = 0;
  while (true) {
    const int before = rig.heard(sender).writable;
    const size_t taken = rig.send(7, some);
    sent += taken;
    if (taken == 0 && !rig.wait([&] { return sender.heard.writable > before; }, Deadline::window(1500ms))) break;
  }
  EXPECT_GE(sent * 100'000, size_t{64} << 20);
  rig.call([&] { rig.outlet(7).finish(); });
  EXPECT_FALSE(rig.wait([&] { return sender.heard.closed || !sender.heard.lost.empty(); }, Deadline::window(7s)));
  rig.call([&] {
    receiver.wants = true;
    rig.inlet(1).read_on();
  });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed && receiver.heard.frames.size() == sent; }, 30s));
  EXPECT_THAT(rig.heard(sender).lost, IsEmpty());
}

TEST(BareRelay, IsToldApartFromWhatIsNone) {
  for (const auto& [says, why] :
       {std::pair<std::string, std::string>("HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak as one: \"HTTP/1.1"),
        {std::string(300, 'x'), "does not speak as one: \"xxx"},
        {"refused: who are you?\n", "refuses: \"who are you?\"; give its token in bus.password_file"},
        {"n2nq-relay/2 0.1.0 1\n", "does not speak as one"}}) {
    const FakeRelay other(says);
    EXPECT_THAT(loss_of(relay_at(other.address())), HasSubstr(why));
  }
}

TEST(BareRelay, ThatSaysWhatNoneSaysIsLeft) {
  const std::string welcome = "n2nq-relay/1 0.1.0 1\n";
  for (const std::string& says : {std::string(4, '\0'), std::string(4, '\xFF'), std::string("\x31\0\0\x04", 4)}) {
    const FakeRelay liar(welcome + says);
    BusRig rig(relay_at(liar.address()));
    Service& receiver = rig.receiver(1);
    ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
    EXPECT_THAT(rig.heard(receiver).lost.front().text,
                testing::AnyOf(HasSubstr("says what no relay says here"), HasSubstr("does not speak as one")));
    if (says[0] == '\xFF') continue;
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  }
}

}  // namespace
}  // namespace n2nq::bus::test
