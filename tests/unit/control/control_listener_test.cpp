#include "broker/control/control_listener.h"

#include <gmock/gmock.h>
#include <netinet/tcp.h>

#include <cstring>

#include <nlohmann/json.hpp>

#include "broker/net/resolve.h"
#include "tests/unit/control/loop_test.h"

namespace n2nq::control {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ControlListenerTest : public LoopTest {
 protected:
  void listen(int64_t hello_deadline_ns = 5'000'000'000, size_t max_waiting = 16) {
    auto opened = ControlListener::open(loop_,
                                        {.endpoint = *net::resolve("127.0.0.1:0"),
                                         .token = *Token::parse("s3cret"),
                                         .hello_deadline_ns = hello_deadline_ns,
                                         .max_waiting = max_waiting},
                                        notes());
    ASSERT_TRUE(opened) << opened.error().text;
    listener_ = std::move(*opened);
  }
  ControlListener::Callbacks notes() {
    return {.on_attached =
                [this](ControlLink& link) {
                  attached_++;
                  link.send("ready");
                },
            .on_command = [this](const std::string& type, const nlohmann::json&) -> Result<void> {
              commands_.push_back(type);
              return {};
            },
            .on_detached = [this](const std::string& reason) { detached_.push_back(reason); }};
  }
  // A controller: a plain blocking socket.
  Fd connect() {
    const auto& to = listener_->local();
    Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&to.address), to.length), 0);
    return fd;
  }
  Fd attach() {
    Fd fd = connect();
    put(fd, kHello);
    run_until([&, before = attached_] { return attached_ > before; });
    EXPECT_EQ(await(fd, "\n"), "ready\n");
    return fd;
  }
  // What comes until `text` is in it, or the end.
  std::string await(const Fd& fd, const std::string& text) {
    std::string got;
    run_until([&] {
      got += take(fd);
      return got.find(text) != std::string::npos || at_end(fd);
    });
    return got;
  }
  static bool at_end(const Fd& fd) {
    char byte;
    return ::recv(fd.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
  }
  // run_until looks only when the loop turns; a timer makes it turn.
  net::Timer pulse_{loop_, [] {}};
  void SetUp() override { pulse_.every(2'000'000); }

  std::unique_ptr<ControlListener> listener_;
  int attached_ = 0;
  std::vector<std::string> commands_, detached_;
};

TEST_F(ControlListenerTest, LetsAControllerInWithTheTokenAndTakesItsCommands) {
  listen();
  const Fd controller = attach();
  put(controller, R"({"type":"start"})"
                  "\n"
                  R"({"type":"ping","id":5})"
                  "\n");
  EXPECT_THAT(await(controller, "pong"), HasSubstr(R"("id":5)"));
  EXPECT_THAT(commands_, ElementsAre("start"));
  ASSERT_NE(listener_->controller(), nullptr);
}

TEST_F(ControlListenerTest, ClosesAfterTheWrongToken) {
  listen();
  const Fd stranger = connect();
  put(stranger, R"({"type":"hello","token":"guess"})"
                "\n"
                R"({"type":"stop"})"
                "\n");
  const auto answer = await(stranger, "\n");
  EXPECT_THAT(answer, HasSubstr("wrong token"));
  EXPECT_THAT(answer, Not(HasSubstr("guess")));
  run_until([&] { return at_end(stranger); });
  EXPECT_THAT(commands_, IsEmpty());
  EXPECT_EQ(attached_, 0);
}

TEST_F(ControlListenerTest, TellsASecondControllerThatItIsTaken) {
  listen();
  const Fd first = attach();
  const Fd second = connect();
  put(second, kHello);
  EXPECT_THAT(await(second, "\n"), HasSubstr("already controlled"));
  run_until([&] { return at_end(second); });
  put(first, R"({"type":"stop"})"
             "\n");
  run_until([&] { return !commands_.empty(); });
  EXPECT_THAT(detached_, IsEmpty());
  EXPECT_EQ(attached_, 1);
}

TEST_F(ControlListenerTest, IsFreeAgainWhenTheControllerLeaves) {
  listen();
  Fd first = attach();
  first.reset();
  run_until([&] { return !detached_.empty(); });
  EXPECT_EQ(listener_->controller(), nullptr);
  const Fd second = attach();
  EXPECT_EQ(attached_, 2);
}

// Our end of a controller's connection.
int accepted(const Fd& controller) {
  sockaddr_in wanted{};
  socklen_t length = sizeof wanted;
  EXPECT_EQ(::getsockname(controller.get(), reinterpret_cast<sockaddr*>(&wanted), &length), 0);
  for (int fd = 0; fd < 1024; fd++) {
    sockaddr_in peer{};
    length = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) == 0 &&
        std::memcmp(&peer, &wanted, sizeof peer) == 0)
      return fd;
  }
  return -1;
}

TEST_F(ControlListenerTest, IsFreeAgainSoonWhenTheControllersHostIsGone) {
  listen();
  const Fd controller = attach();
  int ms = 0;
  socklen_t length = sizeof ms;
  ASSERT_EQ(::getsockopt(accepted(controller), IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, &length), 0);
  EXPECT_EQ(ms, 10'000);  // telemetry under way must not hold it for as long as the kernel tries again
}

TEST_F(ControlListenerTest, ClosesASilentConnection) {
  listen(20'000'000);
  const Fd silent = connect();
  EXPECT_THAT(await(silent, "\n"), HasSubstr("no hello within 20ms"));
  run_until([&] { return at_end(silent); });
}

TEST_F(ControlListenerTest, ClosesAConnectionWhoseHelloDoesNotEnd) {
  listen(20'000'000);
  const Fd slow = connect();
  net::Timer drip(loop_, [&] { ::send(slow.get(), " ", 1, MSG_NOSIGNAL); });
  drip.every(2'000'000);
  EXPECT_THAT(await(slow, "\n"), HasSubstr("no hello within 20ms"));
}

TEST_F(ControlListenerTest, BoundsHowManyWait) {
  listen(5'000'000'000, 2);
  std::vector<Fd> waiting;
  for (int i = 0; i < 3; i++) waiting.push_back(connect());
  const Fd surplus = connect();
  run_until([&] { return at_end(surplus); });
  waiting.clear();
  run_until([&] { return listener_->connections() == 0; });
  const Fd controller = attach();
}

TEST_F(ControlListenerTest, NamesThePortThatIsTaken) {
  listen();
  const auto second = ControlListener::open(loop_, {.endpoint = listener_->local(), .token = *Token::parse("s3cret")},
                                            ControlListener::Callbacks{});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text, HasSubstr(listener_->local().text()));
}

TEST_F(ControlListenerTest, NeedsAToken) {
  const auto opened =
      ControlListener::open(loop_, {.endpoint = *net::resolve("127.0.0.1:0")}, ControlListener::Callbacks{});
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text, HasSubstr("--token-file"));
}

}  // namespace
}  // namespace n2nq::control
