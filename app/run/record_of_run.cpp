#include "app/run/record_of_run.h"

#include <QFile>
#include <algorithm>
#include <map>
#include <optional>

#include "app/launch/control_client.h"
#include "app/record/had_by_all.h"
#include "app/record/live_record.h"
#include "app/record/machine.h"
#include "app/record/totals.h"
#include "app/run/worker_arguments.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"
#include "workers/control/messages.h"

namespace n2nq::run {
namespace {

using live::ServiceFigures;
using record::RunRecord;
using record::RunTotals;

constexpr size_t kSeriesPoints = 1200;

// What the last telemetry said of the services of a process that left no summary.
ServiceFigures last_words(std::span<const ServiceFigures> services, const Share& share) {
  ServiceFigures sum;
  for (const ServiceFigures& service : services) {
    if (service.number < share.first || service.number >= share.first + share.count) continue;
    sum += service;
  }
  return sum;
}

// By its summary, or if it left none, by its last words.
control::Counts counts_of(const Worker& worker, const live::LiveFigures& live) {
  if (const auto* receiver = worker.receiver_summary()) return receiver->counts;
  const auto* sender = worker.sender_summary();
  if (sender == nullptr)
    return last_words(worker.identity().role == Role::sender ? live.senders() : live.receivers(),
                      worker.identity().share);
  control::Counts counts = sender->counts;
  if (sender->turnaround) counts += sender->turnaround->counts;
  return counts;
}

using Highest = std::map<uint32_t, uint64_t>;

// The last message of each sender that any receiver had, where they tell of it.
Highest highest_of(const WorkerGroup& receivers) {
  Highest highest;
  for (const auto& worker : receivers.workers())
    if (const auto* summary = worker->receiver_summary())
      for (const control::HighestIndex& one : summary->highest)
        highest[one.sender] = std::max(highest[one.sender], one.index);
  return highest;
}

// What receivers had of senders beyond what these have told.
uint64_t more_by_receivers(std::span<const ServiceFigures> senders, const Share& share, const Highest& highest) {
  uint64_t more = 0;
  for (uint32_t number = share.first; number < share.first + share.count; number++) {
    const auto had = highest.find(number);
    if (had == highest.end()) continue;
    const auto told = std::ranges::find(senders, number, &ServiceFigures::number);
    more += had->second - std::min(had->second, told == senders.end() ? 0 : control::whole(told->count));
  }
  return more;
}

void add_senders(RunRecord& record, const WorkerGroup& group, const live::LiveFigures& live, const Highest& highest) {
  RunTotals& totals = record.totals;
  const bool replies = plan::asks_for_replies(record.plan);
  uint64_t refused = 0, unanswered = 0;
  bool all_told = group.started() && record.plan.bus.answers();
  if (replies) record.closed_loop = plan::closed_loop(record.plan);
  for (const auto& worker : group.workers()) {
    control::Counts counts = counts_of(*worker, live);
    const auto* summary = worker->sender_summary();
    all_told = all_told && summary != nullptr && summary->refused && summary->unanswered;
    if (summary != nullptr) {
      refused += summary->refused.value_or(0);
      unanswered += summary->unanswered.value_or(0);
      record::add_clock(record, summary->clock.kind, std::nullopt);
      // The way back has its requester's bound.
      if (replies && summary->turnaround) record::add_clock(record, summary->clock.kind, summary->clock.bound_ns);
      record.rate_reached = record.rate_reached && summary->rate_reached;
    } else {
      const uint64_t more = more_by_receivers(live.senders(), worker->identity().share, highest);
      counts.count += control::to_count(more);
      record.counting.sent_by_receivers += more;
    }
    record::add_counts(totals, Role::sender, counts, replies);
  }
  if (!all_told) return;
  totals.refused = refused;
  totals.unanswered = unanswered;
}

// What the queue took, somebody sent: senders that left no summary may have told of less before their end.
void add_accepted(RunTotals& totals, const Groups& groups) {
  uint64_t sent = 0, accepted = 0;
  bool all_told = true;
  for (const auto& worker : groups.senders.workers()) {
    const auto* summary = worker->sender_summary();
    all_told = all_told && summary != nullptr;
    if (summary == nullptr) continue;
    sent += control::whole(summary->counts.count);
    accepted += control::whole(summary->counts.accepted);
  }
  if (all_told) return;
  for (const auto& worker : groups.broker.workers()) {
    const auto* queue = worker->broker_summary();
    if (queue == nullptr || queue->accepted < accepted) continue;
    totals.accepted = std::max(totals.accepted, queue->accepted);
    totals.sent = std::max(totals.sent, sent + queue->accepted - accepted);
  }
}

void add_receivers(RunRecord& record, const WorkerGroup& group, const live::LiveFigures& live) {
  RunTotals& totals = record.totals;
  std::map<uint32_t, record::LossRecord> losses;
  bool all_told = group.started();
  bool all_tallied = group.started();
  uint64_t expected = 0;
  uint64_t lost = 0;
  uint64_t refused = 0, unanswered = 0, unsent = 0;
  for (const auto& worker : group.workers()) {
    const auto* summary = worker->receiver_summary();
    all_told = all_told && summary != nullptr && summary->expected && summary->lost;
    all_tallied = all_tallied && summary != nullptr && summary->unsent;
    record::add_counts(totals, Role::receiver, counts_of(*worker, live), false);
    if (summary == nullptr) continue;
    totals.expired += summary->expired;
    totals.undeliverable += summary->undeliverable;
    // Its bound has the senders' in it: there is one also where its own clock is the queue's.
    record::add_clock(record, summary->clock.kind, summary->clock.bound_ns);
    expected += summary->expected.value_or(0);
    lost += summary->lost.value_or(0);
    refused += summary->refused_received.value_or(0);
    unanswered += summary->unanswered_received.value_or(0);
    unsent += summary->unsent.value_or(0);
    for (const control::LossFigures& loss : summary->losses) {
      record::LossRecord& sum = losses[loss.sender];
      sum.sender = loss.sender;
      sum.expired += loss.expired;
      sum.undeliverable += loss.undeliverable;
    }
  }
  if (all_told) {
    totals.expected = expected;
    totals.lost = lost;
  }
  if (all_tallied) {
    totals.refused_received = refused;
    totals.unanswered_received = unanswered;
    totals.unsent = unsent;
  }
  for (const auto& [sender, loss] : losses) record.losses.push_back(loss);
}

// Where another bus chose the receivers: what they say of their messages, put together.
std::optional<record::HadByAll> had_by_all(const WorkerGroup& receivers) {
  std::vector<const control::ReceiverSummary*> summaries;
  for (const auto& worker : receivers.workers()) summaries.push_back(worker->receiver_summary());
  return record::had_by_all(summaries);
}

// No receiver of a load balancer is told what nobody took: the queue alone knows, or all of them together.
void add_untaken(RunRecord& record, const Groups& groups) {
  RunTotals& totals = record.totals;
  for (const auto& worker : groups.broker.workers()) {
    const auto* summary = worker->broker_summary();
    if (summary == nullptr || !totals.lost || !totals.expected) continue;
    if (summary->untaken) {
      if (const auto had = had_by_all(groups.receivers)) {
        totals.received = had->distinct + totals.unsent.value_or(0);
        totals.duplicates += had->doubled;
        totals.lost = untaken_accepted(totals, had->sent - std::min(had->sent, had->distinct));
        totals.expected = had->distinct + *totals.lost;
        continue;
      }
      record.counting.copies_unknown = groups.receivers.workers().size() > 1;
    }
    const uint64_t expired = summary->expired - std::min(summary->expired, totals.expired);
    const uint64_t undeliverable = summary->undeliverable - std::min(summary->undeliverable, totals.undeliverable);
    totals.expired += expired;
    totals.undeliverable += undeliverable;
    const uint64_t untaken = expired + undeliverable + untaken_accepted(totals, summary->untaken.value_or(0));
    *totals.lost += untaken;
    *totals.expected += untaken;
  }
}

// Of a process that left no summary, what its telemetry said last.
void add_wires(RunRecord& record, const live::LiveFigures& live) {
  for (record::ProcessRecord& process : record.processes) {
    if (process.wire_sent_bytes || process.role == Role::broker) continue;
    const auto& workers = live.workers();
    const auto worker = std::ranges::find_if(workers, [&process](const live::WorkerFigures& one) {
      return one.role == process.role && one.first_service == process.first_service;
    });
    if (worker != workers.end() && worker->process.wire) record::set_wire(process, *worker->process.wire);
  }
  const bool directly = !record.plan.bus.has_path();
  std::optional<uint64_t> bytes, connections;
  for (const record::ProcessRecord& process : record.processes) {
    if (process.role == Role::broker || (directly && process.role == Role::receiver)) continue;
    if (!process.wire_sent_bytes || !process.wire_received_bytes || !process.connections) return;
    bytes = bytes.value_or(0) + *process.wire_sent_bytes + *process.wire_received_bytes;
    connections = connections.value_or(0) + *process.connections;
  }
  record.totals.wire_bytes = bytes;
  record.totals.connections = connections;
}

// Each once, as long as workers may be of different versions.
std::string all_said(const Groups& groups, std::optional<std::string> control::BusFacts::* member) {
  std::vector<std::string> said;
  for (const WorkerGroup* group : {&groups.senders, &groups.receivers})
    for (const auto& worker : group->workers()) {
      if (!worker->begin() || !worker->begin()->bus) continue;
      const auto& text = (*worker->begin()->bus).*member;
      if (text && std::ranges::find(said, *text) == said.end()) said.push_back(*text);
    }
  return join(said, ", ");
}

}  // namespace

void fill_record(RunRecord& record, const Groups& groups, const live::LiveFigures& live) {
  add_senders(record, groups.senders, live, highest_of(groups.receivers));
  add_accepted(record.totals, groups);
  add_receivers(record, groups.receivers, live);
  if (plan::balances(record.plan.queue)) add_untaken(record, groups);
  if (record.server.empty()) record.server = all_said(groups, &control::BusFacts::server);
  record.bus_client = all_said(groups, &control::BusFacts::client);
  record::take_figures(record, live);  // of the clock of a process that left no summary, what telemetry said last
  record.series = live.series().points(0, live.series().end_ns(), kSeriesPoints);
  record.processes = records_of(groups);
  add_wires(record, live);
  record.machines = machines_of(groups);
}

std::vector<record::MachineRecord> machines_of(const Groups& groups) {
  std::vector<record::MachineRecord> machines;
  for (const WorkerGroup* group : {&groups.broker, &groups.senders, &groups.receivers, &groups.servers}) {
    for (const auto& worker : group->workers()) {
      if (!worker->ready() || !worker->ready()->machine) continue;
      const std::string place = worker->record().place;
      if (std::ranges::find(machines, place, &record::MachineRecord::place) != machines.end()) continue;
      machines.push_back({.place = place, .facts = record::as_kept(*worker->ready()->machine)});
    }
  }
  return machines;
}

std::vector<std::string> places_beside_queue(const RunRecord& record) {
  std::vector<std::string> places;
  const std::string queue = record::queue_place(record);
  for (const record::MachineRecord& machine : record.machines)
    if (machine.place != queue && record::is_beside_queue(record, machine.place).value_or(false))
      places.push_back(machine.place);
  return places;
}

std::vector<record::ProcessRecord> records_of(const Groups& groups) {
  std::vector<record::ProcessRecord> processes;
  for (const WorkerGroup* group : {&groups.broker, &groups.senders, &groups.receivers, &groups.servers})
    for (const auto& worker : group->workers()) processes.push_back(worker->record());
  return processes;
}

uint64_t untaken_accepted(const RunTotals& totals, uint64_t untaken) {
  const auto not_come = [](std::optional<uint64_t> of, std::optional<uint64_t> came) {
    return of.value_or(0) - std::min(of.value_or(0), came.value_or(0));
  };
  const uint64_t others =
      not_come(totals.refused, totals.refused_received) + not_come(totals.unanswered, totals.unanswered_received);
  return untaken - std::min(untaken, others);
}

ServiceFigures with_totals(ServiceFigures all, const RunTotals& totals) {
  record::take_sums(all, all.role, totals);
  if (all.role == Role::receiver && totals.lost) all.lost = static_cast<int64_t>(*totals.lost);
  return all;
}

namespace {

struct LeftBehind {
  std::vector<control::Telemetry> unheard{};
  std::optional<control::Message> summary{};
};

// Whatever the host has put there: its lines are no longer than on the link, and the last is the summary. Nothing:
// there is none.
Result<LeftBehind> left_in(const std::string& path) {
  constexpr qint64 kLongest = launch::ControlClient::kLongestLine;
  constexpr qint64 kMost = 32 * kLongest;
  QFile file(QString::fromStdString(path));
  LeftBehind left;
  if (!file.exists()) return left;
  if (!file.open(QIODevice::ReadOnly)) return fail(file.errorString().toStdString());
  if (file.size() > kMost) return fail("it is longer than 32 MiB");
  while (!file.atEnd()) {
    if (left.summary) return fail("there is more behind the summary");
    QByteArray line = file.readLine(kLongest + 3);
    if (line.endsWith('\n')) line.chop(1);
    if (line.size() > kLongest) return fail("a line is longer than 1 MiB");
    auto message = control::parse_message(line.trimmed().toStdString());
    if (!message) return fail(message.error().text);
    if (auto* figures = std::get_if<control::Telemetry>(&*message))
      left.unheard.push_back(std::move(*figures));
    else
      left.summary = std::move(*message);
  }
  if (!left.summary) return fail("there is no summary in it");
  return left;
}

// Whether there was one, and if it was of no use, why.
Result<bool> take_summary(Worker& worker, const std::string& path, const TakeTelemetry& take) {
  const auto left = left_in(path);
  if (!left) return std::unexpected(left.error());
  if (!left->summary) return false;
  if (!worker.take_fetched(*left->summary)) return fail("it belongs to another process");
  for (const control::Telemetry& figures : left->unheard)
    if (figures.sequence > worker.heard_sequence()) take(worker, figures);
  return true;
}

// Where all have told to their end, the run is as long as the last of them ran, whenever the bench gave a link up.
void set_length(RunRecord& record, const Groups& groups, const live::LiveFigures& live) {
  const auto told = [](const auto& worker) { return worker->outcome() != nullptr; };
  if (!record.began_utc_ns || !std::ranges::all_of(groups.senders.workers(), told) ||
      !std::ranges::all_of(groups.receivers.workers(), told))
    return;
  record.ended_utc_ns = *record.began_utc_ns + live.now_ns();
}

std::string fate_of_queue(const Worker& worker, const Result<bool>& fetched) {
  const std::string begin = worker.identity().name + ": cut off: ";
  if (fetched && *fetched)
    return begin + "its counts are from the summary that it left on " + worker.identity().share.host + ", " +
           text::count(static_cast<int64_t>(worker.broker_summary()->accepted)) + " accepted";
  return begin + (fetched ? "" : "the summary that it left could not be read: " + fetched.error().text + "; ") +
         "what it knows of the messages is not known here";
}

std::string fate_of(const Worker& worker, const Result<bool>& fetched, const live::LiveFigures& live) {
  const Role role = worker.identity().role;
  if (role == Role::broker) return fate_of_queue(worker, fetched);
  const bool senders = role == Role::sender;
  const auto heard = last_words(senders ? live.senders() : live.receivers(), worker.identity().share).count;
  const std::string verb = senders ? " sent" : " received";
  const std::string begin = worker.identity().name + ": cut off: ";
  if (!fetched || !*fetched)
    return begin + (fetched ? "" : "the summary that it left could not be read: " + fetched.error().text + "; ") +
           "its counts are the last that came over the link, " + text::count(heard) + verb +
           "; there may have been more, and its clock bound is the last it reported";
  const auto all = counts_of(worker, live).count;
  const std::string told = begin + "its counts are from the summary that it left on " + worker.identity().share.host +
                           ", " + text::count(all) + verb;
  if (all <= heard) return told;
  return told + "; " + text::count(all - heard) +
         " of them are in no histogram or chart, as the link was lost before it reported them";
}

}  // namespace

std::vector<std::string> take_fetched_summaries(RunRecord& record, const Groups& groups, const live::LiveFigures& live,
                                                const TakeTelemetry& take) {
  std::vector<std::string> said;
  bool any = false;
  for (const WorkerGroup* group : {&groups.broker, &groups.senders, &groups.receivers}) {
    for (const auto& worker : group->workers()) {
      if (worker->cut_off_ns() == 0 || worker->outcome() != nullptr) continue;
      const Worker::Identity& identity = worker->identity();
      const auto fetched =
          take_summary(*worker, record.folder + "/" + summary_name(identity.role, identity.share.first), take);
      any = any || fetched.value_or(false);
      said.push_back(fate_of(*worker, fetched, live));
    }
  }
  if (!any) return said;
  record.totals = {.planned = record.totals.planned};
  record.counting = {};
  record.losses.clear();
  record.processes.clear();
  record.clock_kind = "same";
  record.clock_bound_ns.reset();
  record.rate_reached = true;
  fill_record(record, groups, live);
  set_length(record, groups, live);
  return said;
}

}  // namespace n2nq::run
