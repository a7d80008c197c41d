// What the tests of lines over an event loop share: a loop that runs until something has happened, pipes, and the far
// end of a descriptor, which never waits.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/clock.h"
#include "broker/base/fd.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"

namespace n2nq::control {

inline const std::string kHello = R"({"type":"hello","token":"s3cret"})"
                                  "\n";

struct Pipe {
  Pipe() {
    int fds[2] = {-1, -1};
    EXPECT_EQ(::pipe2(fds, O_CLOEXEC), 0);
    out = Fd(fds[0]);
    in = Fd(fds[1]);
  }
  Fd out;  // to read from
  Fd in;   // to write into
};

inline void put(const Fd& fd, std::string_view text) {
  ASSERT_EQ(::write(fd.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

// What lies there by now.
inline std::string take(int fd) {
  std::string text;
  char bytes[4096];
  pollfd wait{.fd = fd, .events = POLLIN, .revents = 0};
  while (::poll(&wait, 1, 0) > 0) {
    const ssize_t n = ::read(fd, bytes, sizeof bytes);
    if (n <= 0) break;
    text.append(bytes, static_cast<size_t>(n));
  }
  return text;
}
inline std::string take(const Fd& fd) {
  return take(fd.get());
}

inline bool has_nonblock(int fd) {
  return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
}

class LoopTest : public testing::Test {
 protected:
  ~LoopTest() override { loop_.on_turn_end(nullptr); }

  void run_until(const std::function<bool()>& happened) {
    bool in_time = true;
    net::Timer watchdog(loop_, [&] { in_time = false; });
    watchdog.arm_at(now_ns() + 20'000'000'000);
    loop_.on_turn_end([&] {
      if (happened() || !in_time) loop_.stop();
    });
    loop_.post([] {});  // at least one turn
    loop_.run();
    loop_.on_turn_end(nullptr);
    EXPECT_TRUE(in_time) << "it did not happen in time";
  }

  net::EventLoop loop_;
};

}  // namespace n2nq::control
