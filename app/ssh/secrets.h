// What people have typed to get into a host: in memory only, and overwritten at the end. Any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace n2nq::ssh {

class Secrets {
 public:
  Secrets() = default;
  Secrets(const Secrets&) = delete;
  Secrets& operator=(const Secrets&) = delete;
  ~Secrets();

  // `what`: the question, which tells one secret from another.
  std::optional<std::string> find(const std::string& what) const;
  void keep(const std::string& what, const std::string& secret);
  void forget(const std::string& what);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> secrets_;  // guarded by mutex_
};

// Whether what a host asked for may be said again to it: a password may; a code that is good once, or anything else
// that it may ask, is asked for again.
bool may_be_said_again(const std::string& prompt, bool hidden);

void wipe(std::string& secret);

}  // namespace n2nq::ssh
