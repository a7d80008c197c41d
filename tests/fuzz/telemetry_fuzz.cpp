#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "workers/control/messages.h"
#include "workers/control/telemetry_reader.h"

namespace n2nq::fuzz {

// The quick reader takes nothing, or what the one by way of a tree reads too. That one is reached with the fields in
// another order, which the quick one leaves alone.
void telemetry_fuzz(std::span<const uint8_t> input) {
  const std::string line(input.begin(), input.end());
  const auto read = control::read_telemetry(line);
  if (!read) return;
  const auto tree = nlohmann::json::parse(line, nullptr, false);
  N2NQ_ASSERT(!tree.is_discarded());
  const std::string sorted = tree.dump();
  N2NQ_ASSERT(!control::read_telemetry(sorted));
  const auto message = control::parse_message(sorted);
  N2NQ_ASSERT(message && *read == std::get<control::Telemetry>(*message));
}

}  // namespace n2nq::fuzz
