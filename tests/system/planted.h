// A child that does something when it is told to, says a number when it has, and stays until this ends.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>

namespace n2nq::test {

// A name for a file on a disk: `wanted`, or in `otherwise` where that is in memory, which nothing writes to a disk.
inline std::string file_on_disk(const std::string& wanted, const std::string& otherwise) {
  struct statfs where{};
  const std::string folder = wanted.substr(0, wanted.rfind('/'));
  if (::statfs(folder.c_str(), &where) != 0 || where.f_type != TMPFS_MAGIC) return wanted;
  return otherwise + "/written-" + std::to_string(::getpid());
}

class Planted {
 public:
  explicit Planted(const std::function<int64_t()>& deed) {
    EXPECT_EQ(::pipe2(go_, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(done_, O_CLOEXEC), 0);
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    char told = 0;
    while (::read(go_[0], &told, 1) == 1) {
      const int64_t number = deed();
      if (::write(done_[1], &number, sizeof number) != sizeof number) break;
    }
    ::_exit(0);
  }
  ~Planted() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    for (const int fd : {go_[0], go_[1], done_[0], done_[1]}) ::close(fd);
  }
  Planted(const Planted&) = delete;
  Planted& operator=(const Planted&) = delete;

  pid_t pid() const { return pid_; }
  int64_t act() {
    EXPECT_EQ(::write(go_[1], "g", 1), 1);
    int64_t number = -1;
    EXPECT_EQ(::read(done_[0], &number, sizeof number), static_cast<ssize_t>(sizeof number));
    return number;
  }

 private:
  int go_[2]{}, done_[2]{};
  pid_t pid_ = -1;
};

}  // namespace n2nq::test
