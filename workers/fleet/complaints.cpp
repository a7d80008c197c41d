#include "workers/fleet/complaints.h"

#include <cstdio>

namespace n2nq::fleet {

void Complaints::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  print(text);
}

void Complaints::say_one_of_many(const std::string& who, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (many_++ < kShown) print(who + ": " + text);
}

void Complaints::close() {
  const std::lock_guard lock(mutex_);
  if (many_ > kShown) print("and " + std::to_string(many_ - kShown) + " more services with problems");
  many_ = 0;
}

void Complaints::print(const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", program_.c_str(), text.c_str());
}

}  // namespace n2nq::fleet
