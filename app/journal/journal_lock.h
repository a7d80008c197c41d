// Who owns a journal: its bench's, or the one's that takes it in, holds an exclusive lock (flock) on it. Any thread.
#pragma once

namespace n2nq::journal {

// False: somebody else has it. Benches that only look whether it is free do not count: they have it for a moment, which
// is waited for.
bool hold_journal(int fd);
// Free, and still there.
bool is_free_journal(int fd);

}  // namespace n2nq::journal
