#include <string>
#include <vector>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/in_chunks.h"
#include "workers/bus/rabbitmq/amqp.h"

namespace n2nq::fuzz {
namespace {

using bus::AmqpStep;

struct AmqpOutcome {
  std::vector<std::string> frames{};
  bool violation = false;
  bool operator==(const AmqpOutcome&) const = default;
};

// Whatever a method's arguments are, they are read to their end or found to be none.
std::string read_arguments(std::span<const uint8_t> payload) {
  bus::AmqpReader in(payload);
  std::string text = std::to_string(in.number(4));
  text += in.text_in_table("version");
  text += in.short_text();
  text += in.long_text();
  N2NQ_ASSERT(text.size() <= payload.size() + 10);
  return text + std::to_string(in.number(8)) + (in.good() ? " good" : " bad");
}

// Fed in chunks of so many bytes.
AmqpOutcome cut_amqp(std::span<const uint8_t> input, size_t chunk) {
  AmqpOutcome outcome;
  in_chunks(input, chunk, [&](std::span<uint8_t> held) -> std::optional<size_t> {
    size_t used = 0;
    while (true) {
      const auto left = held.subspan(used);
      const AmqpStep step = bus::next_amqp(left);
      if (step.kind == AmqpStep::Kind::violation) {
        outcome.violation = true;
        return std::nullopt;
      }
      if (step.kind == AmqpStep::Kind::partial) {
        N2NQ_ASSERT(step.whole == 0 || (step.whole > left.size() && step.whole <= bus::kAmqpFrameBytes));
        return used;
      }
      N2NQ_ASSERT(step.used == step.frame.payload.size() + 8 && step.used <= left.size());
      outcome.frames.push_back(std::to_string(static_cast<int>(step.frame.kind)) + " " +
                               std::to_string(bus::body_bytes_of(step.frame.payload)) + " " +
                               std::string(bus::reply_to_of(step.frame.payload)) + " " +
                               read_arguments(step.frame.payload));
      used += step.used;
    }
  });
  return outcome;
}

}  // namespace

// The first byte chooses the chunks; how the bytes are cut changes nothing.
void amqp_fuzz(std::span<const uint8_t> input) {
  if (input.empty()) return;
  const size_t chunk = 1 + input[0] % 16;
  input = input.subspan(1);
  N2NQ_ASSERT(cut_amqp(input, input.size()) == cut_amqp(input, chunk));
}

}  // namespace n2nq::fuzz
