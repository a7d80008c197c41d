// Lines on stderr for people. A thousand services with the same trouble make a few lines and one that counts the rest.
// Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace n2nq::fleet {

class Complaints {
 public:
  explicit Complaints(std::string program) : program_(std::move(program)) {}

  void say(const std::string& text);
  // One of possibly many alike.
  void say_one_of_many(const std::string& who, const std::string& text);
  // How many were not printed.
  void close();

 private:
  static constexpr uint64_t kShown = 3;

  void print(const std::string& text);

  std::string program_;
  std::mutex mutex_;
  uint64_t many_ = 0;
};

}  // namespace n2nq::fleet
