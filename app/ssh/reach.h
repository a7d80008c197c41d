// A TCP connection to a host, with a bound on the time, and given up as soon as that is wished. The session's thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "app/remote/wake.h"
#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::ssh {

// `wake` interrupts it, where `aborted` then says so.
Result<Fd> reach(const std::string& address, uint16_t port, std::chrono::milliseconds timeout, const remote::Wake& wake,
                 const std::function<bool()>& aborted);

}  // namespace n2nq::ssh
