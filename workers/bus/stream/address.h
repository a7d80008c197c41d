// Where a sender reaches a receiver: http://10.0.0.1:40123/receiver/7, or https, ws, wss; a certificate that was made
// for the run is named behind it, #sha256=HEX. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::bus {

struct Address {
  std::string scheme;
  std::string authority;    // host and port
  std::string path;         // from its slash on
  std::string fingerprint;  // of the certificate, 64 lower-case hexadecimal digits; empty: whoever its authority signed
  // Without the port, and without the brackets of an IPv6 address.
  std::string host() const;
  std::string text() const;
  bool operator==(const Address&) const = default;
};

Result<Address> parse_address(std::string_view text);

std::string path_of_receiver(uint32_t number);
// Of whichever receiver there is, behind a load balancer.
inline constexpr std::string_view kPathOfAny = "/receiver/any";
// Where a load balancer asks whether there is any.
inline constexpr std::string_view kPathOfHealth = "/health";
// The former, with or without a query behind it.
bool is_path_of_any(std::string_view path);
// What path_of_receiver() made, with or without a query behind it; 0 if it is none.
uint32_t receiver_of_path(std::string_view path);
// "sender" of "?sender=12"; 0 if there is none.
uint32_t sender_of_path(std::string_view path);

}  // namespace n2nq::bus
