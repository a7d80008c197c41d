#include "broker/control/line_channel.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "tests/unit/control/loop_test.h"

namespace n2nq::control {
namespace {

using std::chrono_literals::operator""ms;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LineChannelTest : public LoopTest {
 protected:
  LineChannel::Callbacks notes() {
    return {.on_line = [this](std::string_view line) { lines_.emplace_back(line); },
            .on_bad_line = [this](const std::string& text) { bad_.push_back(text); },
            .on_end = [this](const std::string& reason) { ends_.push_back(reason); }};
  }
  bool ended() const { return !ends_.empty(); }

  Pipe in_;
  Pipe out_;
  std::vector<std::string> lines_;
  std::vector<std::string> bad_;
  std::vector<std::string> ends_;
};

TEST_F(LineChannelTest, HandsOverWholeLinesHoweverTheyArrive) {
  LineChannel channel(loop_, in_.out.get(), out_.in.get(), notes());
  channel.start();
  put(in_.in, "one\ntw");
  run_until([&] { return lines_.size() == 1; });
  put(in_.in, "o\r\n\nlast");
  in_.in.reset();
  run_until([&] { return ended(); });
  EXPECT_THAT(lines_, ElementsAre("one", "two", "", "last"));
  EXPECT_THAT(ends_, ElementsAre("end of input"));
}

TEST_F(LineChannelTest, DropsAndReportsALineThatIsTooLongAndGoesOn) {
  LineChannel channel(loop_, in_.out.get(), out_.in.get(), notes(), {.max_line_bytes = 10});
  channel.start();
  put(in_.in, "0123456789\n0123456789x");
  run_until([&] { return !bad_.empty(); });
  put(in_.in, std::string(1000, 'y') + "\nnext\n");
  run_until([&] { return lines_.size() == 2; });
  EXPECT_THAT(lines_, ElementsAre("0123456789", "next"));
  EXPECT_THAT(bad_, ElementsAre("a line is longer than 10 bytes; it was dropped"));
}

TEST_F(LineChannelTest, LeavesTheFlagsOfSharedPipesAlone) {
  LineChannel channel(loop_, in_.out.get(), out_.in.get(), notes());
  channel.start();
  EXPECT_TRUE(channel.send("hello"));
  EXPECT_EQ(take(out_.out), "hello\n");
  EXPECT_FALSE(has_nonblock(in_.out.get()));
  EXPECT_FALSE(has_nonblock(out_.in.get()));
}

TEST_F(LineChannelTest, NeverBlocksOnAFullPipeAndLosesNoImportantLine) {
  LineChannel channel(loop_, -1, out_.in.get(), {});
  channel.start();
  std::string expected;
  for (int i = 0; channel.idle() || channel.queued_bytes() < 200'000; i++) {
    const std::string line = std::to_string(i) + std::string(1000, '.');
    ASSERT_TRUE(channel.send(line));
    expected += line + "\n";
  }
  EXPECT_FALSE(channel.idle());
  std::string got;
  run_until([&] {
    got += take(out_.out);
    return channel.idle();
  });
  EXPECT_EQ(got + take(out_.out), expected);
  EXPECT_EQ(channel.dropped_lines(), 0u);
}

TEST_F(LineChannelTest, BoundsItsQueueAndCountsWhatItDrops) {
  LineChannel channel(loop_, -1, out_.in.get(), {}, {.max_queued_bytes = 4096});
  const std::string line(1023, 'x');
  while (channel.send(line)) EXPECT_LE(channel.queued_bytes(), 4096u);
  EXPECT_FALSE(channel.send(line));
  EXPECT_EQ(channel.dropped_lines(), 2u);
  EXPECT_TRUE(channel.send("short") || channel.queued_bytes() + 6 > 4096);
}

TEST_F(LineChannelTest, FinishGivesUpOnAReaderThatDoesNotRead) {
  LineChannel channel(loop_, -1, out_.in.get(), {});
  while (channel.idle()) channel.send(std::string(1000, 'x'));
  const int64_t start = now_ns();
  EXPECT_FALSE(channel.finish("summary", 50ms));
  EXPECT_GE(now_ns() - start, 50'000'000);
}

TEST_F(LineChannelTest, FinishWaitsForASlowReaderWithoutTheLoop) {
  LineChannel channel(loop_, -1, out_.in.get(), {});
  while (channel.queued_bytes() < 300'000) ASSERT_TRUE(channel.send(std::string(1000, 'x')));
  std::string got;
  std::thread reader([&] {
    char bytes[100];
    for (ssize_t n = 1; n > 0 && !got.ends_with("summary\n");) {
      n = ::read(out_.out.get(), bytes, sizeof bytes);
      got.append(bytes, static_cast<size_t>(std::max<ssize_t>(n, 0)));
    }
  });
  EXPECT_TRUE(channel.finish("summary"));
  reader.join();
  EXPECT_TRUE(got.ends_with("x\nsummary\n"));
}

TEST_F(LineChannelTest, SurvivesAReaderThatGoesAway) {
  LineChannel channel(loop_, -1, out_.in.get(), {});
  channel.start();
  out_.out.reset();
  run_until([&] { return channel.output_broken(); });
  EXPECT_FALSE(channel.idle());
  EXPECT_FALSE(channel.send("anybody?"));
  EXPECT_FALSE(channel.finish("summary", 50ms));
}

TEST_F(LineChannelTest, ReadsAFileToItsEnd) {
  std::FILE* file = std::tmpfile();
  std::fputs("one\ntwo\n", file);
  std::rewind(file);
  LineChannel channel(loop_, ::fileno(file), out_.in.get(), notes());
  channel.start();
  EXPECT_THAT(lines_, IsEmpty()) << "callbacks come from the loop only";
  run_until([&] { return ended(); });
  EXPECT_THAT(lines_, ElementsAre("one", "two"));
  std::fclose(file);
}

TEST_F(LineChannelTest, TakesDevNullBothWays) {
  const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  LineChannel channel(loop_, null.get(), null.get(), notes());
  channel.start();
  EXPECT_TRUE(channel.send("into the void"));
  EXPECT_TRUE(channel.idle());
  run_until([&] { return ended(); });
  EXPECT_TRUE(channel.finish("summary"));
}

TEST_F(LineChannelTest, WritesToAFile) {
  std::FILE* file = std::tmpfile();
  LineChannel channel(loop_, -1, ::fileno(file), {});
  channel.start();
  EXPECT_TRUE(channel.send("one"));
  EXPECT_TRUE(channel.finish("two"));
  std::rewind(file);
  char bytes[32] = {};
  EXPECT_EQ(std::fread(bytes, 1, sizeof bytes, file), 8u);
  EXPECT_STREQ(bytes, "one\ntwo\n");
  std::fclose(file);
}

TEST_F(LineChannelTest, CallsAClosedInputItsEnd) {
  const int closed = ::fcntl(in_.out.get(), F_DUPFD_CLOEXEC, 500);  // a number that nothing else takes
  ::close(closed);
  LineChannel channel(loop_, closed, out_.in.get(), notes());
  channel.start();
  run_until([&] { return ended(); });
  EXPECT_THAT(ends_[0], HasSubstr("no input"));
}

TEST_F(LineChannelTest, WorksBothWaysOverOneSocket) {
  int fds[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  Fd far(fds[1]);
  LineChannel channel(loop_, Fd(fds[0]), notes());
  channel.start();
  EXPECT_FALSE(has_nonblock(fds[0]));
  std::string expected;
  while (channel.idle() || channel.queued_bytes() < 100'000) {
    ASSERT_TRUE(channel.send(std::string(5000, 'z')));
    expected += std::string(5000, 'z') + "\n";
  }
  put(far, "ping\n");
  std::string got;
  run_until([&] {
    got += take(far);
    return channel.idle() && lines_.size() == 1;
  });
  EXPECT_EQ(got + take(far), expected);
  channel.send("bye");
  channel.end_output();
  EXPECT_FALSE(channel.send("too late"));
  EXPECT_EQ(take(far), "bye\n");
  far.reset();
  run_until([&] { return ended(); });
}

TEST_F(LineChannelTest, MayBeClosedFromWithinACallback) {
  auto callbacks = notes();
  LineChannel* self = nullptr;
  callbacks.on_line = [&](std::string_view line) {
    lines_.emplace_back(line);
    self->close();
  };
  LineChannel channel(loop_, in_.out.get(), out_.in.get(), callbacks);
  self = &channel;
  channel.start();
  put(in_.in, "one\ntwo\n");
  run_until([&] { return !lines_.empty(); });
  EXPECT_THAT(lines_, ElementsAre("one"));
  EXPECT_FALSE(channel.send("closed"));
}

TEST_F(LineChannelTest, ReadsMuchAtOnceWithoutLosingALine) {
  std::FILE* file = std::tmpfile();
  for (int i = 0; i < 100'000; i++) std::fprintf(file, "%d\n", i);
  std::fflush(file);
  std::rewind(file);
  LineChannel channel(loop_, ::fileno(file), out_.in.get(), notes());
  channel.start();
  run_until([&] { return ended(); });
  ASSERT_EQ(lines_.size(), 100'000u);
  EXPECT_EQ(lines_.back(), "99999");
  std::fclose(file);
}

TEST_F(LineChannelTest, SharesATerminalWithoutTouchingItsFlags) {
  const Fd far(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!far.valid() || ::grantpt(far.get()) != 0 || ::unlockpt(far.get()) != 0) GTEST_SKIP() << "no terminals here";
  const Fd near(::open(::ptsname(far.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!near.valid()) GTEST_SKIP() << "no terminals here";
  LineChannel channel(loop_, near.get(), near.get(), notes());
  channel.start();
  EXPECT_TRUE(channel.send("ready"));
  put(far, "typed\n");
  run_until([&] { return lines_.size() == 1; });
  EXPECT_THAT(lines_, ElementsAre("typed"));
  EXPECT_FALSE(has_nonblock(near.get()));
  while (channel.queued_bytes() < 100'000) ASSERT_TRUE(channel.send(std::string(1000, 't')));
  EXPECT_FALSE(channel.finish("summary", 20ms));  // nobody reads the terminal: no wait for ever
}

// Pipes of another user cannot be opened anew: then poll() guards each read and write.
class SharedPipeTest : public LineChannelTest {
 protected:
  std::unique_ptr<LineChannel> make_without_reopening() {
    ::fchmod(in_.out.get(), 0);
    ::fchmod(out_.in.get(), 0);
    const uid_t me = ::geteuid();
    EXPECT_TRUE(me != 0 || ::seteuid(65534) == 0);
    auto channel = std::make_unique<LineChannel>(loop_, in_.out.get(), out_.in.get(), notes());
    EXPECT_TRUE(me != 0 || ::seteuid(0) == 0);
    return channel;
  }
};

TEST_F(SharedPipeTest, WorksWithoutBlockingAllTheSame) {
  const auto channel = make_without_reopening();
  channel->start();
  put(in_.in, "one\n");
  run_until([&] { return lines_.size() == 1; });
  std::string expected;
  while (channel->queued_bytes() < 100'000) {
    ASSERT_TRUE(channel->send(std::string(1000, 'x')));
    expected += std::string(1000, 'x') + "\n";
  }
  std::string got;
  run_until([&] {
    got += take(out_.out);
    return channel->idle();
  });
  EXPECT_EQ(got + take(out_.out), expected);
  EXPECT_FALSE(has_nonblock(in_.out.get()));
  EXPECT_FALSE(has_nonblock(out_.in.get()));
}

}  // namespace
}  // namespace n2nq::control
