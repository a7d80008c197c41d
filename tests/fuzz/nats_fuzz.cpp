#include <string>
#include <vector>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/in_chunks.h"
#include "workers/bus/nats/nats_op.h"

namespace n2nq::fuzz {
namespace {

using bus::NatsStep;

constexpr size_t kLongestPayload = 300;
constexpr size_t kLongestNatsHead = 64 * 1024;

struct NatsOutcome {
  std::vector<std::string> ops{};
  bool violation = false;
  bool operator==(const NatsOutcome&) const = default;
};

// Fed in chunks of so many bytes.
NatsOutcome cut_nats(std::span<const uint8_t> input, size_t chunk) {
  NatsOutcome outcome;
  in_chunks(input, chunk, [&](std::span<uint8_t> held) -> std::optional<size_t> {
    size_t used = 0;
    while (true) {
      const auto left = held.subspan(used);
      const NatsStep step = bus::next_nats(left, kLongestPayload);
      if (step.kind == NatsStep::Kind::violation) {
        outcome.violation = true;
        return std::nullopt;
      }
      if (step.kind == NatsStep::Kind::partial) {
        N2NQ_ASSERT(step.whole == 0 ||
                    (step.whole > left.size() && step.whole <= kLongestNatsHead + kLongestPayload + 4));
        return used;
      }
      N2NQ_ASSERT(step.used > 0 && step.used <= left.size());
      N2NQ_ASSERT(step.op.payload.size() <= kLongestPayload);
      outcome.ops.push_back(std::to_string(static_cast<int>(step.op.kind)) + " " + std::string(step.op.text) + " " +
                            std::string(step.op.payload.begin(), step.op.payload.end()));
      used += step.used;
    }
  });
  return outcome;
}

}  // namespace

// The first byte chooses the chunks; how the bytes are cut changes nothing.
void nats_fuzz(std::span<const uint8_t> input) {
  if (input.empty()) return;
  const size_t chunk = 1 + input[0] % 16;
  input = input.subspan(1);
  N2NQ_ASSERT(cut_nats(input, input.size()) == cut_nats(input, chunk));
}

}  // namespace n2nq::fuzz
