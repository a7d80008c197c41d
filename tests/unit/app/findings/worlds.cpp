#include "tests/unit/app/findings/worlds.h"

#include <algorithm>

namespace n2nq::findings::test {
namespace {

constexpr const char* kRequests = "requests and responses";

Latencies steady(double ms) {
  return {.trimmed = ms};
}

double size_kb(const Place& at) {
  for (const auto& [label, kb] :
       std::map<std::string, double>{{"100B", 0.1}, {"1kB", 1}, {"2kB", 2}, {"4kB", 4}, {"8kB", 8}})
    if (at.is("message size", label)) return kb;
  return 16;
}

Latencies sizes(const Place& at) {
  return steady((5 + 0.1 * at.services()) * (1 + 0.05 * (size_kb(at) == 4 ? 20 : size_kb(at))));
}

Latencies messages(const Place& at) {
  return steady(5 + 0.2 * at.services());
}

Latencies delays(const Place& at) {
  const bool internal = at.is("place", "internal");
  if (at.balancer()) return steady(internal ? 0.17 : 8.8);
  const bool fast = at.is("delay", "200ms") || at.is("delay", "100ms");
  const double calm = internal ? 1 + 0.8 * at.services() : 12 + 0.2 * at.services();
  return steady(calm * (fast && at.services() >= 50 ? (internal ? 50 : 4) : 1));
}

Latencies growing(const Place& at) {
  if (at.balancer()) return steady(at.is("growing", "receivers") && at.services() > 80 ? 25 : 8);
  if (at.is("growing", "senders")) return steady(10);
  return steady(10 + 0.4 * at.services() + (at.is("growing", "both") ? 6.3 : 0));
}

Latencies places(const Place& at) {
  const bool senders_out = at.is("place", "senders external") || at.is("place", "both external");
  const bool receivers_out = at.is("place", "receivers external") || at.is("place", "both external");
  const double n = at.services();
  if (at.balancer()) {
    const double ms = 0.2 + (senders_out ? 3 : 0) + (receivers_out ? 3 : 0) + (senders_out && receivers_out ? 4 : 0);
    return {.trimmed = ms, .p95 = ms * 2, .max = ms * 20};
  }
  const double ms = receivers_out ? 12 + 0.3 * n : 3 + 0.9 * n;
  const double spikes = 30 + 2 * n + (receivers_out ? 3 : 0);
  return {.trimmed = ms,
          .p90 = ms * 1.5,
          .p95 = ms * (receivers_out ? 1.6 : 2.4),
          .max = n >= 90 ? 380 : spikes * 1.5,
          .spikes = spikes};
}

Latencies options(const Place& at) {
  const bool off = at.is(kRequests, "off"), both = at.is(kRequests, "both");
  const double n = at.services();
  if (at.balancer()) return steady(both && n >= 30 ? 900 : off ? 8 : 10);
  const double ms = 5 + 0.2 * n;
  return steady(both && n >= 20 ? 900 : off ? ms : 2.5 * ms);
}

Latencies ways(const Place& at) {
  const bool internal = at.is("place", "internal");
  const double n = at.services();
  if (at.balancer()) return steady(internal ? 0.17 : 8);
  if (internal) return steady(1 + 0.3 * n);
  if (n <= 10) return steady(9 + 0.3 * n - (n < 10 ? 2 : 0));
  if (n <= 40) return steady(15);
  return steady(static_cast<int>(n) % 20 == 0 ? 26 : 39);
}

Latencies containers(const Place& at) {
  return steady(at.is("place", "external hosts") ? 5 : at.is("place", "a container each") ? 1.1 : 1);
}

Latencies repliers(const Place& at) {
  return steady(at.is("way", "Redis Streams") || at.is("way", "N2NQ") ? 0.5 : at.is("way", "HTTP fresh") ? 1.6 : 0.7);
}

double gib(const Place& at) {
  return at.is("memory", "4GiB") ? 4 : at.is("memory", "1GiB") ? 1 : 2;
}

Latencies resources(const Place& at) {
  return {.trimmed = 0.5, .turnaround = 4 + 10 / at.number("processors") + 10 / gib(at)};
}

bool is_tls(const Place& at) {
  return at.is("connection", "WebSocket TLS") || at.is("connection", "HTTP fresh TLS") ||
         at.is("connection", "HTTP keep-alive TLS");
}

bool is_large(const Place& at) {
  return at.is("request size", "100kB");
}

// In round trips of a network of 10 ms.
Latencies pings(const Place& at) {
  const bool fresh = at.is("connection", "HTTP fresh TLS") || at.is("connection", "HTTP fresh plain");
  const double trips = fresh ? (is_tls(at) ? 3 : 2) + (is_large(at) ? 2 : 0) : is_large(at) ? 1.2 : 1.1;
  return {.trimmed = 10 * trips, .p99 = 10 * trips * (fresh ? 2 : 1.1), .network = 10, .tcp = 10.5};
}

// Over a long way, where TCP begins slowly again.
Latencies day(const Place& at) {
  return {.trimmed = at.is("request size", "1kB") ? 10.0 : at.is("interval", "400ms") ? 40.0 : 20.0, .scatter = 0.25};
}

bool at_most_once(const Place& at) {
  return at.is("guarantee", "at most once");
}

// In milliseconds and messages a second, as the study's tables have them.
Latencies rabbits(const Place& at) {
  const double queues = at.number("queues");
  const double rate = (at_most_once(at) ? 11'000.0 : 4'200.0) * (1 - 0.007 * queues);
  const double ms = (at_most_once(at) ? 190.0 : 440.0) * queues;
  return {.trimmed = ms, .rate = rate, .written = 20, .busy = at_most_once(at) ? 40.0 : 60.0};
}

Latencies kafkas(const Place& at) {
  if (at.is("setting", "no compression")) return {.rate = 50'000, .written = 500};
  if (at.is("setting", "flush after 1")) return {.rate = 50'000, .written = 700};
  return {.rate = at.is("setting", "linger 10 ms") ? 300'000.0 : 250'000.0, .written = 100};
}

Latencies two_buses(const Place& at) {
  if (at.is("bus", "Kafka, at most once") || at.is("bus", "Kafka, at least once"))
    return {.trimmed = 100, .rate = 250'000, .written = 100, .busy = 30};
  if (at.is("bus", "Kafka, exactly once"))
    return {.trimmed = 150, .p95 = 226, .rate = 200'000, .written = 100, .busy = 30};
  return {.trimmed = 300, .rate = 12'000, .written = 20, .busy = 60};
}

// At 50 times the study's rates, as its campaign has them.
Latencies queues(const Place& at) {
  const auto is = [&at](const char* label) { return at.is("system", label); };
  const bool table = is("service B, 12 servers") || is("transformer, 12 servers") || is("transformer, 6 servers");
  const double service = (is("service B, 12 servers")          ? 4854.0
                          : table                              ? 1701.0
                          : is("8 partitions, faster service") ? 391.0
                                                               : 694.0) /
                         50;
  const double waiting = (table                                                   ? 10.0
                          : is("8 partitions") || is("16 partitions, 2 a server") ? 4210.0
                          : is("16 partitions, 3 on one server")                  ? 80'000.0
                          : is("8 queues, the shortest")                          ? 500.0
                          : is("7 partitions")                                    ? 32'640.0
                                                                                  : 364.0) /
                         50;
  return {.waiting = waiting, .in_system = waiting + service, .arrivals = table ? 49.5 : 494.5};
}

Latencies hot_keys(const Place& at) {
  const bool hot = at.is("system", "Kafka, 8 partitions, hot key") || at.is("system", "Kafka, 20 partitions, hot key");
  const double waiting = hot ? 300 : at.is("system", "Kafka, 8 partitions, equal keys") ? 84 : 7.5;
  return {.waiting = waiting, .in_system = waiting + 13.9, .arrivals = 494.5};
}

// The world of the study but for where `otherwise` says so.
World but(const World& world, std::function<void(const Place&, Latencies&)> otherwise) {
  return [world, otherwise](const Place& at) {
    Latencies is = world(at);
    otherwise(at, is);
    return is;
  };
}

World factor(const World& world, std::function<double(const Place&)> by) {
  return but(world, [by](const Place& at, Latencies& is) { is.trimmed *= by(at); });
}

double growth(const Place& at) {
  return 1 + at.services() / 10;
}

void add_early_cases(std::map<std::string, World>& all) {
  all["1-larger-is-slower"] = factor(sizes, [](const Place& at) { return size_kb(at) == 16 ? 0.3 : 1; });
  all["1-4kb-above-8kb"] = factor(sizes, [](const Place& at) { return size_kb(at) == 4 ? 0.3 : 1; });
  all["1-4kb-slowest-at-50"] = all["1-4kb-above-8kb"];
  all["1-linear-in-size"] = [](const Place& at) { return steady(5 + 0.01 * size_kb(at) * size_kb(at) * size_kb(at)); };
  all["2-amount-does-not-matter"] = factor(messages, [](const Place& at) { return 1 + at.number("messages") / 50; });
  all["2-amount-does-not-make-steadier"] = but(messages, [](const Place& at, Latencies& is) {
    if (at.number("messages") < 2) is.scatter = 5;
  });
  all["3-external-steady-below-50"] = factor(delays, [](const Place& at) { return 1 + 500 / at.number("delay"); });
  const World calm = but(delays, [](const Place& at, Latencies& is) {
    if (!at.balancer()) is.trimmed = 1 + at.services();
  });
  all["3-external-collapse"] = calm;
  all["3-internal-collapse"] = calm;
  all["3-internal-collapse-is-worse"] = calm;
  for (const char* id : {"3-balancer-external-steady-over-services", "3-balancer-internal-steady"})
    all[id] = factor(delays, growth);
  all["3-balancer-external-steady-over-delay"] =
      factor(delays, [](const Place& at) { return 1 + 500 / at.number("delay"); });
  all["3-balancer-external-figure"] = all["3-balancer-internal-figure"] =
      factor(delays, [](const Place& at) { return at.balancer() ? 0.1 : 1; });
  all["3-balancer-internal-below"] =
      factor(delays, [](const Place& at) { return at.balancer() && at.services() > 90 ? 2 : 1; });
  all["3-balancer-is-faster"] = [](const Place&) { return steady(3); };
  all["3-internal-is-faster-with-few"] =
      factor(delays, [](const Place& at) { return at.is("place", "internal") ? 200 : 1; });
}

void add_growing(std::map<std::string, World>& all) {
  all["4-more-senders-matter-little"] = factor(growing, growth);
  for (const char* id : {"4-receivers-linear", "4-both-linear"})
    all[id] = [](const Place& at) { return steady(10 + 0.01 * at.services() * at.services()); };
  const World alike = [](const Place&) { return steady(10); };
  all["4-receivers-cost-more"] = all["4-both-above-receivers"] = alike;
  all["4-balancer-receivers-rise-past-80"] = all["4-balancer-is-faster"] = alike;
  all["4-balancer-steady"] = all["4-balancer-receivers-steady-to-80"] = factor(growing, growth);
}

void add_places(std::map<std::string, World>& all) {
  const World alike = [](const Place&) {
    return Latencies{.trimmed = 10, .p90 = 12, .p95 = 13, .max = 15, .spikes = 14};
  };
  for (const char* id : {"5-receivers-inside-up-to-10", "5-balancer-all-inside-is-best",
                         "5-balancer-all-outside-is-worst", "5-balancer-is-faster", "5-highest-twentieth-shoots-up",
                         "5-spikes-grow-with-services", "5-internal-departs-from-p90-on", "5-spikes-above-350ms"})
    all[id] = alike;
  all["5-place-of-senders-matters-little"] = factor(places, [](const Place& at) {
    return at.is("place", "senders external") || at.is("place", "both external") ? 3 : 1;
  });
  all["5-balancer-sides-alike"] =
      factor(places, [](const Place& at) { return at.is("place", "receivers external") ? 3 : 1; });
  all["5-balancer-steady"] = factor(places, growth);
  all["5-spikes-are-alike"] = but(places, [](const Place& at, Latencies& is) {
    if (at.is("place", "both internal")) is.spikes += 40;
  });
  all["5-spikes-at-the-start"] = but(places, [](const Place&, Latencies& is) { is.spike_late = true; });
}

void add_late_cases(std::map<std::string, World>& all) {
  for (const char* id : {"6-requests-double", "6-responses-double", "6-balancer-slightly-slower",
                         "6-broadcaster-collapse", "6-balancer-collapse"})
    all[id] = [](const Place& at) { return steady(5 + 0.2 * at.services()); };
  all["6-linear"] = [](const Place& at) { return steady(5 + 0.01 * at.services() * at.services()); };
  all["6-balancer-no-steady-growth"] = factor(options, growth);
  const World alike = [](const Place&) { return steady(2); };
  for (const char* id :
       {"7-balancer-is-faster-external", "7-balancer-is-faster-internal", "7-pinned-rises-to-20",
        "7-pinned-level-to-40", "7-pinned-beyond-40", "7-pinned-erratic-past-20", "7-pinned-linear-internal"})
    all[id] = alike;
  for (const char* id : {"7-balancer-steady-external", "7-balancer-steady-internal"}) all[id] = factor(ways, growth);
}

void add_studies(std::map<std::string, World>& all) {
  const World alike = [](const Place&) { return Latencies{.trimmed = 1, .p99 = 2, .network = 0.5, .tcp = 0.4}; };
  for (const char* id :
       {"002-bus-is-faster-than-http", "002-own-bus-is-faster-than-http", "002-connections-are-a-reason",
        "002-about-a-millisecond", "003-websocket-1kb-tls", "003-websocket-1kb-plain", "003-websocket-100kb-tls",
        "003-websocket-100kb-plain", "003-websocket-slowest", "003-websocket-is-more-regular",
        "003-tls-costs-fresh-much", "003-any-connection-that-stays", "003-tcp-above-network"})
    all[id] = alike;
  const World even = [](const Place&) { return Latencies{.trimmed = 10, .rate = 1'000, .written = 300}; };
  for (const char* id : {"001-rabbitmq-at-most-once-carries-more", "001-rabbitmq-at-most-once-is-sooner",
                         "001-rabbitmq-queues-cost-messages", "001-rabbitmq-queues-cost-time",
                         "001-rabbitmq-hardly-writes", "001-kafka-snappy-carries-more", "001-kafka-snappy-writes-less",
                         "001-kafka-linger-helps", "001-kafka-flushing-costs-messages", "001-kafka-carries-more",
                         "001-rabbitmq-writes-less", "001-exactly-once-waits-for-its-transaction"})
    all[id] = even;
  all["001-kafka-flushing-writes-more"] =
      but(kafkas, [](const Place& at, Latencies& is) { is.written = at.is("setting", "flush after 1") ? 100 : 500; });
  all["001-kafka-is-sooner"] = all["001-rabbitmq-takes-more-processor"] =
      but(two_buses, [](const Place&, Latencies& is) {
        is.trimmed = 1e4 / is.trimmed;
        is.busy = 90 - is.busy;
      });
  all["001-rabbitmq-acknowledging-takes-processor"] =
      but(rabbits, [](const Place& at, Latencies& is) { is.busy = at_most_once(at) ? 60 : 40; });
  for (const char* id : {"001-rabbitmq-lazy-does-not-matter", "001-rabbitmq-length-does-not-matter"})
    all[id] =
        but(rabbits, [](const Place& at, Latencies& is) { is.rate *= at.is("setting", "fanout, persistent") ? 3 : 1; });
  all["containers-are-as-fast-as-processes"] = [](const Place& at) {
    return steady(at.is("place", "a container each") ? 3 : 1);
  };
  all["containers-are-faster-than-hosts"] = [](const Place&) { return steady(1); };
  for (const char* id : {"002-repliers-do-not-matter", "002-repliers-do-not-matter-for-the-slowest"})
    all[id] = [](const Place& at) { return Latencies{.trimmed = at.number("repliers"), .p99 = at.number("repliers")}; };
  for (const char* id : {"002-processors-shorten-the-response", "002-memory-shortens-the-response"})
    all[id] = [](const Place&) { return Latencies{.trimmed = 0.5, .turnaround = 5}; };
  all["002-processors-do-not-matter-for-the-bus"] = [](const Place& at) { return steady(4 / at.number("processors")); };
  all["002-memory-does-not-matter-for-the-bus"] = [](const Place& at) { return steady(4 / gib(at)); };
  all["003-tls-costs-websocket-little"] = factor(pings, [](const Place& at) { return is_tls(at) ? 2 : 1; });
  all["003-size-costs-websocket-little"] = factor(pings, [](const Place& at) { return is_large(at) ? 2 : 1; });
  all["003-size-costs-fresh-more"] = [](const Place& at) {
    return steady(is_large(at) && at.is("connection", "WebSocket TLS") ? 10 : 5);
  };
  all["003-day-hour-does-not-matter"] = factor(day, [](const Place& at) { return at.hour() / 4 == 3 ? 2 : 1; });
  all["003-day-interval-costs-small-nothing"] =
      factor(day, [](const Place& at) { return at.is("interval", "400ms") ? 2 : 1; });
  all["003-day-interval-costs-large"] = all["003-day-larger-is-slower"] = [](const Place&) { return steady(10); };
  for (const char* id :
       {"004-one-queue-waits-less", "004-an-idle-server-costs-much", "004-more-partitions-than-servers",
        "004-transformer-is-through-sooner", "004-shortest-queue-beats-partitions", "004-spread-of-partitions-matters",
        "004-kafka-hot-key-fills-its-partition", "004-kafka-partitions-do-not-cool-a-hot-key"})
    all[id] = [](const Place&) { return Latencies{.waiting = 10, .in_system = 20, .arrivals = 400}; };
  for (const char* id : {"004-number-in-the-system", "004-number-in-service-b"})
    all[id] = but(queues, [](const Place&, Latencies& is) { is.in_system *= 4; });
  all["004-twenty-partitions-are-needed"] = all["004-faster-service-makes-up"] = all["004-half-the-servers-do"] =
      but(queues, [](const Place& at, Latencies& is) {
        if (at.is("system", "one queue, 8 servers") || at.is("system", "transformer, 6 servers")) {
          is.waiting *= 5;
          is.in_system *= 5;
        }
      });
  all["004-shortest-queue-comes-near"] = but(queues, [](const Place& at, Latencies& is) {
    if (at.is("system", "8 queues, the shortest")) is.waiting *= 5;
  });
  all["004-kafka-equal-keys-need-twenty"] = but(hot_keys, [](const Place& at, Latencies& is) {
    if (at.is("system", "one queue, 8 servers")) is.waiting *= 5;
  });
  all["004-waiting-is-comparable"] = but(queues, [](const Place& at, Latencies& is) {
    if (at.is("system", "transformer, 6 servers")) is.waiting = 20;
  });
  all["003-application-above-tcp"] = but(pings, [](const Place&, Latencies& is) { is.tcp = 20; });
}

}  // namespace

World world_of(const std::string& study_case) {
  static const std::map<std::string, World> worlds{{"thesis 1", sizes},         {"thesis 2", messages},
                                                   {"thesis 3", delays},        {"thesis 4", growing},
                                                   {"thesis 5", places},        {"thesis 6", options},
                                                   {"thesis 7", ways},          {"thesis containers", containers},
                                                   {"seed 002", repliers},      {"seed 003", pings},
                                                   {"seed 003 day", day},       {"seed 002 resources", resources},
                                                   {"seed 001", two_buses},     {"seed 001 rabbitmq", rabbits},
                                                   {"seed 001 kafka", kafkas},  {"seed 004", queues},
                                                   {"seed 004 kafka", hot_keys}};
  return worlds.at(study_case);
}

const std::map<std::string, World>& other_worlds() {
  static const std::map<std::string, World> all = [] {
    std::map<std::string, World> made;
    add_early_cases(made);
    add_growing(made);
    add_places(made);
    add_late_cases(made);
    add_studies(made);
    return made;
  }();
  return all;
}

}  // namespace n2nq::findings::test
