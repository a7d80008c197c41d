// How a receiver counts, answers and asks, against a broker that the test plays.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/unit/allocations/allocations.h"
#include "tests/unit/workers/receiving.h"

namespace n2nq::receiver {
namespace {

void again(Peer& peer, const wire::Bytes& frame) {
  const auto data = wire::read_data_header(frame.data());
  peer.send(wire::Again{.sender = data.sender, .attempt = 2, .index = data.index});
  peer.send_bytes(frame);
}

TEST(Receiver, KeepsAHistogramOfEachReceiverWhileSomebodyLooks) {
  ReceiverOptions watched;
  watched.telemetry_given = true;
  Receiving receiving(watched);
  Peer peer = receiving.begin();
  for (const uint64_t index : {1, 2, 3}) peer.send_bytes(data_frame(1, index, "text"));
  receiving.end(peer, 3);
  const auto report = receiving.report();
  ASSERT_EQ(report.interval->services.size(), 1u);
  EXPECT_EQ(report.interval->services[0].count(), 3u);
  EXPECT_LE(measure::CompactHistogram::kMaxCounterBytes, size_t{16} * 1024);
}

TEST(Receiver, CountsEachMessageOnceAndNamesTheRest) {
  Receiving receiving;
  Peer peer = receiving.begin();
  for (const uint64_t index : {1, 2, 2, 5, 4}) peer.send_bytes(data_frame(1, index, "text"));
  peer.send_bytes(data_frame(1, 6, "text", true));
  again(peer, data_frame(1, 6, "text"));
  again(peer, data_frame(1, 1, "text"));
  peer.send(wire::Skip{.sender = 1, .reason = wire::SkipReason::expired, .count = 2, .lowest = 3, .highest = 7});
  peer.send(wire::Skip{.sender = 2, .reason = wire::SkipReason::undeliverable, .count = 1, .lowest = 1, .highest = 1});
  EXPECT_EQ(receiving.end(peer, 8), 5u);
  const auto report = receiving.report();
  const ReceiverCounters& counters = report.counters.front();
  EXPECT_EQ(counters.count, 5);
  EXPECT_EQ(counters.bytes, 20u);
  EXPECT_EQ(counters.duplicates, 1u);
  EXPECT_EQ(counters.reordered, 1u);
  EXPECT_EQ(counters.corrupt, 1u);
  EXPECT_EQ(counters.redelivered, 2u);
  EXPECT_EQ(counters.expired, 2u);
  EXPECT_EQ(counters.undeliverable, 1u);
  EXPECT_EQ(counters.expected, 8u);
  EXPECT_EQ(report.losses.at(1).expired, 2u);
  EXPECT_EQ(report.losses.at(2).undeliverable, 1u);
  EXPECT_EQ(report.interval->latencies[Latency::latency].count(), 5u);
}

TEST(Receiver, CountsForTheWholeFleetInTheLoadBalancer) {
  Receiving receiving({}, wire::Mode::load_balancer, nullptr, 2);
  Peer one = receiving.begin();
  Peer two = receiving.begin();
  one.send_bytes(data_frame(1, 1, "text"));
  EXPECT_EQ(receiving.end(one, 0), 1u);
  again(two, data_frame(1, 1, "text"));
  two.send_bytes(data_frame(1, 2, "text"));
  EXPECT_EQ(receiving.end(two, 2), 1u);
  const ReceiverCounters total = total_of(receiving.report().counters);
  EXPECT_EQ(total.received(), 2u);
  EXPECT_EQ(total.redelivered, 1u);
  EXPECT_EQ(total.duplicates, 0u);
  EXPECT_EQ(lost(total), 0u);
}

TEST(Receiver, AnswersEveryDeliveryInOrderWithAVerdict) {
  ReceiverOptions options;
  options.responses = true;
  Receiving receiving(options);
  Peer peer = receiving.begin();
  wire::Bytes bytes = data_frame(1, 1, "text");
  for (const auto& frame : {data_frame(2, 1, "text", true), data_frame(1, 2, "text")})
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  peer.send_bytes(bytes);
  std::vector<wire::ResponseItem> items;
  while (items.size() < 3) ASSERT_TRUE(wire::decode_response(peer.expect(wire::Type::response), items));
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].verdict, wire::Verdict::good);
  EXPECT_EQ(items[1].sender, 2u);
  EXPECT_EQ(items[1].verdict, wire::Verdict::refused);
  EXPECT_EQ(items[2].index, 2u);
  receiving.end(peer, 3);
  EXPECT_EQ(receiving.report().counters.front().responses, 3u);
  EXPECT_EQ(receiving.report().counters.front().deliveries, 3u);
}

TEST(Receiver, AsksForTheNextMessagesOnceAllHaveCome) {
  ReceiverOptions options;
  options.requests = 2;
  Receiving receiving(options);
  Peer peer = receiving.begin();
  EXPECT_EQ(wire::decode_request(peer.expect(wire::Type::request))->count, 2u);
  peer.send_bytes(data_frame(1, 1, "text"));
  again(peer, data_frame(1, 1, "text"));  // a re-delivery uses up nothing
  pollfd quiet{.fd = peer.fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&quiet, 1, Deadline::window(50ms).poll_ms()), 0);
  peer.send_bytes(data_frame(1, 2, "text"));
  EXPECT_EQ(wire::decode_request(peer.expect(wire::Type::request))->count, 2u);
  receiving.end(peer, 2);
  EXPECT_EQ(receiving.report().counters.front().requests, 2u);
}

bool says_nothing(Peer& peer) {
  pollfd quiet{.fd = peer.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&quiet, 1, Deadline::window(50ms).poll_ms()) == 0;
}

TEST(Receiver, AsksForNothingBesideWhatItAskedForUntilFurtherNotice) {
  ReceiverOptions options;
  options.requests = 2;
  Receiving receiving(options);
  Peer peer = receiving.begin();
  peer.expect(wire::Type::request);
  ASSERT_TRUE(receiving.fleet.wait_begun());
  const auto ask = [&](uint64_t count) {
    receiving.loop->post([&receiving, count] {
      control::RequestCommand command;
      command.count = count;
      receiving.loop->request(command);
    });
    EXPECT_EQ(wire::decode_request(peer.expect(wire::Type::request))->count, count);
  };
  ask(wire::kUntilFurtherNotice);
  ask(1);
  for (const uint64_t index : {1, 2, 3}) peer.send_bytes(data_frame(1, index, "text"));
  EXPECT_TRUE(says_nothing(peer)) << "it has asked for all there will be";
  receiving.end(peer, 3);
  EXPECT_EQ(receiving.report().counters.front().requests, 3u);
}

TEST(Receiver, AsksOnceItHasJoinedForWhatWasRequestedBefore) {
  ReceiverOptions options;
  options.requests = 10;
  Receiving receiving(options);
  receiving.loop->post([&receiving] {
    control::RequestCommand command;
    command.count = 5;
    receiving.loop->request(command);
    command.count = 2;
    command.replace = true;
    receiving.loop->request(command);
    command.count = 1;
    command.replace = false;
    command.filter = "senders=4";
    receiving.loop->request(command);
  });
  Peer peer = receiving.broker.accept();
  peer.expect(wire::Type::hello);
  EXPECT_TRUE(says_nothing(peer));
  peer.send(welcome_to(receiving.mode));
  const auto request = wire::decode_request(peer.expect(wire::Type::request));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->count, 3u);
  EXPECT_TRUE(request->replace);
  EXPECT_EQ(wire::to_text(request->filter), "senders=4");
  peer.send(begin_now());
  for (const uint64_t index : {1, 2, 3}) peer.send_bytes(data_frame(4, index, "text"));
  EXPECT_EQ(wire::decode_request(peer.expect(wire::Type::request))->count, 2u) << "the count that replaced";
  receiving.end(peer, 3);
  EXPECT_EQ(receiving.report().counters.front().requests, 2u);
}

TEST(Receiver, ThatPausesTakesNothingUntilItResumesAndLosesNothing) {
  Receiving receiving;
  const auto of_it = *control::parse_services("1");
  receiving.ask([&] { return receiving.loop->pause(of_it), true; });
  Peer peer = receiving.begin();
  for (const uint64_t index : {1, 2, 3}) peer.send_bytes(data_frame(1, index, "text"));
  ASSERT_TRUE(receiving.wait_state(control::kPaused)) << "told so before the begin";
  EXPECT_TRUE(says_nothing(peer));
  EXPECT_EQ(receiving.ask([&] { return receiving.loop->report().counters.front().received(); }), 0u);
  receiving.loop->post([&] { receiving.loop->resume(*control::parse_services("2-3")); });
  EXPECT_TRUE(receiving.wait_state(control::kPaused)) << "that was meant for others";
  const int64_t resumed_ns = measure::now_ns();
  receiving.loop->post([&] { receiving.loop->resume({}); });
  EXPECT_EQ(receiving.end(peer, 3), 3u);
  EXPECT_GE(*receiving.report().counters.front().last_received_ns, resumed_ns) << "also what came with the begin";
}

wire::Request next_request(Peer& peer) {
  return wire::decode_request(peer.expect(wire::Type::request)).value_or(wire::Request{});
}

TEST(Receiver, ThatIsAwayAsksOurQueueForNothingAndOnceItComesForAllAgain) {
  Receiving receiving({}, wire::Mode::load_balancer);
  Peer peer = receiving.begin();
  receiving.loop->post([&] { receiving.loop->go_away(*control::parse_services("2-3")); });
  receiving.loop->post([&] { receiving.loop->go_away(*control::parse_services("1")); });
  wire::Request asked = next_request(peer);
  EXPECT_EQ(asked.count, 0u);
  EXPECT_TRUE(asked.replace);
  EXPECT_TRUE(receiving.wait_state(control::kAway));
  peer.send_bytes(data_frame(1, 1, "text"));  // was on its way
  receiving.loop->post([&] { receiving.loop->come({}); });
  asked = next_request(peer);
  EXPECT_EQ(asked.count, wire::kUntilFurtherNotice);
  EXPECT_TRUE(asked.replace);
  EXPECT_TRUE(receiving.wait_state(control::kRunning));
  peer.send_bytes(data_frame(1, 2, "text"));
  EXPECT_EQ(receiving.end(peer, 2), 2u);
  EXPECT_EQ(receiving.report().counters.front().requests, 0u) << "nobody has requested anything";
}

TEST(Receiver, ThatIsAwayAtFirstSaysSoBeforeTheRunBeginsAndKeepsWhatIsRequestedOfIt) {
  ReceiverOptions options;
  options.requests = 3;
  options.away = control::parse_services("1").value();
  Receiving receiving(options, wire::Mode::load_balancer);
  Peer peer = receiving.broker.accept();
  peer.expect(wire::Type::hello);
  peer.send(welcome_to(receiving.mode));
  EXPECT_EQ(next_request(peer).count, 0u);
  peer.send(begin_now());
  ASSERT_TRUE(receiving.wait_state(control::kAway));
  receiving.loop->post([&receiving] {
    control::RequestCommand command;
    command.count = 2;
    command.replace = true;
    receiving.loop->request(command);
  });
  EXPECT_TRUE(says_nothing(peer));
  receiving.loop->post([&] { receiving.loop->come({}); });
  EXPECT_EQ(next_request(peer).count, 2u);
  for (const uint64_t index : {1, 2}) peer.send_bytes(data_frame(4, index, "text"));
  EXPECT_EQ(next_request(peer).count, 2u) << "it goes on asking";
  receiving.loop->post([&] { receiving.loop->go_away({}); });
  EXPECT_EQ(next_request(peer).count, 0u);
  EXPECT_EQ(receiving.end(peer, 2), 2u) << "the end finds it away";
}

TEST(Receiver, ToWhomAllIsOwedStaysAndSaysSo) {
  Receiving receiving;
  Peer peer = receiving.begin();
  receiving.ask([&] { return receiving.loop->go_away({}), true; });
  EXPECT_TRUE(receiving.wait_state(control::kRunning));
  EXPECT_TRUE(says_nothing(peer));
  receiving.end(peer, 0);
}

TEST(Receiver, ThatPausesLeavesWhenItIsToldToStop) {
  Receiving receiving;
  Peer peer = receiving.begin();
  receiving.loop->post([&] { receiving.loop->pause({}); });
  receiving.ask([] { return true; });
  peer.send_bytes(data_frame(1, 1, "text"));
  receiving.loop->post([&] { receiving.loop->stop(); });
  peer.expect(wire::Type::leave);
  EXPECT_EQ(receiving.end(peer, 1), 1u) << "what was under way is taken";
}

ReceiverOptions serving(int64_t service_ns) {
  ReceiverOptions options;
  options.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = service_ns};
  return options;
}

constexpr int64_t kShort = 2'000'000;
constexpr int64_t kWithoutEnd = 3'600'000'000'000;

TEST(ServingReceiver, ServesOneAfterTheOtherAndKeepsWaitingAndServiceApart) {
  Receiving receiving(serving(kShort));
  Peer peer = receiving.begin();
  const int64_t due_ns = measure::now_ns();
  wire::Bytes bytes;
  for (const uint64_t index : {1, 2, 3}) {
    const auto frame = data_frame(1, index, "text", false, due_ns, due_ns);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  peer.send_bytes(bytes);
  receiving.end(peer, 3);
  const auto report = receiving.report();
  EXPECT_EQ(report.counters.front().received(), 3u);
  EXPECT_EQ(report.counters.front().served, 3u);
  const fleet::LatencyHistograms& served = report.interval->latencies;
  EXPECT_EQ(served[Latency::waiting].count(), 3u);
  EXPECT_GE(served[Latency::service].moments().min_ns, kShort);
  EXPECT_GE(served[Latency::waiting].moments().max_ns, 2 * kShort);
  EXPECT_LT(report.interval->latencies[Latency::latency].moments().max_ns, served[Latency::waiting].moments().max_ns);
  EXPECT_EQ(served[Latency::in_system].moments().sum_ns,
            served[Latency::waiting].moments().sum_ns + served[Latency::service].moments().sum_ns);
  // The second and third were there when the receiver was free: it was handed over at once.
  EXPECT_EQ(served[Latency::handover].moments().min_ns, 0);
  EXPECT_EQ(served[Latency::occupied].moments().sum_ns, served[Latency::service].moments().sum_ns);
}

TEST(ServingReceiver, AsksForTheNextMessageOnlyOnceItHasServedTheLast) {
  ReceiverOptions options = serving(kWithoutEnd);
  options.requests = 1;
  Receiving receiving(options);
  Peer peer = receiving.begin();
  peer.expect(wire::Type::request);
  peer.send_bytes(data_frame(1, 1, "text"));
  EXPECT_TRUE(says_nothing(peer));
  receiving.loop->post([&] { receiving.loop->stop(); });
  peer.expect(wire::Type::leave);
  receiving.end(peer, 1);
  EXPECT_EQ(receiving.report().counters.front().served, 0u);
}

TEST(ServingReceiver, CountsTheWayFromItsRequestToTheNextMessageAsOccupied) {
  ReceiverOptions options = serving(kShort);
  options.requests = 1;
  Receiving receiving(options);
  Peer peer = receiving.begin();
  peer.expect(wire::Type::request);
  const int64_t due_ns = measure::now_ns();
  peer.send_bytes(data_frame(1, 1, "text", false, due_ns, due_ns));
  peer.expect(wire::Type::request);
  peer.send_bytes(data_frame(1, 2, "text", false, due_ns, due_ns));  // it has waited in the queue
  peer.expect(wire::Type::request);
  receiving.end(peer, 2);
  const auto report = receiving.report();
  const fleet::LatencyHistograms& served = report.interval->latencies;
  EXPECT_EQ(served[Latency::service].count(), 2u);
  EXPECT_GT(served[Latency::handover].moments().min_ns, 0);
  EXPECT_GT(served[Latency::occupied].moments().sum_ns, served[Latency::service].moments().sum_ns);
  EXPECT_LT(served[Latency::occupied].moments().sum_ns,
            served[Latency::service].moments().sum_ns + served[Latency::handover].moments().sum_ns);
}

TEST(ServingReceiver, AnswersInTheOrderOfDeliveryAfterTheService) {
  ReceiverOptions options = serving(kShort);
  options.responses = true;
  Receiving receiving(options);
  Peer peer = receiving.begin();
  wire::Bytes bytes = data_frame(1, 1, "text");
  for (const auto& frame : {data_frame(2, 1, "text", true), data_frame(1, 1, "text"), data_frame(1, 2, "text")})
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  peer.send_bytes(bytes);
  std::vector<wire::ResponseItem> items;
  std::vector<size_t> sizes;
  while (items.size() < 4) {
    ASSERT_TRUE(wire::decode_response(peer.expect(wire::Type::response), items));
    sizes.push_back(items.size());
  }
  // What needs no service, refused and had before, is answered along with the one before it.
  EXPECT_EQ(sizes, (std::vector<size_t>{3, 4}));
  EXPECT_EQ(items[1].verdict, wire::Verdict::refused);
  EXPECT_EQ(items[3].index, 2u);
  receiving.end(peer, 3);
  EXPECT_EQ(receiving.report().counters.front().served, 2u);
}

TEST(ServingReceiver, GoesOnWithItsLineAfterTheEndOfTheRun) {
  Receiving receiving(serving(kShort));
  Peer peer = receiving.begin();
  for (uint64_t index = 1; index <= 20; index++) peer.send_bytes(data_frame(1, index, "text"));
  EXPECT_EQ(receiving.end(peer, 20), 20u);  // BYE does not wait for the line
  EXPECT_EQ(receiving.report().counters.front().served, 20u);
}

TEST(ServingReceiver, ToldToStopServesNoMoreAndAnswersWhatItHas) {
  ReceiverOptions options = serving(kWithoutEnd);
  options.responses = true;
  Receiving receiving(options);
  Peer peer = receiving.begin();
  for (uint64_t index = 1; index <= 5; index++) peer.send_bytes(data_frame(1, index, "text"));
  EXPECT_TRUE(says_nothing(peer));
  receiving.loop->post([&] { receiving.loop->stop(); });
  peer.expect(wire::Type::leave);
  std::vector<wire::ResponseItem> items;
  ASSERT_TRUE(wire::decode_response(peer.expect(wire::Type::response), items));
  EXPECT_EQ(items.size(), 5u);
  peer.send_bytes(data_frame(1, 6, "text"));  // was under way
  ASSERT_TRUE(wire::decode_response(peer.expect(wire::Type::response), items));
  receiving.end(peer, 6);
  const ReceiverCounters counters = receiving.report().counters.front();
  EXPECT_EQ(counters.served, 0u);
  EXPECT_EQ(counters.deliveries, 6u);
  EXPECT_EQ(counters.responses, 6u);
}

TEST(ServingReceiver, ToldToStopAfterTheEndOfTheRunDropsItsLine) {
  Receiving receiving(serving(kWithoutEnd));
  Peer peer = receiving.begin();
  for (uint64_t index = 1; index <= 5; index++) peer.send_bytes(data_frame(1, index, "text"));
  receiving.end(peer, 5);
  EXPECT_FALSE(receiving.fleet.wait_ended(Deadline::window(50ms)));
  receiving.loop->post([&] { receiving.loop->stop(); });
  const auto report = receiving.report();
  EXPECT_EQ(report.counters.front().received(), 5u);
  EXPECT_EQ(report.counters.front().served, 0u);
}

TEST(ServingReceiver, GivesItsLineUpWithTheBus) {
  Receiving receiving(serving(kWithoutEnd));
  Peer peer = receiving.begin();
  peer.send_bytes(data_frame(1, 1, "text"));
  peer.close();
  EXPECT_TRUE(receiving.fleet.wait_ended());
  EXPECT_EQ(receiving.fleet.losses().size(), 1u);
}

TEST(ServingReceiver, LeavesTheWarmUpOutOfWhatItMeasures) {
  ReceiverOptions options = serving(kShort);
  options.warmup_ns = 1000;
  Receiving receiving(options);
  const int64_t begin_ns = receiving.begin_ns = measure::now_ns();
  Peer peer = receiving.begin();
  peer.send_bytes(data_frame(1, 1, "text", false, begin_ns + 999, begin_ns + 5000));
  peer.send_bytes(data_frame(1, 2, "text", false, begin_ns + 1000, begin_ns + 5000));
  receiving.end(peer, 2);
  const auto report = receiving.report();
  EXPECT_EQ(report.counters.front().served, 2u);
  EXPECT_EQ(report.interval->latencies[Latency::service].count(), 1u);
}

int64_t processor_ns() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return (int64_t{usage.ru_utime.tv_sec + usage.ru_stime.tv_sec} * 1'000'000 + usage.ru_utime.tv_usec +
          usage.ru_stime.tv_usec) *
         1000;
}

ReceiverOptions computing(int64_t service_ns) {
  ReceiverOptions options = serving(service_ns);
  options.service_time.computes = true;
  return options;
}

// By the kernel's count for the process, in which nothing else has much to do.
TEST(ComputingReceiver, UsesAProcessorForAsLongAsItIsTold) {
  constexpr int64_t kEach = 20'000'000;
  constexpr int64_t kMessages = 10;
  for (const bool computes : {true, false}) {
    ReceiverOptions options = computes ? computing(kEach) : serving(kEach);
    options.service_time.mean_ns = kEach / 2;
    options.service_time.piece_ns = kEach / 2;
    options.service_time.piece_bytes = 4;
    Receiving receiving(options);
    Peer peer = receiving.begin();
    const int64_t before_ns = processor_ns();
    for (uint64_t index = 1; index <= kMessages; index++) peer.send_bytes(data_frame(1, index, "text"));
    receiving.end(peer, kMessages);
    const auto report = receiving.report();
    const int64_t used_ns = processor_ns() - before_ns;
    EXPECT_EQ(report.counters.front().served, kMessages);
    EXPECT_GE(report.interval->latencies[Latency::service].moments().min_ns, kEach);
    if (computes) {
      EXPECT_GE(used_ns, kEach * kMessages);
      EXPECT_LT(used_ns, kEach * kMessages * 3 / 2);
    } else {
      EXPECT_LT(used_ns, kEach * kMessages / 2);
    }
  }
}

TEST(ComputingReceiver, HoldsUpNobodyAndGivesUpWhenItIsStopped) {
  Receiving receiving(computing(kWithoutEnd));
  Peer peer = receiving.begin();
  for (uint64_t index = 1; index <= 3; index++) peer.send_bytes(data_frame(1, index, "text"));
  while (receiving.ask([&] { return receiving.loop->report().counters.front().received(); }) < 3)
    receiving.loop->release_interval();
  receiving.loop->post([&] { receiving.loop->stop(); });
  peer.expect(wire::Type::leave);
  receiving.end(peer, 3);
  EXPECT_EQ(receiving.report().counters.front().served, 0u);
}

struct Together {
  int64_t shortest_service_ns = 0, longest_wait_ns = 0, longest_in_system_ns = 0;
};

// As many receivers with a message each, all due at once.
Together served_together(uint32_t receivers, int64_t service_ns, const char* limit) {
  ReceiverOptions options = serving(service_ns);
  options.shared_limit = *measure::parse_shared_limit(limit);
  Receiving receiving(options, wire::Mode::broadcaster, nullptr, receivers);
  std::vector<Peer> peers;
  for (uint32_t i = 0; i < receivers; i++) peers.push_back(receiving.begin());
  const int64_t due_ns = measure::now_ns();
  for (Peer& peer : peers) peer.send_bytes(data_frame(1, 1, "text", false, due_ns, due_ns));
  for (Peer& peer : peers) receiving.end(peer, 1);
  const auto report = receiving.report();
  EXPECT_EQ(total_of(report.counters).served, receivers);
  EXPECT_TRUE(receiving.workplace.limit().places == 0 || receiving.workplace.enter([] {})) << "all have left";
  const fleet::LatencyHistograms& served = report.interval->latencies;
  return {.shortest_service_ns = served[Latency::service].moments().min_ns,
          .longest_wait_ns = served[Latency::waiting].moments().max_ns,
          .longest_in_system_ns = served[Latency::in_system].moments().max_ns};
}

TEST(SharedLimit, LetsReceiversWaitForAPlace) {
  const Together one = served_together(6, kShort, "pool:1");
  EXPECT_GE(one.shortest_service_ns, kShort);
  EXPECT_GE(one.longest_in_system_ns, 6 * kShort);
  EXPECT_GE(served_together(6, kShort, "pool:2").longest_in_system_ns, 3 * kShort);
}

TEST(SharedLimit, LetsReceiversBeginOneAfterTheOther) {
  const Together all = served_together(6, 1000, "rate:500/s");
  EXPECT_GE(all.longest_wait_ns, 5 * 2'000'000);
  EXPECT_LT(all.shortest_service_ns, 2'000'000);
}

TEST(SharedLimit, IsNotHeldByOneThatIsLost) {
  ReceiverOptions options = serving(kWithoutEnd);
  options.shared_limit = *measure::parse_shared_limit("pool:1");
  Receiving receiving(options);
  Peer peer = receiving.begin();
  for (uint64_t index = 1; index <= 3; index++) peer.send_bytes(data_frame(1, index, "text"));
  while (receiving.ask([&] { return receiving.loop->report().counters.front().received(); }) < 3)
    receiving.loop->release_interval();
  EXPECT_FALSE(receiving.workplace.enter([] {}));
  peer.close();
  EXPECT_TRUE(receiving.fleet.wait_ended());
  receiving.loop->finish();
  receiving.workplace.leave();  // of the one that waited here
  EXPECT_TRUE(receiving.workplace.enter([] {}));
}

TEST(SharedLimit, IsLeftByThoseThatAreStopped) {
  ReceiverOptions options = computing(kWithoutEnd);
  options.shared_limit = *measure::parse_shared_limit("pool:1");
  Receiving receiving(options, wire::Mode::broadcaster, nullptr, 2);
  Peer one = receiving.begin();
  Peer two = receiving.begin();
  one.send_bytes(data_frame(1, 1, "text"));
  two.send_bytes(data_frame(1, 1, "text"));
  while (receiving.ask([&] { return total_of(receiving.loop->report().counters).received(); }) < 2)
    receiving.loop->release_interval();
  receiving.loop->post([&] { receiving.loop->stop(); });
  one.expect(wire::Type::leave);
  two.expect(wire::Type::leave);
  receiving.end(one, 1);
  receiving.end(two, 1);
  EXPECT_EQ(total_of(receiving.report().counters).served, 0u);
  EXPECT_TRUE(receiving.workplace.enter([] {}));
}

TEST(ServiceLine, StopsAtTheEndsOfTheRangeForStampsThatCannotBe) {
  ServiceLine line({.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 10}, 1, 1);
  for (const int64_t due_ns : {INT64_MIN, INT64_MAX})
    line.push({.index = 1, .sender = 1, .fresh = true, .due_ns = due_ns});
  line.begin(100);
  const Served early = line.end(110);
  EXPECT_EQ(early.waiting_ns, INT64_MAX);
  EXPECT_EQ(early.in_system_ns, INT64_MAX);
  EXPECT_EQ(early.handover_ns, INT64_MAX);
  EXPECT_EQ(early.service_ns, 10);
  line.begin(-100);
  const Served late = line.end(-90);
  EXPECT_EQ(late.waiting_ns, INT64_MIN);
  EXPECT_EQ(late.in_system_ns, INT64_MIN);
}

TEST(ServiceLine, AllocatesOnlyWhileItGrows) {
  ServiceLine line({.kind = measure::ServiceTime::Kind::exponential, .mean_ns = 10}, 1, 1);
  const auto serve = [&line](uint64_t index) {
    line.push({.index = index, .sender = 1, .fresh = true});
    line.push({.index = index + 1, .sender = 1, .fresh = true});
    for (int i = 0; i < 2; i++) {
      line.begin(100);
      (void)line.end(line.end_ns());
    }
  };
  serve(1);
  const uint64_t before = test::allocations();
  for (uint64_t i = 2; i < 10'000; i++) serve(i);
  EXPECT_EQ(test::allocations(), before);
}

TEST(Receiver, ReportsMessagesDueInTheWarmUpApart) {
  ReceiverOptions options;
  options.warmup_ns = 1000;
  Receiving receiving(options);
  const int64_t begin_ns = receiving.begin_ns = measure::now_ns();
  Peer peer = receiving.begin();
  peer.send_bytes(data_frame(1, 1, "text", false, begin_ns + 999, begin_ns + 5000));  // due in it, though sent later
  peer.send_bytes(data_frame(1, 2, "text", false, begin_ns + 1000, begin_ns + 5000));
  peer.send_bytes(data_frame(1, 3, "text", false, wire::kNoSchedule, begin_ns + 999));
  peer.send_bytes(data_frame(1, 4, "text", false, wire::kNoSchedule, begin_ns + 1000));
  receiving.end(peer, 4);
  const auto report = receiving.report();
  EXPECT_EQ(report.interval->latencies[Latency::warmup_latency].count(), 2u);
  EXPECT_EQ(report.interval->latencies[Latency::latency].count(), 2u);
  EXPECT_EQ(report.interval->latencies[Latency::scheduled_latency].count(), 1u);
  EXPECT_EQ(report.interval->latencies[Latency::scheduled_latency].moments().min_ns -
                report.interval->latencies[Latency::latency].moments().min_ns,
            4000);
}

TEST(Receiver, AddsTheSendersOffsetToTheirStamps) {
  Receiving receiving;
  Peer peer = receiving.begin();
  const int64_t hour_ns = 3'600'000'000'000;
  peer.send(
      wire::Clock{.first = 1, .last = 9, .offset_ns = hour_ns, .bound_ns = 77, .from_ns = measure::now_ns() - hour_ns});
  peer.send_bytes(data_frame(5, 1, "text", false, wire::kNoSchedule, measure::now_ns() - hour_ns));
  receiving.end(peer, 1);
  const auto report = receiving.report();
  EXPECT_GE(report.interval->latencies[Latency::latency].moments().min_ns, 0);
  EXPECT_LT(report.interval->latencies[Latency::latency].moments().max_ns, hour_ns / 2);
  EXPECT_EQ(report.bound_ns, 77);
}

TEST(Receiver, LeavesItsBytesInTheKernelWhileTheLogIsFull) {
  log::LogQueue log(4096);
  Receiving receiving({}, wire::Mode::broadcaster, &log);
  Peer peer = receiving.begin();
  constexpr uint64_t kMessages = 2000;
  uint64_t logged = 0;
  const auto drain = [&] {
    log.drain(SIZE_MAX,
              [&](const log::LogRecord& record, const log::LogPayload&) { EXPECT_EQ(record.index, ++logged); });
  };
  for (uint64_t i = 1; i <= kMessages; i++) peer.send_bytes(data_frame(1, i, "a message of some length"));
  peer.send(wire::End{.expected = kMessages});
  const Deadline deadline(10s);
  while (!peer.has_bytes() && !deadline.passed()) drain();
  peer.expect(wire::Type::bye);
  peer.close();
  while (!receiving.fleet.wait_ended(Deadline::window(1ms)) && !deadline.passed()) drain();
  const auto report = receiving.report();
  drain();
  EXPECT_EQ(logged, kMessages);
  EXPECT_EQ(report.counters.front().received(), kMessages);
  EXPECT_GT(report.counters.front().log_stalls, 0u);
}

TEST(Receiver, ToldToStopLeavesAndTakesWhatIsUnderWay) {
  Receiving receiving;
  Peer peer = receiving.begin();
  ASSERT_TRUE(receiving.fleet.wait_begun());
  receiving.loop->post([&] { receiving.loop->stop(); });
  peer.expect(wire::Type::leave);
  peer.send_bytes(data_frame(1, 1, "text"));
  EXPECT_EQ(receiving.end(peer, 1), 1u);
  EXPECT_EQ(receiving.report().counters.front().received(), 1u);
}

TEST(Receiver, GoesOnWhereTheBrokerRefusesAFilterAndPassesOnWhy) {
  Receiving receiving;
  Peer peer = receiving.begin();
  peer.send(wire::ErrorFrame{.code = wire::ErrorCode::filter_refused, .text = "no room for it"});
  peer.send_bytes(data_frame(1, 1, "text"));
  EXPECT_EQ(receiving.end(peer, 1), 1u);
  EXPECT_EQ(receiving.report().counters.front().received(), 1u);
  EXPECT_TRUE(receiving.fleet.losses().empty());
  const auto told = receiving.fleet.told();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("no room for it"), std::string::npos) << told[0];
}

TEST(Receiver, RefusesAnAgainThatAnnouncesAnotherMessage) {
  Receiving receiving;
  Peer peer = receiving.begin();
  peer.send(wire::Again{.sender = 1, .attempt = 2, .index = 7});
  peer.send_bytes(data_frame(1, 8, "text"));
  EXPECT_TRUE(receiving.fleet.wait_ended());
  ASSERT_EQ(receiving.fleet.losses().size(), 1u);
  EXPECT_EQ(receiving.fleet.losses()[0].kind, transport::Loss::Kind::sent_away);
}

}  // namespace
}  // namespace n2nq::receiver
