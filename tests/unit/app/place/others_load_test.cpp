#include "app/place/others_load.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace n2nq::place {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr double kTicksS = 0.1;  // that two readings of a counter in ticks may be off

double seconds_of(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void burn(milliseconds length) {
  const auto end = steady_clock::now() + length;
  while (steady_clock::now() < end) {
  }
}

TEST(OthersLoad, HasNothingToSayAtFirstNorTooSoon) {
  OthersLoad load;
  EXPECT_FALSE(load.look());
  EXPECT_FALSE(load.look());
}

// What a program beside this one used is in it, and what this one used is not: together they fit into what there is.
TEST(OthersLoad, IsWhatAllOthersUsed) {
  OthersLoad load;
  EXPECT_FALSE(load.look());
  const auto begin = steady_clock::now();
  const double own_before = seconds_of(RUSAGE_SELF);
  const pid_t child = ::fork();
  if (child == 0) {
    burn(milliseconds(900));
    ::_exit(0);
  }
  burn(milliseconds(900));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const double child_s = seconds_of(RUSAGE_CHILDREN);
  const auto busy = load.look();
  const double own_s = seconds_of(RUSAGE_SELF) - own_before;
  const double length_s = std::chrono::duration<double>(steady_clock::now() - begin).count();
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->of, static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)));
  EXPECT_GE(busy->cores * length_s, child_s - kTicksS);
  EXPECT_LE(busy->cores * length_s + own_s, busy->of * length_s + kTicksS);
}

}  // namespace
}  // namespace n2nq::place
