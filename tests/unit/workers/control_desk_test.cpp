// Where a worker's lines go, to a controller that attaches over TCP.
#include "workers/fleet/control_desk.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>

#include "tests/unit/control/loop_test.h"

namespace n2nq::fleet {
namespace {

class ControlDeskTest : public control::LoopTest {
 protected:
  ControlDeskTest() {
    options_.control = "127.0.0.1:0";
    options_.log_dir = testing::TempDir();
  }
  // A controller: a plain blocking socket.
  Fd attach() {
    EXPECT_TRUE(desk_.listen(*control::Token::parse("s3cret")));
    desk_.say("ready");
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(desk_.port().value_or(0));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    control::put(fd, control::kHello);
    run_until([&] { return attached_; });
    return fd;
  }

  WorkerOptions options_;
  bool attached_ = false;
  ControlDesk desk_{loop_,
                    options_,
                    {.on_hello = {},
                     .on_refused = {},
                     .on_command = [](const control::Command&) -> Result<void> { return {}; },
                     .on_lost = {},
                     .on_attached = [this] { attached_ = true; }}};
};

TEST_F(ControlDeskTest, LosesNoneOfTheLastLinesHoweverManyThereAre) {
  const Fd controller = attach();
  const std::vector<std::string> lines(400, std::string(50'000, 'x'));  // the queue takes 1 MiB
  desk_.say_live("end");
  desk_.say_last(lines);
  std::string got;
  std::thread reader([&] {
    std::string bytes(256 * 1024, ' ');
    for (ssize_t n = 1; n > 0 && !got.ends_with("\nsummary\n");) {
      n = ::read(controller.get(), bytes.data(), bytes.size());
      got.append(bytes, 0, static_cast<size_t>(std::max<ssize_t>(n, 0)));
    }
  });
  const bool finished = desk_.finish("summary", "receiver", false).has_value();
  EXPECT_TRUE(finished);
  if (!finished) ::shutdown(controller.get(), SHUT_RD);
  reader.join();
  std::string wanted = "ready\nend\n";
  for (const std::string& line : lines) wanted += line + "\n";
  EXPECT_TRUE(got == wanted + "summary\n") << got.size() << " bytes";
  EXPECT_EQ(desk_.dropped_lines(), 0u);
}

}  // namespace
}  // namespace n2nq::fleet
