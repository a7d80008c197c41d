// Host names to addresses without the C library's resolver: a static program cannot load its plug-ins on a foreign
// host.
#pragma once

#include <string>
#include <string_view>

#include "broker/base/result.h"
#include "broker/net/socket.h"

namespace n2nq::net {

// Whether it can be an address or a name with a port; asks nobody.
Result<void> check_endpoint(std::string_view host_and_port);

// Of such an endpoint what stands before the port, without brackets.
std::string host_in(std::string_view host_and_port);

// "127.0.0.1:7400", "[::1]:7400", "lab3:7400". Blocks up to `timeout_ms` where a name server has to be asked.
Result<Endpoint> resolve(std::string_view host_and_port, int timeout_ms = 5000);

}  // namespace n2nq::net
