// Who owns a file: the bench that holds an exclusive lock (flock) on it. A journal is its run's bench's, or the one's
// that takes it in; a campaign's lock file is the one's that runs it. Any thread.
#pragma once

namespace n2nq::record {

// False: somebody else has it. Who has it for a moment alone is waited for: a bench that looks whether it is free, and
// a process that a bench which was killed had begun to start, and that holds its files until it is another program.
bool hold_file(int fd);
// Free, and still there.
bool is_free_file(int fd);

}  // namespace n2nq::record
