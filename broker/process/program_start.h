// What each program without Qt begins with, before any other descriptor is opened. Stdin, stdout and stderr exist,
// whoever started us: a closed one becomes /dev/null, as another descriptor would get its number and then be read as
// commands or written to as output. A file that may not grow is an error of write(), not a signal that kills. Main
// thread, first thing.
#pragma once

namespace n2nq::process {

void start_program();
// From then on the end of memory is told in a line, and the process ends: what a worker holds is in its log.
void end_without_memory(const char* program);

}  // namespace n2nq::process
