// Files of a run, handed on.
#pragma once

#include <stop_token>
#include <string>

#include "broker/base/result.h"

namespace n2nq::results {

// A copy that is whole or not there. Any thread.
Result<void> copy_whole(const std::string& from, const std::string& to, const std::stop_token& stop = {});

}  // namespace n2nq::results
