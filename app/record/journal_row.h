// A row of a journal: a JSON array of the columns of columns.h, in their order. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
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
  void operator()(const char*, T& value) {
    good_ = good_ && at_ < row_.size() && take_value(row_[at_], value);
    at_++;
  }
  // Of those at the end: an older bench did not write it.
  template <class T>
  void maybe(const char* name, T& value, bool) {
    if (at_ < row_.size()) (*this)(name, value);
  }
  bool good() const { return good_ && at_ == row_.size(); }

 private:
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
