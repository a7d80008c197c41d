#include "app/figures/waiting.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/analysis/batch_means.h"
#include "app/analysis/shortest_queue.h"
#include "app/plan/filter_matrix.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::figures {
namespace {

using Kind = measure::ServiceTime::Kind;

// Where messages wait for their receiver. Shortest: at the one with the fewest. Pinned: each sender's at its own.
// Between: in the queue and at receivers. Unknown: the bus has its own way to choose that.
enum class Line { shared, split, in_turn, shortest, pinned, between, unknown };

// Looking at all pairs of more takes long.
constexpr uint64_t kMostPairs = 1'000'000;

// Of what has come: what part of it each receiver had.
std::vector<double> parts_of(const std::vector<uint64_t>& received) {
  double all = 0;
  for (const uint64_t count : received) all += static_cast<double>(count);
  std::vector<double> parts;
  if (all == 0) return parts;
  for (const uint64_t count : received) parts.push_back(static_cast<double>(count) / all);
  return parts;
}

// By receiver: what part of the arrivals it takes, where each sender's messages go to one receiver alone; else none.
std::vector<double> pinned_parts(const plan::RunPlan& plan) {
  const uint32_t senders = plan.senders.fleet.count, receivers = plan.receivers.fleet.count;
  if (!plan.bus.traits().own_queue || !plan.queue.requests.on || plan.queue.requests.filters.empty() ||
      uint64_t{senders} * receivers > kMostPairs)
    return {};
  const auto matrix = plan::FilterMatrix::from(plan.queue.requests.filters, senders, receivers);
  std::vector<double> parts(receivers, 0);
  for (uint32_t sender = 1; sender <= senders; sender++) {
    uint32_t takers = 0;
    for (uint32_t receiver = 1; receiver <= receivers; receiver++) {
      if (!matrix.wanted(receiver, sender)) continue;
      if (!matrix.size_text(receiver).empty() || !matrix.index_text(receiver).empty()) return {};
      parts[receiver - 1] += 1.0 / senders;
      takers++;
    }
    if (takers != 1) return {};
  }
  return parts;
}

// By what a receiver has messages of its own.
const char* what_pins(const plan::RunPlan& plan) {
  return plan.bus.traits().own_queue ? "senders" : "partitions";
}

// The relay's server writes each message to the next receiver, whatever that has yet to work on.
bool deals_in_turn(const plan::RunPlan& plan) {
  return plan.bus.kind == "relay";
}

Line line_of_queue(const plan::QueuePlan& queue) {
  if (queue.requests.on && queue.mode != plan::Mode::request_reply)
    return queue.requests.at_a_time == 1 && queue.requests.filters.empty() ? Line::shared : Line::between;
  if (queue.policy == plan::Policy::random) return Line::split;
  return queue.policy == plan::Policy::round_robin ? Line::in_turn : Line::shortest;
}

Line line_of(const plan::RunPlan& plan, const std::vector<double>& parts) {
  const plan::QueuePlan& queue = plan.queue;
  if (!parts.empty()) return Line::pinned;
  if (!plan::balances(queue)) return queue.requests.on && !queue.requests.filters.empty() ? Line::between : Line::split;
  if (plan.bus.traits().own_queue) return line_of_queue(queue);
  if (const auto most = plan.bus.most_unserved()) {
    const auto at_once = parse_whole(plan.bus.setting("ack_pending"));  // of all receivers together
    if (at_once && *at_once < plan.receivers.fleet.count) return Line::unknown;
    return *most == 1 ? Line::shared : Line::between;
  }
  if (plan.bus.traits().pushes_at_random) return Line::split;
  return deals_in_turn(plan) ? Line::in_turn : Line::unknown;
}

bool sizes_decide(const plan::RunPlan& plan) {
  return plan.receivers.service_time.by_size() && plan.senders.size_bytes.min != plan.senders.size_bytes.max;
}

bool is_interrupted(const plan::RunPlan& plan) {
  return plan.receivers.come_and_go() || !plan.receivers.pauses.empty();
}

std::string times(uint32_t receivers, const char* one) {
  return std::to_string(receivers) + " x " + one;
}

// Of a mean of independent times, as a part of it; without a spread as if they were exponential.
double error_of(const measure::LatencySummary& times) {
  const double mean = times.mean.value_or(0);
  if (times.count == 0 || mean <= 0) return 0;
  return times.stddev.value_or(mean) / mean / std::sqrt(static_cast<double>(times.count));
}

analysis::MeasuredLoad load_of(const Waiting& waiting, const WaitingSums& sums) {
  return {.load = {.arrivals_per_s = waiting.arrivals_per_s,
                   .services_per_s = waiting.services_per_s,
                   .servers = waiting.receivers},
          .arrivals_error = error_of(sums.delay),
          .services_error = error_of(sums.occupied)};
}

// From the begin of the first batch to the end of the last.
double length_s_of(std::span<const live::WaitingBatch> batches) {
  if (batches.empty()) return 0;
  return static_cast<double>(batches.back().start_ns + batches.back().width_ns - batches.front().start_ns) / 1e9;
}

using Memory = std::function<std::optional<double>(const analysis::QueueLoad&)>;

struct ModelOf {
  std::string name{};
  Line line = Line::split;
  bool exponential = true;  // service times
  analysis::Model model{};
  Memory memory = analysis::split_queues_memory_s;
};

std::vector<ModelOf> models_of(const plan::RunPlan& plan, Line line, const std::vector<double>& parts) {
  const uint32_t receivers = plan.receivers.fleet.count;
  const std::string servers = std::to_string(receivers);
  std::vector<ModelOf> all;
  if (plan::balances(plan.queue)) {
    all.push_back({"M/M/" + servers, Line::shared, true, analysis::shared_queue, analysis::shared_queue_memory_s});
    all.push_back(
        {"M/D/" + servers, Line::shared, false, analysis::shared_queue_fixed, analysis::shared_queue_memory_s});
  }
  all.push_back({times(receivers, "M/M/1"), Line::split, true, analysis::split_queues});
  all.push_back({times(receivers, "M/D/1"), Line::split, false, analysis::split_queues_fixed});
  // In turn queues forget faster than that: gaps between arrivals are more even.
  if (line == Line::in_turn) {
    const std::string erlang = "E" + servers;
    all.push_back({times(receivers, (erlang + "/M/1").c_str()), line, true, analysis::queues_in_turn});
    all.push_back({times(receivers, (erlang + "/D/1").c_str()), line, false, analysis::queues_in_turn_fixed});
  }
  if (line == Line::pinned) {
    const double most = std::ranges::max(parts);
    const Memory memory = [most](const analysis::QueueLoad& load) { return analysis::queue_memory_s(load, most); };
    const std::string by = std::string(", by ") + what_pins(plan);
    all.push_back({times(receivers, ("M/M/1" + by).c_str()), line, true,
                   [parts](const analysis::QueueLoad& load) { return analysis::unequal_queues(load, parts); }, memory});
    all.push_back({times(receivers, ("M/D/1" + by).c_str()), line, false,
                   [parts](const analysis::QueueLoad& load) { return analysis::unequal_queues_fixed(load, parts); },
                   memory});
  }
  return all;
}

void add_model(Waiting& waiting, const ModelOf& one, bool fits, const analysis::MeasuredLoad& measured) {
  const auto prediction = one.model(measured.load);
  if (!prediction) return;
  const double most = waiting.load.high.value_or(waiting.utilisation());
  const auto longest = one.memory(analysis::with_arrivals(measured.load, most / waiting.utilisation()));
  waiting.models.push_back({.name = one.name,
                            .fits_plan = fits,
                            .prediction = *prediction,
                            .waiting_s = *analysis::waiting_reach(one.model, measured),
                            .memory_s = longest.value_or(0)});
}

// Beside the plan's model, which there is none of: messages go to whoever has the fewest that are unanswered.
void add_shortest(Waiting& waiting, const plan::RunPlan& plan, const analysis::QueueLoad& load) {
  if (!plan.queue.responses || plan.receivers.service_time.kind != Kind::exponential) return;
  if (const auto prediction = analysis::shortest_queue(load))
    waiting.models.push_back({.name = "shortest of " + times(waiting.receivers, "M/M/1"),
                              .prediction = *prediction,
                              .waiting_s = {.low = prediction->waiting_s, .high = prediction->waiting_s}});
}

double beside_mean(const std::vector<double>& parts) {
  return parts.empty() ? 1 : std::ranges::max(parts) * static_cast<double>(parts.size());
}

// The busiest receiver decides whether the load can be served: of the others' the mean says less.
analysis::Reach load_reach(const analysis::MeasuredLoad& load, double beside_mean) {
  analysis::Reach reach = analysis::utilisation_reach(load);
  if (reach.high && *reach.high * beside_mean >= 1) reach.high.reset();
  return reach;
}

void add_models(Waiting& waiting, const WaitingSums& sums, Line line, const std::vector<double>& parts) {
  const plan::RunPlan& plan = sums.plan;
  const analysis::MeasuredLoad load = load_of(waiting, sums);
  waiting.beside_mean = beside_mean(parts);
  if (waiting.arrivals_per_s > 0 && waiting.services_per_s > 0) waiting.load = load_reach(load, waiting.beside_mean);
  const bool exponential = plan.receivers.service_time.kind == Kind::exponential;
  for (const ModelOf& one : models_of(plan, line, parts)) {
    const bool fits = line == one.line && exponential == one.exponential && !plan.senders.shape.exists() &&
                      !sizes_decide(plan) && !plan.receivers.shared_limit.exists() && !is_interrupted(plan);
    add_model(waiting, one, fits, load);
  }
  if (line == Line::shortest) add_shortest(waiting, plan, load.load);
  // Messages arrive in all queues of a broadcaster at the same time: how often all are empty is not known.
  if (line == Line::split && !plan::balances(plan.queue) && waiting.receivers > 1)
    for (WaitingModel& model : waiting.models) model.prediction.empty_probability.reset();
}

std::string percent(double part) {
  return text::count(std::llround(part * 100)) + " %";
}

// For one that has an interval.
std::string too_short_text(const Waiting& waiting) {
  const bool uneven = waiting.beside_mean > 1;
  const std::string busy = percent(waiting.utilisation() * waiting.beside_mean) + " busy";
  if (!waiting.load.high)
    return std::string("too short for its load: ") + (uneven ? "its busiest queue" : "it") + " was " + busy +
           ", and by chance may have been " + percent(waiting.load.low * waiting.beside_mean) +
           " or an overload; run it for much longer";
  const std::string remembers = (uneven ? "its busiest queue, " + busy + "," : "a queue that is " + busy) +
                                " remembers for up to " + text::duration(waiting.fitting()->memory_s * 1e9);
  if (waiting.length_s < waiting.needed_s())
    return "too short for its load: " + remembers + "; run it for " +
           text::duration(std::ceil(waiting.needed_s()) * 1e9) + " plus warm-up";
  return "too short for its load: " + remembers + ", and longer in this run; run it for much longer";
}

// Of how messages come to a receiver.
void add_line_caveats(Waiting& waiting, const plan::RunPlan& plan, Line line, const std::vector<double>& parts) {
  const plan::QueuePlan& queue = plan.queue;
  auto& caveats = waiting.caveats;
  if (line == Line::unknown)
    caveats.push_back(
        std::string(plan.bus.traits().title) +
        " has its own way to choose who gets a message, which is neither one shared queue nor at random nor in turn: "
        "no model here is of this plan");
  const auto most = plan.bus.most_unserved();
  const bool filtered = plan.bus.traits().own_queue && !queue.requests.filters.empty();
  if (line == Line::between && !filtered)
    caveats.push_back((most ? "a receiver may have " + text::count(static_cast<int64_t>(*most)) +
                                  " messages that it has not worked on"
                            : "receivers ask for " + std::to_string(queue.requests.at_a_time) + " at a time") +
                      ": neither one shared queue (that takes 1) nor pushed at random");
  if (line == Line::between && filtered)
    caveats.push_back("with filters not every receiver takes every message: theory does not cover that");
  if (line == Line::shortest)
    caveats.push_back(queue.responses ? "messages go to the receiver with the fewest: no formula is known, and what is "
                                        "computed is of a queue that knows at once who has finished"
                                      : "without responses the queue does not know what receivers have yet to work on: "
                                        "no model here is of this plan");
  if (line != Line::pinned) return;
  const auto busiest = std::ranges::max_element(parts);
  const double busy = waiting.utilisation() * waiting.beside_mean;
  if (busy >= 1 && !waiting.overloaded())
    caveats.push_back("receiver " + std::to_string(busiest - parts.begin() + 1) + " is offered " + percent(busy) +
                      " of its capacity by its " + what_pins(plan) + ": its waiting grows as long as the run lasts");
}

void add_caveats(Waiting& waiting, const WaitingSums& sums, Line line, const std::vector<double>& parts) {
  const plan::RunPlan& plan = sums.plan;
  auto& caveats = waiting.caveats;
  if (plan.senders.shape.exists())
    caveats.push_back("the asked rate changes with the load shape: theory is of one rate, the mean");
  else if (plan::mean_delay_ns(plan) == 0)
    caveats.push_back(plan::closed_loop(plan) > 0
                          ? "requests follow replies (closed loop), not a rate: theory does not apply"
                          : "senders without a delay have no rate: theory does not apply");
  if (plan::mean_delay_ns(plan) > 0 && plan.senders.pacing == plan::Pacing::fixed)
    caveats.push_back("arrivals are not Poisson, as senders use a fixed delay: less waiting than theory predicts");
  add_line_caveats(waiting, plan, line, parts);
  if (sizes_decide(plan))
    caveats.push_back("service times follow the sizes of messages: neither fixed nor exponential");
  if (plan.receivers.shared_limit.exists())
    caveats.push_back("receivers share a limit, and wait for it as well as for messages: no model covers this plan");
  if (is_interrupted(plan))
    caveats.push_back(plan.receivers.come_and_go() ? "receivers come and go: theory is of as many all the time"
                                                   : "receivers pause: theory is of some that always take");
  if (plan.receivers.service_time.computes)
    caveats.push_back(
        "receivers compute: more of them than there are free cores hold each other up, which theory does not cover");
  if (plan.receivers.fleet.held.cpu_thousandths > 0)
    caveats.push_back("receivers.cpus holds their processes: one that has used its part stands still for a while");
  if (waiting.messages == 0) return;  // it has not been run
  if (!sums.rate_reached) caveats.push_back("the senders did not keep to their schedule");
  if (sums.expired > 0) caveats.push_back("expired messages also waited, and are not in the mean");
  if (!waiting.low_ns)
    caveats.push_back("too short for a confidence interval; run it for a few seconds");
  else if (waiting.too_short())
    caveats.push_back(too_short_text(waiting));
  else if (!waiting.independent)
    caveats.push_back("too short for its load: the true interval is wider than the one drawn; run it for longer");
}

// What the sums say of the load, and what theory says of that.
void add_theory(Waiting& waiting, const WaitingSums& sums) {
  const plan::RunPlan& plan = sums.plan;
  const double delay_ns = sums.delay.mean.value_or(0);
  if (plan::mean_delay_ns(plan) > 0 && delay_ns > 0) waiting.arrivals_per_s = plan.senders.fleet.count * 1e9 / delay_ns;
  const std::vector<double> parts = sums.received.empty() ? pinned_parts(plan) : parts_of(sums.received);
  const Line line = line_of(plan, parts);
  // Every receiver has a queue of its own, in which every message arrives; with filters it is not known how many do.
  if (!plan::balances(plan.queue) && line != Line::pinned)
    waiting.arrivals_per_s *= line == Line::split ? waiting.receivers : 0;
  const double occupied_ns = sums.occupied.mean.value_or(0);
  if (occupied_ns > 0) waiting.services_per_s = 1e9 / occupied_ns;
  add_models(waiting, sums, line, parts);
  add_caveats(waiting, sums, line, parts);
}

std::string overload_text(const Waiting& waiting) {
  return "receivers are offered " + percent(waiting.utilisation()) +
         " of their capacity, so waiting grows as long as the run lasts";
}

std::vector<uint64_t> received_by_chance(const RunView& run) {
  std::vector<uint64_t> received;
  if (!plan::balances(run.plan().queue) || !run.plan().bus.deals_by_chance()) return received;
  for (const live::ServiceFigures& receiver : run.services(Role::receiver))
    if (receiver.number > 0) received.push_back(control::whole(receiver.count));
  return received;
}

}  // namespace

WaitingSums waiting_sums_of(const RunView& run) {
  return {.plan = run.plan(),
          .waiting = run.summary(Latency::waiting),
          .service = run.summary(Latency::service),
          .in_system = run.summary(Latency::in_system),
          .handover = run.summary(Latency::handover),
          .occupied = run.summary(Latency::occupied),
          .delay = run.summary(Latency::delay),
          .batches = run.waiting_batches(),
          .rate_reached = run.rate_reached(),
          .expired = run.totals().expired,
          .received = received_by_chance(run)};
}

std::optional<Waiting> waiting_of(const record::RunRecord& record) {
  return waiting_of(waiting_sums_of(RecordView(record)));
}

double Waiting::utilisation() const {
  return services_per_s > 0 ? arrivals_per_s / services_per_s / receivers : 0;
}

const WaitingModel* Waiting::fitting() const {
  const auto at = std::ranges::find_if(models, &WaitingModel::fits_plan);
  return at == models.end() ? nullptr : &*at;
}

double Waiting::predicted_low_ns(const WaitingModel& model) const {
  return std::max(model.waiting_s.low, 0.0) * 1e9 + handover_ns;
}

std::optional<double> Waiting::predicted_high_ns(const WaitingModel& model) const {
  return model.waiting_s.high ? std::optional(*model.waiting_s.high * 1e9 + handover_ns) : std::nullopt;
}

double Waiting::needed_s() const {
  const WaitingModel* model = fitting();
  return model == nullptr ? 0 : kFewestMemories * model->memory_s;
}

bool Waiting::too_short() const {
  return fitting() != nullptr && (!low_ns || !high_ns || !independent || !load.high || length_s < needed_s());
}

std::optional<bool> Waiting::agrees() const {
  const WaitingModel* model = fitting();
  if (model == nullptr || too_short()) return std::nullopt;
  const double predicted = predicted_ns(*model);
  const double apart = std::abs(predicted - mean_ns);
  if (predicted > mean_ns) return apart <= std::hypot(*high_ns - mean_ns, predicted - predicted_low_ns(*model));
  const auto high = predicted_high_ns(*model);
  return !high || apart <= std::hypot(mean_ns - *low_ns, *high - predicted);
}

std::optional<Waiting> waiting_of(const WaitingSums& sums) {
  const plan::RunPlan& plan = sums.plan;
  if (!plan.receivers.service_time.exists() || sums.waiting.count == 0) return std::nullopt;
  Waiting waiting{.messages = sums.waiting.count,
                  .mean_ns = sums.waiting.mean.value_or(0),
                  .service_ns = sums.service.mean.value_or(0),
                  .in_system_ns = sums.in_system.mean.value_or(0),
                  .handover_ns = sums.handover.mean.value_or(0),
                  .receivers = plan.receivers.fleet.count,
                  .length_s = length_s_of(sums.batches)};
  std::vector<analysis::Batch> batches;
  for (const live::WaitingBatch& batch : sums.batches)
    batches.push_back({.count = static_cast<double>(batch.count), .sum = batch.sum_ns});
  if (const auto mean = analysis::batch_mean(batches)) {
    // About the mean of all messages, which has those of the last moments too.
    waiting.low_ns = waiting.mean_ns - (mean->mean - mean->low);
    waiting.high_ns = waiting.mean_ns + (mean->high - mean->mean);
    waiting.batches = mean->batches;
    waiting.independent = mean->independent;
  }
  add_theory(waiting, sums);
  return waiting;
}

std::optional<Waiting> expected_of(const plan::RunPlan& plan) {
  const double delay_ns = static_cast<double>(plan::mean_delay_ns(plan));
  const SizeRange& size = plan.senders.size_bytes;
  const double service_ns =
      static_cast<double>(plan.receivers.service_time.mean_of(size.min + (size.max - size.min) / 2));
  if (!plan.receivers.service_time.exists() || delay_ns <= 0 || service_ns <= 0) return std::nullopt;
  Waiting waiting{.service_ns = service_ns, .receivers = plan.receivers.fleet.count};
  add_theory(waiting, {.plan = plan, .occupied = {.mean = service_ns}, .delay = {.mean = delay_ns}});
  return waiting;
}

std::optional<uint32_t> fewest_receivers(plan::RunPlan plan, double waiting_ns) {
  for (uint32_t receivers = 1; receivers <= kMostReceiversTried; receivers++) {
    plan.receivers.fleet.count = receivers;
    const auto expected = expected_of(plan);
    const WaitingModel* model = expected ? expected->fitting() : nullptr;
    if (model != nullptr && expected->predicted_ns(*model) <= waiting_ns) return receivers;
  }
  return std::nullopt;
}

std::string expected_text(const Waiting& waiting) {
  if (waiting.overloaded()) return overload_text(waiting);
  const WaitingModel* model = waiting.fitting();
  const std::string busy = "receivers are " + percent(waiting.utilisation()) + " busy";
  if (model == nullptr) {
    std::string text = waiting.arrivals_per_s > 0 ? busy : "";
    add_part(text, "; ", "no model of theory is of this plan");
    return waiting.caveats.empty() ? text : text + ": " + join(waiting.caveats, "; ");
  }
  return "by theory (" + model->name + ") " + busy + " and messages wait " +
         text::duration(waiting.predicted_ns(*model)) +
         (waiting.caveats.empty() ? "" : "; " + join(waiting.caveats, "; "));
}

std::string verdict_text(const Waiting& waiting) {
  if (waiting.arrivals_per_s > 0 && waiting.overloaded())
    return "overloaded: " + overload_text(waiting) + " and theory has no figure";
  const WaitingModel* model = waiting.fitting();
  if (model == nullptr) return "no prediction fits this plan";
  const double predicted_ns = waiting.predicted_ns(*model);
  const std::string says = model->name + " says " + text::duration(predicted_ns);
  // Percentages of next to nothing mean nothing.
  const double off = predicted_ns > 0 ? std::abs(waiting.mean_ns / predicted_ns - 1) : 0;
  const std::string measured = "; measured: " + (predicted_ns > 0 && off < 10 ? percent(off) + " " : "") +
                               (waiting.mean_ns > predicted_ns ? "more" : "less");
  if (waiting.too_short()) return says + measured + ": the run is too short to tell whether that is chance";
  return says + measured + (*waiting.agrees() ? ", within what chance explains" : ", which is not chance") +
         " (95 % confidence)";
}

}  // namespace n2nq::figures
