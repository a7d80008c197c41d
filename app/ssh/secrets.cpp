#include "app/ssh/secrets.h"

#include <cstring>

namespace n2nq::ssh {

void wipe(std::string& secret) {
  ::explicit_bzero(secret.data(), secret.size());
  secret.clear();
}

Secrets::~Secrets() {
  for (auto& [what, secret] : secrets_) wipe(secret);
}

std::optional<std::string> Secrets::find(const std::string& what) const {
  const std::lock_guard lock(mutex_);
  const auto found = secrets_.find(what);
  if (found == secrets_.end()) return {};
  return found->second;
}

void Secrets::keep(const std::string& what, const std::string& secret) {
  const std::lock_guard lock(mutex_);
  secrets_[what] = secret;
}

void Secrets::forget(const std::string& what) {
  const std::lock_guard lock(mutex_);
  const auto found = secrets_.find(what);
  if (found == secrets_.end()) return;
  wipe(found->second);
  secrets_.erase(found);
}

}  // namespace n2nq::ssh
