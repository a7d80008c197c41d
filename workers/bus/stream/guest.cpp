#include "workers/bus/stream/guest.h"

#include "workers/bus/stream/address.h"
#include "workers/bus/stream/entrance.h"
#include "workers/bus/stream/listed_inlet.h"

namespace n2nq::bus {

Guest::Guest(Entrance& entrance)
    : entrance_(entrance),
      inbox_(entrance.loop()),
      stream_(entrance.loop(), *this, entrance.counters()),
      again_(entrance.loop(),
             [this] {
               inbox_.space();
               on_stream_bytes(0);
               stream_.read_later();
             }),
      deadline_(entrance.loop(), [this] {
        entrance_.tell_once("slow", "a connection was closed that sent no whole request in time");
        cut();
      }) {}

void Guest::accept(Fd fd) {
  deadline_.set_in(entrance_.limits().head_ns);
  stream_.close_within(entrance_.limits().close_ns);
  stream_.accept(std::move(fd), entrance_.tls());
}

bool Guest::wants_stream_bytes() {
  return inlet_ == nullptr || inlet_->events().wants_bytes();
}

void Guest::on_stream_bytes(size_t n) {
  inbox_.add(n);
  if (stream_.open()) take();
}

std::optional<Guest::Request> Guest::take_head() {
  Request request;
  switch (parse_head(inbox_.bytes(), request.head)) {
    case HeadOutcome::partial:
      inbox_.keep(0);
      return {};
    case HeadOutcome::bad:
      refuse("400 Bad Request", "something came that is no HTTP request");
      return {};
    case HeadOutcome::too_long:
      refuse("431 Request Header Fields Too Large", "a request came whose head is longer than 8 KiB");
      return {};
    case HeadOutcome::whole:
      break;
  }
  if (entrance_.balanced() && request.head.path == kPathOfHealth) {
    tell_health();
    return {};
  }
  if (!entrance_.admits(request.head.authorization)) {
    refuse("401 Unauthorized", "a request came without the run's token");
    return {};
  }
  if (!proven_) {
    proven_ = true;
    deadline_.cancel();
    entrance_.proven();
  }
  request.inlet = entrance_.find(request.head.path);
  if (request.inlet == nullptr && entrance_.balanced() && entrance_.empty()) {
    tell_health();
    return {};
  }
  if (request.inlet == nullptr) {
    refuse("404 Not Found", "a request came for a receiver that is not here: " + std::string(request.head.path));
    return {};
  }
  return request;
}

// Nobody has to know the token for it, and it is no trouble to tell of. Where there is no receiver any more a load
// balancer may try another process.
void Guest::tell_health() {
  stream_.write(std::string(entrance_.empty() ? "HTTP/1.1 503 Service Unavailable" : "HTTP/1.1 200 OK") +
                "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  deadline_.cancel();
  stream_.close_gently();
}

void Guest::belong_to(ListedInlet& inlet) {
  if (inlet_ == &inlet) return;
  if (inlet_ != nullptr) inlet_->remove(*this);
  inlet_ = &inlet;
  inlet.add(*this);
  stream_.count_for(inlet.counted());
}

void Guest::refuse(std::string_view status, const std::string& why) {
  std::string answer = "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: 0\r\nConnection: close\r\n";
  if (status.starts_with("401")) answer += "WWW-Authenticate: Bearer\r\n";
  if (status.starts_with("426")) answer += "Sec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n";
  stream_.write(answer + "\r\n");
  deadline_.cancel();
  stream_.close_gently();
  entrance_.tell_once(std::string(status), why + "; it was refused");
}

void Guest::on_stream_end(const StreamEnd& end) {
  if (end.kind == StreamEnd::Kind::no_tls || end.kind == StreamEnd::Kind::tls_failed)
    entrance_.tell_once("tls", "a connection was closed: " + end.text);
  on_gone(end);
  leave();
}

void Guest::cut() {
  stream_.reset();
  on_gone({});
  leave();
}

void Guest::leave() {
  if (inlet_ != nullptr) inlet_->remove(*this);
  inlet_ = nullptr;
  deadline_.cancel();
  again_.cancel();
  entrance_.leave(*this);
}

}  // namespace n2nq::bus
