#include "app/store/sql.h"

#include <QUrl>
#include <atomic>
#include <cerrno>
#include <utility>

#include "app/store/store.h"

namespace n2nq::store {
namespace {

// Primary result codes of SQLite.
constexpr int kBusy = 5;
constexpr int kLocked = 6;
constexpr int kReadOnly = 8;
constexpr int kIoError = 10;
constexpr int kCorrupt = 11;
constexpr int kFull = 13;
constexpr int kNotADatabase = 26;

QString unique_name() {
  static std::atomic<uint64_t> next{1};
  return QStringLiteral("n2nq-results-%1").arg(next.fetch_add(1));
}

std::string options_of(Access access, std::chrono::milliseconds busy_timeout) {
  std::string options = "QSQLITE_BUSY_TIMEOUT=" + std::to_string(busy_timeout.count());
  if (access != Access::read_write) options += ";QSQLITE_OPEN_READONLY";
  if (access == Access::immutable) options += ";QSQLITE_OPEN_URI";
  return options;
}

QString name_for(const std::string& path, Access access) {
  if (access != Access::immutable) return QString::fromStdString(path);
  QUrl url = QUrl::fromLocalFile(QString::fromStdString(path));
  url.setQuery(QStringLiteral("immutable=1"));
  return QString::fromUtf8(url.toEncoded());
}

}  // namespace

Result<Connection> Connection::open(const std::string& path, Access access, std::chrono::milliseconds busy_timeout) {
  Connection connection(unique_name(), path);
  QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connection.name_);
  if (!database.isValid())
    return fail("Qt's SQLite driver is missing; install the package libqt6sql6-sqlite, then start again");
  database.setConnectOptions(QString::fromStdString(options_of(access, busy_timeout)));
  database.setDatabaseName(name_for(path, access));
  if (!database.open()) return std::unexpected(connection.error(database.lastError()));
  // What a file that somebody else made says of its columns calls no function that does more than to compute.
  if (auto done = connection.run("PRAGMA trusted_schema = OFF"); !done) return std::unexpected(done.error());
  return connection;
}

Connection::Connection(Connection&& other) noexcept
    : name_(std::exchange(other.name_, QString())), path_(std::move(other.path_)) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(path_, other.path_);
  return *this;
}

Connection::~Connection() {
  if (!name_.isEmpty()) QSqlDatabase::removeDatabase(name_);
}

QSqlDatabase Connection::database() const {
  return QSqlDatabase::database(name_, false);
}

Result<void> Connection::run(const std::string& sql) {
  QSqlQuery query(database());
  if (!query.exec(QString::fromStdString(sql))) return std::unexpected(error(query.lastError()));
  return {};
}

Result<QSqlQuery> Connection::prepare(const std::string& sql) {
  QSqlQuery query(database());
  query.setForwardOnly(true);
  if (!query.prepare(QString::fromStdString(sql))) return std::unexpected(error(query.lastError()));
  return query;
}

Result<QSqlQuery> Connection::query(const std::string& sql, const std::vector<QVariant>& values) {
  auto query = prepare(sql);
  if (!query) return query;
  if (auto done = execute(*query, values); !done) return std::unexpected(done.error());
  return query;
}

Result<void> Connection::execute(QSqlQuery& query, const std::vector<QVariant>& values) {
  for (size_t i = 0; i < values.size(); i++) query.bindValue(static_cast<int>(i), values[i]);
  if (!query.exec()) return std::unexpected(error(query.lastError()));
  return {};
}

Result<int64_t> Connection::number(const std::string& sql) {
  auto answer = query(sql);
  if (!answer) return std::unexpected(answer.error());
  if (!answer->next()) {
    if (answer->lastError().isValid()) return std::unexpected(error(answer->lastError()));
    return 0;
  }
  return answer->value(0).toLongLong();
}

Error Connection::error(const QSqlError& error) const {
  const std::string said = " (" + error.text().trimmed().toStdString() + ")";
  switch (error.nativeErrorCode().toInt() & 0xff) {
    case kBusy:
    case kLocked:
      return {.text = path_ + " is being written by another program, which did not finish in time; try again",
              .error_number = EBUSY};
    case kFull:
      return {.text = "no room is left on the disk of " + path_ + "; free some space, then try again",
              .error_number = ENOSPC};
    case kReadOnly:
      return {.text = path_ + " cannot be written" + said + "; make sure that you may write to it and its folder",
              .error_number = EROFS};
    case kIoError:
      return {.text = path_ + " cannot be read or written" + said + "; check whether its disk is full or failing",
              .error_number = EIO};
    case kCorrupt:
    case kNotADatabase:
      return {.text = path_ + " is not a results store, or is damaged" + said +
                      "; nothing was changed in it. Move it elsewhere, then start again: a new one is created",
              .error_number = kDamaged};
    default:
      return {.text = path_ + ": " + error.text().trimmed().toStdString(), .error_number = EIO};
  }
}

Result<Transaction> Transaction::begin(Connection& connection) {
  if (auto begun = connection.run("BEGIN IMMEDIATE"); !begun) return std::unexpected(begun.error());
  return Transaction(&connection);
}

Transaction::~Transaction() {
  // Where this fails SQLite has rolled back by itself.
  if (connection_ != nullptr) (void)connection_->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  auto done = connection_->run("COMMIT");
  if (done) connection_ = nullptr;
  return done;
}

std::string RowWriter::insert_into(const std::string& table) const {
  std::string sql = "INSERT INTO " + table + " (";
  std::string marks;
  for (size_t i = 0; i < names.size(); i++) {
    sql.append(i == 0 ? "" : ", ").append(names[i]);
    marks.append(i == 0 ? "?" : ", ?");
  }
  return sql + ") VALUES (" + marks + ")";
}

std::string RowWriter::update(const std::string& table) const {
  std::string sql = "UPDATE " + table + " SET ";
  for (size_t i = 0; i < names.size(); i++) sql.append(i == 0 ? "" : ", ").append(names[i]).append(" = ?");
  return sql + " WHERE id = ?";
}

uint64_t RowWriter::bytes_of(const QVariant& value) {
  if (value.typeId() == QMetaType::QString) return static_cast<uint64_t>(value.toString().toUtf8().size());
  if (value.typeId() == QMetaType::QByteArray) return static_cast<uint64_t>(value.toByteArray().size());
  return value.isNull() ? 1 : 8;
}

}  // namespace n2nq::store
