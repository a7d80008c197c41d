#include "broker/base/random.h"

#include <sys/random.h>

#include "broker/base/assert.h"

namespace n2nq {

uint64_t random_id() {
  uint64_t id = 0;
  while (id == 0) N2NQ_ASSERT(::getrandom(&id, sizeof id, 0) == sizeof id);
  return id;
}

}  // namespace n2nq
