#include "workers/bus/stream/http_head.h"

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "workers/bus/stream/address.h"

namespace n2nq::fuzz {
namespace {

using bus::HeadOutcome;

bool lies_in(std::string_view text, std::span<const uint8_t> bytes) {
  const auto* begin = reinterpret_cast<const char*>(bytes.data());
  return text.empty() || (text.data() >= begin && text.data() + text.size() <= begin + bytes.size());
}

template <class Head>
void check(std::span<const uint8_t> input) {
  Head head;
  const HeadOutcome outcome = bus::parse_head(input, head);
  if (outcome == HeadOutcome::partial) N2NQ_ASSERT(input.size() <= bus::kMaxHead);
  if (outcome != HeadOutcome::whole) return;
  N2NQ_ASSERT(head.bytes > 0 && head.bytes <= input.size() && head.bytes <= bus::kMaxHead + 1);
  // The head alone says the same, and a part of it says nothing yet.
  Head again;
  N2NQ_ASSERT(bus::parse_head(input.first(head.bytes), again) == HeadOutcome::whole);
  N2NQ_ASSERT(again.bytes == head.bytes && again.body_bytes == head.body_bytes && again.keep_alive == head.keep_alive);
  N2NQ_ASSERT(bus::parse_head(input.first(head.bytes - 1), again) != HeadOutcome::whole);
}

}  // namespace

// As a request, as a response, and as an address.
void http_head_fuzz(std::span<const uint8_t> input) {
  check<bus::ResponseHead>(input);
  check<bus::RequestHead>(input);
  bus::RequestHead head;
  if (bus::parse_head(input, head) == HeadOutcome::whole) {
    N2NQ_ASSERT(lies_in(head.path, input) && lies_in(head.authorization, input) && lies_in(head.web_socket_key, input));
    const uint32_t receiver = bus::receiver_of_path(head.path);
    N2NQ_ASSERT(receiver == 0 || head.path.starts_with("/receiver/"));
    static_cast<void>(bus::sender_of_path(head.path));
  }
  const auto address = bus::parse_address({reinterpret_cast<const char*>(input.data()), input.size()});
  if (!address) return;
  const auto again = bus::parse_address(address->text());
  N2NQ_ASSERT(again && *again == *address);
}

}  // namespace n2nq::fuzz
