#include "ui/services/service_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/text/quantity.h"

namespace n2nq::ui {
namespace {

constexpr ColumnSpec kLog{Column::log, Kind::icon, "log", "", "log", "Opens the log of this service (Enter).", true};
constexpr const char* kTrendOfRate =
    "Rate of the last minute, a point for each second. Hidden while its panel is narrow.";
constexpr const char* kTrendOfLatency =
    "Mean latency of its messages in the last minute, a point for each second. Hidden while its panel is narrow.";
constexpr ColumnSpec kRate{
    Column::rate, Kind::rate,  "rate",
    "Rate now",   "rate",      "Messages per second, over the last second, in whole intervals between messages.",
    true,         "Mean rate", "Messages per second, from the start of the run to its last message."};
constexpr ColumnSpec kBytes{Column::bytes, Kind::bytes, "bytes", "Payload", "payload", "Payload so far.", false};
constexpr ColumnSpec kStalls{Column::log_stalls,
                             Kind::trouble,
                             "log_stalls",
                             "Log stalls",
                             "log stalls",
                             "How often this service had to wait for its log file, which distorts its figures.",
                             false};

constexpr ColumnSpec count_of(Column column, const char* key, const char* header, const char* spoken, const char* help,
                              Needs needs = Needs::nothing, Kind kind = Kind::count) {
  return {column, kind, key, header, spoken, help, false, nullptr, nullptr, needs};
}

constexpr std::array kSenderColumns{
    kLog,
    ColumnSpec{Column::name, Kind::name, "name", "Name", "name", "The sender's number and health.", true},
    ColumnSpec{Column::trend, Kind::trend, "trend", "Rate", "trend of the rate", kTrendOfRate, true},
    ColumnSpec{
        Column::turnaround, Kind::duration, "turnaround", "Turnaround now", "turnaround",
        "From the actual send of a request to its reply, mean since the previous sample.", false, "Mean turnaround",
        "From the actual send of a request to its reply, mean of all its requests, including warm-up.", Needs::replies},
    ColumnSpec{Column::delay, Kind::duration, "delay", "Delay now", "delay",
               "Measured time between two messages, mean since the previous sample.", true, "Mean delay",
               "Measured time between two messages, mean over the whole run."},
    ColumnSpec{Column::lateness, Kind::duration, "lateness", "Lateness now", "lateness",
               "How far behind schedule it sends, mean since the previous sample.", false, "Mean lateness",
               "How far behind schedule it sent, mean over the whole run."},
    kRate,
    ColumnSpec{Column::count, Kind::count, "count", "Sent", "sent", "Messages sent.", true},
    count_of(Column::replies, "replies", "Replies", "replies", "Requests that were answered.", Needs::replies),
    count_of(Column::timeouts, "timeouts", "Timed out", "timed out", "Requests whose reply did not come in time.",
             Needs::replies, Kind::trouble),
    count_of(Column::late_replies, "late_replies", "Late", "late replies", "Replies that came after the timeout.",
             Needs::replies),
    count_of(Column::double_replies, "double_replies", "Doubles", "double replies",
             "Replies beyond those that were asked for.", Needs::replies),
    count_of(Column::open_requests, "open_requests", "Open", "open requests", "Requests that wait for their reply now.",
             Needs::replies),
    count_of(Column::accepted, "accepted", "Accepted", "accepted", "Messages that the queue has accepted.",
             Needs::answers),
    kBytes,
    kStalls,
    ColumnSpec{Column::state, Kind::state, "state", "State", "state", "What the sender is doing.", false},
};

// p99 before what may be out of sight in a narrow panel.
constexpr std::array kReceiverColumns{
    kLog,
    ColumnSpec{Column::name, Kind::name, "name", "Name", "name", "The receiver's number and health.", true},
    ColumnSpec{Column::trend, Kind::trend, "trend", "Latency", "trend of the latency", kTrendOfLatency, true},
    ColumnSpec{Column::p50, Kind::duration, "p50", "p50", "p50",
               "Half of its messages since the start were faster than this, excluding warm-up.", true},
    ColumnSpec{Column::p99, Kind::duration, "p99", "p99", "p99",
               "99 of 100 of its messages since the start were faster than this, excluding warm-up.", true},
    kRate,
    ColumnSpec{Column::count, Kind::count, "count", "Received", "received",
               "Messages received, each counted once even if delivered several times.", true},
    ColumnSpec{Column::lost, Kind::trouble, "lost", "Lost", "lost",
               "Messages that the queue removed before this receiver got them.", true, nullptr, nullptr,
               Needs::own_queue},
    count_of(Column::responses, "responses", "Confirmed", "confirmed", "Deliveries that this receiver has confirmed.",
             Needs::responses),
    count_of(Column::redelivered, "redelivered", "Resent", "resent",
             "Messages that were sent again because nobody had confirmed them.", Needs::again),
    count_of(Column::outstanding, "outstanding", "Outstanding", "outstanding",
             "Deliveries that have come and are not confirmed yet.", Needs::responses),
    count_of(Column::replies, "replies", "Replies", "replies", "Replies that this receiver has sent.", Needs::replies),
    ColumnSpec{Column::latency, Kind::duration, "latency", "Latency now", "latency",
               "From the actual send to receipt, mean since the previous sample.", false, "Mean latency",
               "From the actual send to receipt, mean of all its messages, including warm-up."},
    ColumnSpec{Column::scheduled_latency, Kind::duration, "scheduled_latency", "Scheduled now", "scheduled latency",
               "From the intended send to receipt, mean since the previous sample.", false, "Mean scheduled",
               "From the intended send to receipt, mean of all its messages, including warm-up."},
    kBytes,
    ColumnSpec{Column::duplicates, Kind::trouble, "duplicates", "Duplicates", "duplicates",
               "Messages that arrived again although nothing was re-sent.", false},
    ColumnSpec{Column::reordered, Kind::trouble, "reordered", "Reordered", "reordered",
               "Messages that arrived after a later one from the same sender.", false},
    ColumnSpec{Column::corrupt, Kind::trouble, "corrupt", "Corrupt", "corrupt",
               "Messages whose checksum did not match their contents.", false},
    count_of(Column::requests, "requests", "Requests", "requests", "Requests made by this receiver.", Needs::own_queue),
    kStalls,
    ColumnSpec{Column::state, Kind::state, "state", "State", "state", "What the receiver is doing.", false},
};

std::string exact(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return end.ec == std::errc() ? std::string(buffer, end.ptr) : std::string();
}

}  // namespace

std::string nines(double largest, int digits) {
  const double needed = largest < 1 ? 1 : std::floor(std::log10(largest) + 1e-9) + 1;
  int64_t value = 0;
  for (int i = 0; i < std::clamp(static_cast<int>(needed), digits, 18); i++) value = value * 10 + 9;
  return text::count(value);
}

std::span<const ColumnSpec> columns_of(Role role) {
  if (role == Role::sender) return kSenderColumns;
  return kReceiverColumns;
}

const char* header_of(const ColumnSpec& spec, Over over) {
  return over == Over::whole_run && spec.whole_header != nullptr ? spec.whole_header : spec.header;
}

const char* help_of(const ColumnSpec& spec, Over over) {
  return over == Over::whole_run && spec.whole_help != nullptr ? spec.whole_help : spec.help;
}

std::string service_name(Role role, uint32_t number) {
  return (role == Role::sender ? "s" : "r") + std::to_string(number);
}

const char* singular(Role role, bool replies) {
  if (role == Role::sender) return replies ? "requester" : "sender";
  return replies ? "replier" : "receiver";
}

const char* plural(Role role, bool replies) {
  if (role == Role::sender) return replies ? "requesters" : "senders";
  return replies ? "repliers" : "receivers";
}

std::optional<double> number(Column column, const live::ServiceFigures& figures) {
  const auto amount = [](int64_t value) { return std::optional(static_cast<double>(value)); };
  switch (column) {
    case Column::log:
    case Column::name:
      return figures.number;
    case Column::delay:
      return text::real(figures.delay_ns);
    case Column::lateness:
      return text::real(figures.lateness_ns);
    case Column::latency:
      return text::real(figures.latency_ns);
    case Column::scheduled_latency:
      return text::real(figures.scheduled_latency_ns);
    case Column::p50:
      return text::real(figures.latency_p50_ns);
    case Column::p99:
      return text::real(figures.latency_p99_ns);
    case Column::trend:
      return figures.role == Role::sender ? std::optional(figures.rate_per_s) : text::real(figures.latency_ns);
    case Column::rate:
      return figures.rate_per_s;
    case Column::count:
      return amount(figures.count);
    case Column::accepted:
      return amount(figures.accepted);
    case Column::bytes:
      return amount(figures.bytes);
    case Column::lost:
      return amount(figures.lost);
    case Column::duplicates:
      return amount(figures.duplicates);
    case Column::reordered:
      return amount(figures.reordered);
    case Column::corrupt:
      return amount(figures.corrupt);
    case Column::redelivered:
      return amount(figures.redelivered);
    case Column::requests:
      return amount(figures.requests);
    case Column::responses:
      return amount(figures.responses);
    case Column::outstanding:
      return text::real(live::outstanding(figures));
    case Column::replies:
      return amount(figures.replies);
    case Column::timeouts:
      return amount(figures.timeouts);
    case Column::late_replies:
      return amount(figures.late_replies);
    case Column::double_replies:
      return amount(figures.double_replies);
    case Column::open_requests:
      return amount(figures.open_requests);
    case Column::turnaround:
      return text::real(figures.turnaround_ns);
    case Column::log_stalls:
      return amount(figures.log_stalls);
    case Column::state:
      return static_cast<double>(figures.state);
  }
  return {};
}

std::string cell_text(const ColumnSpec& spec, const live::ServiceFigures& figures, const text::Scale& scale) {
  switch (spec.kind) {
    case Kind::icon:
    case Kind::trend:
      return {};
    case Kind::name:
      return service_name(figures.role, figures.number);
    case Kind::state:
      return live::to_text(figures.state);
    case Kind::rate:
      return text::scaled(figures.rate_per_s, scale);
    case Kind::duration:
    case Kind::bytes: {
      const auto value = number(spec.column, figures);
      return value ? text::scaled(*value, scale) : "-";
    }
    case Kind::count:
    case Kind::trouble: {
      const auto value = number(spec.column, figures);
      return value ? text::count(static_cast<int64_t>(*value)) : "-";
    }
  }
  return {};
}

std::string plain_text(const ColumnSpec& spec, const live::ServiceFigures& figures) {
  if (spec.kind == Kind::icon || spec.kind == Kind::name || spec.kind == Kind::state)
    return cell_text(spec, figures, {});
  const auto value = number(spec.column, figures);
  if (!value) return {};
  return spec.kind == Kind::rate ? exact(*value) : std::to_string(static_cast<int64_t>(*value));
}

std::string plain_header(const ColumnSpec& spec) {
  switch (spec.kind) {
    case Kind::duration:
      return std::string(spec.spoken) + " [ns]";
    case Kind::rate:
      return std::string(spec.spoken) + " [/s]";
    case Kind::bytes:
      return std::string(spec.spoken) + " [B]";
    default:
      return spec.spoken;
  }
}

bool can_be_slowest(Role role, Column column) {
  return column == (role == Role::sender ? Column::rate : Column::p99);
}

bool has_figure(Kind kind) {
  return kind != Kind::icon && kind != Kind::name && kind != Kind::state && kind != Kind::trend;
}

bool has_scale(Kind kind) {
  return kind == Kind::duration || kind == Kind::rate || kind == Kind::bytes;
}

std::string widest_text(const ColumnSpec& spec, Role role, double largest, size_t rows) {
  switch (spec.kind) {
    case Kind::icon:
    case Kind::trend:
      return {};
    case Kind::name:
      return service_name(role, static_cast<uint32_t>(std::stoul(std::string(std::to_string(rows).size(), '9'))));
    case Kind::state:
      return live::to_text(live::ServiceState::connecting);
    case Kind::duration:
      return spec.column == Column::p99 ? "9,999.9" : "999.9";  // p99 is in the unit of the others
    case Kind::rate:
      return nines(largest, 5);
    case Kind::bytes:
      return "1,023.9";
    case Kind::count:
      return nines(largest, 6);
    case Kind::trouble:
      return nines(largest, 3);
  }
  return {};
}

}  // namespace n2nq::ui
