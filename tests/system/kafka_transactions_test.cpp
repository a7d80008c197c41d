// What transactions over Kafka promise, with senders that die in the middle of one. Judged by the consumer that comes
// with the server, which reads the log itself, once all is over.
#include <signal.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "tests/helpers/bus_servers.h"
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Gt;

constexpr int kKilled = 10, kLiving = 2;
constexpr int kOfTheLiving = 1500;
constexpr size_t kFrameBytes = 40 + 64;

// As docs/protocol.md has it; what the consumer prints are the messages as they are, each with an end of line.
std::vector<MessageId> messages_in(const std::string& printed) {
  EXPECT_EQ(printed.size() % (kFrameBytes + 1), 0u);
  std::vector<MessageId> all;
  for (size_t at = 0; at + kFrameBytes < printed.size(); at += kFrameBytes + 1) {
    const Frame frame{printed.substr(at, kFrameBytes)};
    EXPECT_EQ(frame.u32(0), kFrameBytes);
    all.emplace_back(frame.u32(8), frame.u64(16));
  }
  std::ranges::sort(all);
  return all;
}

struct KafkaTransactions : testing::Test {
  // Its topic outlasts the run. A transaction may take as long as a busy computer needs for it, and one that was cut
  // off holds what is behind it up for as long.
  KafkaTransactions() : server("delete.topic.enable=false\nbroker.session.timeout.ms=2000") {}
  Fleet over_kafka(Fleet fleet) const {
    const Options bus{"--bus", "kafka", "--bus-set",
                      "address=" + server.address() +
                          ";transactions=200ms;idempotence=true;acks=all;partitions=3;delivery_timeout=15s;quiet=21s"};
    fleet.options.insert(fleet.options.end(), bus.begin(), bus.end());
    return fleet;
  }
  // It ends where nothing comes for so long, which on a busy computer may be before it has begun.
  std::vector<MessageId> read(const std::string& isolation) const {
    std::vector<MessageId> all;
    for (int tries = 0; tries < 3 && all.empty(); tries++)
      all = messages_in(
          server.ask("kafka.tools.ConsoleConsumer", {"--topic", server.topic_of_run(), "--from-beginning",
                                                     "--timeout-ms", "8000", "--isolation-level", isolation}));
    return all;
  }
  KafkaServer server;
  Stage stage;
};

TEST_F(KafkaTransactions, KeepEachMessageOnceOrNotAtAllWhoeverIsKilled) {
  stage.start_broker({"--mode", "load-balancer", "--elsewhere", "--drain-timeout", "60s", "--expect-receivers", "2",
                      "--expect-senders", std::to_string(kKilled + kLiving)});
  stage.start(over_kafka(receivers(2)));
  std::vector<Process*> dying;
  for (int i = 1; i <= kKilled; i++)
    dying.push_back(&stage.start(
        over_kafka(senders(1, {"--messages", "100000", "--delay", "1ms", "--size", "64", "--telemetry", "20ms"}, i))));
  Process& living = stage.start(over_kafka(
      senders(kLiving, {"--messages", std::to_string(kOfTheLiving), "--delay", "2ms", "--size", "64"}, kKilled + 1)));
  // One after the other, each in another part of a transaction.
  std::vector<int64_t> accepted;
  for (size_t i = 0; i < dying.size(); i++) {
    const auto said = await_telemetry(*dying[i], at_least("accepted", 151 + 17 * static_cast<int64_t>(i)), 60s);
    ASSERT_TRUE(said) << dying[i]->err();
    dying[i]->signal(SIGKILL);
    accepted.push_back(count_in((*said)["totals"], "accepted"));
  }
  const RunEnded run = stage.finish(120s);
  server.process().signal(SIGKILL);
  server.process().wait_exit(10s);
  server.start();

  const std::vector<MessageId> committed = read("read_committed"), written = read("read_uncommitted");
  EXPECT_EQ(std::ranges::adjacent_find(committed), committed.end()) << "twice";
  EXPECT_TRUE(std::ranges::includes(written, committed));
  EXPECT_GT(written.size(), committed.size()) << "nobody died in a transaction: nothing is shown";
  // Of each all that it was told is there, and nothing behind a gap: whole transactions, in their order. A server that
  // gets too little of its computer aborts some by itself, and their senders say so.
  const auto aborted = [&](uint32_t number) {
    const Process& sender = number <= kKilled ? *dying[number - 1] : living;
    return sender.err().contains("has not committed a transaction, whose messages are refused");
  };
  std::map<uint32_t, uint64_t> last, count;
  for (const auto& [sender, index] : committed) {
    const uint64_t before = std::exchange(last[sender], index);
    ASSERT_TRUE(index == before + 1 || aborted(sender))
        << "sender " << sender << ": " << index << " after " << before << "\n"
        << run.story();
    count[sender]++;
  }
  for (uint32_t number = 1; number <= kKilled; number++)
    EXPECT_THAT(count[number], AllOf(Gt(0u), Ge(accepted[number - 1]))) << number;
  uint64_t of_the_living = 0;
  for (uint32_t number = kKilled + 1; number <= kKilled + kLiving; number++) {
    of_the_living += count[number];
    EXPECT_TRUE(count[number] == kOfTheLiving || aborted(number)) << count[number] << "\n" << run.story();
  }
  EXPECT_EQ(of_the_living, run.fleets.back().total("accepted"));
  // Receivers have these, each once, and none of a transaction that was cut off.
  std::vector<MessageId> received;
  for (const auto& [number, log] : run.receiver_logs)
    for (const LogRow& row : log.rows) received.emplace_back(row.sender, row.index);
  std::ranges::sort(received);
  std::vector<MessageId> aborted_ones, missing;  // also those that came more often than they were committed
  std::ranges::set_difference(received, committed, std::back_inserter(aborted_ones));
  std::ranges::set_difference(committed, received, std::back_inserter(missing));
  EXPECT_THAT(aborted_ones, testing::IsEmpty()) << received.size() << " received, " << run.story();
  EXPECT_THAT(missing, testing::IsEmpty()) << committed.size() << " committed, " << run.story();
  EXPECT_EQ(run.sum("receiver", "duplicates"), 0);
}

}  // namespace
}  // namespace n2nq::test
