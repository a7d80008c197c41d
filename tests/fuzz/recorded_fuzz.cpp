// A line of a recorder, which may be on a host that is not to be trusted.
#include <string>
#include <variant>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "workers/control/line_writer.h"
#include "workers/control/messages.h"

namespace n2nq::fuzz {

// What is taken can be said again, and is the same then.
void recorded_fuzz(std::span<const uint8_t> input) {
  const auto message = control::parse_message(std::string(input.begin(), input.end()));
  const auto* recorded = message ? std::get_if<control::Recorded>(&*message) : nullptr;
  if (recorded == nullptr) return;
  const auto again = control::parse_message(control::to_line(*recorded));
  N2NQ_ASSERT(again && std::get<control::Recorded>(*again) == *recorded);
}

}  // namespace n2nq::fuzz
