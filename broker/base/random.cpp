#include "broker/base/random.h"

#include <cstdio>
#include <cstdlib>

namespace n2nq {

uint64_t random_id() {
  uint64_t id = 0;
  while (id == 0) ::arc4random_buf(&id, sizeof id);  // on kernels without getrandom() from /dev/urandom
  return id;
}

std::string id_text(uint64_t id) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(id));
  return text;
}

}  // namespace n2nq
