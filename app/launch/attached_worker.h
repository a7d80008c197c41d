// A worker that somebody started by hand with --control HOST:PORT, reached over TCP. It is told to stop like any other,
// but never signalled: letting go of it is all the bench may do. UI thread.
#pragma once

#include <string>

#include "app/launch/launcher.h"

namespace n2nq::launch {

// Connects at once; `address` is HOST:PORT.
std::unique_ptr<WorkerProcess> attach_worker(const std::string& address);

}  // namespace n2nq::launch
