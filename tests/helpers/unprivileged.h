// For as long as it lives, root is somebody who may not read and write everything. Others stay who they are.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

namespace n2nq::test {

class Unprivileged {
 public:
  Unprivileged() : before_(::geteuid()) { EXPECT_TRUE(before_ != 0 || ::seteuid(kNobody) == 0); }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() { EXPECT_EQ(::seteuid(before_), 0); }

 private:
  static constexpr uid_t kNobody = 65534;

  uid_t before_;
};

}  // namespace n2nq::test
