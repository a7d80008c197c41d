#include "broker/control/control_link.h"

#include <nlohmann/json.hpp>

#include "broker/base/clock.h"
#include "broker/base/units.h"

namespace n2nq::control {
namespace {

using nlohmann::json;

constexpr int64_t kLingerNs = 1'000'000'000;
constexpr int64_t kAtOnce = 1;
constexpr size_t kMaxIdBytes = 64;
// A controller that does not read gets no pongs in place of important lines.
constexpr size_t kRoomForPongs = 64 * 1024;

// Ordered: people read these lines, and look for the type first.
std::string to_line(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

struct Message {
  std::string type;
  json object;
};

Result<Message> parse(std::string_view line) {
  json object = json::parse(line, nullptr, false);
  if (object.is_discarded()) return fail("not JSON; send one JSON object a line");
  if (!object.is_object()) return fail("not a JSON object; send {\"type\":...}");
  const auto type = object.find("type");
  if (type == object.end() || !type->is_string()) return fail("field \"type\" is missing or not text");
  return Message{.type = type->get<std::string>(), .object = std::move(object)};
}

Result<Token> token_of(const Message& message) {
  const auto token = message.object.find("token");
  if (token == message.object.end() || !token->is_string())
    return fail("hello: field \"token\" is missing or not text");
  auto parsed = Token::parse(token->get_ref<const std::string&>());
  if (!parsed) return fail("hello: field \"token\": " + parsed.error().text);
  return parsed;
}

Result<std::string> bus_password_of(const Message& message) {
  const auto password = message.object.find("bus_password");
  if (password == message.object.end()) return std::string();
  if (!password->is_string()) return fail("hello: field \"bus_password\" is not text");
  auto text = password->get<std::string>();
  if (auto good = check_password(text); !good) return fail("hello: field \"bus_password\": " + good.error().text);
  return text;
}

Result<std::string> bus_ca_of(const Message& message) {
  const auto ca = message.object.find("bus_ca");
  if (ca == message.object.end()) return std::string();
  if (!ca->is_string()) return fail("hello: field \"bus_ca\" is not text");
  auto certificates = certificates_in(ca->get_ref<const std::string&>());
  if (!certificates) return fail("hello: field \"bus_ca\": " + certificates.error().text);
  return certificates;
}

Result<std::string> broker_certificate_of(const Message& message) {
  const auto certificate = message.object.find("broker_certificate");
  if (certificate == message.object.end()) return std::string();
  if (!certificate->is_string()) return fail("hello: field \"broker_certificate\" is not text");
  auto text = certificate->get<std::string>();
  if (auto good = check_fingerprint(text); !good)
    return fail("hello: field \"broker_certificate\": " + good.error().text);
  return text;
}

bool fit_for_id(const json& id) {
  if (id.is_string()) return id.get_ref<const std::string&>().size() <= kMaxIdBytes;
  return id.is_number_integer();
}

}  // namespace

ControlLink::ControlLink(net::EventLoop& loop, int input_fd, int output_fd, Callbacks callbacks, Timing timing)
    : callbacks_(std::move(callbacks)),
      timing_(timing),
      channel_(loop, input_fd, output_fd, channel_callbacks()),
      deadline_(loop, [this] { on_deadline(); }) {}

ControlLink::ControlLink(net::EventLoop& loop, int output_fd)
    : channel_(loop, -1, output_fd, {}), deadline_(loop, [] {}), state_(State::attached) {}

ControlLink::ControlLink(net::EventLoop& loop, Fd socket, Token expected, Callbacks callbacks, Timing timing)
    : callbacks_(std::move(callbacks)),
      timing_(timing),
      expected_(std::move(expected)),
      channel_(loop, std::move(socket), channel_callbacks()),
      deadline_(loop, [this] { on_deadline(); }) {}

LineChannel::Callbacks ControlLink::channel_callbacks() {
  return {.on_line = [this](std::string_view line) { on_line(line); },
          .on_bad_line = [this](const std::string& text) { on_bad_line(text); },
          .on_end = [this](const std::string& reason) { on_end(reason); }};
}

void ControlLink::start() {
  channel_.start();
  if (state_ == State::awaiting_hello) arm(timing_.hello_deadline_ns);
}

void ControlLink::send_error(std::string_view text) {
  send(to_line({{"type", "error"}, {"text", text}}));
}

void ControlLink::on_line(std::string_view line) {
  if (hanging_up_) return;
  heard_ns_ = now_ns();
  if (state_ == State::awaiting_hello)
    take_hello(line);
  else if (state_ == State::attached)
    take_command(line);
}

void ControlLink::on_bad_line(const std::string& text) {
  if (hanging_up_) return;
  if (state_ == State::awaiting_hello)
    give_up("the first line must be hello: " + text);
  else if (state_ == State::attached)
    send_error(text);
}

void ControlLink::on_end(const std::string& reason) {
  input_ended_ = true;
  if (state_ == State::awaiting_hello)
    give_up("no hello: " + reason);
  else if (state_ == State::attached && timing_.end_grace_ns > 0 && !hanging_up_)
    wait_for_the_end();
  else
    lose(reason);
}

// Nobody can say anything any more, and what is under way may still come to its end.
void ControlLink::wait_for_the_end() {
  channel_.stop_reading();
  arm(timing_.end_grace_ns);
}

void ControlLink::take_hello(std::string_view line) {
  const auto message = parse(line);
  if (!message) return give_up("the first line must be hello: " + message.error().text);
  if (message->type != "hello") return give_up("the first line must be {\"type\":\"hello\",\"token\":...}");
  auto token = token_of(*message);
  if (!token) return give_up(token.error().text);
  auto bus_password = bus_password_of(*message);
  if (!bus_password) return give_up(bus_password.error().text);
  auto bus_ca = bus_ca_of(*message);
  if (!bus_ca) return give_up(bus_ca.error().text);
  auto certificate = broker_certificate_of(*message);
  if (!certificate) return give_up(certificate.error().text);
  if (expected_ && !expected_->matches(token->reveal())) return give_up("hello: wrong token");
  state_ = State::attached;
  arm(timing_.ping_deadline_ns);
  if (callbacks_.on_hello)
    callbacks_.on_hello(std::move(*token), {.password = std::move(*bus_password),
                                            .authorities = std::move(*bus_ca),
                                            .broker_certificate = std::move(*certificate)});
}

void ControlLink::take_command(std::string_view line) {
  const auto message = parse(line);
  if (!message) return send_error(message.error().text);
  if (message->type == "ping") return take_ping(message->object);
  if (message->type == "hello") return send_error("hello: already received");
  if (!callbacks_.on_command) return;
  const auto outcome = callbacks_.on_command(message->type, message->object);
  if (!outcome) send_error(outcome.error().text);
}

void ControlLink::take_ping(const json& message) {
  arm(timing_.ping_deadline_ns);
  const auto id = message.find("id");
  if (id == message.end()) return;  // a sign of life that wants no answer
  if (!fit_for_id(*id)) return send_error("ping: field \"id\" must be a whole number or a text of at most 64 bytes");
  if (channel_.queued_bytes() > kRoomForPongs) return;
  send(to_line({{"type", "pong"}, {"id", *id}, {"monotonic_ns", now_ns()}}));
}

void ControlLink::on_deadline() {
  // The process may have slept through it (stopped, or a host suspended) with the awaited line already in the pipe.
  if (!input_ended_) channel_.read_now();
  if (!overdue()) return;
  if (state_ == State::awaiting_hello)
    give_up("no hello within " + format_duration(timing_.hello_deadline_ns));
  else if (hanging_up_)
    lose("closed the connection");
  else
    lose((input_ended_ ? "its input ended " + format_duration(timing_.end_grace_ns) + " ago"
                       : "no ping for " + format_duration(timing_.ping_deadline_ns)));
}

void ControlLink::give_up(std::string text) {
  state_ = State::refused;
  arm(0);
  send_error(text);
  if (callbacks_.on_refused) callbacks_.on_refused(std::move(text));
}

void ControlLink::hang_up() {
  hanging_up_ = true;
  channel_.end_output();
  arm(input_ended_ ? kAtOnce : kLingerNs);
}

void ControlLink::lose(std::string reason) {
  if (state_ == State::lost || (state_ == State::refused && !hanging_up_)) return;
  state_ = State::lost;
  arm(0);
  channel_.stop_reading();
  if (callbacks_.on_lost) callbacks_.on_lost(std::move(reason));
}

void ControlLink::close() {
  arm(0);
  channel_.close();
}

void ControlLink::arm(int64_t after_ns) {
  due_ns_ = after_ns == 0 ? 0 : now_ns() + after_ns;
  if (due_ns_ == 0)
    deadline_.disarm();
  else
    deadline_.arm_at(due_ns_);
}

bool ControlLink::overdue() const {
  return due_ns_ != 0 && now_ns() >= due_ns_;
}

}  // namespace n2nq::control
