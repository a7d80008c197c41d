// What the programs' exit codes mean, for people and scripts.
#pragma once

namespace n2nq {

enum class ExitCode : int {
  complete = 0,
  incomplete = 1,  // ended, with something lost or unsent
  usage = 2,
  local_trouble = 3,  // port, folder, descriptors
  not_assembled = 4,  // could not join, or not everybody came
  broker_lost = 5,
  server_missing = 6,  // the server that the run wants is not installed
};

}  // namespace n2nq
