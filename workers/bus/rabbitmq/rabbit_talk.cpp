#include "workers/bus/rabbitmq/rabbit_talk.h"

#include <algorithm>

#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr std::string_view kOurUser =
    "n2nq";  // at a server that was started for the run (broker/serve/rabbit_server.cpp)
constexpr std::string_view kUsualLogin = "guest";  // as it is shipped, for whoever comes from the server's own host
constexpr std::string_view kWelcomed = "PLAIN";
constexpr uint64_t kAccessRefused = 403, kNotAllowed = 530, kConnectionForced = 320, kInternalError = 541;
constexpr size_t kAllOfAText = 255;
constexpr size_t kLeastFrame = 4096;

// Who comes without a name, and without a password, comes as whoever the server is shipped with.
std::string login_text(const ServerSite& server) {
  const std::string_view user = server.own ? kOurUser : server.user.empty() ? kUsualLogin : server.user;
  const std::string_view password = user == kUsualLogin && server.password.empty() ? kUsualLogin : server.password;
  return std::string(1, '\0') + std::string(user) + '\0' + std::string(password);
}

void open_channel(std::string& out) {
  AmqpWriter(out, kRabbitChannel, AmqpMethod::channel_open).short_text("").end();
}

}  // namespace

void RabbitTalk::greet() {
  awaited_ = AmqpMethod::connection_start;
  content_ = Content::none;
  say(kAmqpGreeting);
}

void RabbitTalk::take(ServerCall& call) {
  Inbox& inbox = call.inbox();
  while (!call.over()) {
    const auto bytes = inbox.bytes();
    const AmqpStep step = next_amqp(bytes);
    if (step.kind == AmqpStep::Kind::partial) return inbox.keep(step.whole);
    if (step.kind == AmqpStep::Kind::violation) return lose_as_stranger(bytes);
    inbox.drop(step.used);
    const bool good = took(step.frame, call.stream().read_ns());
    if (!good && !call.over()) return lose_as_stranger(bytes);
  }
}

bool RabbitTalk::took(const AmqpFrame& frame, int64_t read_ns) {
  switch (frame.kind) {
    case AmqpFrame::Kind::heartbeat:
      return true;
    case AmqpFrame::Kind::method:
      return content_ == Content::none && took_method(frame);
    case AmqpFrame::Kind::header:
      return content_ == Content::header && took_header(frame.payload, read_ns);
    case AmqpFrame::Kind::body:
      break;
  }
  return content_ == Content::body && took_body(frame.payload, read_ns);
}

bool RabbitTalk::took_method(const AmqpFrame& frame) {
  AmqpReader in(frame.payload);
  const auto method = static_cast<AmqpMethod>(in.number(4));
  switch (method) {
    case AmqpMethod::connection_close:
      closed_for(in);
      return true;
    case AmqpMethod::connection_blocked: {
      const std::string why(in.short_text());
      if (ready()) user_.on_blocked(why);
      return in.good();
    }
    case AmqpMethod::connection_unblocked:
      if (ready()) user_.on_blocked({});
      return true;
    case AmqpMethod::channel_close: {
      AmqpReader again = in;
      const uint64_t code = again.number(2);
      if (!ready() || !user_.on_refused(code, again.short_text())) closed_for(in);
      return true;
    }
    case AmqpMethod::channel_open_ok:
      if (!ready()) break;
      user_.on_reopened();
      return true;
    case AmqpMethod::basic_deliver:
      consumer_ = in.short_text();
      delivery_ = {.consumer = consumer_, .tag = in.number(8), .again = in.number(1) != 0};
      content_ = Content::header;
      return in.good() && ready();
    default:
      break;
  }
  return (ready() ? user_.on_answer(method, in) : greeted(method, in)) && in.good();
}

bool RabbitTalk::greeted(AmqpMethod method, AmqpReader& in) {
  if (method != awaited_) return false;
  std::string out;
  switch (method) {
    case AmqpMethod::connection_start:
      return introduced(in);
    case AmqpMethod::connection_tune:
      tune(in);
      return in.good();
    case AmqpMethod::connection_open_ok:
      open_channel(out);
      say(out);
      awaited_ = AmqpMethod::channel_open_ok;
      return true;
    default:
      be_ready();
      return true;
  }
}

void RabbitTalk::reopen() {
  std::string out;
  AmqpWriter(out, kRabbitChannel, AmqpMethod::channel_close_ok).end();
  open_channel(out);
  write(out);
}

bool RabbitTalk::introduced(AmqpReader& in) {
  in.number(2);  // the version of the protocol
  AmqpReader again = in;
  const std::string version = version_of(in.text_in_table("version"));
  const std::string product = version_of(again.text_in_table("product"));
  const std::string_view ways = in.long_text();
  if (!in.good() || ways.find(kWelcomed) == std::string_view::npos) return false;
  heard_program(version.empty() || product.empty()
                    ? std::string()
                    : (product == "RabbitMQ" ? "rabbitmq-server" : product) + " " + version);
  std::string out;
  AmqpWriter(out, 0, AmqpMethod::connection_start_ok)
      .table(AmqpTable()
                 .add("product", "n2nq")
                 .add("version", N2NQ_VERSION)
                 .add("capabilities", AmqpTable()
                                          .add("publisher_confirms", true)
                                          .add("basic.nack", true)
                                          .add("connection.blocked", true)
                                          .add("consumer_cancel_notify", true)
                                          .add("authentication_failure_close", true)))
      .short_text(kWelcomed)
      .long_text(login_text(server()))
      .short_text("en_US")
      .end();
  say(out);
  awaited_ = AmqpMethod::connection_tune;
  return true;
}

// No heartbeats: a receiver that is stopped is not dead.
void RabbitTalk::tune(AmqpReader& in) {
  const uint64_t channels = in.number(2);
  const uint64_t frame = in.number(4);
  longest_ = frame == 0 ? kAmqpFrameBytes : std::clamp<uint64_t>(frame, kLeastFrame, kAmqpFrameBytes);
  std::string out;
  AmqpWriter(out, 0, AmqpMethod::connection_tune_ok).number(2, channels).number(4, longest_).number(2, 0).end();
  AmqpWriter(out, 0, AmqpMethod::connection_open).short_text(server().virtual_host).short_text("").number(1, 0).end();
  say(out);
  awaited_ = AmqpMethod::connection_open_ok;
}

bool RabbitTalk::took_header(std::span<const uint8_t> payload, int64_t read_ns) {
  missing_ = body_bytes_of(payload);
  reply_to_ = reply_to_of(payload);
  delivery_.reply_to = reply_to_;
  too_long_ = missing_ > kLongestFrame;
  body_.clear();
  content_ = Content::body;
  if (missing_ == 0) deliver({}, read_ns);
  return true;
}

// What is longer than any of ours is not kept, and so is none.
bool RabbitTalk::took_body(std::span<const uint8_t> payload, int64_t read_ns) {
  if (payload.size() > missing_) return false;
  const bool alone = !too_long_ && body_.empty() && payload.size() == missing_;
  missing_ -= payload.size();
  if (alone) {
    deliver(payload, read_ns);
    return true;
  }
  if (body_.empty() && !too_long_) body_.reserve(payload.size() + missing_);
  if (!too_long_) body_.insert(body_.end(), payload.begin(), payload.end());
  if (missing_ == 0) deliver(body_, read_ns);
  return true;
}

void RabbitTalk::deliver(std::span<const uint8_t> body, int64_t read_ns) {
  content_ = Content::none;
  delivery_.body = body;
  user_.on_delivery(delivery_, read_ns);
}

void RabbitTalk::closed_for(AmqpReader& in) {
  const uint64_t code = in.number(2);
  const std::string_view text = in.short_text();
  const std::string why = server_name() + " says " + shown(text, kAllOfAText) + ": " + advice(code, text);
  const bool own_trouble = code == kConnectionForced || code == kInternalError;  // which another need not have
  if (!own_trouble || !server().goes_on()) return lose(why);
  return ready() ? give_up_server(why) : not_yet(why);
}

std::string RabbitTalk::advice(uint64_t code, std::string_view text) const {
  if (code == kAccessRefused && text.starts_with("ACCESS_REFUSED - Login"))
    return server().login_advice() +
           (server().user.empty() && !server().own
                ? "; guest is let in from the server's own host only, unless loopback_users.guest is false"
                : "");
  if (code == kAccessRefused) return "the user may not do this in bus.vhost: rabbitmqctl set_permissions";
  if (code == kNotAllowed && text.find("limit") == std::string_view::npos)
    return "there is no such virtual host, or the user has no part in it: rabbitmqctl set_permissions; or correct "
           "bus.vhost";
  return "see its log, and the settings of the bus";
}

std::string RabbitTalk::why_closed() const {
  return "it was stopped, or closed the connection: see its log";
}

}  // namespace n2nq::bus
