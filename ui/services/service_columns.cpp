#include "ui/services/service_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/text/quantity.h"

namespace n2nq::ui {
namespace {

using control::Counts;
using live::ServiceFigures;

using Value = std::optional<double> (*)(const ServiceFigures& figures);

constexpr ColumnSpec column_of(Column column, Kind kind, Value value, const char* key, const char* header,
                               const char* spoken, const char* help, bool shown = true, Needs needs = Needs::nothing) {
  return {column, kind, key, header, spoken, help, shown, nullptr, nullptr, needs, value};
}

std::optional<double> number_of(const ServiceFigures& figures) {
  return figures.number;
}

std::optional<double> state_of(const ServiceFigures& figures) {
  return static_cast<double>(figures.state);
}

std::optional<double> open_requests_of(const ServiceFigures& figures) {
  return static_cast<double>(figures.open_requests);
}

std::optional<double> outstanding_of(const ServiceFigures& figures) {
  return text::real(live::outstanding(figures));
}

constexpr ColumnSpec kLog =
    column_of(Column::log, Kind::icon, number_of, "log", "", "log", "Opens the log of this service (Enter).");
constexpr const char* kTrendOfRate =
    "Rate of the last minute, a point for each second. Hidden while its panel is narrow.";
constexpr const char* kTrendOfLatency =
    "Mean latency of its messages in the last minute, a point for each second. Hidden while its panel is narrow.";
constexpr ColumnSpec kRate{.column = Column::rate,
                           .kind = Kind::rate,
                           .key = "rate",
                           .header = "Rate now",
                           .spoken = "rate",
                           .help = "Messages per second, over the last second, in whole intervals between messages.",
                           .shown = true,
                           .whole_header = "Mean rate",
                           .whole_help = "Messages per second, from the start of the run to its last message.",
                           .value = [](const ServiceFigures& figures) { return std::optional(figures.rate_per_s); }};

template <int64_t Counts::* kCount>
constexpr ColumnSpec count_of(Column column, const char* header, const char* spoken, const char* help,
                              Needs needs = Needs::nothing, Kind kind = Kind::count, bool shown = false) {
  return {column,
          kind,
          control::name_of(kCount),
          header,
          spoken,
          help,
          shown,
          nullptr,
          nullptr,
          needs,
          [](const ServiceFigures& of) {
            return of.*kCount == control::kNotCounted ? std::nullopt : std::optional(static_cast<double>(of.*kCount));
          }};
}

template <std::optional<int64_t> ServiceFigures::* kTime>
constexpr ColumnSpec time_of(Column column, const char* key, const char* header, const char* spoken, const char* help,
                             bool shown = false, const char* whole_header = nullptr, const char* whole_help = nullptr,
                             Needs needs = Needs::nothing) {
  return {column,
          Kind::duration,
          key,
          header,
          spoken,
          help,
          shown,
          whole_header,
          whole_help,
          needs,
          [](const ServiceFigures& of) { return text::real(of.*kTime); }};
}

constexpr ColumnSpec kBytes =
    count_of<&Counts::bytes>(Column::bytes, "Payload", "payload", "Payload so far.", Needs::nothing, Kind::bytes);
constexpr ColumnSpec kStalls = count_of<&Counts::log_stalls>(
    Column::log_stalls, "Log stalls", "log stalls",
    "How often this service had to wait for its log file, which distorts its figures.", Needs::nothing, Kind::trouble);

constexpr std::array kSenderColumns{
    kLog,
    column_of(Column::name, Kind::name, number_of, "name", "Name", "name", "The sender's number and health."),
    column_of(Column::trend, Kind::trend, trend_value, "trend", "Rate", "trend of the rate", kTrendOfRate),
    time_of<&ServiceFigures::turnaround_ns>(
        Column::turnaround, "turnaround", "Turnaround now", "turnaround",
        "From the actual send of a request to its reply, mean since the previous sample.", false, "Mean turnaround",
        "From the actual send of a request to its reply, mean of all its requests, including warm-up.", Needs::replies),
    time_of<&ServiceFigures::delay_ns>(Column::delay, "delay", "Delay now", "delay",
                                       "Measured time between two messages, mean since the previous sample.", true,
                                       "Mean delay", "Measured time between two messages, mean over the whole run."),
    time_of<&ServiceFigures::lateness_ns>(Column::lateness, "lateness", "Lateness now", "lateness",
                                          "How far behind schedule it sends, mean since the previous sample.", false,
                                          "Mean lateness", "How far behind schedule it sent, mean over the whole run."),
    kRate,
    count_of<&Counts::count>(Column::count, "Sent", "sent", "Messages sent.", Needs::nothing, Kind::count, true),
    count_of<&Counts::replies>(Column::replies, "Replies", "replies", "Requests that were answered.", Needs::replies),
    count_of<&Counts::timeouts>(Column::timeouts, "Timed out", "timed out",
                                "Requests whose reply did not come in time.", Needs::replies, Kind::trouble),
    count_of<&Counts::late_replies>(Column::late_replies, "Late", "late replies",
                                    "Replies that came after the timeout.", Needs::replies),
    count_of<&Counts::double_replies>(Column::double_replies, "Doubles", "double replies",
                                      "Replies beyond those that were asked for.", Needs::replies),
    column_of(Column::open_requests, Kind::count, open_requests_of, "open_requests", "Open", "open requests",
              "Requests that wait for their reply now.", false, Needs::replies),
    count_of<&Counts::accepted>(Column::accepted, "Accepted", "accepted", "Messages that the queue has accepted.",
                                Needs::answers),
    count_of<&Counts::held>(Column::held, "Held", "times held by the queue",
                            "How many times this sender fell behind because the queue took nothing, excluding warm-up.",
                            Needs::schedule),
    kBytes,
    kStalls,
    column_of(Column::state, Kind::state, state_of, "state", "State", "state", "What the sender is doing.", false),
};

// p99 before what may be out of sight in a narrow panel.
constexpr std::array kReceiverColumns{
    kLog,
    column_of(Column::name, Kind::name, number_of, "name", "Name", "name", "The receiver's number and health."),
    column_of(Column::trend, Kind::trend, trend_value, "trend", "Latency", "trend of the latency", kTrendOfLatency),
    time_of<&ServiceFigures::latency_p50_ns>(
        Column::p50, "p50", "p50", "p50",
        "Half of its messages since the start were faster than this, from the actual send, excluding warm-up.", true),
    time_of<&ServiceFigures::latency_p99_ns>(
        Column::p99, "p99", "p99", "p99",
        "99 of 100 of its messages since the start were faster than this, from the actual send, excluding warm-up.",
        true),
    kRate,
    count_of<&Counts::count>(Column::count, "Received", "received",
                             "Messages received, each counted once even if delivered several times.", Needs::nothing,
                             Kind::count, true),
    count_of<&Counts::lost>(Column::lost, "Lost", "lost",
                            "Messages that the queue removed before this receiver got them.", Needs::own_queue,
                            Kind::trouble, true),
    count_of<&Counts::responses>(Column::responses, "Confirmed", "confirmed",
                                 "Deliveries that this receiver has confirmed.", Needs::responses),
    count_of<&Counts::redelivered>(Column::redelivered, "Resent", "resent",
                                   "Messages that were sent again because nobody had confirmed them.", Needs::again),
    column_of(Column::outstanding, Kind::count, outstanding_of, "outstanding", "Outstanding", "outstanding",
              "Deliveries that have come and are not confirmed yet.", false, Needs::responses),
    count_of<&Counts::replies>(Column::replies, "Replies", "replies", "Replies that this receiver has sent.",
                               Needs::replies),
    time_of<&ServiceFigures::latency_ns>(
        Column::latency, "latency", "Latency now", "latency",
        "From the actual send to receipt, mean since the previous sample.", false, "Mean latency",
        "From the actual send to receipt, mean of all its messages, including warm-up."),
    time_of<&ServiceFigures::scheduled_latency_ns>(
        Column::scheduled_latency, "scheduled_latency", "Scheduled now", "scheduled latency",
        "From the intended send to receipt, mean since the previous sample.", false, "Mean scheduled",
        "From the intended send to receipt, mean of all its messages, including warm-up."),
    kBytes,
    count_of<&Counts::duplicates>(Column::duplicates, "Duplicates", "duplicates",
                                  "Messages that arrived again although nothing was re-sent.", Needs::nothing,
                                  Kind::trouble),
    count_of<&Counts::reordered>(Column::reordered, "Reordered", "reordered",
                                 "Messages that arrived after a later one from the same sender.", Needs::nothing,
                                 Kind::trouble),
    count_of<&Counts::corrupt>(Column::corrupt, "Corrupt", "corrupt",
                               "Messages whose checksum did not match their contents.", Needs::nothing, Kind::trouble),
    count_of<&Counts::requests>(Column::requests, "Requests", "requests", "Requests made by this receiver.",
                                Needs::own_queue),
    kStalls,
    column_of(Column::state, Kind::state, state_of, "state", "State", "state", "What the receiver is doing.", false),
};

constexpr bool has_value(const ColumnSpec& spec) {
  return spec.value != nullptr;
}
static_assert(std::ranges::all_of(kSenderColumns, has_value) && std::ranges::all_of(kReceiverColumns, has_value));

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

std::optional<double> trend_value(const ServiceFigures& figures) {
  return figures.role == Role::sender ? std::optional(figures.rate_per_s) : text::real(figures.latency_ns);
}

std::string cell_text(const ColumnSpec& spec, const ServiceFigures& figures, const text::Scale& scale) {
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
      const auto value = spec.value(figures);
      return value ? text::scaled(*value, scale) : "-";
    }
    case Kind::count:
    case Kind::trouble: {
      const auto value = spec.value(figures);
      return value ? text::count(static_cast<int64_t>(*value)) : "-";
    }
  }
  return {};
}

std::string plain_text(const ColumnSpec& spec, const ServiceFigures& figures) {
  if (spec.kind == Kind::icon || spec.kind == Kind::name || spec.kind == Kind::state)
    return cell_text(spec, figures, {});
  const auto value = spec.value(figures);
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
