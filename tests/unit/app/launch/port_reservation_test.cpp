#include "app/launch/port_reservation.h"

#include <gtest/gtest.h>

#include "broker/net/resolve.h"

namespace n2nq::launch {
namespace {

TEST(PortReservation, KeepsAFreePortOnWhichOneMayListen) {
  const auto reservation = PortReservation::make(*net::resolve("127.0.0.1:0"));
  ASSERT_TRUE(reservation);
  EXPECT_NE(reservation->endpoint().port(), 0);
  EXPECT_TRUE(net::listen_tcp(reservation->endpoint()));
}

TEST(PortReservation, APortInUseIsSaidBeforeAnythingStarts) {
  const auto listening = net::listen_tcp(*net::resolve("127.0.0.1:0"));
  ASSERT_TRUE(listening);
  const auto refused = PortReservation::make(*net::local_endpoint(listening->get()));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("cannot listen at 127.0.0.1:"), std::string::npos) << refused.error().text;
}

}  // namespace
}  // namespace n2nq::launch
