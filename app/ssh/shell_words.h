// Arguments as a command line that a login shell takes apart again into the same arguments. Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace n2nq::ssh {

std::string shell_words(const std::vector<std::string>& arguments);

}  // namespace n2nq::ssh
