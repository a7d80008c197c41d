// NATS as a bus: by publish and subscribe, or by streams that it keeps (JetStream). Any thread.
#pragma once

#include <memory>

#include "broker/base/result.h"
#include "workers/bus/bus.h"

namespace n2nq::bus {

Result<std::unique_ptr<Bus>> make_nats_bus(const BusOptions& options, const LoopParts& parts);
Result<std::unique_ptr<Bus>> make_jetstream_bus(const BusOptions& options, const LoopParts& parts);

}  // namespace n2nq::bus
