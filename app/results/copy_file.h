// Files of a run, handed on; and how a file comes to be that is whole or not there.
#pragma once

#include <stop_token>
#include <string>

#include "broker/base/result.h"

namespace n2nq::results {

// A new file in the folder of `path`, for what is renamed to `path` once it is whole: of a name that nobody else has,
// so that no file of the user's is touched before. Whoever asked closes it, and removes it where it comes to nothing.
struct FileBeside {
  int fd = -1;
  std::string name{};
};
Result<FileBeside> make_beside(const std::string& path);

// A copy that is whole or not there. Any thread.
Result<void> copy_whole(const std::string& from, const std::string& to, const std::stop_token& stop = {});

}  // namespace n2nq::results
