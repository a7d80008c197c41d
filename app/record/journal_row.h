// A row of a journal: a JSON array of the columns of columns.h, in their order. Any thread.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "app/record/columns.h"
#include "app/record/json_value.h"
#include "app/record/run_record.h"
#include "app/record/words.h"

namespace n2nq::record {

struct JournalRowWriter {
  nlohmann::json row = nlohmann::json::array();

  template <class T>
  void operator()(const char*, const T& value) {
    put(value);
  }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_enum_v<T>)
      row.push_back(word_of(value));
    else
      row.push_back(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    if (value)
      put(*value);
    else
      row.push_back(nullptr);
  }
};

template <class Row>
nlohmann::json to_journal_row(const Row& value) {
  JournalRowWriter writer;
  columns(writer, value);
  return std::move(writer.row);
}

// Whatever the JSON is: good() tells whether it was such a row.
class JournalRowReader {
 public:
  explicit JournalRowReader(const nlohmann::json& row) : row_(row), good_(row.is_array()) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if (at_ == row_.size() && came_later(name)) return;
    good_ = good_ && at_ < row_.size() && take_value(row_[at_], value);
    at_++;
  }
  bool good() const { return good_ && at_ == row_.size(); }

 private:
  // Last in its row, where a journal of an older bench ends before it.
  static bool came_later(std::string_view name) {
    constexpr std::array<std::string_view, 23> kLater{"deliveries",
                                                      "scheduled_p50_ns",
                                                      "scheduled_p99_ns",
                                                      "kind",
                                                      "lost",
                                                      "replies",
                                                      "timeouts",
                                                      "late_replies",
                                                      "double_replies",
                                                      "closed_loop",
                                                      "wire_sent_bytes",
                                                      "wire_received_bytes",
                                                      "wire_bytes",
                                                      "connections",
                                                      "turnaround_ns",
                                                      "turnaround_p50_ns",
                                                      "turnaround_p95_ns",
                                                      "turnaround_p99_ns",
                                                      "turnaround_max_ns",
                                                      "scheduled_turnaround_p50_ns",
                                                      "scheduled_turnaround_p99_ns",
                                                      "reply_p50_ns",
                                                      "reply_p99_ns"};
    return std::ranges::find(kLater, name) != kLater.end();
  }

  const nlohmann::json& row_;
  size_t at_ = 0;
  bool good_;
};

template <class Row>
bool from_journal_row(const nlohmann::json& json, Row& value) {
  JournalRowReader reader(json);
  columns(reader, value);
  return reader.good();
}

}  // namespace n2nq::record
