#include "workers/bus/websocket/ws_frame.h"

#include <vector>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/in_chunks.h"

namespace n2nq::fuzz {
namespace {

using bus::WsDecoder;
using Kind = WsDecoder::Step::Kind;

constexpr size_t kLongest = 300;

struct Outcome {
  std::vector<std::vector<uint8_t>> messages{};
  Kind end = Kind::partial;
  bool operator==(const Outcome&) const = default;
};

// Fed in chunks of so many bytes.
Outcome decode(bool masked, std::span<const uint8_t> input, size_t chunk) {
  WsDecoder decoder(masked, kLongest);
  Outcome outcome;
  in_chunks(input, chunk, [&](std::span<uint8_t> held) -> std::optional<size_t> {
    size_t used = 0;
    while (true) {
      const auto step = decoder.step(held.subspan(used));
      N2NQ_ASSERT(step.used <= held.size() - used);
      if (step.kind == Kind::violation || step.kind == Kind::close) {
        outcome.end = step.kind;
        N2NQ_ASSERT(step.kind == Kind::close || !step.why.empty());
        return std::nullopt;
      }
      if (step.kind == Kind::partial) {
        N2NQ_ASSERT(step.whole == 0 || step.whole > held.size() - used);
        N2NQ_ASSERT(step.whole <= bus::kLongestWsHead + kLongest);
        return used;
      }
      N2NQ_ASSERT(step.used > 0);
      if (step.kind == Kind::message) {
        N2NQ_ASSERT(step.payload.size() <= kLongest);
        outcome.messages.emplace_back(step.payload.begin(), step.payload.end());
      }
      used += step.used;
    }
  });
  return outcome;
}

}  // namespace

// The first byte chooses the side and the chunks; how the bytes are cut changes nothing.
void ws_frame_fuzz(std::span<const uint8_t> input) {
  if (input.empty()) return;
  const bool masked = (input[0] & 1) != 0;
  const size_t chunk = 1 + (input[0] >> 1) % 16;
  input = input.subspan(1);
  N2NQ_ASSERT(decode(masked, input, input.size()) == decode(masked, input, chunk));
}

}  // namespace n2nq::fuzz
