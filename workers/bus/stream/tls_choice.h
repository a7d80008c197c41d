// Whether connections are encrypted, and whose certificates do, as the settings of a bus say. A value; any thread.
#pragma once

#include <string>

#include "broker/base/result.h"
#include "workers/bus/bus.h"

namespace n2nq::bus {

struct TlsChoice {
  bool on = false;        // for senders
  bool balanced = false;  // they reach a load balancer, which has a certificate of its own or passes on the receivers'
  // Empty: one that is made for the run, or, where it is balanced, none.
  std::string certificate_file{};
  std::string key_file{};
  std::string authorities{};  // who must have signed what senders are shown, PEM; empty: whoever the host trusts
  bool at_receivers() const { return on && (!balanced || !certificate_file.empty()); }
  bool by_fingerprint() const { return on && !balanced && certificate_file.empty(); }
};

// The error names the settings that contradict each other.
Result<TlsChoice> tls_choice(const BusOptions& options);

}  // namespace n2nq::bus
