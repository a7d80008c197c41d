// Qt starts a child in the memory of its parent: clone with CLONE_VM and CLONE_VFORK. The thread sanitizer of g++ 12
// takes every clone for a fork: the "child" then ignores all that its thread does, and that thread is the parent's.
// This clone comes before the sanitizer's in every program, and tells it nothing: until the exec nothing runs but that
// thread.
#include <sched.h>

#include <cstdarg>

extern "C" int __clone(int (*run)(void*), void* stack, int flags, void* arg, ...);  // glibc's own

extern "C" int clone(int (*run)(void*), void* stack, int flags, void* arg, ...) noexcept {
  va_list more;
  va_start(more, arg);
  void* parent_tid = va_arg(more, void*);
  void* tls = va_arg(more, void*);
  void* child_tid = va_arg(more, void*);
  va_end(more);
  return __clone(run, stack, flags, arg, parent_tid, tls, child_tid);
}
