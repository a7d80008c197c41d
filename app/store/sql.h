// A connection to an SQLite file through Qt Sql, with errors as values that name the file. A connection and its
// statements belong to the thread that opened it.
#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>
#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "app/record/words.h"
#include "broker/base/join.h"
#include "broker/base/result.h"

namespace n2nq::store {

inline QVariant to_variant(const std::string& text) {
  return QString::fromStdString(text);
}
inline QVariant to_variant(const QByteArray& bytes) {
  return bytes;
}
inline QVariant to_variant(double value) {
  return value;
}
template <std::integral Integer>
QVariant to_variant(Integer value) {
  return QVariant::fromValue(static_cast<qint64>(value));
}
template <class Enum>
  requires std::is_enum_v<Enum>
QVariant to_variant(Enum value) {
  return to_variant(std::string(record::word_of(value)));
}
template <class T>
QVariant to_variant(const std::optional<T>& value) {
  return value ? to_variant(*value) : QVariant();
}

enum class Access { read_write, read_only, immutable };  // immutable: a file that nobody can write, nor lock

class Connection {
 public:
  static Result<Connection> open(const std::string& path, Access access, std::chrono::milliseconds busy_timeout);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  const std::string& path() const { return path_; }
  Result<void> run(const std::string& sql);
  // Prepared, not run yet.
  Result<QSqlQuery> prepare(const std::string& sql);
  // Runs with these values for the ?s.
  Result<QSqlQuery> query(const std::string& sql, const std::vector<QVariant>& values = {});
  Result<void> execute(QSqlQuery& query, const std::vector<QVariant>& values);
  Result<int64_t> number(const std::string& sql);
  Error error(const QSqlError& error) const;  // with an errno; EBUSY: another program was writing

 private:
  Connection(QString name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}
  QSqlDatabase database() const;

  QString name_;
  std::string path_;
};

// BEGIN IMMEDIATE ... COMMIT; rolled back unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Connection& connection);
  Transaction(Transaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Result<void> commit();

 private:
  explicit Transaction(Connection* connection) : connection_(connection) {}
  Connection* connection_;
};

// Collects the columns of a row for an INSERT; see columns.h.
struct RowWriter {
  std::vector<std::string> names{};
  std::vector<QVariant> values{};
  uint64_t bytes = 0;  // about what the row takes

  template <class T>
  void operator()(const char* name, const T& value) {
    names.emplace_back(name);
    values.push_back(to_variant(value));
    bytes += bytes_of(values.back());
  }
  std::string insert_into(const std::string& table) const;
  std::string update(const std::string& table) const;  // of the row whose id is one more value
  static uint64_t bytes_of(const QVariant& value);
};

// The names alone, for a SELECT.
struct NameList {
  std::string text{};
  template <class T>
  void operator()(const char* name, const T&) {
    add_part(text, ", ", name);
  }
};

// Takes the columns of the current row of a query, in order.
class RowReader {
 public:
  explicit RowReader(const QSqlQuery& query) : query_(query) {}

  template <class T>
  void operator()(const char*, T& value) {
    take(query_.value(at_++), value);
  }
  bool good() const { return good_; }  // every word was known

 private:
  void take(const QVariant& from, std::string& to) { to = from.toString().toStdString(); }
  void take(const QVariant& from, QByteArray& to) { to = from.toByteArray(); }
  void take(const QVariant& from, double& to) { to = from.toDouble(); }
  void take(const QVariant& from, bool& to) { to = from.toLongLong() != 0; }
  template <std::integral Integer>
  void take(const QVariant& from, Integer& to) {
    to = static_cast<Integer>(from.toLongLong());
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void take(const QVariant& from, Enum& to) {
    good_ = record::from_word(from.toString().toStdString(), to) && good_;
  }
  template <class T>
  void take(const QVariant& from, std::optional<T>& to) {
    to.reset();
    if (from.isNull()) return;
    T value{};
    take(from, value);
    to = std::move(value);
  }

  const QSqlQuery& query_;
  int at_ = 0;
  bool good_ = true;
};

}  // namespace n2nq::store
