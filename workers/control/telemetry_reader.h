// A worker's telemetry line, ten of which come a second from each, read without a tree of it in between. Any thread.
#pragma once

#include <optional>
#include <string_view>

#include "workers/control/telemetry.h"

namespace n2nq::control {

// Nothing where the line is not to the letter as TelemetryBuilder writes it: parse_message() then reads it as any other
// line, which takes fields in every order and says what is wrong.
std::optional<Telemetry> read_telemetry(std::string_view line);

}  // namespace n2nq::control
