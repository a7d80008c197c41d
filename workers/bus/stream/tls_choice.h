// Whether connections are encrypted, and whose certificates do, as the settings of a bus say. A value; any thread.
#pragma once

#include <string>

#include "broker/base/result.h"
#include "workers/bus/bus.h"

namespace n2nq::bus {

struct TlsChoice {
  bool on = false;
  // Empty: a certificate that is made for the run.
  std::string certificate_file{};
  std::string key_file{};
  std::string authorities{};  // who must have signed it, PEM; empty: whoever the host trusts
};

// The error names the settings that contradict each other.
Result<TlsChoice> tls_choice(const BusOptions& options);

}  // namespace n2nq::bus
