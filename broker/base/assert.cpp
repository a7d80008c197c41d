#include "broker/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace n2nq {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "bug in n2nq %s: %s:%d: %s does not hold; please report this line\n", N2NQ_VERSION, file, line,
               condition);
  std::abort();
}

}  // namespace n2nq
