// Counts what connections to SQLite do that are opened while it is there: statements, and pages that are read from the
// file. One at a time; any thread.
#pragma once

#include <cstdint>

namespace n2nq::store::test {

class StoreWatch {
 public:
  StoreWatch();
  ~StoreWatch();
  StoreWatch(const StoreWatch&) = delete;
  StoreWatch& operator=(const StoreWatch&) = delete;

  void start_anew();
  int64_t statements() const;
  int64_t statements_of_this_thread() const;
  int64_t pages_read() const;  // by the connection that was opened last
};

}  // namespace n2nq::store::test
