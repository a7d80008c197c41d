#include <string>
#include <vector>

#include "broker/base/assert.h"
#include "broker/wire/relay.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/in_chunks.h"

namespace n2nq::fuzz {
namespace {

using wire::RelayPiece;

// Where each piece ends, fed in chunks of so many bytes.
std::vector<std::string> cut_relay(std::span<const uint8_t> input, size_t chunk) {
  std::vector<std::string> pieces;
  in_chunks(input, chunk, [&](std::span<uint8_t> held) -> std::optional<size_t> {
    size_t used = 0;
    while (true) {
      const auto left = held.subspan(used);
      const RelayPiece piece = wire::next_relay_piece(left.data(), left.size());
      if (piece.kind == RelayPiece::Kind::too_long) {
        pieces.emplace_back("too long");
        return std::nullopt;
      }
      if (piece.kind == RelayPiece::Kind::partial) {
        N2NQ_ASSERT(piece.whole == 0 ||
                    (piece.whole > left.size() && piece.whole <= wire::kLongestRelayMessage + wire::kRelayLengthBytes));
        return used;
      }
      N2NQ_ASSERT(piece.whole >= wire::kRelayLengthBytes && piece.whole <= left.size());
      pieces.push_back(std::to_string(static_cast<int>(piece.kind)) +
                       std::string(left.begin(), left.begin() + static_cast<ptrdiff_t>(piece.whole)));
      used += piece.whole;
    }
  });
  return pieces;
}

}  // namespace

// A line that is understood is one that would be written so. The first byte chooses the chunks of the pieces; how the
// bytes are cut changes nothing.
void relay_fuzz(std::span<const uint8_t> input) {
  const std::string line(input.begin(), input.end());
  if (const auto hello = wire::read_relay_hello(line)) N2NQ_ASSERT(wire::relay_hello(*hello) == line + "\n");
  if (const auto welcome = wire::read_relay_welcome(line)) N2NQ_ASSERT(wire::relay_welcome(*welcome) == line + "\n");
  if (input.empty()) return;
  const size_t chunk = 1 + input[0] % 16;
  input = input.subspan(1);
  N2NQ_ASSERT(cut_relay(input, input.size()) == cut_relay(input, chunk));
}

}  // namespace n2nq::fuzz
