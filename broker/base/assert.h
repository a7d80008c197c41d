// Assertions about our own code, on in release builds too. Input from outside never goes through here: it is answered
// with a Result whose text says what to do.
#pragma once

namespace n2nq {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace n2nq

#define N2NQ_ASSERT(condition) \
  (static_cast<bool>(condition) ? void(0) : ::n2nq::assertion_failed(#condition, __FILE__, __LINE__))
