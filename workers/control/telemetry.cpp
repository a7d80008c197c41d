#include "workers/control/telemetry.h"

namespace n2nq::control {
namespace {

constexpr ServiceColumn kSenderFigures[] = {{"delay_ns", &ServiceRow::delay_ns},
                                            {"lateness_ns", &ServiceRow::lateness_ns}};
constexpr ServiceColumn kReceiverFigures[] = {{"latency_ns", &ServiceRow::latency_ns},
                                              {"scheduled_latency_ns", &ServiceRow::scheduled_latency_ns},
                                              {"latency_p50_ns", &ServiceRow::latency_p50_ns},
                                              {"latency_p99_ns", &ServiceRow::latency_p99_ns}};
constexpr ServiceColumn kRequesterFigures[] = {{"outstanding", &ServiceRow::outstanding},
                                               {"turnaround_ns", &ServiceRow::turnaround_ns}};

struct Columns {
  std::vector<ServiceColumn> all{{"service", &ServiceRow::service}, {"state", &ServiceRow::state}};
  size_t common = 0;  // without those of request-reply

  explicit Columns(Role role) {
    const bool sends = role == Role::sender;
    add_counters(role, false);
    add(sends ? std::span<const ServiceColumn>(kSenderFigures) : kReceiverFigures);
    all.push_back({"last_ns", &ServiceRow::last_ns});
    common = all.size();
    add_counters(role, true);
    if (sends) add(kRequesterFigures);
  }

 private:
  void add(std::span<const ServiceColumn> some) { all.insert(all.end(), some.begin(), some.end()); }
  void add_counters(Role role, bool with_replies) {
    for (const Counter& counter : kCounters)
      if (counter.is_told(role, with_replies)) all.push_back({counter.of(role).text, counter.member});
  }
};

}  // namespace

std::span<const ServiceColumn> columns_of(Role role, bool request_reply) {
  static const Columns kOfSenders(Role::sender), kOfReceivers(Role::receiver);
  const Columns& columns = role == Role::sender ? kOfSenders : kOfReceivers;
  return std::span(columns.all).first(request_reply ? columns.all.size() : columns.common);
}

}  // namespace n2nq::control
