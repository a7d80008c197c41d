#include "workers/bus/nats/nats_talk.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::bus {
namespace {

using nlohmann::json;

constexpr size_t kMostHeaders = 4096;

// What is to be done about an error of the server, where that is known.
std::string nats_advice(std::string_view error) {
  if (error.starts_with("Permissions Violation")) return "who logged in may not do this; allow it";
  if (error.starts_with("Maximum Payload Violation")) return "raise its max_payload, or send smaller messages";
  if (error.starts_with("maximum connections exceeded"))
    return "raise its max_connections, or use fewer senders and receivers";
  if (error.starts_with("Slow Consumer"))
    return "it cuts off a receiver that is behind by more than its max_pending, and what that had not read is lost";
  return "see its log";
}

std::string_view text_of(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

// With TLS twice: it says INFO in plain text, and the login is for the encrypted connection.
void NatsTalk::greet() {
  logged_in_ = false;
  if (encrypted()) log_in();
}

void NatsTalk::take(ServerCall& call) {
  Inbox& inbox = call.inbox();
  while (!call.over()) {
    const auto bytes = inbox.bytes();
    const NatsStep step = next_nats(bytes, kLongestFrame + kMostHeaders);
    if (step.kind == NatsStep::Kind::partial) return inbox.keep(step.whole);
    if (step.kind == NatsStep::Kind::violation) return lose_as_stranger(bytes);
    inbox.drop(step.used);
    const bool good = ready() ? told(step.op, call.stream().read_ns()) : greeted(step.op, text_of(inbox.bytes()));
    if (!good && !call.over()) return lose_as_stranger(bytes);
  }
}

// It says INFO first, and PONG once the login is good.
bool NatsTalk::greeted(const NatsOp& op, std::string_view rest) {
  // Nor is anything answered before TLS.
  const bool plain = server().tls && !encrypted();
  if (plain && op.kind != NatsOp::Kind::info && op.kind != NatsOp::Kind::error) return false;
  switch (op.kind) {
    case NatsOp::Kind::info:
      return introduced(op.text, rest);
    case NatsOp::Kind::error:
      lose_for(op.text);
      return true;
    case NatsOp::Kind::ping:
      say("PONG\r\n");
      return true;
    case NatsOp::Kind::pong:
      if (!logged_in_) return false;
      be_ready();
      return true;
    default:
      return false;
  }
}

bool NatsTalk::introduced(std::string_view info, std::string_view rest) {
  const json object = json::parse(info, nullptr, false);
  if (logged_in_) {
    learn(object);
    return true;
  }
  const auto is_so = [&](const char* field) {
    const auto found = object.find(field);
    return found != object.end() && found->is_boolean() && found->get<bool>();
  };
  if (!object.is_object()) return false;
  const auto version = object.find("version");
  if (version == object.end() || !version->is_string()) return false;
  learn(object);
  const bool required = is_so("tls_required");
  if (!server().tls && required) {
    lose(server_name() + " " + std::string(kSpeaksTls));
    return true;
  }
  if (!server().tls) {
    log_in();
    return true;
  }
  if (!required && !is_so("tls_available")) {
    lose(server_name() + " " + std::string(kSpeaksPlainly));
    return true;
  }
  if (rest.empty())
    secure();
  else  // which nobody has encrypted
    lose(server_name() + " sends more than its INFO before TLS, " + shown(rest) +
         "; see its log, and whether somebody is between");
  return true;
}

// It may say INFO again: its cluster has changed, or, over TLS, it says what nobody between has had a hand in.
void NatsTalk::learn(const json& object) {
  if (!object.is_object()) return;
  if (const auto version = object.find("version"); version != object.end() && version->is_string()) {
    const std::string said = version_of(version->get_ref<const std::string&>());
    heard_program(said.empty() ? said : "nats-server " + said);
  }
  if (const auto most = object.find("max_payload"); most != object.end() && most->is_number_unsigned())
    longest_ = static_cast<size_t>(std::min<uint64_t>(most->get<uint64_t>(), kLongestFrame));
}

void NatsTalk::log_in() {
  N2NQ_ASSERT(!server().tls || encrypted());
  json login = {{"verbose", false}, {"pedantic", false}, {"lang", "C++"},   {"version", N2NQ_VERSION},
                {"name", "n2nq"},   {"protocol", 1},     {"headers", true}, {"no_responders", true}};
  if (!server().user.empty())
    login.update({{"user", server().user}, {"pass", server().password}});
  else if (!server().password.empty())
    login["auth_token"] = server().password;
  if (server().tls) login["tls_required"] = true;
  say("CONNECT " + login.dump(-1, ' ', false, json::error_handler_t::replace) + "\r\n" + std::string(kNatsPing));
  logged_in_ = true;
}

bool NatsTalk::told(const NatsOp& op, int64_t read_ns) {
  switch (op.kind) {
    case NatsOp::Kind::message:
      user_.on_message(op, read_ns);
      break;
    case NatsOp::Kind::ping:
      say("PONG\r\n");
      break;
    case NatsOp::Kind::pong:
      user_.on_pong();
      break;
    case NatsOp::Kind::error:
      lose_for(op.text);
      break;
    case NatsOp::Kind::info:
      learn(json::parse(op.text, nullptr, false));
      break;
    default:
      break;
  }
  return true;
}

void NatsTalk::lose_for(std::string_view error) {
  const bool refused = error.starts_with("Authorization") || error.starts_with("Authentication");
  const std::string why =
      server_name() + " says " + shown(error) + ": " + (refused ? server().login_advice() : nats_advice(error));
  const bool leaves = error.starts_with("Stale Connection") || error.starts_with("Slow Consumer");
  ready() && leaves ? give_up_server(why) : lose(why);
}

void NatsTalk::refuse(const NatsOp& message, const std::string& what) {
  lose(server_name() + " answers " + what + " with " +
       (message.status != 0 ? "status " + std::to_string(message.status) : shown(message.payload_text())) +
       ", which NATS does not; check " + std::string(kAddressSetting));
}

std::string NatsTalk::why_closed() const {
  return "it was stopped, or cut off a receiver that was behind (max_pending, write_deadline): see its log";
}

}  // namespace n2nq::bus
