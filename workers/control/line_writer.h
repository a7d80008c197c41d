// Writes JSON by a list of fields (fields.h): names, commas and braces, whatever bytes the texts hold. One thread.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "workers/control/fields.h"

namespace n2nq::control {

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

class LineWriter {
 public:
  // How a real number without a fraction is written: 20.0, or 20 as in telemetry.
  enum class Reals { with_point, shortest };

  // `out` ends within an object, which is continued.
  explicit LineWriter(std::string& out, Reals reals = Reals::with_point) : out_(out), reals_(reals) {}

  template <class Value>
  void operator()(std::string_view name, const Value& value) {
    begin(name);
    append(value);
  }
  template <class Value>
  void maybe(std::string_view name, const Value& value, bool written = true) {
    if constexpr (requires { value.has_value(); }) written = value.has_value();
    if (written) (*this)(name, value);
  }
  void figure(std::string_view name, int64_t value, bool known) {
    begin(name);
    known ? append(value) : append_null();
  }
  void count(std::string_view name, uint64_t value);  // of messages, or "unlimited"
  template <class List>
  void object(std::string_view name, const List& list) {
    begin(name);
    enclose([&] { list(*this); });
  }
  template <class Rows, class List>
  void objects(std::string_view name, const Rows& rows, const List& list) {
    begin(name);
    append_array(rows, [&](const auto& row) { enclose([&] { list(*this, row); }); });
  }
  // ,"name": and what follows is up to the caller.
  void begin(std::string_view name);

 private:
  template <class Value>
  void append(const Value& value) {
    if constexpr (std::same_as<Value, bool>)
      out_.append(value ? "true" : "false");
    else if constexpr (std::integral<Value>)
      append_number(out_, value);
    else if constexpr (std::same_as<Value, double>)
      append_real(value);
    else if constexpr (requires { std::string_view(value); })
      append_text(value);
    else if constexpr (requires { to_text(value); })
      append_text(to_text(value));
    else if constexpr (requires { value.has_value(); })
      value ? append(*value) : append_null();
    else if constexpr (requires { value.begin(); })
      append_array(value, [this](const auto& each) { this->append(each); });
    else
      enclose([&] { list_fields(*this, value); });
  }
  template <class Rows, class Append>
  void append_array(const Rows& rows, const Append& append_row) {
    out_.push_back('[');
    for (const auto& row : rows) {
      append_row(row);
      out_.push_back(',');
    }
    if (out_.back() == ',') out_.pop_back();
    out_.push_back(']');
  }
  template <class Content>
  void enclose(const Content& content) {
    out_.push_back('{');
    content();
    out_.push_back('}');
  }
  void append_null() { out_.append("null"); }
  void append_real(double value);
  void append_text(std::string_view text);

  std::string& out_;
  Reals reals_;
};

// The line of a message that says of what type it is. Those of telemetry are TelemetryBuilder's.
template <class Message>
  requires requires { Message::kType; }
std::string to_line(const Message& message) {
  std::string line = "{";
  LineWriter writer(line);
  writer("type", Message::kType);
  if constexpr (requires { Message::kRole; }) writer("role", Message::kRole);
  Message::fields(writer, message);
  line.push_back('}');
  return line;
}

}  // namespace n2nq::control
