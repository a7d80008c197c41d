#include <string>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "tests/helpers/telemetry_again.h"
#include "workers/control/telemetry_reader.h"

namespace n2nq::fuzz {

// What is taken of a line is what it holds; what is refused is refused with a reason.
void telemetry_fuzz(std::span<const uint8_t> input) {
  const std::string line(input.begin(), input.end());
  const auto read = control::read_telemetry(line);
  N2NQ_ASSERT(read ? control::holds(line, *read) : !read.error().text.empty());
}

}  // namespace n2nq::fuzz
