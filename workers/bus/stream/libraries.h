// Which libraries speak on the side of a worker. Any thread.
#pragma once

#include <string>

#include "workers/bus/bus.h"

namespace n2nq::bus {

// ", Boost 1.74.0, OpenSSL 3.0.15"; empty: none.
std::string stream_libraries(const BusOptions& options);

}  // namespace n2nq::bus
