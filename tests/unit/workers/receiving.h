// A loop of receivers whose broker the test plays.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>

#include "tests/helpers/deadline.h"
#include "tests/unit/workers/fake_broker.h"
#include "tests/unit/workers/stub_fleet.h"
#include "workers/receiver/receiver_loop.h"

namespace n2nq::receiver {

using namespace test;

struct Receiving {
  explicit Receiving(ReceiverOptions given = {}, wire::Mode in = wire::Mode::broadcaster, log::LogQueue* log = nullptr,
                     uint32_t count = 1)
      : options(std::move(given)), mode(in), context(context_for(wire::Role::receiver, broker.endpoint(), count)) {
    if (options.reply_size) replies.emplace(*options.reply_size, options.seed);
    loop = std::make_unique<ReceiverLoop>(context, fleet, options, seen, workplace, 0, count, log,
                                          replies ? &*replies : nullptr);
    loop->start();
  }
  Peer begin() {
    return broker.accept_and_begin(welcome_to(mode), begin_ns > 0 ? wire::Begin{.broker_ns = begin_ns} : begin_now());
  }
  // The receiver says BYE; returns the count it carries.
  uint64_t end(Peer& peer, uint64_t expected) {
    peer.send(wire::End{.expected = expected});
    const uint64_t count = wire::decode_bye(peer.expect(wire::Type::bye)).value_or(wire::Bye{}).count;
    peer.close();
    return count;
  }
  // On the loop's thread.
  template <class Task>
  auto ask(Task task) {
    std::promise<decltype(task())> answer;
    loop->post([&] { answer.set_value(task()); });
    return answer.get_future().get();
  }
  bool wait_state(control::ServiceState wanted) {
    const n2nq::test::Deadline deadline(std::chrono::seconds(20));
    const auto state = [&] { return ask([&] { return loop->report().counters.front().state; }); };
    while (state() != wanted)
      if (deadline.passed()) return false;
    return true;
  }
  // Once all have ended.
  ReceiverReport report() {
    EXPECT_TRUE(fleet.wait_ended());
    loop->finish();
    return loop->report();
  }

  FakeBroker broker;
  ReceiverOptions options;
  wire::Mode mode;
  int64_t begin_ns = 0;
  fleet::FleetContext context;
  StubFleet fleet;
  FleetSeen seen{false};
  Workplace workplace{options.shared_limit};
  std::optional<fleet::MessagePool> replies;
  std::unique_ptr<ReceiverLoop> loop;
};

}  // namespace n2nq::receiver
