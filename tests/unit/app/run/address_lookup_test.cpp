// Names whose answer takes its time.
#include "app/run/address_lookup.h"

#include <gtest/gtest.h>

#include <QTest>
#include <future>

namespace n2nq::run {
namespace {

using Endpoint = Result<net::Endpoint>;

TEST(AddressLookup, KnowsAddressesAtOnce) {
  EXPECT_EQ(AddressLookup::known("127.0.0.1:7400").value()->text(), "127.0.0.1:7400");
  EXPECT_EQ(AddressLookup::known("[::1]:7400").value()->text(), "[::1]:7400");
  EXPECT_FALSE(AddressLookup::known("127.0.0.1").value());
  EXPECT_FALSE(AddressLookup::known("localhost:7400"));
}

TEST(AddressLookup, HoldsUpNobodyUntilTheAnswerComes) {
  std::promise<void> server;
  std::string answer;
  const AddressLookup lookup(
      "lab3:7400", [&](const Endpoint& endpoint) { answer = endpoint.value().text(); },
      [released = server.get_future().share()](const std::string&) {
        released.wait();
        return net::resolve("10.0.0.3:7400");
      });
  QCoreApplication::processEvents();
  EXPECT_EQ(answer, "");
  server.set_value();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !answer.empty(); }, 60'000));
  EXPECT_EQ(answer, "10.0.0.3:7400");
}

TEST(AddressLookup, DoesNotWaitForAnAnswerThatNobodyWantsAnyMore) {
  std::promise<void> server, asked;
  bool told = false;
  {
    const AddressLookup lookup(
        "lab3:7400", [&](const Endpoint&) { told = true; },
        [&asked, released = server.get_future().share()](const std::string&) {
          released.wait();
          asked.set_value();
          return Endpoint(fail("too late"));
        });
  }
  server.set_value();
  asked.get_future().wait();
  QCoreApplication::processEvents();
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace n2nq::run
