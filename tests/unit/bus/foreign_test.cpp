// The entrance as somebody else's software sees it: python's http.client, ssl, and WebSocket by hand.
#include "tests/helpers/process.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/stream/address.h"

namespace n2nq::bus::test {
namespace {

struct Foreign {
  std::string kind;
  bool tls = false;
};

class ForeignClients : public testing::TestWithParam<Foreign> {};

TEST_P(ForeignClients, AreServedAsTheStandardsSay) {
  BusRig rig({.kind = GetParam().kind, .settings = {{"tls", GetParam().tls ? "true" : "false"}}});
  Service& receiver = rig.receiver(1);
  const auto address = parse_address(rig.address(1));
  ASSERT_TRUE(address);
  const std::string port = address->authority.substr(address->authority.rfind(':') + 1);
  std::vector<std::string> argv{
      "/usr/bin/python3", N2NQ_FOREIGN_BUS_CLIENT, GetParam().kind, address->host(), port, address->path, kToken};
  if (GetParam().tls) argv.push_back(address->fingerprint);
  const std::string shook = GetParam().tls ? "TLSv1.3 True\n" : "";
  const std::string wanted = GetParam().kind == "http"
                                 ? "GET 204 0\nPOST 204 0\nPOST 204 0\nPOST 204 0\n401 Bearer close\n"
                                 : "101 True\nb'\\x8a\\x0cstill there?' b'\\x88\\x02\\x03\\xe8'\n";
  EXPECT_EQ(output_of(argv), shook + wanted);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 3; }));
  const std::string payloads[] = {"hello", "", std::string(300'000, 'x')};
  const Heard heard = rig.heard(receiver);
  for (size_t i = 0; i < 3; i++) EXPECT_EQ(heard.frames[i], message_frame(3, i + 1, payloads[i])) << i;
}

INSTANTIATE_TEST_SUITE_P(Python, ForeignClients,
                         testing::Values(Foreign{"http"}, Foreign{"http", true}, Foreign{"websocket"},
                                         Foreign{"websocket", true}),
                         [](const auto& one) { return one.param.kind + (one.param.tls ? "_tls" : ""); });

}  // namespace
}  // namespace n2nq::bus::test
