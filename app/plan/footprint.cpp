#include "app/plan/footprint.h"

#include <algorithm>
#include <cmath>

namespace n2nq::plan {
namespace {

// For a message at one service: its lines in log and master file, apart from its content.
constexpr double kLineBytes = 220;
constexpr double kMostContent = 256;     // of a longer one a log has less than that
constexpr double kServiceBytes = 2'000;  // the head of its log, its row in the store
constexpr double kRunBytes = 200'000;    // histograms, series, notes, journal
// For its HdrHistogram log: a second without deliveries, what each adds at most, and a second with all there may be.
constexpr double kQuietSecondBytes = 400;
constexpr double kDeliveryBytes = 24;
constexpr double kBusySecondBytes = 24'000;

double copies_of(const RunPlan& plan) {
  return balances(plan.queue) ? 1 : plan.receivers.fleet.count;
}

double bytes_of_interval_log(const RunPlan& plan, std::optional<double> messages) {
  const auto planned_ns = planned_duration_ns(plan);
  const double seconds = std::ceil(static_cast<double>(planned_ns.value_or(0)) / 1e9);
  if (!messages) return seconds * kBusySecondBytes;
  const double of_deliveries = *messages * copies_of(plan) * kDeliveryBytes;
  if (!planned_ns) return of_deliveries;
  return seconds * kQuietSecondBytes + std::min(of_deliveries, seconds * kBusySecondBytes);
}

}  // namespace

// Of the times of a Poisson process so many are hardly ever exceeded.
std::optional<double> most_messages(const RunPlan& plan) {
  if (const auto planned = planned_messages(plan)) return static_cast<double>(*planned);
  const SenderPlan& senders = plan.senders;
  const auto delay_ns = static_cast<double>(mean_delay_ns(plan));
  if (!senders.fleet.attach.empty() || delay_ns <= 0) return std::nullopt;
  const double each = static_cast<double>(planned_duration_ns(plan).value_or(0)) / delay_ns + 1;
  const double spread = senders.pacing == Pacing::poisson ? 6 * std::sqrt(each) : 0;
  return (each + spread) * senders.fleet.count;
}

double bytes_per_message(const RunPlan& plan) {
  if (plan.log != LogLevel::full) return 0;
  const auto line = [](const SizeRange& size) {
    return kLineBytes + std::min(static_cast<double>(size.max), kMostContent);
  };
  const double bytes = (1 + copies_of(plan)) * line(plan.senders.size_bytes);
  return asks_for_replies(plan) ? bytes + 2 * copies_of(plan) * line(plan.receivers.reply_bytes) : bytes;
}

double most_bytes(const RunPlan& plan, std::optional<double> messages) {
  const double services = static_cast<double>(plan.senders.fleet.count) + plan.receivers.fleet.count;
  return kRunBytes + services * kServiceBytes + bytes_of_interval_log(plan, messages) +
         messages.value_or(0) * bytes_per_message(plan);
}

}  // namespace n2nq::plan
