#include "tests/helpers/accounts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "workers/measure/few_values.h"

namespace n2nq::test {
namespace {

using MessageKey = std::pair<uint32_t, uint64_t>;

std::string say(const MessageKey& key) {
  return "(sender " + std::to_string(key.first) + ", index " + std::to_string(key.second) + ")";
}

void equal(Mismatches& out, const std::string& what, int64_t said, int64_t counted) {
  if (said != counted) out.push_back(what + " says " + std::to_string(said) + ", counted " + std::to_string(counted));
}

// A long content stands there as its head, its length and its checksum.
bool has_its_size(const LogRow& row) {
  constexpr size_t kWhole = 256, kHead = 64;
  if (row.size_bytes <= kWhole) return row.content.size() == row.size_bytes;
  const std::string rest = "\\..." + std::to_string(row.size_bytes) + " B crc32c=";
  return row.content.size() == kHead + rest.size() + 8 && row.content.compare(kHead, rest.size(), rest) == 0;
}

void append(Mismatches& out, Mismatches more) {
  out.insert(out.end(), more.begin(), more.end());
}

std::map<MessageKey, const LogRow*> all_sent(const RunEnded& run) {
  std::map<MessageKey, const LogRow*> sent;
  for (const auto& [number, log] : run.sender_logs) {
    for (const auto& row : log.rows) sent[{row.sender, row.index}] = &row;
  }
  return sent;
}

void check_row(Mismatches& out, const std::string& who, const LogRow& row,
               const std::map<MessageKey, const LogRow*>& sent) {
  auto it = sent.find({row.sender, row.index});
  if (it == sent.end()) {
    out.push_back(who + " has " + say({row.sender, row.index}) + ", which nobody sent");
    return;
  }
  const LogRow& original = *it->second;
  std::string what = who + " " + say(it->first) + ": ";
  if (row.content != original.content || row.size_bytes != original.size_bytes) out.push_back(what + "another content");
  if (row.intended_ns != original.intended_ns || row.sent_ns != original.sent_ns) out.push_back(what + "other times");
  if (!row.received_ns || !row.sent_ns || !row.latency_ns) {
    out.push_back(what + "a time is missing");
  } else if (*row.latency_ns != *row.received_ns - *row.sent_ns || *row.latency_ns < 0) {
    out.push_back(what + "the latency is not received - sent, or negative");
  }
  for (const auto& flag : row.flags) out.push_back(what + "flagged " + flag);
}

// Times and order in one receiver's log: rows of one sender ascend.
void check_order(Mismatches& out, const std::string& who, const LogFile& log) {
  std::map<uint32_t, uint64_t> last;
  for (const auto& row : log.rows) {
    if (row.index <= last[row.sender]) out.push_back(who + " has " + say({row.sender, row.index}) + " out of order");
    last[row.sender] = row.index;
  }
}

// Of a requester: a reply that counts.
bool is_answer(const LogRow& row) {
  return row.flags == std::vector<std::string>{"reply"};
}

std::vector<const LogFile*> logs_of(const RunEnded& run, const FleetEnded& fleet) {
  std::vector<const LogFile*> found;
  for (const auto& [number, log] : fleet.role == "sender" ? run.sender_logs : run.receiver_logs) {
    if (number >= static_cast<uint32_t>(fleet.first) && number <= fleet.last()) found.push_back(&log);
  }
  return found;
}

void near(Mismatches& out, const std::string& what, const Json& object, const std::string& key, double counted,
          double relative) {
  auto it = object.find(key);
  if (it == object.end() || !it->is_number()) {
    out.push_back(what + "." + key + " is no number");
  } else if (std::abs(it->get<double>() - counted) > 1.0 + std::abs(counted) * relative) {
    out.push_back(what + "." + key + " says " + it->dump() + ", counted " + std::to_string(counted));
  }
}

double rank(const std::vector<int64_t>& sorted, double share) {
  auto at = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return static_cast<double>(sorted[std::max<size_t>(at, 1) - 1]);
}

double trimmed_mean(const std::vector<int64_t>& sorted, double share) {
  double left = share * static_cast<double>(sorted.size()), total = left, sum = 0;
  for (int64_t value : sorted) {
    double part = std::min(1.0, left);
    sum += part * static_cast<double>(value);
    left -= part;
    if (left <= 0) break;
  }
  return sum / total;
}

// Exact where the issue says exact; the rest within the three digits of the histogram.
void check_latency(Mismatches& out, const std::string& what, const Json& summary, const std::string& key,
                   std::vector<int64_t> values) {
  Json object = summary.value(key, Json::object());
  equal(out, what + "." + key + ".count", count_in(object, "count"), static_cast<int64_t>(values.size()));
  if (values.empty()) {
    for (const auto* name : {"min", "p50", "p90", "p95", "p99", "p999", "max", "mean", "stddev", "trimmed_mean_p95"}) {
      if (!object.contains(name) || !object[name].is_null())
        out.push_back(what + "." + key + "." + name + " is not null");
    }
    return;
  }
  std::sort(values.begin(), values.end());
  double mean = 0, squares = 0;
  for (int64_t value : values) mean += static_cast<double>(value) / static_cast<double>(values.size());
  for (int64_t value : values) squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  std::string where = what + "." + key;
  near(out, where, object, "min", static_cast<double>(values.front()), 0);
  near(out, where, object, "max", static_cast<double>(values.back()), 0);
  near(out, where, object, "mean", mean, 1e-6);
  near(out, where, object, "stddev", std::sqrt(squares / static_cast<double>(values.size())), 1e-6);
  near(out, where, object, "p50", rank(values, 0.50), 0.003);
  near(out, where, object, "p90", rank(values, 0.90), 0.003);
  near(out, where, object, "p95", rank(values, 0.95), 0.003);
  near(out, where, object, "p99", rank(values, 0.99), 0.003);
  if (values.size() >= measure::kLeastForP999)
    near(out, where, object, "p999", rank(values, 0.999), 0.003);
  else if (!object.contains("p999") || !object["p999"].is_null())
    out.push_back(where + ".p999 is known of few values");
  near(out, where, object, "trimmed_mean_p95", trimmed_mean(values, 0.95), 0.003);
}

void check_receiver_summary(Mismatches& out, const RunEnded& run, const FleetEnded& fleet, bool load_balancer) {
  std::string who = "receiver fleet from " + std::to_string(fleet.first);
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> distinct;
  std::map<std::string, int64_t> flagged;
  std::vector<int64_t> latencies, scheduled;
  int64_t rows = 0;
  uint32_t receiver = 0;
  for (const LogFile* log : logs_of(run, fleet)) {
    append(out, log->problems);
    ++receiver;
    for (const auto& row : log->rows) {
      ++rows;
      distinct.insert({load_balancer ? 0 : receiver, row.sender, row.index});
      for (const auto& flag : row.flags) ++flagged[flag];
      if (row.latency_ns) latencies.push_back(*row.latency_ns);
      if (row.intended_ns && row.received_ns) scheduled.push_back(*row.received_ns - *row.intended_ns);
    }
  }
  equal(out, who + ".services", fleet.total("services"), fleet.count);
  equal(out, who + ".received", fleet.total("received"), static_cast<int64_t>(distinct.size()));
  equal(out, who + ".duplicates", fleet.total("duplicates"), flagged["duplicate"]);
  equal(out, who + ".reordered", fleet.total("reordered"), flagged["reordered"]);
  equal(out, who + ".corrupt", fleet.total("corrupt"), flagged["corrupt"]);
  equal(out, who + ".redelivered", fleet.total("redelivered"), flagged["again"]);
  if (fleet.summary.contains("expected") && fleet.summary["expected"].is_number()) {
    equal(out, who + ".lost", fleet.total("lost"), fleet.total("expected") - fleet.total("received"));
  }
  if (static_cast<int64_t>(distinct.size()) == rows && flagged.empty()) {
    check_latency(out, who, fleet.summary, "latency_ns", latencies);
    check_latency(out, who, fleet.summary, "scheduled_latency_ns", scheduled);
  }
}

void check_sender_summary(Mismatches& out, const RunEnded& run, const FleetEnded& fleet) {
  std::string who = "sender fleet from " + std::to_string(fleet.first);
  int64_t rows = 0, bytes = 0;
  for (const LogFile* log : logs_of(run, fleet)) {
    append(out, log->problems);
    for (const auto& row : log->rows) {
      ++rows;
      bytes += static_cast<int64_t>(row.size_bytes);
    }
  }
  equal(out, who + ".services", fleet.total("services"), fleet.count);
  equal(out, who + ".sent", fleet.total("sent"), rows);
  equal(out, who + ".bytes", fleet.total("bytes"), bytes);
  if (fleet.total("accepted") < 0 || fleet.total("accepted") > rows) {
    out.push_back(who + ".accepted is not between 0 and sent: " + std::to_string(fleet.total("accepted")));
  }
}

}  // namespace

Mismatches check_sender_logs(const RunEnded& run, uint64_t messages) {
  Mismatches out;
  for (const auto& [number, log] : run.sender_logs) {
    std::string who = "sender-" + std::to_string(number) + ".log";
    append(out, log.problems);
    if (log.header.empty()) out.push_back(who + " has no header");
    equal(out, who + " (its lines)", static_cast<int64_t>(log.rows.size()), static_cast<int64_t>(messages));
    uint64_t next = 1;
    for (const auto& row : log.rows) {
      if (row.index != next++) out.push_back(who + " leaves the order at index " + std::to_string(row.index));
      if (row.sender != number) out.push_back(who + " has a line of sender " + std::to_string(row.sender));
      if (!has_its_size(row)) out.push_back(who + " has a content of another size than it says");
    }
  }
  return out;
}

Mismatches check_deliveries(const RunEnded& run, bool load_balancer) {
  Mismatches out = check_what_came(run, load_balancer);
  const auto sent = all_sent(run);
  std::map<MessageKey, int> over_all;
  for (const auto& [number, log] : run.receiver_logs) {
    std::map<MessageKey, int> here;
    for (const auto& row : log.rows) {
      ++here[{row.sender, row.index}];
      ++over_all[{row.sender, row.index}];
    }
    if (load_balancer) continue;
    for (const auto& [key, row] : sent) {
      if (here[key] != 1)
        out.push_back("receiver " + std::to_string(number) + " has " + say(key) + " " + std::to_string(here[key]) +
                      " times");
    }
  }
  if (load_balancer) {
    for (const auto& [key, row] : sent) {
      if (over_all[key] == 0) out.push_back("the receivers have " + say(key) + " 0 times");
    }
  }
  return out;
}

Mismatches check_what_came(const RunEnded& run, bool load_balancer) {
  Mismatches out;
  const auto sent = all_sent(run);
  std::map<MessageKey, int> over_all;
  if (run.receiver_logs.empty()) out.push_back("there is no receiver's log file");
  for (const auto& [number, log] : run.receiver_logs) {
    const std::string who = "receiver " + std::to_string(number);
    append(out, log.problems);
    std::map<uint32_t, std::set<uint64_t>> indices;
    for (const auto& row : log.rows) {
      ++over_all[{row.sender, row.index}];
      indices[row.sender].insert(row.index);
      check_row(out, who, row, sent);
    }
    check_order(out, who, log);
    if (load_balancer) continue;
    for (const auto& [sender, had] : indices) {
      if (*had.rbegin() - *had.begin() + 1 != had.size())
        out.push_back(who + " has gaps between its messages of sender " + std::to_string(sender));
    }
  }
  for (const auto& [key, times] : over_all) {
    if (load_balancer && times != 1)
      out.push_back("the receivers have " + say(key) + " " + std::to_string(times) + " times");
  }
  return out;
}

Mismatches check_logs_equal_sockets(const RunEnded& run,
                                    const std::map<std::pair<std::string, uint32_t>, Carried>& sockets) {
  Mismatches out;
  for (const auto& [service, carried] : sockets) {
    const auto& [role, number] = service;
    const auto& logs = role == "sender" ? run.sender_logs : run.receiver_logs;
    const std::string who = role + "-" + std::to_string(number) + ".log";
    const auto log = logs.find(number);
    if (log == logs.end()) {
      out.push_back("there is no " + who);
      continue;
    }
    std::vector<MessageKey> logged;
    for (const auto& row : log->second.rows) logged.emplace_back(row.sender, row.index);
    equal(out, who + " (its lines against its socket)", static_cast<int64_t>(logged.size()),
          static_cast<int64_t>(carried.data.size()));
    const auto differs = std::ranges::mismatch(logged, carried.data);
    if (differs.in1 != logged.end() && differs.in2 != carried.data.end())
      out.push_back(who + " has " + say(*differs.in1) + " where its socket carried " + say(*differs.in2));
  }
  return out;
}

Mismatches check_summaries_equal_logs(const RunEnded& run, bool load_balancer) {
  Mismatches out;
  for (const auto& fleet : run.fleets) {
    if (fleet.summary.empty()) continue;
    if (fleet.role == "sender")
      check_sender_summary(out, run, fleet);
    else
      check_receiver_summary(out, run, fleet, load_balancer);
  }
  return out;
}

Mismatches check_replies(const RunEnded& run, size_t answers) {
  Mismatches out;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, std::vector<const LogRow*>> gone;  // requester, replier, index
  for (const auto& [number, log] : run.receiver_logs) {
    append(out, log.problems);
    for (const LogRow& row : log.replies) gone[{row.sender, number, row.index}].push_back(&row);
  }
  for (const auto& [number, log] : run.sender_logs) {
    append(out, log.problems);
    std::map<uint64_t, size_t> answered;
    for (const LogRow& row : log.replies) {
      const std::string what = "sender " + std::to_string(number) + ", reply of receiver " +
                               std::to_string(row.sender) + " to request " + std::to_string(row.index);
      if (is_answer(row)) answered[row.index]++;
      if (!has_its_size(row)) out.push_back(what + ": a content of another size than it says");
      const auto& sent = gone[{number, row.sender, row.index}];
      if (sent.empty()) {
        out.push_back(what + ": that receiver logged none");
        continue;
      }
      if (row.content != sent.front()->content) out.push_back(what + ": another content");
      if (*row.sent_ns < *sent.front()->sent_ns) out.push_back(what + ": came before it went");
    }
    for (const auto& [index, count] : answered)
      if (count > answers)
        out.push_back("sender " + std::to_string(number) + ": " + std::to_string(count) + " answers to request " +
                      std::to_string(index));
  }
  return out;
}

Mismatches check_turnaround(const RunEnded& run, size_t answers) {
  Mismatches out;
  for (const auto& fleet : run.fleets) {
    if (fleet.summary.empty()) continue;
    const std::string who = fleet.role + " fleet from " + std::to_string(fleet.first);
    std::map<std::string, int64_t> flagged;
    std::vector<int64_t> turnaround, scheduled;
    int64_t replies = 0;
    for (const LogFile* log : logs_of(run, fleet)) {
      std::map<uint64_t, const LogRow*> requests;
      for (const LogRow& row : log->rows) requests[row.index] = &row;
      for (const LogRow& row : log->replies) {
        for (const auto& flag : row.flags) flagged[flag]++;
        if (fleet.role == "receiver" || !is_answer(row)) continue;
        replies++;
        const LogRow& request = *requests.at(row.index);
        turnaround.push_back(*row.sent_ns - *request.sent_ns);
        if (request.intended_ns) scheduled.push_back(*row.sent_ns - *request.intended_ns);
      }
    }
    if (fleet.role == "receiver") {
      equal(out, who + ".replies", fleet.total("replies"), flagged["reply"]);
      continue;
    }
    const Json told = fleet.summary.value("turnaround", Json::object());
    equal(out, who + ".replies", count_in(told, "replies"), replies);
    equal(out, who + ".late", count_in(told, "late"), flagged["late"]);
    equal(out, who + ".doubles", count_in(told, "doubles"), flagged["duplicate"]);
    equal(out, who + ".corrupt", count_in(told, "corrupt"), flagged["corrupt"]);
    check_latency(out, who, told, "turnaround_ns", turnaround);
    check_latency(out, who, told, "scheduled_turnaround_ns", scheduled);
    equal(out, who + ".reply_latency_ns.count", count_in(told.value("reply_latency_ns", Json::object()), "count"),
          replies);
    if (answers == 1)
      equal(out, who + ": requests answered or timed out", count_in(told, "replies") + count_in(told, "timeouts"),
            fleet.total("sent"));
  }
  return out;
}

uint64_t distinct_received(const RunEnded& run, bool load_balancer) {
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> distinct;
  for (const auto& [number, log] : run.receiver_logs) {
    for (const auto& row : log.rows) distinct.insert({load_balancer ? 0 : number, row.sender, row.index});
  }
  return distinct.size();
}

Mismatches check_broker_of_complete_run(const RunEnded& run, const Rules& rules) {
  Mismatches out;
  const Ended& broker = run.broker;
  auto sent = static_cast<int64_t>(all_sent(run).size());
  auto pairs = static_cast<int64_t>(rules.load_balancer ? sent : sent * static_cast<int64_t>(run.receiver_logs.size()));
  equal(out, "broker.accepted", broker.total("accepted"), sent);
  equal(out, "senders' accepted", run.sum("sender", "accepted"), sent);
  equal(out, "broker.owed", broker.total("owed"), pairs);
  equal(out, "broker.delivered", broker.total("delivered"),
        static_cast<int64_t>(distinct_received(run, rules.load_balancer)));
  equal(out, "broker.owed (its parts)", broker.total("owed"),
        broker.total("delivered") + broker.total("expired") + broker.total("undeliverable"));
  for (const auto* key : {"expired", "undeliverable", "in_doubt", "redelivered", "refused_connections"}) {
    equal(out, std::string("broker.") + key, broker.total(key), 0);
  }
  if (rules.responses) {
    equal(out, "broker.confirmed", broker.total("confirmed"), pairs);
    equal(out, "receivers' responses", run.sum("receiver", "responses"), pairs);
  } else {
    equal(out, "receivers' responses", run.sum("receiver", "responses"), 0);
  }
  // A receiver asks on when its last message has come; such a request may find the run ended and is not served.
  int64_t asked = run.sum("receiver", "requests");
  if (broker.total("requests") > asked ||
      broker.total("requests") < asked - static_cast<int64_t>(run.receiver_logs.size())) {
    out.push_back("broker.requests says " + std::to_string(broker.total("requests")) + ", asked " +
                  std::to_string(asked));
  }
  if (rules.requests != (broker.total("requests") > 0))
    out.push_back("requests: asked though off, or never asked though on");
  equal(out, "receivers' expected", run.sum("receiver", "expected"), pairs);
  equal(out, "receivers' lost", run.sum("receiver", "lost"), 0);
  return out;
}

Mismatches check_complete_run(const RunEnded& run, const Rules& rules) {
  Mismatches out;
  if (!run.all_ended_with(0)) out.push_back("not everyone ended with 0:\n" + run.story());
  for (const auto& fleet : run.fleets) {
    if (fleet.summary.empty()) out.push_back("the " + fleet.role + " fleet printed no summary");
  }
  append(out, check_sender_logs(run, rules.messages));
  append(out, check_deliveries(run, rules.load_balancer));
  append(out, check_summaries_equal_logs(run, rules.load_balancer));
  append(out, check_broker_of_complete_run(run, rules));
  if (!out.empty()) out.push_back(run.story());
  return out;
}

}  // namespace n2nq::test
