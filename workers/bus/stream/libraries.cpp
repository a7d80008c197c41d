#include "workers/bus/stream/libraries.h"

#include <openssl/crypto.h>

#include <boost/version.hpp>

#include "workers/bus/bus_table.h"

namespace n2nq::bus {

std::string stream_libraries(const BusOptions& options) {
  const BusTraits& traits = *find_bus(options.kind);
  std::string text;
  // Which parses the heads of requests, handshakes among them.
  if (traits.meets_directly)
    text += ", Boost " + std::to_string(BOOST_VERSION / 100'000) + "." + std::to_string(BOOST_VERSION / 100 % 1'000) +
            "." + std::to_string(BOOST_VERSION % 100);
  if (value_of(traits, options.settings, "tls") == "true")
    text += std::string(", OpenSSL ") + ::OpenSSL_version(OPENSSL_VERSION_STRING);
  return text;
}

}  // namespace n2nq::bus
