#include "workers/bus/http/http_inlet.h"

#include <algorithm>
#include <string>

#include "broker/wire/frames.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {

// One request at a time: what comes behind it stays until it is answered.
class HttpGuest final : public Guest {
 public:
  explicit HttpGuest(Entrance& entrance) : Guest(entrance) {}

  uint32_t sender() const { return sender_; }
  uint64_t index() const { return index_; }
  bool waits() const { return waits_; }
  void hold(std::span<const uint8_t> frame) {
    const wire::DataHeader header = wire::read_data_header(frame.data());
    sender_ = header.sender;
    index_ = header.index;
    waits_ = true;
  }
  void reply(std::span<const uint8_t> frame) {
    waits_ = false;
    auto& joined = entrance().loop().scratch();
    constexpr std::string_view kStart = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ";
    joined.assign(kStart.begin(), kStart.end());
    const std::string length = std::to_string(frame.size());
    joined.insert(joined.end(), length.begin(), length.end());
    constexpr std::string_view kClose = "\r\nConnection: close\r\n\r\n";
    constexpr std::string_view kStay = "\r\n\r\n";
    const std::string_view end = keep_alive_ ? kStay : kClose;
    joined.insert(joined.end(), end.begin(), end.end());
    // One write for what is small, no copy of what is large.
    const size_t together = std::min(frame.size(), kTogether);
    joined.insert(joined.end(), frame.begin(), frame.begin() + static_cast<ptrdiff_t>(together));
    stream().write(joined);
    if (together < frame.size()) stream().write(frame.subspan(together));
    answered();
    if (!inbox().empty()) take_later();
  }
  void accepted() {
    stream().write(keep_alive_ ? "HTTP/1.1 204 No Content\r\n\r\n"
                               : "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    answered();
  }
  void farewell() override {
    if (inlet() != nullptr) static_cast<HttpInlet*>(inlet())->forget(*this);
    waits_ = false;
    stream().close_gently();
  }

 private:
  static constexpr size_t kTogether = 16 * 1024;

  // While a reply is owed, or a whole message is not taken, it reads on only to notice that the other side has gone.
  // Behind a load balancer the next request may go to another receiver.
  bool wants_stream_bytes() override {
    if (waits_ || untaken_) return inbox().empty();
    return (entrance().balanced() && whole_ == 0) || Guest::wants_stream_bytes();
  }

  void take() override {
    untaken_ = false;
    while (stream().open() && !waits_ && !inbox().bytes().empty()) {
      if (whole_ == 0) {
        const Begun begun = begin_request();
        if (begun == Begun::answered) continue;
        if (begun == Begun::no) return;
      }
      if (inbox().bytes().size() < whole_) break;
      untaken_ = !inlet()->events().wants_bytes();
      if (untaken_) break;
      const std::span<const uint8_t> frame = inbox().bytes().subspan(head_bytes_, whole_ - head_bytes_);
      if (!is_whole_message(frame))
        return refuse("400 Bad Request", "a request came whose body is not one whole message");
      const bool fresh = static_cast<HttpInlet*>(inlet())->take(*this, frame);
      if (!fresh) return refuse("409 Conflict", "a request came twice before it was answered");
      if (!stream().open()) return;
      inbox().drop(whole_);
      whole_ = 0;
    }
    inbox().keep(whole_);
  }

  // Whether there is now a request with a body to take, or was one without.
  enum class Begun { no, body, answered };
  Begun begin_request() {
    const auto request = take_head();
    if (!request) return Begun::no;
    const RequestHead& head = request->head;
    keep_alive_ = head.keep_alive;
    belong_to(*request->inlet);
    if (head.method == "GET" || head.method == "HEAD") {
      // How a sender asks whether it is welcome.
      if (head.body_bytes.value_or(0) != 0 || head.chunked) {
        refuse("400 Bad Request", "a GET came with a body");
        return Begun::no;
      }
      inbox().drop(head.bytes);
      accepted();
      return Begun::answered;
    }
    if (head.method != "POST") {
      refuse("405 Method Not Allowed", "a request came that is no POST");
      return Begun::no;
    }
    if (head.chunked || !head.body_bytes) {
      refuse("411 Length Required", "a request came without Content-Length");
      return Begun::no;
    }
    if (*head.body_bytes > kLongestFrame) {
      refuse("413 Content Too Large", "a request came with a body of more than 64 MiB");
      return Begun::no;
    }
    head_bytes_ = head.bytes;
    whole_ = head.bytes + *head.body_bytes;
    if (head.expects_continue && inbox().bytes().size() < whole_) stream().write("HTTP/1.1 100 Continue\r\n\r\n");
    return Begun::body;
  }

  void answered() {
    if (!keep_alive_) stream().close_gently();
  }

  void on_gone(const StreamEnd&) override {
    if (inlet() != nullptr) static_cast<HttpInlet*>(inlet())->forget(*this);
    waits_ = false;
  }

  size_t head_bytes_ = 0;
  size_t whole_ = 0;  // of the request whose body comes; 0: none
  bool keep_alive_ = true;
  bool waits_ = false;
  bool untaken_ = false;  // a whole message is here, and the receiver takes nothing
  uint32_t sender_ = 0;
  uint64_t index_ = 0;
};

std::unique_ptr<Guest> make_http_guest(Entrance& entrance) {
  return std::make_unique<HttpGuest>(entrance);
}

HttpInlet::HttpInlet(Entrance& entrance, LinkEvents& events, uint32_t number, bool replies)
    : ListedInlet(entrance, events, number), replies_(replies) {}

HttpInlet::~HttpInlet() {
  cut_off();
}

HttpInlet::Key HttpInlet::key_of(std::span<const uint8_t> frame) {
  const wire::DataHeader header = wire::read_data_header(frame.data());
  return {.sender = header.sender, .index = header.index};
}

bool HttpInlet::take(HttpGuest& guest, std::span<const uint8_t> frame) {
  if (replies_) {
    if (!waiting_.emplace(key_of(frame), &guest).second) return false;
    guest.hold(frame);
  }
  events().on_frame(wire::read_header(frame.data()), frame, guest.stream().read_ns());
  if (!replies_ && guest.stream().open()) guest.accepted();
  events().on_read_end();
  return true;
}

bool HttpInlet::reply(std::span<const uint8_t> frame) {
  const auto found = waiting_.find(key_of(frame));
  if (found == waiting_.end()) {
    tell_nowhere("request");
    return true;
  }
  HttpGuest* guest = found->second;
  waiting_.erase(found);
  guest->reply(frame);
  return true;
}

void HttpInlet::forget(const HttpGuest& guest) {
  if (guest.waits()) waiting_.erase({.sender = guest.sender(), .index = guest.index()});
}

}  // namespace n2nq::bus
