// The three things a run consists of, by the words of the control protocol. Values; any thread.
#pragma once

#include "workers/control/events.h"

namespace n2nq {

using control::Role;  // broker, sender, receiver

}  // namespace n2nq
