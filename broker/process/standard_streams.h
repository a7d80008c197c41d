// Stdin, stdout and stderr exist, whoever started us: a closed one becomes /dev/null. Before any other descriptor is
// opened, which would get its number and then be read as commands or written to as output. Main thread, first thing.
#pragma once

namespace n2nq::process {

void ensure_standard_streams();

}  // namespace n2nq::process
