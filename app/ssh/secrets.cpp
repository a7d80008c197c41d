#include "app/ssh/secrets.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <initializer_list>

namespace n2nq::ssh {

void wipe(std::string& secret) {
  ::explicit_bzero(secret.data(), secret.size());
  secret.clear();
}

bool may_be_said_again(const std::string& prompt, bool hidden) {
  std::string words = prompt;
  std::ranges::transform(words, words.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto speaks_of = [&words](const char* what) { return words.find(what) != std::string::npos; };
  const bool good_once = std::ranges::any_of(
      std::initializer_list<const char*>{"one-time", "one time", "onetime", "otp", "code", "token", "verif", "factor"},
      speaks_of);
  return hidden && speaks_of("password") && !good_once;
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
