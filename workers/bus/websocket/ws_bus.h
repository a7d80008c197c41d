// WebSocket as a bus. Any thread.
#pragma once

#include <memory>

#include "broker/base/result.h"
#include "workers/bus/bus.h"

namespace n2nq::bus {

Result<std::unique_ptr<Bus>> make_websocket_bus(const BusOptions& options, const LoopParts& parts);

}  // namespace n2nq::bus
