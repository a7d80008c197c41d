// The bare relay as a program, by clients that are written by hand from docs/buses/relay.md: what it passes on and to
// whom, who is let in, and what becomes of clients that lie, say half of it, or do not read.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/foreign_client.h"

namespace n2nq::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

const std::string kMark(4, '\0');
const std::string kHeldUp(4, '\xFF');
constexpr size_t kMostBacklog = 64 << 20;

std::string number(uint32_t value) {
  std::string bytes(4, '\0');
  put(bytes, 0, value, 4);
  return bytes;
}
std::string piece(const std::string& message) {
  return number(static_cast<uint32_t>(message.size())) + message;
}

// Whatever does not come in time is an exception.
class Line {
 public:
  explicit Line(const BusServer& relay) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(relay.port());
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) throw std::runtime_error("no relay");
  }
  Line(const BusServer& relay, const std::string& part, const std::string& channel = "x") : Line(relay) {
    send("n2nq-relay/1 " + part + " " + channel + "\n");
    welcome = line();
  }
  ~Line() { ::close(fd_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) throw std::runtime_error("the relay takes nothing");
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }
  // As much as goes without waiting.
  size_t offer(std::string_view bytes) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return n < 0 ? 0 : static_cast<size_t>(n);
  }
  bool waits_for(short events, Deadline deadline) {
    pollfd one{.fd = fd_, .events = events, .revents = 0};
    return ::poll(&one, 1, deadline.poll_ms()) > 0;
  }
  std::string bytes(size_t count) {
    std::string all(count, '\0');
    size_t at = 0;
    for (const Deadline deadline = 20s; at < count;) {
      if (!waits_for(POLLIN, deadline)) throw std::runtime_error("nothing came in time");
      const ssize_t n = ::recv(fd_, all.data() + at, count - at, 0);
      if (n <= 0) throw std::runtime_error("the relay has closed");
      at += static_cast<size_t>(n);
    }
    return all;
  }
  std::string line() {
    std::string all;
    while (!all.ends_with('\n')) all += bytes(1);
    all.pop_back();
    return all;
  }
  // A message; nothing: a mark.
  std::string message() {
    const std::string length = bytes(4);
    uint32_t count = 0;
    for (int i = 3; i >= 0; i--) count = count << 8 | static_cast<uint8_t>(length[static_cast<size_t>(i)]);
    return count == 0 ? "" : bytes(count);
  }
  // Whether nothing more comes but the end.
  bool ends() {
    char byte = 0;
    return waits_for(POLLIN, 20s) && ::recv(fd_, &byte, 1, 0) <= 0;
  }
  void close() { ::shutdown(fd_, SHUT_RDWR); }

  std::string welcome;

 private:
  int fd_;
};

class BareRelay : public testing::Test {
 protected:
  ~BareRelay() override { EXPECT_THAT(processes_left_but_relay(), IsEmpty()); }
  std::vector<std::string> processes_left_but_relay() {
    relay.process().signal(SIGTERM);
    const auto exit = relay.process().wait_exit(20s);
    EXPECT_TRUE(exit && *exit == Exit{.code = 0}) << relay.process().err();
    return processes_left();
  }
  // All that was sent before has been read.
  static void ask(Line& sender) {
    sender.send(kMark);
    EXPECT_EQ(sender.bytes(4), kMark);
  }
  int64_t memory_kib() {
    std::ifstream status("/proc/" + std::to_string(relay.process().pid()) + "/status");
    for (std::string word; status >> word;)
      if (word == "VmRSS:") {
        int64_t kib = 0;
        status >> kib;
        return kib;
      }
    return 0;
  }
  RelayServer relay;
};

TEST_F(BareRelay, SaysWhoItIs) {
  const Line asker(relay, "asker");
  EXPECT_THAT(asker.welcome,
              MatchesRegex("n2nq-relay/1 [0-9]+\\.[0-9]+\\.[0-9]+ " + std::to_string(relay.process().pid())));
}

TEST_F(BareRelay, CopiesEachMessageToAllReceiversInTheOrderOfEachSender) {
  Line first(relay, "receiver"), second(relay, "receiver"), elsewhere(relay, "receiver", "y");
  Line sender(relay, "sender"), other(relay, "sender");
  sender.send(piece("a") + piece("bc") + piece("d").substr(0, 3));
  ask(other);
  other.send(piece("from another"));
  ask(other);
  sender.send(piece("d").substr(3) + piece(std::string(1'000'000, 'e')));
  for (Line* receiver : {&first, &second}) {
    std::vector<std::string> came;
    for (int i = 0; i < 5; i++) came.push_back(receiver->message());
    EXPECT_EQ(came.back().size(), 1'000'000u);
    came.pop_back();
    std::erase(came, "from another");
    EXPECT_THAT(came, ElementsAre("a", "bc", "d"));
  }
  Line(relay, "sender", "y").send(piece("elsewhere"));
  EXPECT_EQ(elsewhere.message(), "elsewhere") << "and nothing before it";
}

TEST_F(BareRelay, GivesEachMessageToTheNextOfThoseThatShare) {
  Line first(relay, "sharer"), second(relay, "sharer"), third(relay, "sharer");
  Line sender(relay, "sender");
  for (int i = 0; i < 300; i++) sender.send(piece(std::to_string(i)));
  int at = 0;
  for (Line* sharer : {&first, &second, &third}) {
    for (int i = at; i < 300; i += 3) EXPECT_EQ(sharer->message(), std::to_string(i));
    at++;
  }
}

TEST_F(BareRelay, LetsAReceiverLeaveWithAllThatWasThereForItAndGivesTheRestToOthers) {
  for (const std::string part : {"receiver", "sharer"}) {
    Line leaving(relay, part, part), staying(relay, part, part);
    Line sender(relay, "sender", part);
    for (int i = 0; i < 20; i++) sender.send(piece("early"));
    ask(sender);
    leaving.send(kMark);
    std::vector<std::string> had;
    do had.push_back(leaving.message());
    while (!had.back().empty());
    EXPECT_EQ(had.size(), part == "sharer" ? 11u : 21u) << part;
    for (int i = 0; i < 3; i++) sender.send(piece("late"));
    for (size_t i = 0; i < (part == "sharer" ? 10 : 20); i++) EXPECT_EQ(staying.message(), "early");
    for (int i = 0; i < 3; i++) EXPECT_EQ(staying.message(), "late");
    EXPECT_FALSE(leaving.waits_for(POLLIN, Deadline::window(50ms))) << "nothing comes behind the mark";
  }
}

TEST_F(BareRelay, RefusesWhoeverDoesNotGreetOrHasNotItsToken) {
  const RelayServer locked("the-token");
  for (const auto& [greeting, why] :
       {std::pair("n2nq-relay/1 sender x\n", "refused: the token is not that of this relay"),
        std::pair("n2nq-relay/1 sender x the-token2\n", "refused: the token is not that of this relay"),
        std::pair("n2nq-relay/1 sender x the-toke\n", "refused: the token is not that of this relay"),
        std::pair("n2nq-relay/1 boss x the-token\n", "refused: that is no greeting"),
        std::pair("n2nq-relay/2 sender x the-token\n", "refused: that is no greeting"),
        std::pair("GET / HTTP/1.1\r\n", "refused: that is no greeting"),
        std::pair("n2nq-relay/1 sender x the-token\nahead", "refused: that is no greeting")}) {
    Line stranger(locked);
    stranger.send(greeting);
    EXPECT_EQ(stranger.line(), why) << greeting;
    EXPECT_TRUE(stranger.ends());
  }
  Line endless(locked);
  endless.send(std::string(300, 'x'));
  EXPECT_EQ(endless.line(), "refused: that is no greeting");
  Line friendly(locked);
  friendly.send("n2nq-relay/1 receiver x the-token\n");
  EXPECT_THAT(friendly.line(), HasSubstr("n2nq-relay/1 "));
}

// What was whole in front of it is passed on, and others go on as if nothing had been.
TEST_F(BareRelay, SendsAwayWhoeverLiesAndGoesOnWithTheOthers) {
  Line receiver(relay, "receiver"), good(relay, "sender");
  Line liar(relay, "sender");
  liar.send(piece("whole") + number((64u << 20) + 49) + "x");
  EXPECT_EQ(receiver.message(), "whole");
  EXPECT_TRUE(liar.ends());
  {
    Line half(relay, "sender");
    half.send(piece("whole, too") + piece("this is cut in the middle").substr(0, 12));
    EXPECT_EQ(receiver.message(), "whole, too");
  }
  EXPECT_TRUE(relay.process().wait_err("it has gone in the middle of what it said", 20s));
  Line talker(relay, "receiver");
  talker.send(piece("receivers say nothing"));
  EXPECT_TRUE(talker.ends());
  Line deaf(relay, "sender");
  for (size_t sent = 0; sent < size_t{64} << 20; sent += 1 << 20)  // until its answers are too many
    try {
      deaf.send(std::string(1 << 20, '\0'));
    } catch (const std::runtime_error&) {
      break;
    }
  EXPECT_TRUE(relay.process().wait_err("it reads no answer", 20s));
  good.send(piece("good"));
  EXPECT_EQ(receiver.message(), "good");
  EXPECT_TRUE(relay.process().wait_err("it says that a message is longer than 64 MiB", 20s));
}

TEST_F(BareRelay, CarriesTheLongestMessageAndWhatIsBehindIt) {
  Line receiver(relay, "receiver"), sharer(relay, "sharer"), sender(relay, "sender");
  std::string longest((64u << 20) + 48, '\0');
  std::iota(longest.begin(), longest.end(), '\0');
  std::string out = piece("before") + piece(longest) + piece("behind");
  std::vector<std::string> came;
  for (size_t at = 0; came.size() < 2;) {
    at += sender.offer(std::string_view(out).substr(at, 1 << 20));
    if (receiver.waits_for(POLLIN, Deadline::window(1ms))) came.push_back(receiver.message());
    if (at == out.size() && came.size() == 1) came.push_back(receiver.message());
  }
  EXPECT_EQ(came[0], "before");
  EXPECT_TRUE(came[1] == longest);
  EXPECT_EQ(receiver.message(), "behind");
  EXPECT_EQ(sharer.message(), "before");
  EXPECT_TRUE(sharer.message() == longest);
  EXPECT_EQ(sharer.message(), "behind");
}

// With bounded memory, and all arrives in its order once the receiver reads.
TEST_F(BareRelay, LeavesSendersUnreadWhileAReceiverDoesNotReadAndLosesNothing) {
  for (const std::string part : {"receiver", "sharer"}) {
    SCOPED_TRACE(part);
    Line slow(relay, part, part), sender(relay, "sender", part);
    std::string message(100'000, '\0');
    size_t sent = 0, offered = 0;
    const auto next = [&] {
      put(message, 0, sent++, 8);
      return piece(message);
    };
    std::string out = next();
    const Deadline deadline = 60s;
    while (!sender.waits_for(POLLIN, Deadline::window(0ms)) && !deadline.passed()) {
      const size_t n = sender.offer(out);
      offered += n;
      out.erase(0, n);
      if (out.empty())
        out = next();
      else
        sender.waits_for(POLLIN | POLLOUT, deadline);
    }
    EXPECT_EQ(sender.bytes(4), kHeldUp);
    EXPECT_GE(offered, kMostBacklog);
    EXPECT_LT(offered, 3 * kMostBacklog) << "with what the sockets hold";
#ifndef N2NQ_SANITIZED
    EXPECT_LT(memory_kib(), 400'000);
#endif
    size_t came = 0;
    bool in_order = true;
    const auto take = [&] {
      const std::string one = slow.message();
      std::string expected(8, '\0');
      put(expected, 0, came++, 8);
      in_order = in_order && one.size() == message.size() && one.starts_with(expected);
    };
    while (!out.empty()) {
      out.erase(0, sender.offer(out));
      if (slow.waits_for(POLLIN, Deadline::window(1ms))) take();
    }
    while (came < sent) take();
    EXPECT_TRUE(in_order);
  }
}

TEST_F(BareRelay, GoesOnWithTheOthersWhenReceiversEndWithoutAWord) {
  for (const std::string part : {"receiver", "sharer"}) {
    SCOPED_TRACE(part);
    Line gone(relay, part, part), left(relay, part, part), sender(relay, "sender", part);
    sender.send(piece("a") + piece("a"));
    EXPECT_EQ(gone.message(), "a");
    EXPECT_EQ(left.message(), "a");
    if (part == "receiver") {
      EXPECT_EQ(left.message(), "a");
    }
    gone.close();
    // From when the relay knows on all go to the other.
    int last = 0;
    for (const Deadline deadline = 20s; !deadline.passed();) {
      for (const char* word : {"b", "c"}) sender.send(piece(word + std::to_string(last)));
      last++;
      if (left.message().starts_with("b") && left.waits_for(POLLIN, Deadline::window(100ms)) &&
          left.message().starts_with("c"))
        break;
    }
    ask(sender);
  }
}

TEST_F(BareRelay, TellsWhatItDid) {
  Line sender(relay, "sender");
  sender.send(piece("nobody is there") + piece("nor now"));
  ask(sender);
  relay.process().signal(SIGTERM);
  ASSERT_TRUE(relay.process().wait_exit(20s));
  EXPECT_THAT(relay.process().out(), HasSubstr("2 messages came, 2 of them for nobody;"));
}

TEST(BareRelayProgram, WantsATokenAndAnAddress) {
  const std::string broker = N2NQ_BUILT_BIN_DIR "/n2nq-broker";
  const ReservedPort port;
  for (const auto& [options, code, text] :
       {std::tuple(Options{}, 2, "no token: give --token-file FILE"),
        std::tuple(Options{"--insecure-no-token", "--listen", "here"}, 2, "'here' has no port"),
        std::tuple(Options{"--token-file", "/nowhere"}, 3, "cannot read the token file /nowhere")}) {
    Options argv{broker, "relay"};
    argv.insert(argv.end(), options.begin(), options.end());
    Process relay(argv);
    EXPECT_EQ(relay.wait_exit(20s), Exit{.code = code}) << relay.err();
    EXPECT_THAT(relay.err(), HasSubstr(text));
  }
}

}  // namespace
}  // namespace n2nq::test
