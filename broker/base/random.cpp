#include "broker/base/random.h"

#include <sys/random.h>

#include <cstdio>

#include "broker/base/assert.h"

namespace n2nq {

uint64_t random_id() {
  uint64_t id = 0;
  while (id == 0) N2NQ_ASSERT(::getrandom(&id, sizeof id, 0) == sizeof id);
  return id;
}

std::string id_text(uint64_t id) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(id));
  return text;
}

}  // namespace n2nq
