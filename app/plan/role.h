// What a run consists of and what its workers time, by the words of the control protocol. Values; any thread.
#pragma once

#include "workers/control/events.h"
#include "workers/control/latencies.h"

namespace n2nq {

using control::Latency;  // of messages, turnaround, lateness ...
using control::Role;     // broker, sender, receiver

}  // namespace n2nq
