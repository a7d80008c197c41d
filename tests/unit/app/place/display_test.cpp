#include "app/place/display.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <thread>

#include "app/place/x_server.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::place {
namespace {

using testing::HasSubstr;

Environment with(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

std::string trouble(std::map<std::string, std::string> variables) {
  const auto platform = choose_platform(with(std::move(variables)));
  return platform ? "none" : platform.error().text;
}

TEST(Display, IsNoneWhereNothingNamesOne) {
  EXPECT_EQ(trouble({}), "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
  EXPECT_EQ(trouble({{"QT_QPA_PLATFORM", "xcb"}}), "there is no display: DISPLAY is not set");
}

TEST(Display, IsNotNeededByPlatformsWithoutOne) {
  for (const char* platform : {"offscreen", "minimal", "vnc", "linuxfb"})
    EXPECT_EQ(trouble({{"QT_QPA_PLATFORM", platform}}), "none") << platform;
}

TEST(Display, APlatformThatIsNotInstalledIsSaid) {
  EXPECT_THAT(trouble({{"QT_QPA_PLATFORM", "bogus"}}), HasSubstr("QT_QPA_PLATFORM=bogus names a platform"));
  EXPECT_EQ(trouble({{"QT_QPA_PLATFORM", "bogus;offscreen:size=800x600"}}), "none");
}

TEST(Display, IsNamedWithTheReasonWhereItDoesNotAnswer) {
  EXPECT_THAT(trouble({{"DISPLAY", ":59000"}}), HasSubstr("DISPLAY=:59000 does not answer (/tmp/.X11-unix/X59000"));
  EXPECT_THAT(trouble({{"DISPLAY", "nonsense"}}), HasSubstr("is not a display"));
  const test::TempDir dir;
  EXPECT_THAT(trouble({{"WAYLAND_DISPLAY", "wayland-9"}, {"XDG_RUNTIME_DIR", dir.path()}}),
              HasSubstr("WAYLAND_DISPLAY=wayland-9 does not answer"));
}

TEST(Display, IsReadInItsParts) {
  EXPECT_EQ(parse_display(":0"), (XDisplay{.host = "", .number = 0}));
  EXPECT_EQ(parse_display(":1.2"), (XDisplay{.host = "", .number = 1}));
  EXPECT_EQ(parse_display("lab3:10.0"), (XDisplay{.host = "lab3", .number = 10}));
  EXPECT_EQ(parse_display("unix:3"), (XDisplay{.host = "", .number = 3}));
  for (const char* text : {"", "0", ":", ":x", ":-1", ":99999999"})
    EXPECT_EQ(parse_display(text), std::nullopt) << text;
}

// Somebody else on a loopback port that a display would have.
class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (number_ = 100; number_ < 1000; number_++) {
      address.sin_port = htons(static_cast<uint16_t>(6000 + number_));
      if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) break;
    }
    EXPECT_EQ(::listen(fd_, 8), 0);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(fd_); }
  std::string display() const { return "127.0.0.1:" + std::to_string(number_); }
  void take_and_close() const {
    const int client = ::accept(fd_, nullptr, nullptr);
    if (client >= 0) ::close(client);
  }

 private:
  int fd_;
  int number_ = 0;
};

TEST(Display, DoesNotLetUsInWhereSomebodyElseListensWhoClosesAtOnce) {
  const Listener listener;
  std::thread closes([&listener] {
    for (int i = 0; i < 4; i++) listener.take_and_close();  // two tries, and two looks whether somebody is there
  });
  EXPECT_THAT(trouble({{"DISPLAY", listener.display()}}), HasSubstr("refuses access"));
  closes.join();
}

TEST(Display, DoesNotAnswerWhereSomebodyElseListensWhoIsSilent) {
  const Listener listener;
  EXPECT_THAT(trouble({{"DISPLAY", listener.display()}}), HasSubstr("it accepts connections but stays silent"));
}

}  // namespace
}  // namespace n2nq::place
