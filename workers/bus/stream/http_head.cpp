#include "workers/bus/stream/http_head.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <functional>
#include <limits>

namespace n2nq::bus {
namespace {

namespace http = boost::beast::http;
using boost::beast::iequals;
using Text = boost::beast::string_view;
using Code = boost::beast::error_code;

std::string_view view(Text text) {
  return {text.data(), text.size()};
}

// What Beast's parser finds, put into the plain struct. It copies nothing.
template <bool is_request, class Head>
class HeadParser final : public http::basic_parser<is_request> {
 public:
  HeadParser(Head& head, std::span<const uint8_t> bytes) : head_(head), bytes_(bytes) {
    this->header_limit(kMaxHead);
    this->body_limit(std::numeric_limits<std::uint64_t>::max());
  }

 private:
  void on_request_impl(http::verb, Text method, Text target, int, Code&) override {
    if constexpr (is_request) {
      head_.method = view(method);
      head_.path = view(target);
    }
  }
  void on_response_impl(int status, Text, int, Code&) override {
    if constexpr (!is_request) head_.status = static_cast<unsigned>(status);
  }
  void on_field_impl(http::field field, Text, Text value, Code& code) override {
    // A value that goes on in the next line is put together in a place that does not last. Nobody may send it any more
    // (RFC 9112, 5.2).
    if (!lies_in_bytes(value)) {
      code = http::error::bad_obs_fold;
      return;
    }
    if (field == http::field::upgrade) upgrade_ = iequals(value, "websocket");
    if (field == http::field::transfer_encoding) head_.chunked = true;
    if constexpr (is_request) {
      if (field == http::field::authorization) head_.authorization = view(value);
      if (field == http::field::sec_websocket_key) head_.web_socket_key = view(value);
      if (field == http::field::sec_websocket_version) head_.web_socket_version = view(value);
      if (field == http::field::expect) head_.expects_continue = iequals(value, "100-continue");
    } else {
      if (field == http::field::sec_websocket_accept) head_.web_socket_accept = view(value);
    }
  }
  void on_header_impl(Code&) override {
    head_.keep_alive = this->keep_alive();
    if constexpr (is_request)
      head_.asks_web_socket = upgrade_ && this->upgrade();
    else
      head_.grants_web_socket = upgrade_ && this->upgrade() && head_.status == 101;
  }
  void on_body_init_impl(boost::optional<std::uint64_t> const&, Code&) override {}
  std::size_t on_body_impl(Text body, Code&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, Text, Code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, Code&) override { return body.size(); }
  void on_finish_impl(Code&) override {}

  bool lies_in_bytes(Text value) const {
    if (value.empty()) return true;
    const auto* begin = reinterpret_cast<const uint8_t*>(value.data());
    return !std::less<>()(begin, bytes_.data()) && !std::less<>()(bytes_.data() + bytes_.size(), begin + value.size());
  }

  Head& head_;
  std::span<const uint8_t> bytes_;
  bool upgrade_ = false;
};

template <bool is_request, class Head>
HeadOutcome parse(std::span<const uint8_t> bytes, Head& head) {
  head = {};
  HeadParser<is_request, Head> parser(head, bytes);
  // Only a head is read, so that a long body costs nothing here.
  const size_t looked_at = std::min(bytes.size(), kMaxHead + 1);
  Code code;
  head.bytes = parser.put(boost::asio::const_buffer(bytes.data(), looked_at), code);
  if (parser.is_header_done()) {
    if (const auto length = parser.content_length()) head.body_bytes = *length;
    return HeadOutcome::whole;
  }
  if (code == http::error::header_limit) return HeadOutcome::too_long;
  if (code && code != http::error::need_more) return HeadOutcome::bad;
  return bytes.size() > kMaxHead ? HeadOutcome::too_long : HeadOutcome::partial;
}

}  // namespace

HeadOutcome parse_head(std::span<const uint8_t> bytes, RequestHead& head) {
  return parse<true>(bytes, head);
}
HeadOutcome parse_head(std::span<const uint8_t> bytes, ResponseHead& head) {
  return parse<false>(bytes, head);
}

}  // namespace n2nq::bus
