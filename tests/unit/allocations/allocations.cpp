#include "tests/unit/allocations/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<uint64_t> asked = 0;
}

uint64_t n2nq::test::allocations() {
  return asked;
}

#ifdef N2NQ_SANITIZED
#include <sanitizer/allocator_interface.h>
// The sanitizer keeps its own operators, and tells of what they give out.
[[maybe_unused]] static const int told = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, size_t) { asked++; }, [](const volatile void*) {});
#else
// Not inlined: the compiler would take free() for a mistake.
[[gnu::noinline]] void* operator new(size_t size) {
  asked++;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](size_t size) {
  return operator new(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, size_t) noexcept {
  std::free(memory);
}
#endif
