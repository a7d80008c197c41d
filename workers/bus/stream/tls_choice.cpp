#include "workers/bus/stream/tls_choice.h"

#include "broker/base/assert.h"
#include "workers/bus/bus_table.h"

namespace n2nq::bus {

Result<TlsChoice> tls_choice(const BusOptions& options) {
  const BusTraits* bus = find_bus(options.kind);
  N2NQ_ASSERT(bus != nullptr);
  TlsChoice choice{.on = value_of(*bus, options.settings, "tls") == "true",
                   .balanced = has_balancer(*bus, options.settings),
                   .certificate_file = value_of(*bus, options.settings, "tls_certificate"),
                   .key_file = value_of(*bus, options.settings, "tls_key"),
                   .authorities = options.authorities};
  const bool files = !choice.certificate_file.empty() || !choice.key_file.empty() || !choice.authorities.empty();
  if (files && !choice.on)
    return fail(
        "bus.tls is false, so bus.tls_certificate, bus.tls_key and bus.tls_ca have no use; set bus.tls to true");
  if (choice.certificate_file.empty() &&
      (!choice.key_file.empty() || (!choice.authorities.empty() && !choice.balanced)))
    return fail("bus.tls_key and bus.tls_ca go with a certificate; give bus.tls_certificate too, or none of them");
  if (!choice.certificate_file.empty() && choice.key_file.empty())
    return fail("bus.tls_certificate needs its private key; give bus.tls_key too");
  return choice;
}

}  // namespace n2nq::bus
