// The token of one run, which lets only its own processes in, and what else a run is told in secret. Travels on stdin;
// never in arguments, logs or results.
// Any thread.
#pragma once

#include <string>

#include "app/ssh/secrets.h"
#include "broker/base/result.h"

namespace n2nq::launch {

std::string random_token();
Result<std::string> token_from_file(const std::string& path);
// For the server of another bus.
Result<std::string> password_from_file(const std::string& path);
// Whether a server can be told that.
Result<void> check_typed_password(const std::string& typed);
// What people have typed for the runs, as for the links.
using ssh::Secrets;
Result<std::string> certificates_from_file(const std::string& path);

}  // namespace n2nq::launch
