#include "broker/net/socket.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/tcp.h>
#include <poll.h>
#include <sys/resource.h>

#include <fstream>
#include <memory>
#include <set>
#include <vector>

#include "broker/net/resolve.h"

namespace n2nq::net {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Endpoint endpoint(std::string_view text) {
  const auto resolved = resolve(text);
  EXPECT_TRUE(resolved) << resolved.error().text;
  return resolved.value_or(Endpoint());
}

// A listening socket on a port that the kernel chose.
struct Listener {
  Listener() : fd(listen_tcp(endpoint("127.0.0.1:0")).value()), at(local_endpoint(fd.get()).value()) {}
  Fd fd;
  Endpoint at;
};

Result<void> finish(const Fd& fd, const Endpoint& to) {
  pollfd waiting{.fd = fd.get(), .events = POLLOUT, .revents = 0};
  EXPECT_EQ(::poll(&waiting, 1, 20'000), 1) << "the connection was not decided in time";
  return connect_outcome(fd.get(), to);
}

int option(int fd, int level, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  EXPECT_EQ(::getsockopt(fd, level, name, &value, &length), 0);
  return value;
}

TEST(Endpoint, IsWrittenAsPeopleWriteIt) {
  EXPECT_EQ(endpoint("127.0.0.1:7400").text(), "127.0.0.1:7400");
  EXPECT_EQ(endpoint("[::1]:7400").text(), "[::1]:7400");
  EXPECT_EQ(endpoint("[2001:db8::7]:1").text(), "[2001:db8::7]:1");
  Endpoint changed = endpoint("[::1]:7400");
  changed.set_port(65535);
  EXPECT_EQ(changed.port(), 65535);
  EXPECT_EQ(changed.text(), "[::1]:65535");
}

TEST(Socket, ListensAndConnects) {
  const Listener listener;
  EXPECT_NE(listener.at.port(), 0);
  const auto client = start_connect(listener.at, 0);
  ASSERT_TRUE(client) << client.error().text;
  EXPECT_TRUE(finish(*client, listener.at));
  const Fd accepted(::accept4(listener.fd.get(), nullptr, nullptr, SOCK_CLOEXEC));
  ASSERT_TRUE(accepted.valid());
  EXPECT_EQ(peer_endpoint(client->get())->text(), listener.at.text());
  EXPECT_EQ(peer_endpoint(accepted.get())->text(), local_endpoint(client->get())->text());
}

TEST(Socket, UsesTheSourcePortItIsGiven) {
  const Listener listener;
  uint16_t port = 0;
  {
    const Listener other;  // a port that is free right after
    port = other.at.port();
  }
  const auto client = start_connect(listener.at, port);
  ASSERT_TRUE(client) << client.error().text;
  EXPECT_TRUE(finish(*client, listener.at));
  EXPECT_EQ(local_endpoint(client->get())->port(), port);
}

TEST(Socket, SaysWhatToDoAboutAPortInUse) {
  const Listener listener;
  const auto second = listen_tcp(listener.at);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().error_number, EADDRINUSE);
  EXPECT_THAT(second.error().text, AllOf(HasSubstr(listener.at.text()), HasSubstr("choose another port")));
}

TEST(Socket, ThatIsForLaterIsAtAPortThatTheKernelGivesToNobody) {
  std::ifstream range("/proc/sys/net/ipv4/ip_local_port_range");
  uint16_t first = 0, last = 0;
  ASSERT_TRUE(range >> first >> last);
  for (int i = 0; i < 100; i++) {
    const auto later = listen_for_later(endpoint("127.0.0.1:0"));
    ASSERT_TRUE(later) << later.error().text;
    const uint16_t port = local_endpoint(later->get())->port();
    EXPECT_TRUE(port < first || port > last || first <= 10'000) << port;
  }
  const Listener asked_for;
  const auto taken = listen_for_later(asked_for.at);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().error_number, EADDRINUSE);
}

TEST(Socket, SaysWhatToDoAboutAnAddressOfAnotherMachine) {
  const auto listener = listen_tcp(endpoint("192.0.2.1:7400"));  // an address for documentation: nobody has it
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().error_number, EADDRNOTAVAIL);
  EXPECT_THAT(listener.error().text, AllOf(HasSubstr("192.0.2.1:7400"), HasSubstr("ip addr")));
}

TEST(Socket, SaysWhatToDoAboutASourcePortInUse) {
  const Listener listener;
  const Listener other;
  const auto client = start_connect(listener.at, other.at.port());
  ASSERT_FALSE(client);
  EXPECT_THAT(client.error().text,
              AllOf(HasSubstr("source port " + std::to_string(other.at.port())), HasSubstr("choose another port")));
}

TEST(Socket, SaysWhatToDoWhenNobodyListens) {
  Endpoint nobody;
  {
    const Listener gone;
    nobody = gone.at;
  }
  const auto client = start_connect(nobody, 0);
  const Result<void> outcome = client ? finish(*client, nobody) : Result<void>(std::unexpected(client.error()));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().error_number, ECONNREFUSED);
  EXPECT_THAT(outcome.error().text, AllOf(HasSubstr(nobody.text()), HasSubstr("start the broker")));
}

TEST(Socket, SaysWhatToDoWhenDescriptorsRunOut) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  const Endpoint anywhere = endpoint("127.0.0.1:0");
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto listener = listen_tcp(anywhere);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().error_number, EMFILE);
  EXPECT_THAT(listener.error().text, HasSubstr("ulimit -n"));
}

TEST(Socket, IsPreparedForSmallMessagesAndDeadPeers) {
  const Listener listener;
  const auto client = start_connect(listener.at, 0);
  ASSERT_TRUE(client) << client.error().text;
  prepare_stream(client->get(), 9000);
  EXPECT_EQ(option(client->get(), IPPROTO_TCP, TCP_NODELAY), 1);
  EXPECT_EQ(option(client->get(), SOL_SOCKET, SO_KEEPALIVE), 1);
  EXPECT_EQ(option(client->get(), IPPROTO_TCP, TCP_USER_TIMEOUT), 0);
  bound_unacknowledged(client->get(), 9000);
  EXPECT_EQ(option(client->get(), IPPROTO_TCP, TCP_USER_TIMEOUT), 9000);
  const int idle = option(client->get(), IPPROTO_TCP, TCP_KEEPIDLE);
  const int interval = option(client->get(), IPPROTO_TCP, TCP_KEEPINTVL);
  EXPECT_LE(idle + interval * option(client->get(), IPPROTO_TCP, TCP_KEEPCNT), 9);
}

TEST(Socket, TellsWhatTheKernelKnowsOfAConnection) {
  const Listener listener;
  const auto client = start_connect(listener.at, 0);
  ASSERT_TRUE(client && finish(*client, listener.at));
  EXPECT_GT(tcp_info(client->get()).cwnd, 0u);
  EXPECT_EQ(tcp_info(-1).cwnd, 0u);
}

TEST(Socket, TellsHowTheKernelHasAConnection) {
  const Listener listener;
  const auto client = start_connect(listener.at, 0);
  ASSERT_TRUE(client && finish(*client, listener.at));
  const int fd = client->get();
  const auto set = [fd](int level, int name, int value) {
    ASSERT_EQ(::setsockopt(fd, level, name, &value, sizeof value), 0);
  };
  for (const int nodelay : {0, 1}) {
    set(IPPROTO_TCP, TCP_NODELAY, nodelay);
    EXPECT_EQ(socket_facts(fd).nodelay, nodelay != 0);
  }
  set(SOL_SOCKET, SO_SNDBUF, 30'000);
  set(SOL_SOCKET, SO_RCVBUF, 40'000);
  ASSERT_EQ(::setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", 4), 0);
  const SocketFacts facts = socket_facts(fd);
  EXPECT_EQ(facts.send_buffer_bytes, 60'000u) << "the kernel doubles what it is asked for";
  EXPECT_EQ(facts.receive_buffer_bytes, 80'000u);
  EXPECT_EQ(facts.congestion_control, "reno");
  EXPECT_EQ(socket_facts(-1), SocketFacts()) << "nothing, and not zero";
}

TEST(Socket, ConnectsAndListensAsItIsAskedTo) {
  const SocketWishes wishes{.congestion = "reno", .send_buffer_bytes = 20'000, .receive_buffer_bytes = 30'000};
  ASSERT_TRUE(check(wishes));
  const SocketFacts asked{
      .nodelay = false, .send_buffer_bytes = 40'000, .receive_buffer_bytes = 60'000, .congestion_control = "reno"};
  const auto listening = listen_tcp(*resolve("127.0.0.1:0"), wishes);
  ASSERT_TRUE(listening);
  const Endpoint at = *local_endpoint(listening->get());
  const auto client = start_connect(at, 0, wishes);
  ASSERT_TRUE(client && finish(*client, at));
  EXPECT_EQ(socket_facts(client->get()), asked);
  const Fd accepted(::accept4(listening->get(), nullptr, nullptr, SOCK_CLOEXEC));
  EXPECT_EQ(socket_facts(accepted.get()), asked);
  prepare_stream(client->get(), 1000, true);
  EXPECT_EQ(socket_facts(client->get()).nodelay, false);
}

TEST(Socket, WhatThisHostDoesNotGiveIsSaidWithWhatItGives) {
  const auto why = [](const SocketWishes& wishes) {
    const auto good = check(wishes);
    return good ? "" : good.error().text;
  };
  EXPECT_EQ(why({}), "");
  EXPECT_THAT(why({.congestion = "nosuch"}), AllOf(HasSubstr("no congestion control nosuch, but "), HasSubstr("reno"),
                                                   HasSubstr("modprobe tcp_nosuch")));
  EXPECT_THAT(why({.send_buffer_bytes = 500 << 20}), AllOf(HasSubstr("a send buffer of 524288000 bytes is more than"),
                                                           HasSubstr("sysctl net.core.wmem_max=524288000")));
  EXPECT_THAT(why({.receive_buffer_bytes = 500 << 20}), HasSubstr("net.core.rmem_max"));
}

TEST(DescriptorLimit, IsRaisedAsFarAsAllowedAndNeverLowered) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{.rlim_cur = 100, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(raise_descriptor_limit(50), 100u);
  EXPECT_EQ(raise_descriptor_limit(200), 200u);
  rlimit now{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &now), 0);
  EXPECT_EQ(now.rlim_cur, 200u);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(Descriptor, HasOneOwner) {
  Fd first(::dup(0));
  const int number = first.get();
  ASSERT_TRUE(first.valid());
  Fd second(std::move(first));
  EXPECT_FALSE(first.valid());  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_EQ(second.get(), number);
  first = std::move(second);
  EXPECT_EQ(first.get(), number);
  first.reset();
  EXPECT_FALSE(first.valid());
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST(SourcePorts, AreTakenInTurnAndSaidToBeUsedUp) {
  const Listener listener;
  SocketWishes wishes;
  wishes.ports = std::make_shared<SourcePorts>(PortRange{.first = 22'001, .last = 22'002});
  std::vector<Fd> open;
  std::set<uint16_t> ports;
  for (int i = 0; i < 2; i++) {
    auto fd = start_connect(listener.at, 0, wishes);
    ASSERT_TRUE(fd) << fd.error().text;
    ports.insert(local_endpoint(fd->get())->port());
    open.push_back(std::move(*fd));
  }
  EXPECT_EQ(ports, (std::set<uint16_t>{22'001, 22'002}));
  const auto third = start_connect(listener.at, 0, wishes);
  ASSERT_FALSE(third);
  EXPECT_NE(third.error().text.find("no source port of 22001-22002 was free for it"), std::string::npos)
      << third.error().text;
}

}  // namespace
}  // namespace n2nq::net
