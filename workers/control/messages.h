// Everything that a worker (or the broker) writes, read back from its line: the controller's side of the codec. Any
// thread.
#pragma once

#include <string_view>
#include <variant>

#include "broker/base/result.h"
#include "workers/control/events.h"
#include "workers/control/host_figures.h"
#include "workers/control/summary.h"
#include "workers/control/telemetry.h"

namespace n2nq::control {

using Message = std::variant<Ready, Joined, Looked, Begin, End, Warning, ServerGone, Sites, FirstReady, Leader, Sinking,
                             Flowing, Sunk, Filled, ErrorReply, Pong, Telemetry, ReceiverSummary, SenderSummary,
                             BrokerSummary, Recorded, RecorderSummary>;

// Fields that are not known are passed over but in telemetry; the error names a field that is missing or wrong.
Result<Message> parse_message(std::string_view line);

}  // namespace n2nq::control
