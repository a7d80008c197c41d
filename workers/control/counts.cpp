#include "workers/control/counts.h"

namespace n2nq::control {

Counts& Counts::operator+=(const Counts& other) {
  for (const Counter& counter : kCounters) this->*counter.member += other.*counter.member;
  return *this;
}

std::string counts_text(Role role, bool with_replies, const Counts& counts) {
  std::string text;
  const auto add = [&text](std::string_view word, int64_t count) {
    text.append(text.empty() ? "" : " ").append(word).append("=").append(std::to_string(count));
  };
  summed_counts(add, role, false, counts);
  if (with_replies) summed_counts(add, role, true, counts);
  return text;
}

}  // namespace n2nq::control
