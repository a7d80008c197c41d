// The thread sanitizer knows POSIX threads alone. Threads and locks of C11, which librdkafka uses, come as those: these
// come before the C library's in every program. What its threads read and write is not judged, as it is not
// instrumented: that its counts of references order that is not seen.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace {

struct Start {
  thrd_start_t run;
  void* argument;
};

void* run_thread(void* given) {
  const Start start = *static_cast<Start*>(given);
  delete static_cast<Start*>(given);
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  const int result = start.run(start.argument);
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  return reinterpret_cast<void*>(static_cast<intptr_t>(result));
}

int as_thrd(int error) {
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : error == EBUSY ? thrd_busy : thrd_error;
}
pthread_mutex_t* posix(mtx_t* mutex) {
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* posix(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}

}  // namespace

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
  return as_thrd(::pthread_create(thread, nullptr, run_thread, new Start{run, argument}));
}
int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = ::pthread_join(thread, &value);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return as_thrd(error);
}

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t kind;
  ::pthread_mutexattr_init(&kind);
  ::pthread_mutexattr_settype(&kind, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return as_thrd(::pthread_mutex_init(posix(mutex), &kind));
}
int mtx_lock(mtx_t* mutex) {
  return as_thrd(::pthread_mutex_lock(posix(mutex)));
}
int mtx_unlock(mtx_t* mutex) {
  return as_thrd(::pthread_mutex_unlock(posix(mutex)));
}
void mtx_destroy(mtx_t* mutex) {
  ::pthread_mutex_destroy(posix(mutex));
}

int cnd_init(cnd_t* condition) {
  return as_thrd(::pthread_cond_init(posix(condition), nullptr));
}
int cnd_signal(cnd_t* condition) {
  return as_thrd(::pthread_cond_signal(posix(condition)));
}
int cnd_broadcast(cnd_t* condition) {
  return as_thrd(::pthread_cond_broadcast(posix(condition)));
}
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return as_thrd(::pthread_cond_wait(posix(condition), posix(mutex)));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return as_thrd(::pthread_cond_timedwait(posix(condition), posix(mutex), until));
}
void cnd_destroy(cnd_t* condition) {
  ::pthread_cond_destroy(posix(condition));
}
}
