#include "broker/process/program_start.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "broker/base/exit_code.h"

namespace n2nq::process {
namespace {

std::array<char, 256> last_words;  // made while there is memory

void say_last_words() {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, last_words.data(), std::strlen(last_words.data()));
  ::_exit(static_cast<int>(ExitCode::local_trouble));
}

}  // namespace

void start_program() {
  int fd = 0;
  // Each open takes the lowest free number; the first above stderr was not needed.
  while (fd >= 0 && fd <= STDERR_FILENO) fd = ::open("/dev/null", O_RDWR);
  if (fd > STDERR_FILENO) ::close(fd);
  std::signal(SIGXFSZ, SIG_IGN);
}

void end_without_memory(const char* program) {
  std::snprintf(last_words.data(), last_words.size(),
                "%s: the system gives this process no more memory; allow it more (ulimit -v), "
                "or use fewer services a process or smaller messages\n",
                program);
  std::set_new_handler(say_last_words);
}

}  // namespace n2nq::process
