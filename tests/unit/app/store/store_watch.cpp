#include "tests/unit/app/store/store_watch.h"

#include <sqlite3.h>

#include <atomic>

namespace n2nq::store::test {
namespace {

std::atomic<sqlite3*> last_opened = nullptr;
std::atomic<int64_t> statements_run = 0;
thread_local int64_t statements_here = 0;

int count_statement(unsigned, void*, void*, void*) {
  statements_run++;
  statements_here++;
  return 0;
}

int watch(sqlite3* connection, const char**, const void*) {
  last_opened = connection;
  return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, count_statement, nullptr);
}

using Extension = void (*)();
Extension as_extension() {
  return reinterpret_cast<Extension>(watch);
}

int64_t misses(bool reset) {
  int current = 0;
  int highest = 0;
  if (last_opened != nullptr) sqlite3_db_status(last_opened, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, reset);
  return current;
}

}  // namespace

StoreWatch::StoreWatch() {
  sqlite3_auto_extension(as_extension());
}

StoreWatch::~StoreWatch() {
  sqlite3_cancel_auto_extension(as_extension());
  last_opened = nullptr;
}

void StoreWatch::start_anew() {
  statements_run = 0;
  statements_here = 0;
  misses(true);
}

int64_t StoreWatch::statements() const {
  return statements_run;
}

int64_t StoreWatch::statements_of_this_thread() const {
  return statements_here;
}

int64_t StoreWatch::pages_read() const {
  return misses(false);
}

}  // namespace n2nq::store::test
