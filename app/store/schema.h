// The store's schema (docs/store.md) and how a store gets to it: steps from version to version, each once, each whole.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/store/sql.h"

namespace n2nq::store {

inline constexpr int64_t kApplicationId = 0x4E324E51;  // "N2NQ", in the file's header

// What leads from version i to version i + 1 is element i: statements without their semicolons.
using SchemaStep = std::vector<std::string>;
std::span<const SchemaStep> schema_steps();
int64_t schema_version();  // that this program reads and writes

struct StoreVersion {
  int64_t version = 0;
  bool ours = true;    // false: the database of another program
  bool empty = false;  // nothing in it yet
};
Result<StoreVersion> version_of(Connection& connection);

// Why the store cannot be written, if so: no permission, a medium that takes nothing.
std::optional<std::string> why_not_writable(const std::string& path);
// A store that cannot be written, for reading.
Result<Connection> open_to_read(const std::string& path, std::chrono::milliseconds busy_timeout);

// Begins a change of a store that has the schema of this program; the error says that it has another.
Result<Transaction> begin_write(Connection& connection);

// Brings the store to version steps.size(). A copy of a store that holds something is put beside it first:
// PATH.version-N. All steps or none; two programs that start at once do it once.
Result<void> upgrade(Connection& connection, std::span<const SchemaStep> steps);

}  // namespace n2nq::store
