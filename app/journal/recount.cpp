#include "app/journal/recount.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "app/journal/message_log.h"
#include "app/record/totals.h"
#include "app/text/quantity.h"
#include "workers/measure/saturate.h"

namespace n2nq::journal {
namespace {

constexpr char kJournalStands[] = "only what it reported before the end is known; anything later is missing";

// Zero for what is none.
template <class Number>
Number number_of(std::string_view text) {
  Number value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

int64_t bytes_of(const MessageLine& line) {
  return number_of<uint32_t>(line.size_bytes);
}

// What the last line of a receiver's log says, and no line of a message.
struct ToldLosses {
  uint64_t receivers = 0;  // that were told how much was due to them
  uint64_t expected = 0;
  uint64_t received = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;

  ToldLosses& operator+=(const ToldLosses& other) {
    receivers += other.receivers;
    expected += other.expected;
    received += other.received;
    expired += other.expired;
    undeliverable += other.undeliverable;
    return *this;
  }
};

ToldLosses losses_of(const LogEnd& end) {
  const auto figure = [&end](const char* name) { return end.figure(name).value_or(0); };
  return {.receivers = end.figure("expected") ? 1U : 0U,
          .expected = figure("expected"),
          .received = figure("received"),
          .expired = figure("expired"),
          .undeliverable = figure("undeliverable")};
}

struct LogCounts {
  live::ServiceFigures figures{};
  ToldLosses losses{};
  std::optional<int64_t> origin_utc_ns{};
  int64_t until_ns = 0;  // since BEGIN, of its last message
  bool whole = false;    // every line of it is there
};

// When it was sent or received; a reply's log has that for its sending.
int64_t moment_of(const MessageLine& line, Role role) {
  return number_of<int64_t>(role == Role::receiver ? line.received_ns : line.sent_ns);
}

// As the requesters count: a reply counts, or it is late, or one too many, or damaged, or comes after the first of all.
void count_reply(const MessageLine& line, live::ServiceFigures& counts) {
  const bool corrupt = line.flagged("corrupt");
  const bool late = line.flagged("late");
  const bool twice = line.flagged("duplicate");
  counts.corrupt += corrupt;
  counts.late_replies += late;
  counts.double_replies += twice;
  counts.replies += !corrupt && !late && !twice && !line.flagged("further");
}

// As the receivers count: a message is received once, and only if it is whole.
void count_received(const MessageLine& line, live::ServiceFigures& counts) {
  const bool again = line.flagged("again");
  const bool duplicate = line.flagged("duplicate");
  const bool corrupt = line.flagged("corrupt");
  counts.redelivered += again;
  counts.corrupt += corrupt;
  counts.duplicates += duplicate && !again;
  counts.reordered += line.flagged("reordered");
  if (duplicate || corrupt) return;
  counts.count++;
  counts.bytes += bytes_of(line);
}

Result<LogCounts> count_log(const MessageLogFile& file, const std::stop_token& stop) {
  auto log = MessageLog::open(file, stop);
  if (!log) return std::unexpected(log.error());
  LogCounts counts;
  int64_t last_ns = 0;
  MessageLine line;
  for (;;) {
    const auto more = log->next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    last_ns = std::max(last_ns, moment_of(line, file.role));
    if (line.flagged("reply")) {
      count_reply(line, counts.figures);
    } else if (file.role == Role::receiver) {
      count_received(line, counts.figures);
    } else {
      counts.figures.count++;
      counts.figures.bytes += bytes_of(line);
    }
  }
  counts.origin_utc_ns = log->origin_utc_ns();
  if (log->origin_ns()) counts.until_ns = std::max<int64_t>(measure::minus(last_ns, *log->origin_ns()), 0);
  const auto& end = log->end();
  counts.whole = end && end->has_all_lines();
  if (end && file.role == Role::sender) {
    counts.figures.accepted = static_cast<int64_t>(end->figure("accepted").value_or(0));
    counts.figures.timeouts = static_cast<int64_t>(end->figure("timeouts").value_or(0));
  }
  if (end && file.role == Role::receiver) counts.losses = losses_of(*end);
  counts.figures.lost = static_cast<int64_t>(counts.losses.expired + counts.losses.undeliverable);
  return counts;
}

live::ServiceFigures& service_of(record::RunRecord& record, Role role, uint32_t number) {
  for (live::ServiceFigures& service : record.services)
    if (service.role == role && service.number == number) return service;
  live::ServiceFigures& added = record.services.emplace_back();
  added.role = role;
  added.number = number;
  return added;
}

void raise(live::ServiceFigures& service, const control::Counts& counted) {
  for (const control::Counter& counter : control::kCounters)
    if (int64_t& count = service.*counter.member; count != control::kNotCounted)
      count = std::max(count, counted.*counter.member);
}

// The queue alone knows what no receiver of a load balancer took; and of a run that has ended the verdict stands.
void restore_losses(record::RunRecord& record, const ToldLosses& told) {
  record::RunTotals& totals = record.totals;
  totals.expired = std::max(totals.expired, told.expired);
  totals.undeliverable = std::max(totals.undeliverable, told.undeliverable);
  if (record.verdict != record::Verdict::cut_off || plan::balances(record.plan.queue)) return;
  if (told.receivers == 0 || told.receivers != record.plan.receivers.fleet.count) return;
  totals.expected = told.expected;
  totals.lost = told.expected - std::min(told.received, told.expected);
}

using Services = std::set<std::pair<Role, uint32_t>>;

bool all_whole(const record::ProcessRecord& process, const Services& whole) {
  for (uint32_t i = 0; i < process.services; i++)
    if (!whole.contains({process.role, process.first_service + i})) return false;
  return process.services > 0;
}

bool left_summary(const record::ProcessRecord& process) {
  return process.figures_from == "summary" || process.figures_from == "fetched";
}

bool is_fleet(const record::ProcessRecord& process) {
  return process.role != Role::broker;
}

// In words what a reader would else take for exact.
void note_uncertain(record::RunRecord& record, const record::ProcessRecord& process) {
  const bool senders = process.role == Role::sender;
  const std::string verb = senders ? "sent" : "received";
  record::add_note(
      record, record::Severity::warning,
      process.name + ": left no summary: more may have been " + verb + " than the result shows, at least " +
          text::count(static_cast<int64_t>(senders ? record.totals.sent : record.totals.received)) +
          (senders ? ", by its reports, its logs and what the queue accepted" : ", by its reports and its logs"));
}

}  // namespace

Result<void> recount(record::RunRecord& record, std::stop_token stop) {
  const auto logs = message_logs(record.folder);
  if (!logs) {
    record::add_note(record, record::Severity::warning, logs.error().text + "; " + kJournalStands);
    return {};
  }
  Services whole;
  ToldLosses losses;
  int64_t until_ns = 0;
  for (const MessageLogFile& file : *logs) {
    const auto counts = count_log(file, stop);
    if (!counts && stop.stop_requested()) return std::unexpected(counts.error());
    if (!counts) {
      record::add_note(record, record::Severity::warning,
                       counts.error().text + "; of " + to_text(file.role) + " " + std::to_string(file.service) + " " +
                           kJournalStands);
      continue;
    }
    raise(service_of(record, file.role, file.service), counts->figures);
    if (counts->origin_utc_ns) record.began_utc_ns = counts->origin_utc_ns;
    until_ns = std::max(until_ns, counts->until_ns);
    if (!counts->whole) continue;
    whole.emplace(file.role, file.service);
    losses += counts->losses;
  }
  for (record::ProcessRecord& process : record.processes)
    if (is_fleet(process) && !left_summary(process) && all_whole(process, whole)) process.figures_from = "logs";
  // Else it ended when the bench did, which its messages did not.
  if (record.verdict == record::Verdict::cut_off && record.began_utc_ns)
    record.ended_utc_ns = std::max(record.ended_utc_ns, *record.began_utc_ns + until_ns);
  std::ranges::sort(record.services, {},
                    [](const live::ServiceFigures& one) { return std::pair(one.role, one.number); });
  // Totals that summaries told are exact, in whatever way services share their messages.
  const bool all_told = !record.processes.empty() && std::ranges::all_of(record.processes, [](const auto& process) {
    return !is_fleet(process) || left_summary(process);
  });
  if (all_told) return {};
  const bool replies = plan::asks_for_replies(record.plan);
  record::RunTotals counted;
  for (const live::ServiceFigures& service : record.services)
    record::add_counts(counted, service.role, service, replies);
  record::raise_sums(record.totals, counted);
  restore_losses(record, losses);
  return {};
}

Result<void> settle_counts(record::RunRecord& record, std::stop_token stop) {
  const auto is_settled = [](const record::ProcessRecord& process) {
    return !is_fleet(process) || process.figures_from == "summary";
  };
  if (!record.began_utc_ns || std::ranges::all_of(record.processes, is_settled)) return {};
  if (record.plan.log == plan::LogLevel::full && !record.folder.empty())
    if (auto counted = recount(record, stop); !counted) return counted;
  for (const record::ProcessRecord& process : std::vector(record.processes))
    if (is_fleet(process) && record::is_uncertain(process)) note_uncertain(record, process);
  return {};
}

}  // namespace n2nq::journal
