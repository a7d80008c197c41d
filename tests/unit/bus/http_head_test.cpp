// Heads of requests and responses, and addresses.
#include "workers/bus/stream/http_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workers/bus/stream/address.h"

namespace n2nq::bus {
namespace {

std::span<const uint8_t> view(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(HttpHead, FindsWhatARequestSays) {
  const std::string text =
      "POST /receiver/7?sender=3 HTTP/1.1\r\nhost: a\r\nAUTHORIZATION: Bearer t\r\nContent-Length: 12\r\n\r\nbody";
  RequestHead head;
  ASSERT_EQ(parse_head(view(text), head), HeadOutcome::whole);
  EXPECT_EQ(head.bytes, text.size() - 4);
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.path, "/receiver/7?sender=3");
  EXPECT_EQ(head.authorization, "Bearer t");
  EXPECT_EQ(head.body_bytes, 12u);
  EXPECT_TRUE(head.keep_alive);
  EXPECT_FALSE(head.asks_web_socket);
  EXPECT_EQ(receiver_of_path(head.path), 7u);
  EXPECT_EQ(sender_of_path(head.path), 3u);
}

TEST(HttpHead, FindsWhatAResponseSays) {
  const std::string text = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
  ResponseHead head;
  ASSERT_EQ(parse_head(view(text), head), HeadOutcome::whole);
  EXPECT_EQ(head.status, 204u);
  EXPECT_FALSE(head.keep_alive);
  EXPECT_FALSE(head.body_bytes);
}

TEST(HttpHead, IsPartialUntilItsLastByte) {
  const std::string text = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n\r\n";
  for (size_t cut = 0; cut < text.size(); cut++) {
    RequestHead head;
    EXPECT_EQ(parse_head(view(text).first(cut), head), HeadOutcome::partial) << cut;
  }
  RequestHead head;
  EXPECT_EQ(parse_head(view(text), head), HeadOutcome::whole);
  EXPECT_TRUE(head.asks_web_socket);
}

TEST(HttpHead, RefusesWhatIsNone) {
  RequestHead head;
  for (const std::string text : {"\x16\x03\x01\x02\x00\x01\x00\x01", "hello\r\n\r\n",
                                 "GET / HTTP/1.1\r\nbroken\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                                 "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
                                 "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                                 "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nAuthorization: Bearer\r\n t\r\n\r\n"})
    EXPECT_EQ(parse_head(view(text), head), HeadOutcome::bad) << text;
  EXPECT_EQ(parse_head(view("GET / HTTP/1.1\r\nA: " + std::string(9000, 'a')), head), HeadOutcome::too_long);
  EXPECT_EQ(parse_head(view("GET /" + std::string(9000, 'a')), head), HeadOutcome::too_long);
}

TEST(Address, SurvivesItsText) {
  for (const std::string text :
       {"http://10.0.0.1:40123/receiver/7", "wss://[::1]:4/receiver/1", "ws://lab3.example:1/receiver/4294967295"}) {
    const auto address = parse_address(text);
    ASSERT_TRUE(address) << address.error().text;
    EXPECT_EQ(address->text(), text);
  }
  const std::string pinned = "https://h:1/receiver/2#sha256=" + std::string(64, 'a');
  EXPECT_EQ(parse_address(pinned)->text(), pinned);
  EXPECT_EQ(parse_address("wss://[::1]:4/receiver/1")->host(), "::1");
}

TEST(Address, IsRefusedInWords) {
  for (const std::string text :
       {"", "http://h:1", "http:///receiver/1", "http://h:1/receiver/0", "http://h:1/receiver/x",
        "http://h:1/receiver/1#sha256=12", "http://h 1/receiver/1", "h:1/receiver/1"}) {
    const auto address = parse_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_THAT(address.error().text, testing::HasSubstr("is not the address of a receiver, such as http://"));
  }
}

}  // namespace
}  // namespace n2nq::bus
