#include "workers/control/telemetry.h"

namespace n2nq::control {
namespace {

constexpr ServiceColumn kSenderColumns[] = {{"service", &ServiceRow::service},
                                            {"state", &ServiceRow::state},
                                            {"sent", &ServiceRow::sent},
                                            {"accepted", &ServiceRow::accepted},
                                            {"bytes", &ServiceRow::bytes},
                                            {"delay_ns", &ServiceRow::delay_ns},
                                            {"lateness_ns", &ServiceRow::lateness_ns},
                                            {"log_stalls", &ServiceRow::log_stalls},
                                            {"last_ns", &ServiceRow::last_ns},
                                            {"replies", &ServiceRow::replies},
                                            {"timeouts", &ServiceRow::timeouts},
                                            {"late", &ServiceRow::late},
                                            {"doubles", &ServiceRow::doubles},
                                            {"outstanding", &ServiceRow::outstanding},
                                            {"turnaround_ns", &ServiceRow::turnaround_ns},
                                            {"corrupt", &ServiceRow::corrupt}};
constexpr size_t kOfRequesters = 7;

constexpr ServiceColumn kReceiverColumns[] = {{"service", &ServiceRow::service},
                                              {"state", &ServiceRow::state},
                                              {"received", &ServiceRow::received},
                                              {"bytes", &ServiceRow::bytes},
                                              {"lost", &ServiceRow::lost},
                                              {"duplicates", &ServiceRow::duplicates},
                                              {"reordered", &ServiceRow::reordered},
                                              {"corrupt", &ServiceRow::corrupt},
                                              {"redelivered", &ServiceRow::redelivered},
                                              {"requests", &ServiceRow::requests},
                                              {"responses", &ServiceRow::responses},
                                              {"deliveries", &ServiceRow::deliveries},
                                              {"latency_ns", &ServiceRow::latency_ns},
                                              {"scheduled_latency_ns", &ServiceRow::scheduled_latency_ns},
                                              {"latency_p50_ns", &ServiceRow::latency_p50_ns},
                                              {"latency_p99_ns", &ServiceRow::latency_p99_ns},
                                              {"log_stalls", &ServiceRow::log_stalls},
                                              {"last_ns", &ServiceRow::last_ns},
                                              {"replies", &ServiceRow::replies}};
constexpr size_t kOfRepliers = 1;

}  // namespace

std::span<const ServiceColumn> columns_of(Role role, bool request_reply) {
  const bool sends = role == Role::sender;
  const std::span<const ServiceColumn> all = sends ? std::span<const ServiceColumn>(kSenderColumns) : kReceiverColumns;
  return all.first(all.size() - (request_reply ? 0 : sends ? kOfRequesters : kOfRepliers));
}

}  // namespace n2nq::control
