// What the queue counts, in pairs of message and receiver: owed = delivered + expired + undeliverable.
#pragma once

#include <cstdint>

namespace n2nq::queue {

struct Accounts {
  uint64_t accepted = 0;  // messages taken from senders
  uint64_t owed = 0;
  uint64_t delivered = 0;  // handed whole to the kernel; with responses: confirmed
  uint64_t confirmed = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t in_doubt = 0;     // delivered, not confirmed, and the receiver vanished
  uint64_t redelivered = 0;  // deliveries announced by AGAIN
  uint64_t requests = 0;
  uint64_t responses = 0;
  uint64_t refused = 0;  // responses that refused a message
};

// One receiver's share.
struct ReceiverAccounts {
  uint64_t owed = 0;
  uint64_t handed = 0;  // first deliveries and re-deliveries handed whole to the kernel
  uint64_t delivered = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t redelivered = 0;
};

}  // namespace n2nq::queue
