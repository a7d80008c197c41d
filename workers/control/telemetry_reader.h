// The reader of a worker's telemetry line, ten of which come a second from each, without a tree of it in between. Any
// thread.
#pragma once

#include <string_view>

#include "broker/base/result.h"
#include "workers/control/telemetry.h"

namespace n2nq::control {

// The line is as TelemetryBuilder writes it: all fields, in order, without white space. The error names the first one
// that is missing or wrong.
Result<Telemetry> read_telemetry(std::string_view line);

}  // namespace n2nq::control
