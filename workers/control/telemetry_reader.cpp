#include "workers/control/telemetry_reader.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <utility>

#include "workers/control/json_reader.h"

namespace n2nq::control {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Goes along a line by a list of fields (fields.h) for as long as it is what is expected; from the first surprise on
// nothing is left of the line.
class Cursor {
 public:
  // `rest` goes on within an object, after the first field.
  explicit Cursor(std::string_view rest) : rest_(rest) {}

  template <class Value>
  void operator()(std::string_view name, Value& value) {
    begin(name);
    take(value);
  }
  template <class Value>
  void maybe(std::string_view name, std::optional<Value>& value) {
    if (comes(name)) (*this)(name, value.emplace());
  }
  void figure(std::string_view name, int64_t& value, bool known) {
    begin(name);
    if (known)
      take(value);
    else if (!takes("null"))
      reject("null is expected where the count is 0");
  }
  template <class List>
  void object(std::string_view name, const List& list) {
    begin(name);
    enclosed([&] { list(*this); });
  }

  // ,"name": comes next.
  bool comes(std::string_view name) const {
    std::string_view rest = rest_;
    if (!first_ && !rest.empty()) rest.remove_prefix(1);
    return rest.starts_with('"') && rest.substr(1).starts_with(name) && rest.substr(1 + name.size()).starts_with('"');
  }
  void begin(std::string_view name) {
    name_ = name;
    if ((!first_ && !takes(',')) || !takes('"') || !takes(name) || !takes("\":")) reject("it is missing");
    first_ = false;
  }
  // The name of the next field, whatever it is.
  std::string_view begin_any() {
    if (!first_) expect(',');
    name_ = text();
    expect(':');
    first_ = false;
    return name_;
  }
  template <class Content>
  void enclosed(const Content& content) {
    const std::string_view outside = std::exchange(inside_, name_);
    expect('{');
    first_ = true;
    content();
    first_ = false;
    if (!takes('}')) reject("what follows it is not expected");
    inside_ = outside;
  }
  bool in_object() const { return ok() && !rest_.starts_with('}'); }
  // `take` is called for each element.
  template <class Take>
  void array(const Take& take) {
    expect('[');
    if (takes(']')) return;
    do take();
    while (takes(','));
    expect(']');
  }
  void take_figure(int64_t& value, int64_t null) {
    if (takes("null"))
      value = null;
    else
      take(value);
  }
  template <std::integral Number>
  void take(Number& value) {
    const char* const begin = rest_.data();
    const char* const line_end = begin + rest_.size();
    const auto [end, error] = std::from_chars(begin, line_end, value);
    const char* const first = rest_.starts_with('-') ? begin + 1 : begin;
    const bool padded = end - first > 1 && *first == '0';
    const bool goes_on = end != line_end && (*end == '.' || *end == 'e' || *end == 'E');
    if (error != std::errc() || padded || goes_on)
      return reject(std::signed_integral<Number> ? "a whole number is expected"
                                                 : "a whole number, 0 or more, is expected");
    rest_.remove_prefix(static_cast<size_t>(end - begin));
  }
  void take(double& value) {
    const std::string_view number = rest_.substr(0, number_length());
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size()) return reject("a number is expected");
    rest_.remove_prefix(number.size());
  }
  void expect(char letter) {
    if (!takes(letter)) reject(std::string("'") + letter + "' is expected");
  }
  void end() {
    expect('}');
    if (ok() && !rest_.empty()) reject("what follows it is not expected");
  }

  bool ok() const { return !error_; }
  const std::optional<Error>& error() const { return error_; }
  void reject(std::string_view what) { reject(name_, what); }
  void reject(std::string_view name, std::string_view what) {
    rest_ = {};
    if (error_) return;
    const std::string inside = inside_.empty() ? "" : " " + std::string(inside_);
    error_ = Error{.text = "telemetry" + inside + ": field \"" + std::string(name) + "\": " + std::string(what)};
  }

 private:
  bool takes(char letter) {
    if (!rest_.starts_with(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool takes(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  // Of plain characters only.
  std::string_view text() {
    size_t length = 0;
    expect('"');
    while (length < rest_.size() && rest_[length] != '"' && rest_[length] != '\\' && rest_[length] >= ' ') length++;
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    expect('"');
    return text;
  }
  void take(std::string& value) { value = text(); }
  void take(Role& value) {
    const auto role = parse_role(text());
    if (role != Role::sender && role != Role::receiver) return reject("sender or receiver is expected");
    value = *role;
  }
  void take(NetworkMethod& value) {
    const auto method = parse_network_method(text());
    if (!method) return reject("none, icmp or tcp_connect is expected");
    value = *method;
  }
  template <class Value>
  void take(std::optional<Value>& value) {
    if (!takes("null")) take(value.emplace());
  }
  template <class Row>
  void take(Row& row) {
    enclosed([&] { Row::fields(*this, row); });
  }

  // How long a real number of JSON is here: no zeros before it, digits before and after the point. 0: there is none.
  size_t number_length() const {
    size_t at = 0;
    const auto digits = [&] {
      const size_t from = at;
      while (at < rest_.size() && is_digit(rest_[at])) at++;
      return at > from;
    };
    const auto is = [&](char a, char b) { return at < rest_.size() && (rest_[at] == a || rest_[at] == b); };
    if (is('-', '-')) at++;
    const bool zero = is('0', '0');
    const size_t first = at;
    if (!digits() || (zero && at != first + 1)) return 0;
    if (is('.', '.')) {
      at++;
      if (!digits()) return 0;
    }
    if (is('e', 'E')) {
      at++;
      if (is('+', '-')) at++;
      if (!digits()) return 0;
    }
    return at;
  }

  std::string_view rest_;
  std::string_view inside_{}, name_{};
  bool first_ = false;
  std::optional<Error> error_{};
};

// The columns of the line: the totals are the first to show whether it has those of request-reply.
std::span<const ServiceColumn> read_totals(Cursor& cursor, Role role, ServiceRow& totals) {
  std::span<const ServiceColumn> columns = columns_of(role);
  cursor.object("totals", [&](Cursor& object) {
    const auto read = [&](std::span<const ServiceColumn> some) {
      for (const auto& [name, value] : some) {
        object.begin(name);
        object.take_figure(totals.*value, kNoFigure);
      }
    };
    read(columns.subspan(2));
    const size_t common = columns.size();
    columns = columns_of(role, object.in_object());
    read(columns.subspan(common));
  });
  return columns;
}

// Ascending, each once.
void read_slots(Cursor& cursor, std::string_view name, std::optional<SlotList>& slots) {
  if (!cursor.comes(name)) return;
  slots.emplace();
  cursor.begin(name);
  cursor.array([&] {
    measure::SlotCount one;
    cursor.take(one.slot);
    cursor.expect(',');
    cursor.take(one.count);
    if (one.slot < 0 || (!slots->empty() && slots->back().slot >= one.slot))
      cursor.reject("slots from 0 on, ascending, are expected");
    slots->push_back(one);
  });
}

// Of each of these slots, in their order.
void read_slot_times(Cursor& cursor, std::optional<SlotList>& slots, bool& told) {
  constexpr int64_t kWidthUs = measure::SlotCounts::kWidthNs / 1000;
  if (!cursor.comes("slot_times")) return;
  size_t at = 0;
  cursor.begin("slot_times");
  if (!slots) return cursor.reject("slots are expected before it");
  cursor.array([&] {
    if (at == slots->size()) return cursor.reject("no more of them than slots are expected");
    measure::SlotCount& one = (*slots)[at++];
    cursor.take(one.first_us);
    cursor.expect(',');
    cursor.take(one.last_us);
    if (one.first_us < 0 || one.last_us < one.first_us || one.last_us >= kWidthUs)
      cursor.reject("of each slot the first and the last time, within it, are expected");
  });
  if (cursor.ok() && at < slots->size()) return cursor.reject("those of each slot are expected");
  told = true;
}

// By name, each once.
void read_histograms(Cursor& cursor, std::vector<HistogramDelta>& histograms) {
  if (!cursor.comes("histograms")) return;
  cursor.object("histograms", [&](Cursor& object) {
    do {
      HistogramDelta delta{.name = std::string(object.begin_any())};
      object.enclosed([&] {
        HistogramMoments::fields(object, delta.moments);
        object.begin("buckets");
        object.array([&] {
          BucketCount& bucket = delta.buckets.emplace_back();
          object.take(bucket.index);
          object.expect(',');
          object.take(bucket.count);
        });
      });
      if (!histograms.empty() && histograms.back().name >= delta.name) object.reject("they are not by name, each once");
      histograms.push_back(std::move(delta));
    } while (object.in_object());
  });
}

// The first column says how many rows there are.
void read_services(Cursor& cursor, std::span<const ServiceColumn> columns, std::vector<ServiceRow>& rows) {
  cursor.object("services", [&](Cursor& object) {
    for (const ServiceColumn& column : columns) {
      object.begin(column.name);
      const bool first = column.value == &ServiceRow::service;
      size_t row = 0;
      object.array([&] {
        if (!first && row == rows.size()) return object.reject("it is longer than the first column");
        ServiceRow& figures = first ? rows.emplace_back() : rows[row];
        object.take_figure(figures.*column.value, kNoFigure);
        row++;
      });
      if (row < rows.size()) object.reject("it is shorter than the first column");
    }
  });
}

}  // namespace

Result<Telemetry> read_telemetry(std::string_view line) {
  if (line.size() > kMaxLineBytes) return fail("the line is longer than 1 MiB");
  Telemetry telemetry;
  Cursor cursor(line.substr(std::min(line.size(), kTelemetryBegin.size())));
  if (!line.starts_with(kTelemetryBegin)) cursor.reject("type", "it does not come first");
  Telemetry::fields(cursor, telemetry);
  const auto columns = read_totals(cursor, telemetry.role, telemetry.totals);
  ProcessFigures::fields(cursor, telemetry.process);
  if (!is_plausible(telemetry.process.network)) cursor.reject("network", kImplausible);
  read_slots(cursor, "slots", telemetry.slots);
  read_slot_times(cursor, telemetry.slots, telemetry.slot_times);
  read_slots(cursor, "reply_slots", telemetry.reply_slots);
  read_histograms(cursor, telemetry.histograms);
  read_services(cursor, columns, telemetry.services);
  cursor("waiting", telemetry.waiting);
  cursor.end();
  if (cursor.error()) return std::unexpected(*cursor.error());
  return telemetry;
}

}  // namespace n2nq::control
