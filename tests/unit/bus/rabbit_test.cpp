// RabbitMQ as a bus: against the real server, which counts by itself, and against one that does things wrong.
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/fake_redis.h"
#include "tests/helpers/fake_server.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/rabbitmq/amqp.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Settings = std::map<std::string, std::string>;

const std::string kRun = "n2nq.00000000000000ab";

BusOptions rabbit_at(const std::string& address, bool to_all, Settings settings = {}) {
  settings["address"] = address;
  return {.kind = "rabbitmq", .settings = std::move(settings), .run_id = 0xab, .to_all = to_all};
}

RabbitServer& rabbit() {
  return static_cast<RabbitServer&>(shared_server("rabbitmq"));
}

// With all properties that stand in front of it, and one behind; and cut off anywhere.
TEST(AmqpHeader, SaysWhereAReplyGoes) {
  using namespace std::literals;
  const std::string text = "\0\x3c\0\0\0\0\0\0\0\0\0\5\xff\0\1t\1e\0\0\0\0\2\0\1c\5there\1x"s;
  const auto reply_to = [](std::string_view bytes) {
    return reply_to_of({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  };
  EXPECT_EQ(reply_to(text), "there");
  for (size_t bytes = 0; bytes < text.size() - 2; bytes++) EXPECT_EQ(reply_to(text.substr(0, bytes)), "") << bytes;
  EXPECT_EQ(reply_to("\0\x3c\0\0\0\0\0\0\0\0\0\5\x12\0\2\5there"s), "there");
  EXPECT_EQ(reply_to("\0\x3c\0\0\0\0\0\0\0\0\0\5\x10\0\2\5there"s), "");
}

// Of each kind of queue and exchange.
TEST(RabbitMq, BringsAllToAllAndLeavesNothing) {
  for (const auto& [settings, durable] : {std::pair(Settings(), "false"),
                                          {{{"exchange", "topic"}, {"persistent", "true"}, {"lazy", "true"}}, "true"},
                                          {{{"exchange", "headers"}, {"acknowledge", "all"}}, "false"},
                                          {{{"exchange", "direct"}, {"acknowledge", "none"}}, "false"},
                                          {{{"queue_type", "quorum"}}, "true"},
                                          {{{"queue_type", "stream"}, {"acknowledge", "all"}}, ""}}) {
    SCOPED_TRACE(testing::PrintToString(settings));
    BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/true, settings));
    Service& first = rig.receiver(1);
    Service& second = rig.receiver(2);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    const bool one_for_all = std::string(durable).empty();
    EXPECT_THAT(rabbit().queues("durable"),
                HasSubstr(kRun + (one_for_all ? ".queue.1 true" : ".receiver.1 " + std::string(durable))));
    const auto set = [&](const char* key, const char* usual) {
      const auto found = settings.find(key);
      return found == settings.end() ? std::string(usual) : found->second;
    };
    EXPECT_THAT(rabbit().queues("type"),
                HasSubstr(kRun + (one_for_all ? ".queue.1 " : ".receiver.1 ") + set("queue_type", "classic") + "\n"));
    EXPECT_EQ(rabbit().queues("arguments").find("lazy") != std::string::npos, set("lazy", "false") == "true");
    EXPECT_EQ(rabbit().texts("[io_lib:format(\"~s\", [element(3, X)]) || X <- rabbit_exchange:list(<<\"/\">>), "
                             "element(4, element(2, X)) == <<\"" +
                             kRun + "\">>]"),
              set("exchange", "fanout") + "\n");
    if (!one_for_all) {  // those of streams it does not show
      EXPECT_EQ(rabbit().texts(
                    "[io_lib:format(\"~p\", [proplists:get_value(ack_required, C)]) || C <- "
                    "rabbit_amqqueue:consumers_all(<<\"/\">>), proplists:get_value(consumer_tag, C) == <<\"0\">>, "
                    "proplists:get_value(prefetch_count, C) == 250, element(4, proplists:get_value(queue_name, C)) "
                    "/= <<\"" +
                    kRun + ".senders\">>]"),
                set("acknowledge", "explicit") == "none" ? "false\nfalse\n" : "true\ntrue\n");
    }
    const std::vector<std::string> sent{"a", "", std::string("\xce\0\x01", 3), std::string(300'000, 'd')};
    ASSERT_EQ(rig.send(7, sent), 4u);
    ASSERT_TRUE(rig.wait(
        [&] { return first.heard.frames.size() + second.heard.frames.size() == 8 && sender.heard.accepted == 4; }));
    EXPECT_EQ(payloads_of(rig.heard(first)), sent);
    EXPECT_EQ(payloads_of(rig.heard(second)), sent);
    finish_all(rig, {&first, &second, &sender}, {7}, {1, 2});
    EXPECT_EQ(rabbit().of_runs(), "");
    EXPECT_THAT(rig.server(), testing::StartsWith("rabbitmq-server 3."));
  }
}

TEST(RabbitMq, GivesEachToOneAsTheServerCounts) {
  for (const auto& settings :
       {Settings{{"prefetch", "10"}}, Settings{{"exchange", "headers"}, {"queues", "5"}, {"acknowledge", "all"}},
        Settings{{"exchange", "topic"}, {"queues", "2"}, {"queue_type", "quorum"}}}) {
    SCOPED_TRACE(testing::PrintToString(settings));
    BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/false, settings));
    Service& first = rig.receiver(1);
    Service& second = rig.receiver(2, /*wants=*/false);
    Service& one = rig.sender(7, {});
    Service& other = rig.sender(8, {});
    ASSERT_TRUE(rig.wait([&] { return one.heard.ready && other.heard.ready; }));
    const std::vector<std::string> many(100, "x");
    ASSERT_EQ(rig.send(7, many), 100u);
    ASSERT_EQ(rig.send(8, many), 100u);
    ASSERT_TRUE(rig.wait([&] { return one.heard.accepted == 100 && other.heard.accepted == 100; }));
    rig.call([&] {
      second.wants = true;
      rig.inlet(2).read_on();
    });
    ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 200; }));
    EXPECT_GT(rig.heard(first).frames.size(), 5u);
    EXPECT_GT(rig.heard(second).frames.size(), 5u);
    finish_all(rig, {&first, &second, &one, &other}, {7, 8}, {1, 2});
    EXPECT_EQ(rabbit().of_runs(), "");
  }
}

// What it was given and has not acknowledged goes to another, and is told to be given again.
TEST(RabbitMq, GivesAgainWhatALostReceiverHadNotAcknowledged) {
  BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/false, {{"prefetch", "20"}}));
  rig.receiver(1, /*wants=*/false);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(50, "x")), 50u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 50; }));
  EXPECT_EQ(rabbit().queues("messages_ready"),
            kRun + ".queue.1 30\n" + kRun + ".receivers 0\n" + kRun + ".senders 0\n");
  EXPECT_EQ(rabbit().queues("messages_unacknowledged"),
            kRun + ".queue.1 20\n" + kRun + ".receivers 0\n" + kRun + ".senders 0\n");
  Service& heir = rig.receiver(2);
  rig.call([&] { rig.inlet(1).cut_off(); });
  ASSERT_TRUE(rig.wait([&] { return heir.heard.frames.size() == 70; }));  // 20 of them with AGAIN in front
  finish_all(rig, {&heir, &sender}, {7}, {2});
  EXPECT_EQ(rabbit().of_runs(), "");
}

// Whoever leaves last removes what there is, receiver or sender.
TEST(RabbitMq, IsClearedByItsLast) {
  for (const bool to_all : {true, false}) {
    SCOPED_TRACE(to_all);
    BusRig rig(rabbit_at(rabbit().address(), to_all));
    Service& first = rig.receiver(1);
    Service& second = rig.receiver(2);
    Service& sender = rig.sender(7, {});
    Service& last = rig.sender(8, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready && last.heard.ready; }));
    finish_all(rig, {&first, &sender}, {7}, {1});
    rig.send(8, {"a"});
    ASSERT_TRUE(rig.wait([&] { return second.heard.frames.size() == 1; }));
    finish_all(rig, {&second}, {}, {2});
    rig.send(8, {"to nobody"});
    ASSERT_TRUE(rig.wait([&] { return last.heard.accepted == 2; })) << "its exchange is there yet";
    finish_all(rig, {&last}, {8}, {});
    EXPECT_EQ(rabbit().of_runs(), "");
  }
}

// Receiver 1 makes them, as a rule.
TEST(RabbitMq, MakesSharedQueuesWhereNobodyElseDoes) {
  BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/false, {{"queue_type", "quorum"}}));
  Service& receiver = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  finish_all(rig, {&receiver, &sender}, {7}, {2});
  EXPECT_EQ(rabbit().of_runs(), "");
}

// By number, or by size: the frame of "x" has 41 bytes.
TEST(RabbitMq, KeepsNoMoreThanItMay) {
  for (const auto& [limit, value] : {std::pair{"max_length", "10"}, std::pair{"max_bytes", "410B"}}) {
    SCOPED_TRACE(limit);
    BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/false, {{"prefetch", "1"}, {limit, value}}));
    Service& receiver = rig.receiver(1, /*wants=*/false);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    ASSERT_EQ(rig.send(7, std::vector<std::string>(50, "x")), 50u);
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 50; }));
    EXPECT_EQ(rabbit().queues("messages"), kRun + ".queue.1 11\n" + kRun + ".receivers 0\n" + kRun + ".senders 0\n");
    rig.call([&] {
      receiver.wants = true;
      rig.inlet(1).read_on();
    });
    ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 11; }));
    finish_all(rig, {&receiver, &sender}, {7}, {1});
  }
}

TEST(RabbitMq, AnswersNothingWithoutConfirmsButHasAllAtTheEnd) {
  BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/false, {{"confirms", "false"}}));
  Service& receiver = rig.receiver(1, /*wants=*/false);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(50, "x")), 50u);
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  EXPECT_EQ(rig.heard(sender).accepted, 0u);
  EXPECT_EQ(rabbit().queues("messages"), kRun + ".queue.1 50\n" + kRun + ".receivers 0\n");
  rig.call([&] { rig.inlet(1).finish(); });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.closed; }));
  EXPECT_THAT(rig.heard(receiver).frames, SizeIs(50)) << "they had been given to it";
}

TEST(RabbitMq, LeavesOutWhatAStrangerPublishes) {
  BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/true));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  for (const char* payload : {"hello", "", "world"}) rabbit().publish(kRun, "all", payload);
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1 && !receiver.heard.told.empty(); }));
  EXPECT_THAT(rig.heard(receiver).told, SizeIs(1));
  EXPECT_THAT(rig.heard(receiver).told.front(), HasSubstr("no message of this run"));
}

TEST(RabbitMq, SaysThatSomebodyRemovedWhatItNeeds) {
  BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/false));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rabbit().ask("rabbit_amqqueue:with(rabbit_misc:r(<<\"/\">>, queue, <<\"" + kRun +
               ".queue.1\">>), fun(Q) -> rabbit_amqqueue:delete(Q, false, false, <<\"test\">>) end)");
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr("somebody removed it"));
  rabbit().ask("rabbit_exchange:delete(rabbit_misc:r(<<\"/\">>, exchange, <<\"" + kRun + "\">>), false, <<\"test\">>)");
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("NOT_FOUND - no exchange"));
}

TEST(RabbitMq, RefusesWhatContradictsItself) {
  for (const auto& [settings, key] :
       {std::pair(Settings{{"queue_type", "stream"}}, "queue_type"), {{{"queues", "2"}}, "exchange"}}) {
    BusRig rig(rabbit_at(rabbit().address(), /*to_all=*/true));
    const auto made = make_bus(
        [&] {
          BusOptions options = rabbit_at(rabbit().address(), /*to_all=*/false, settings);
          options.token = kToken;
          return options;
        }(),
        rig.parts());
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().text, HasSubstr("bus." + std::string(key) + ": "));
  }
}

// A server as far as it takes to publish and to be answered.
class FakeRabbit final : public FakeServer {
 public:
  struct Wrong {
    std::string greeting{};                                    // in place of its own
    std::map<AmqpMethod, std::vector<std::string>> answers{};  // bytes in place of the first answers
  };
  explicit FakeRabbit(Wrong wrong) : wrong_(std::move(wrong)) { start(); }
  ~FakeRabbit() override { stop(); }

  static std::string method(AmqpMethod method, const std::function<void(AmqpWriter&)>& arguments = {},
                            uint16_t channel = 1) {
    std::string out;
    AmqpWriter writer(out, channel, method);
    if (arguments) arguments(writer);
    writer.end();
    return out;
  }
  static std::string ack(uint64_t tag, bool all, AmqpMethod what = AmqpMethod::basic_ack) {
    return method(what, [&](AmqpWriter& out) { out.number(8, tag).number(1, all ? 1 : 0); });
  }
  static std::string close(AmqpMethod what, int code, const std::string& text) {
    return method(
        what, [&](AmqpWriter& out) { out.number(2, static_cast<uint64_t>(code)).short_text(text).number(4, 0); },
        what == AmqpMethod::connection_close ? 0 : 1);
  }

 private:
  void on_bytes(Client& client) override {
    if (client.channel.empty()) {
      if (client.in.size() < kAmqpGreeting.size()) return;
      client.in.erase(0, kAmqpGreeting.size());
      client.channel = "greeted";
      client.out += !wrong_.greeting.empty()
                        ? wrong_.greeting
                        : method(
                              AmqpMethod::connection_start,
                              [](AmqpWriter& out) {
                                out.number(2, 9)
                                    .table(AmqpTable().add("product", "RabbitMQ").add("version", "3.10.8"))
                                    .long_text("PLAIN")
                                    .long_text("en_US");
                              },
                              0);
    }
    while (true) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(client.in.data());
      const AmqpStep step = next_amqp({bytes, client.in.size()});
      if (step.kind != AmqpStep::Kind::frame) return;
      if (step.frame.kind == AmqpFrame::Kind::method)
        obey(client, static_cast<AmqpMethod>(AmqpReader(step.frame.payload).number(4)));
      client.in.erase(0, step.used);
    }
  }
  void obey(Client& client, AmqpMethod what) {
    auto& instead = wrong_.answers[what];
    if (!instead.empty()) {
      client.out += instead.front();
      instead.erase(instead.begin());
      return;
    }
    static const std::map<AmqpMethod, std::string> kUsual{
        {AmqpMethod::connection_start_ok,
         method(
             AmqpMethod::connection_tune, [](AmqpWriter& out) { out.number(2, 0).number(4, 0).number(2, 60); }, 0)},
        {AmqpMethod::connection_open,
         method(
             AmqpMethod::connection_open_ok, [](AmqpWriter& out) { out.short_text(""); }, 0)},
        {AmqpMethod::channel_open, method(AmqpMethod::channel_open_ok, [](AmqpWriter& out) { out.long_text(""); })},
        {AmqpMethod::confirm_select, method(AmqpMethod::confirm_select_ok)},
        {AmqpMethod::exchange_declare, method(AmqpMethod::exchange_declare_ok)},
        {AmqpMethod::queue_bind, method(AmqpMethod::queue_bind_ok)},
        {AmqpMethod::basic_qos, method(AmqpMethod::basic_qos_ok)},
        {AmqpMethod::queue_declare,
         method(AmqpMethod::queue_declare_ok, [](AmqpWriter& out) { out.short_text("q").number(4, 0).number(4, 0); })},
        {AmqpMethod::basic_consume, method(AmqpMethod::basic_consume_ok, [](AmqpWriter& out) { out.short_text("0"); })},
    };
    if (const auto usual = kUsual.find(what); usual != kUsual.end()) client.out += usual->second;
  }

  Wrong wrong_;
};

TEST(RabbitMq, TellsWhatItAnsweredForSeveralAndOutOfOrderInOrder) {
  const auto nack = AmqpMethod::basic_nack;
  const FakeRabbit server({.answers = {{AmqpMethod::basic_publish,
                                        {"", FakeRabbit::ack(4, false) + FakeRabbit::ack(2, true), "",
                                         FakeRabbit::ack(3, false, nack), "", FakeRabbit::ack(6, true)}}}});
  BusRig rig(rabbit_at(server.address(), /*to_all=*/true));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"1", "2", "3", "4", "5", "6"}), 6u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_EQ(rig.heard(sender).accepted, 5u);
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("refuses a message"));
  using Fate = wire::Tally::Fate;
  rig.call([&] {
    EXPECT_EQ(rig.outlet(7).unanswered(),
              (std::vector<wire::Tally::Stretch>{{.first = 3, .last = 3, .fate = Fate::refused}}));
  });
}

TEST(RabbitMq, TakesNoAnswerThatIsNone) {
  for (const std::string& wrong :
       {FakeRabbit::ack(2, false), FakeRabbit::ack(0, false), FakeRabbit::ack(9, true),
        FakeRabbit::ack(1, false) + FakeRabbit::ack(1, false), FakeRabbit::method(AmqpMethod::basic_ack),
        FakeRabbit::method(AmqpMethod::basic_cancel_ok), std::string("+OK\r\n"),
        std::string("\x02\0\x01\0\0\0\x01x\xce", 9), std::string("\x03\0\x01\0\0\0\x01x\xce", 9),
        std::string("\x01\0\x01\xff\xff\xff\xff", 7)}) {
    const FakeRabbit server({.answers = {{AmqpMethod::basic_publish, {wrong}}}});
    BusRig rig(rabbit_at(server.address(), /*to_all=*/true));
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    rig.send(7, {"a"});
    ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); })) << testing::PrintToString(wrong);
    EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("does not speak as one"));
  }
}

// A receiver that comes while others send has it from its first queue before it consumes from the last.
TEST(RabbitMq, HandsOverWhatComesBeforeItConsumesFromAllQueues) {
  using enum AmqpMethod;
  const auto frame = message_frame(7, 1, "early");
  const std::string message(frame.begin(), frame.end());
  std::string delivery = FakeRabbit::method(basic_deliver, [](AmqpWriter& out) {
    out.short_text("0").number(8, 1).number(1, 0).short_text(kRun).short_text("1");
  });
  delivery += std::string("\x02\0\x01\0\0\0\x0e\0\x3c\0\0\0\0\0\0\0\0\0", 18) + static_cast<char>(message.size());
  delivery += std::string("\0\0\xce\x03\0\x01\0\0\0", 9) + static_cast<char>(message.size()) + message + "\xce";
  const std::string presence = FakeRabbit::method(basic_consume_ok, [](AmqpWriter& out) { out.short_text("1"); });
  const std::string queue = FakeRabbit::method(basic_consume_ok, [](AmqpWriter& out) { out.short_text("0"); });
  const FakeRabbit server({.answers = {{basic_consume, {presence + delivery, queue + delivery}}}});
  BusRig rig(rabbit_at(server.address(), /*to_all=*/false));
  Service& receiver = rig.receiver(1);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 2; }));
  EXPECT_EQ(payloads_of(rig.heard(receiver)), (std::vector<std::string>{"early", "early"}));
  EXPECT_THAT(rig.heard(receiver).told, IsEmpty());
  EXPECT_THAT(rig.heard(receiver).lost, IsEmpty());
}

// A message of 2^63 bytes, as its header has it.
TEST(RabbitMq, KeepsNoRoomForWhatNoMessageCanBe) {
  using enum AmqpMethod;
  const std::string presence = FakeRabbit::method(basic_consume_ok, [](AmqpWriter& out) { out.short_text("1"); });
  std::string queue = FakeRabbit::method(basic_consume_ok, [](AmqpWriter& out) { out.short_text("0"); });
  queue += FakeRabbit::method(basic_deliver, [](AmqpWriter& out) {
    out.short_text("0").number(8, 1).number(1, 0).short_text(kRun).short_text("1");
  });
  queue += std::string("\x02\0\x01\0\0\0\x0e\0\x3c\0\0\x80\0\0\0\0\0\0\0\0\0\xce", 22);
  queue += std::string("\x03\0\x01\0\0\0\x01x\xce", 9) + FakeRabbit::method(basic_qos_ok);
  const FakeRabbit server({.answers = {{basic_consume, {presence, queue}}}});
  BusRig rig(rabbit_at(server.address(), /*to_all=*/false));
  const Service& receiver = rig.receiver(1);
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr("does not speak as one"));
}

TEST(RabbitMq, SaysWhyItIsSentAway) {
  using enum AmqpMethod;
  const std::string refused = "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN.";
  const std::map<AmqpMethod, std::pair<std::string, std::string>> cases{
      {connection_start_ok, {FakeRabbit::close(connection_close, 403, refused), "it wants a login; give bus.user"}},
      {connection_open,
       {FakeRabbit::close(connection_close, 530, "NOT_ALLOWED - vhost / not found"), "correct bus.vhost"}},
      {queue_declare, {FakeRabbit::close(channel_close, 406, "PRECONDITION_FAILED - x"), "PRECONDITION_FAILED"}},
      {basic_consume, {FakeRabbit::method(connection_open_ok), "does not speak as one"}},
      {channel_open, {FakeRabbit::method(connection_start), "does not speak as one"}}};
  for (const auto& [method, wrong] : cases) {
    const FakeRabbit server({.answers = {{method, {wrong.first}}}});
    EXPECT_THAT(loss_of(rabbit_at(server.address(), /*to_all=*/true)), HasSubstr(wrong.second));
  }
  for (const std::string greeting : {"AMQP\1\1\0\x09", "HTTP/1.1 400 Bad Request\r\n\r\n", "-ERR unknown\r\n"}) {
    const FakeRabbit server({.greeting = greeting});
    EXPECT_THAT(loss_of(rabbit_at(server.address(), /*to_all=*/true)), HasSubstr("does not speak as one")) << greeting;
  }
  const FakeRabbit beyond({.greeting = FakeRabbit::method(
                               connection_start, [](AmqpWriter& out) { out.number(2, 9).number(4, 0xffffffff); }, 0)});
  EXPECT_THAT(loss_of(rabbit_at(beyond.address(), /*to_all=*/true)), HasSubstr("does not speak as one"));
}

TEST(RabbitMq, SaysThatItIsHeldUp) {
  const std::string why = "low on disk";
  const FakeRabbit server(
      {.answers = {
           {AmqpMethod::basic_publish,
            {FakeRabbit::method(AmqpMethod::connection_blocked, [&](AmqpWriter& out) { out.short_text(why); }, 0)}}}});
  BusRig rig(rabbit_at(server.address(), /*to_all=*/true));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.told.empty(); }));
  EXPECT_THAT(rig.heard(sender).told.front(), HasSubstr("takes no messages for now: \"low on disk\""));
}

}  // namespace
}  // namespace n2nq::bus::test
