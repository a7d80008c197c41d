#include "app/results/waiting.h"

#include <algorithm>
#include <cmath>

#include "app/statistics/batch_means.h"
#include "app/text/quantity.h"

namespace n2nq::results {
namespace {

using Kind = measure::ServiceTime::Kind;

// Where messages wait for their receiver.
enum class Line { shared, split, between };

Line line_of(const plan::RunPlan& plan) {
  const plan::QueuePlan& queue = plan.queue;
  if (queue.mode == plan::Mode::broadcaster || !queue.requests.on) return Line::split;
  return queue.requests.at_a_time == 1 && queue.requests.filters.empty() ? Line::shared : Line::between;
}

std::string times(uint32_t receivers, const char* one) {
  return std::to_string(receivers) + " x " + one;
}

void add_model(Waiting& waiting, std::string name, bool fits,
               const std::optional<theory::QueuePrediction>& prediction) {
  if (prediction) waiting.models.push_back({.name = std::move(name), .fits_plan = fits, .prediction = *prediction});
}

void add_models(Waiting& waiting, const plan::RunPlan& plan) {
  const theory::QueueLoad load{
      .arrivals_per_s = waiting.arrivals_per_s, .services_per_s = waiting.services_per_s, .servers = waiting.receivers};
  const bool exponential = plan.receivers.service_time.kind == Kind::exponential;
  const Line line = line_of(plan);
  const std::string servers = std::to_string(load.servers);
  const auto fits = [&](Line of, bool of_exponential) { return line == of && exponential == of_exponential; };
  if (plan.queue.mode == plan::Mode::load_balancer) {
    add_model(waiting, "M/M/" + servers, fits(Line::shared, true), theory::shared_queue(load));
    add_model(waiting, "M/D/" + servers, fits(Line::shared, false), theory::shared_queue_fixed(load));
  }
  add_model(waiting, times(load.servers, "M/M/1"), fits(Line::split, true), theory::split_queues(load));
  add_model(waiting, times(load.servers, "M/D/1"), fits(Line::split, false), theory::split_queues_fixed(load));
}

void add_caveats(Waiting& waiting, const WaitingSums& sums) {
  const plan::RunPlan& plan = sums.plan;
  const plan::QueuePlan& queue = plan.queue;
  auto& caveats = waiting.caveats;
  if (plan.senders.delay_ns == 0)
    caveats.push_back("senders without a delay have no rate: theory says nothing of them");
  else if (plan.senders.pacing == plan::Pacing::fixed)
    caveats.push_back("arrivals are not Poisson, as senders keep a fixed delay: less waits than theory says");
  if (line_of(plan) == Line::between && queue.requests.filters.empty())
    caveats.push_back("receivers ask for " + std::to_string(queue.requests.at_a_time) +
                      " at a time: neither one shared queue (that takes 1) nor pushed at random");
  if (queue.requests.on && !queue.requests.filters.empty())
    caveats.push_back("with filters not every receiver takes every message: theory does not know that");
  if (queue.mode == plan::Mode::load_balancer && !queue.requests.on && queue.policy != plan::Policy::random)
    caveats.push_back("messages are not pushed at random but " + plan::to_text(queue.policy) +
                      ": less waits than theory says of split queues");
  if (!sums.rate_reached) caveats.push_back("the senders did not keep their schedule");
  if (sums.expired > 0) caveats.push_back("messages that expired waited too, and are not in the mean");
  if (waiting.messages > 0 && !waiting.low_ns)
    caveats.push_back("too short for a confidence interval; let it run for a few seconds");
  if (!waiting.independent)
    caveats.push_back("too short for its load: the true interval is wider than the one drawn; let it run for longer");
}

}  // namespace

WaitingSums waiting_sums_of(const RunRecord& record) {
  return {.plan = record.plan,
          .waiting = record.waiting,
          .service = record.service,
          .handover = record.handover,
          .occupied = record.occupied,
          .delay = record.delay,
          .batches = record.waiting_batches,
          .rate_reached = record.rate_reached,
          .expired = record.totals.expired};
}

double Waiting::utilisation() const {
  return services_per_s > 0 ? arrivals_per_s / services_per_s / receivers : 0;
}

const WaitingModel* Waiting::fitting() const {
  const auto at = std::ranges::find_if(models, &WaitingModel::fits_plan);
  return at == models.end() ? nullptr : &*at;
}

std::optional<bool> Waiting::agrees() const {
  const WaitingModel* model = fitting();
  if (model == nullptr || !low_ns || !high_ns) return std::nullopt;
  return predicted_ns(*model) >= *low_ns && predicted_ns(*model) <= *high_ns;
}

std::optional<Waiting> waiting_of(const WaitingSums& sums) {
  const plan::RunPlan& plan = sums.plan;
  if (!plan.receivers.service_time.exists() || sums.waiting.count == 0) return std::nullopt;
  Waiting waiting{.messages = sums.waiting.count,
                  .mean_ns = sums.waiting.mean.value_or(0),
                  .service_ns = sums.service.mean.value_or(0),
                  .handover_ns = sums.handover.mean.value_or(0),
                  .receivers = plan.receivers.fleet.count};
  std::vector<statistics::Batch> batches;
  for (const live::WaitingBatch& batch : sums.batches)
    batches.push_back({.count = static_cast<double>(batch.count), .sum = batch.sum_ns});
  if (const auto mean = statistics::batch_mean(batches)) {
    // About the mean of all messages, which has those of the last moments too.
    waiting.low_ns = waiting.mean_ns - (mean->mean - mean->low);
    waiting.high_ns = waiting.mean_ns + (mean->high - mean->mean);
    waiting.batches = mean->batches;
    waiting.independent = mean->independent;
  }
  const double delay_ns = sums.delay.mean.value_or(0);
  if (plan.senders.delay_ns > 0 && delay_ns > 0) waiting.arrivals_per_s = plan.senders.fleet.count * 1e9 / delay_ns;
  // Every receiver has a queue of its own, in which every message arrives.
  if (plan.queue.mode == plan::Mode::broadcaster) waiting.arrivals_per_s *= waiting.receivers;
  const double occupied_ns = sums.occupied.mean.value_or(0);
  if (occupied_ns > 0) waiting.services_per_s = 1e9 / occupied_ns;
  add_models(waiting, plan);
  add_caveats(waiting, sums);
  return waiting;
}

std::string verdict_text(const Waiting& waiting) {
  if (waiting.arrivals_per_s > 0 && waiting.overloaded())
    return "overloaded: receivers are given " + text::count(std::llround(waiting.utilisation() * 100)) +
           " % of what they can serve, so that waiting grows as long as the run lasts and theory has no figure";
  const WaitingModel* model = waiting.fitting();
  if (model == nullptr) return "no prediction is that of this plan";
  const double predicted_ns = waiting.predicted_ns(*model);
  const std::string says = model->name + " says " + text::duration(predicted_ns);
  const auto agrees = waiting.agrees();
  if (!agrees) return says;
  if (*agrees) return says + ", within the confidence interval of what was measured";
  const double off = std::abs(waiting.mean_ns / predicted_ns - 1) * 100;
  return says + "; measured was " + text::count(std::llround(off)) + " % " +
         (waiting.mean_ns > predicted_ns ? "more" : "less") + ", and that is not by chance";
}

}  // namespace n2nq::results
