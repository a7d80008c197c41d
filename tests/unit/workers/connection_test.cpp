// How a service joins and how it learns that it is over.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <memory>

#include "tests/unit/workers/fake_broker.h"
#include "tests/unit/workers/stub_fleet.h"
#include "workers/receiver/receiver_loop.h"

namespace {

std::atomic<int> shutdowns = 0;

}  // namespace

// In the place of the C library's.
extern "C" int shutdown(int fd, int how) noexcept {
  shutdowns++;
  return static_cast<int>(::syscall(SYS_shutdown, fd, how));
}

namespace n2nq::receiver {
namespace {

using namespace test;

// One receiver on a loop of its own.
struct Joining {
  explicit Joining(const net::Endpoint& broker) : context(context_for(wire::Role::receiver, broker)) {}
  void start() {
    loop = std::make_unique<ReceiverLoop>(context, fleet, options, seen, workplace, 0, context.count, nullptr);
    loop->start();
  }
  transport::Loss only_loss() {
    EXPECT_TRUE(fleet.wait_ended());
    const auto losses = fleet.losses();
    EXPECT_EQ(losses.size(), 1u);
    return losses.empty() ? transport::Loss{} : losses.front();
  }

  fleet::FleetContext context;
  StubFleet fleet;
  ReceiverOptions options;
  FleetSeen seen{false};
  Workplace workplace{measure::SharedLimit{}};
  std::unique_ptr<ReceiverLoop> loop;
};

TEST(Connection, WaitsForABrokerThatIsNotThereYet) {
  net::Endpoint endpoint;
  {
    endpoint = FakeBroker().endpoint();
  }  // free again
  Joining joining(endpoint);
  joining.start();
  auto listener = net::listen_tcp(endpoint);
  ASSERT_TRUE(listener);
  pollfd ready{.fd = listener->get(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&ready, 1, Deadline(10s).poll_ms()), 1);
}

TEST(Connection, GivesUpWhenItsTimeIsOver) {
  net::Endpoint endpoint;
  {
    endpoint = FakeBroker().endpoint();
  }
  Joining joining(endpoint);
  joining.context.give_up_ns = measure::now_ns() + 50'000'000;
  joining.start();
  const auto loss = joining.only_loss();
  EXPECT_EQ(loss.kind, transport::Loss::Kind::not_joined);
  EXPECT_NE(loss.text.find("--connect-timeout"), std::string::npos) << loss.text;
}

TEST(Connection, GivesUpABrokerThatNeverAnswers) {
  FakeBroker broker;
  Joining joining(broker.endpoint());
  joining.context.give_up_ns = measure::now_ns() + 50'000'000;
  joining.start();
  Peer peer = broker.accept();
  EXPECT_EQ(joining.only_loss().kind, transport::Loss::Kind::not_joined);
}

// The broker may take its time to close.
TEST(Connection, RestsBetweenItsGoodbyeAndTheEnd) {
  FakeBroker broker;
  Joining joining(broker.endpoint());
  joining.start();
  Peer peer = broker.accept_and_begin(welcome_to(wire::Mode::broadcaster), begin_now());
  const int before = shutdowns;
  peer.send(wire::End{.expected = 0});
  peer.expect(wire::Type::bye);
  pollfd quiet{.fd = -1, .events = 0, .revents = 0};
  ::poll(&quiet, 1, Deadline::window(20ms).poll_ms());
  EXPECT_EQ(shutdowns - before, 1);
  peer.close();
  EXPECT_TRUE(joining.fleet.wait_ended());
}

TEST(Connection, DoesNotTryAgainWithAWrongToken) {
  FakeBroker broker;
  Joining joining(broker.endpoint());
  joining.start();
  Peer peer = broker.accept();
  peer.expect(wire::Type::hello);
  peer.send(wire::ErrorFrame{.code = wire::ErrorCode::bad_token, .text = "the token is wrong"});
  const auto loss = joining.only_loss();
  EXPECT_EQ(loss.kind, transport::Loss::Kind::not_joined);
  EXPECT_NE(loss.text.find("the token is wrong"), std::string::npos) << loss.text;
}

TEST(Connection, TriesAgainWhenTheBrokerIsFull) {
  FakeBroker broker;
  Joining joining(broker.endpoint());
  joining.start();
  {
    Peer peer = broker.accept();
    peer.expect(wire::Type::hello);
    peer.send(wire::ErrorFrame{.code = wire::ErrorCode::too_many, .text = "later"});
  }
  broker.accept().expect(wire::Type::hello);
}

TEST(Connection, CallsTheBrokerLostWhenItClosesDuringTheRun) {
  FakeBroker broker;
  Joining joining(broker.endpoint());
  joining.start();
  Peer peer = broker.accept_and_begin(welcome_to(wire::Mode::broadcaster), begin_now());
  ASSERT_TRUE(joining.fleet.wait_begun());
  peer.close();
  EXPECT_EQ(joining.only_loss().kind, transport::Loss::Kind::broker_gone);
}

TEST(Connection, RefusesNonsense) {
  FakeBroker broker;
  Joining joining(broker.endpoint());
  joining.start();
  Peer peer = broker.accept();
  peer.expect(wire::Type::hello);
  const std::string page = "HTTP/1.1 400 Bad Request\r\n\r\n";
  peer.send_bytes({reinterpret_cast<const uint8_t*>(page.data()), page.size()});
  const auto loss = joining.only_loss();
  EXPECT_EQ(loss.kind, transport::Loss::Kind::not_joined);
  EXPECT_NE(loss.text.find("--broker"), std::string::npos) << loss.text;
}

TEST(Connection, JoinsNoMoreThanSoManyAtOnce) {
  FakeBroker broker;
  Joining joining(broker.endpoint());
  joining.context.count = transport::BusLoop::kHandshakes + 5;
  joining.options.count = joining.context.count;
  joining.start();
  std::vector<Peer> peers;
  for (size_t i = 0; i < transport::BusLoop::kHandshakes; i++) peers.push_back(broker.accept());
  pollfd more{.fd = broker.fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&more, 1, Deadline::window(100ms).poll_ms()), 0);
  for (Peer& peer : peers) peer.send(welcome_to(wire::Mode::broadcaster));
  for (size_t i = 0; i < 5; i++) peers.push_back(broker.accept());
}

}  // namespace
}  // namespace n2nq::receiver
