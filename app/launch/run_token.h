// The token of one run, which lets only its own processes in. Travels on stdin; never in arguments, logs or results.
// Any thread.
#pragma once

#include <string>

#include "broker/base/result.h"

namespace n2nq::launch {

std::string random_token();
Result<std::string> token_from_file(const std::string& path);
// For the server of another bus.
Result<std::string> password_from_file(const std::string& path);
Result<std::string> certificates_from_file(const std::string& path);

}  // namespace n2nq::launch
