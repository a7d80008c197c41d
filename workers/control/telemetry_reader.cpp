#include "workers/control/telemetry_reader.h"

#include <charconv>
#include <string>

#include "workers/control/json_fields.h"

namespace n2nq::control {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Goes along a line for as long as it is what is expected; from the first surprise on nothing fits any more.
class Cursor {
 public:
  explicit Cursor(std::string_view rest) : rest_(rest) {}

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }
  bool is_at(std::string_view text) const { return rest_.starts_with(text); }

  bool takes(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) { ok_ = takes(text) && ok_; }

  // ,"name":
  void name(std::string_view name) {
    expect(",\"");
    expect(name);
    expect("\":");
  }

  template <class Number>
  Number number() {
    Number value{};
    const std::string_view text = rest_.substr(0, digits());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    ok_ = ok_ && error == std::errc() && end != text.data();
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }
  int64_t figure(int64_t null) { return takes("null") ? null : number<int64_t>(); }

  template <class Number>
  Number field(std::string_view name) {
    this->name(name);
    return number<Number>();
  }
  int64_t figure_field(std::string_view name, int64_t null) {
    this->name(name);
    return figure(null);
  }

  // "text": of plain characters only.
  std::string_view text() {
    expect("\"");
    size_t length = 0;
    while (length < rest_.size() && rest_[length] != '"' && rest_[length] != '\\' && rest_[length] >= ' ') length++;
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    expect("\"");
    return text;
  }

 private:
  // How long a number of JSON is here: no zeros before it, none without digits before and after the point.
  size_t digits() {
    size_t at = 0;
    const auto more = [&] {
      const size_t from = at;
      while (at < rest_.size() && is_digit(rest_[at])) at++;
      ok_ = ok_ && at > from;
    };
    const auto is = [&](char a, char b) { return at < rest_.size() && (rest_[at] == a || rest_[at] == b); };
    if (is('-', '-')) at++;
    const bool zero = is('0', '0');
    const size_t first = at;
    more();
    ok_ = ok_ && (!zero || at == first + 1);
    if (is('.', '.')) {
      at++;
      more();
    }
    if (is('e', 'E')) {
      at++;
      if (is('+', '-')) at++;
      more();
    }
    return at;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// `columns`: those of the line. The totals are the first to show whether it has those of request-reply.
ServiceRow read_totals(Cursor& cursor, Role role, std::span<const ServiceColumn>& columns) {
  ServiceRow row;
  cursor.name("totals");
  std::string_view before = "{\"";
  const auto read = [&](std::span<const ServiceColumn> some) {
    for (const auto& column : some) {
      cursor.expect(before);
      cursor.expect(column.name);
      cursor.expect("\":");
      row.*column.value = cursor.figure(kNoFigure);
      before = ",\"";
    }
  };
  const auto common = columns_of(role);
  read(common.subspan(2));
  columns = columns_of(role, !cursor.is_at("}"));
  read(columns.subspan(common.size()));
  cursor.expect("}");
  return row;
}

// What cannot be is left to the other reader to name.
bool read_network(Cursor& cursor, NetworkFigures& network) {
  cursor.name("network");
  cursor.expect("{\"method\":");
  const auto method = parse_network_method(cursor.text());
  network.method = method.value_or(NetworkMethod::none);
  network.sent = cursor.field<uint64_t>("sent");
  network.lost = cursor.field<uint64_t>("lost");
  const int64_t last_ns = cursor.figure_field("last_ns", kNoFigure);
  if (last_ns != kNoFigure) network.last_ns = last_ns;
  cursor.expect("}");
  return method && is_plausible(network);
}

template <class Value>
std::optional<Value> read_maybe(Cursor& cursor, std::string_view name) {
  cursor.name(name);
  if (cursor.takes("null")) return {};
  return cursor.number<Value>();
}

std::optional<ClockFigures> read_clock(Cursor& cursor) {
  if (!cursor.takes(",\"clock\":{\"kind\":")) return {};
  ClockFigures clock{.kind = std::string(cursor.text())};
  clock.offset_ns = read_maybe<int64_t>(cursor, "offset_ns");
  clock.bound_ns = read_maybe<uint64_t>(cursor, "bound_ns");
  clock.own_bound_ns = read_maybe<uint64_t>(cursor, "own_bound_ns");
  clock.round_trip_ns = read_maybe<uint64_t>(cursor, "round_trip_ns");
  clock.drift_ns = read_maybe<uint64_t>(cursor, "drift_ns");
  clock.probes = cursor.field<uint64_t>("probes");
  cursor.expect("}");
  return clock;
}

std::optional<WireFigures> read_wire(Cursor& cursor) {
  if (!cursor.takes(",\"wire\":{\"sent_bytes\":")) return {};
  WireFigures wire{.sent_bytes = cursor.number<uint64_t>()};
  wire.received_bytes = cursor.field<uint64_t>("received_bytes");
  wire.connections = cursor.field<uint64_t>("connections");
  cursor.expect("}");
  return wire;
}

bool read_process(Cursor& cursor, ProcessFigures& process) {
  cursor.name("tcp");
  cursor.expect("{\"connections\":");
  process.tcp.connections = cursor.number<uint64_t>();
  process.tcp.rtt_us = cursor.field<uint64_t>("rtt_us");
  process.tcp.rtt_us_max = cursor.field<uint64_t>("rtt_us_max");
  process.tcp.cwnd = cursor.field<uint64_t>("cwnd");
  process.tcp.retransmits = cursor.field<uint64_t>("retransmits");
  cursor.expect("}");
  if (!read_network(cursor, process.network)) return false;
  process.cpu_ns = cursor.field<uint64_t>("cpu_ns");
  process.rss_bytes = cursor.field<uint64_t>("rss_bytes");
  process.log_lines_not_written = cursor.field<uint64_t>("log_lines_not_written");
  process.dropped_lines = cursor.field<uint64_t>("dropped_lines");
  process.wire = read_wire(cursor);
  process.clock = read_clock(cursor);
  return cursor.ok();
}

void read_buckets(Cursor& cursor, std::vector<BucketCount>& buckets) {
  cursor.name("buckets");
  cursor.expect("[");
  if (cursor.takes("]")) return;
  do {
    BucketCount bucket{.index = cursor.number<int32_t>()};
    cursor.expect(",");
    bucket.count = cursor.number<uint64_t>();
    buckets.push_back(bucket);
  } while (cursor.ok() && cursor.takes(","));
  cursor.expect("]");
}

HistogramDelta read_histogram(Cursor& cursor) {
  HistogramDelta delta{.name = std::string(cursor.text())};
  cursor.expect(":{\"count\":");
  delta.moments.count = cursor.number<uint64_t>();
  delta.moments.min = cursor.figure_field("min", 0);
  delta.moments.max = cursor.figure_field("max", 0);
  delta.moments.sum = cursor.field<double>("sum");
  delta.moments.sum_squares = cursor.field<double>("sum_squares");
  read_buckets(cursor, delta.buckets);
  cursor.expect("}");
  return delta;
}

// By name, each once.
bool read_histograms(Cursor& cursor, std::vector<HistogramDelta>& histograms) {
  if (!cursor.takes(",\"histograms\":{")) return true;
  do {
    histograms.push_back(read_histogram(cursor));
    const size_t count = histograms.size();
    if (count > 1 && histograms[count - 2].name >= histograms[count - 1].name) return false;
  } while (cursor.ok() && cursor.takes(","));
  cursor.expect("}");
  return cursor.ok();
}

// The first column says how many rows there are.
bool read_services(Cursor& cursor, std::span<const ServiceColumn> columns, std::vector<ServiceRow>& rows) {
  cursor.name("services");
  std::string_view before = "{\"";
  bool first = true;
  for (const auto& column : columns) {
    cursor.expect(before);
    cursor.expect(column.name);
    cursor.expect("\":[");
    before = ",\"";
    size_t row = 0;
    if (!cursor.takes("]")) {
      do {
        if (first) rows.emplace_back();
        if (row == rows.size()) return false;
        rows[row++].*column.value = cursor.figure(kNoFigure);
      } while (cursor.ok() && cursor.takes(","));
      cursor.expect("]");
    }
    if (row != rows.size() || !cursor.ok()) return false;
    first = false;
  }
  cursor.expect("}");
  return true;
}

}  // namespace

std::optional<Telemetry> read_telemetry(std::string_view line) {
  Cursor cursor(line);
  Telemetry telemetry;
  if (line.size() > kMaxLineBytes || !cursor.takes("{\"type\":\"telemetry\",\"role\":")) return {};
  const auto role = parse_role(std::string(cursor.text()));
  if (!cursor.ok() || !role || *role == Role::broker) return {};
  telemetry.role = *role;
  telemetry.sequence = cursor.field<uint64_t>("sequence");
  telemetry.time_ns = cursor.field<int64_t>("time_ns");
  telemetry.interval_ns = cursor.field<int64_t>("interval_ns");
  telemetry.merged = cursor.field<uint64_t>("merged");
  telemetry.messages_per_s = cursor.field<double>("messages_per_s");
  telemetry.bytes_per_s = cursor.field<double>("bytes_per_s");
  std::span<const ServiceColumn> columns;
  telemetry.totals = read_totals(cursor, *role, columns);
  if (!read_process(cursor, telemetry.process) || !read_histograms(cursor, telemetry.histograms)) return {};
  if (!read_services(cursor, columns, telemetry.services)) return {};
  telemetry.waiting = cursor.field<uint64_t>("waiting");
  cursor.expect("}");
  if (!cursor.at_end()) return {};
  return telemetry;
}

}  // namespace n2nq::control
