// A loop of senders whose broker the test plays.
#pragma once

#include <future>
#include <memory>

#include "tests/unit/workers/fake_broker.h"
#include "tests/unit/workers/stub_fleet.h"
#include "workers/sender/sender_loop.h"

namespace n2nq::sender {

using namespace test;

struct Sending {
  explicit Sending(SenderOptions given, log::LogQueue* log = nullptr, uint32_t count = 1)
      : options(std::move(given)),
        pool(options.size, options.seed),
        context(context_for(wire::Role::sender, broker.endpoint(), count)) {
    context.bus = options.bus;
    context.traits = bus::find_bus(options.bus.kind);
    loop = std::make_unique<SenderLoop>(context, fleet, options, pool, 0, count, log);
    loop->start();
  }
  Peer begin(const wire::Welcome& welcome = welcome_to(wire::Mode::broadcaster)) {
    Peer peer = broker.accept_and_begin(welcome, begin_now());
    begun_ns = measure::now_ns();
    return peer;
  }
  // On the loop's thread.
  template <class Task>
  auto ask(Task task) {
    std::promise<decltype(task())> answer;
    loop->post([&] { answer.set_value(task()); });
    return answer.get_future().get();
  }
  SenderCounters counters() {
    return ask([this] { return loop->report().counters.front(); });
  }
  // Until a message is due that the socket does not take: in none of many turns of the loop it went out.
  bool wait_full() {
    const Deadline deadline(20s);
    int turns = 0;
    for (uint64_t taken = 0; turns < 20 && !deadline.passed(); turns++) {
      const bool due = measure::now_ns() > begun_ns + static_cast<int64_t>(taken) * options.delay_ns;
      const uint64_t sent = counters().sent();
      if (sent != taken || !due) turns = 0;
      taken = sent;
    }
    return turns == 20;
  }
  // Since the last report.
  measure::Moments held() {
    return ask([this] { return loop->measured().latencies[Latency::held].moments(); });
  }

  measure::Moments publish() {
    return ask([this] { return loop->measured().latencies[Latency::publish].moments(); });
  }

  FakeBroker broker;
  SenderOptions options;
  fleet::MessagePool pool;
  fleet::FleetContext context;
  StubFleet fleet;
  std::unique_ptr<SenderLoop> loop;
  int64_t begun_ns = 0;
};

inline SenderOptions saturating(uint64_t messages, uint64_t size) {
  SenderOptions options;
  options.messages = messages;
  options.delay_ns = 0;
  options.size = {.min = size, .max = size};
  return options;
}

}  // namespace n2nq::sender
