#include "broker/base/assert.h"
#include "broker/wire/frames.h"
#include "tests/fuzz/entries.h"

namespace n2nq::fuzz {

using wire::HelloStart;

// A judgement may only ripen as bytes arrive, and a whole HELLO that would be taken is never turned away by it.
void hello_start_fuzz(std::span<const uint8_t> input) {
  HelloStart before = HelloStart::partial;
  for (size_t length = 0; length <= input.size() && length <= 64; length++) {
    const wire::Bytes start(input.begin(), input.begin() + static_cast<ptrdiff_t>(length));
    const HelloStart judged = wire::judge_hello_start(start);
    N2NQ_ASSERT(before == HelloStart::partial || judged == before);
    N2NQ_ASSERT(judged != HelloStart::plausible || length >= 14);
    N2NQ_ASSERT(length < 14 || judged != HelloStart::partial);
    before = judged;
  }
  const wire::Bytes whole(input.begin(), input.end());
  const auto hello = wire::decode_hello(whole);
  N2NQ_ASSERT(!hello || (before == HelloStart::plausible && wire::hello_version(whole) == wire::kVersion));
}

}  // namespace n2nq::fuzz
