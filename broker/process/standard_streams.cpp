#include "broker/process/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace n2nq::process {

void ensure_standard_streams() {
  int fd = 0;
  // Each open takes the lowest free number; the first above stderr was not needed.
  while (fd >= 0 && fd <= STDERR_FILENO) fd = ::open("/dev/null", O_RDWR);
  if (fd > STDERR_FILENO) ::close(fd);
}

}  // namespace n2nq::process
