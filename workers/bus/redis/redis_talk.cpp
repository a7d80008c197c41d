#include "workers/bus/redis/redis_talk.h"

#include <utility>

#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr size_t kLongestInfo = 64 * 1024;
constexpr const char* kLogin = "AUTH";

std::string text_of(const RespToken& token) {
  switch (token.kind) {
    case RespToken::Kind::integer:
      return std::to_string(token.number);
    case RespToken::Kind::array:
      return "an array of " + std::to_string(token.number);
    case RespToken::Kind::nil:
      return "nothing";
    default:
      return shown(token.text());
  }
}

// Of what the server says of itself. Empty where it does not say it, or says what no version is.
std::string version_in(std::string_view info, std::string_view field) {
  while (!info.empty()) {
    const size_t end = std::min(info.find('\n'), info.size());
    std::string_view line = info.substr(0, end);
    info.remove_prefix(std::min(end + 1, info.size()));
    if (!line.starts_with(field)) continue;
    line.remove_prefix(field.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return version_of(line);
  }
  return {};
}

// Valkey says the version of Redis that it is like, too.
std::string program_of(const RespToken& info) {
  if (info.kind != RespToken::Kind::bulk || info.text().size() > kLongestInfo) return {};
  if (const std::string version = version_in(info.text(), "valkey_version:"); !version.empty())
    return "valkey-server " + version;
  const std::string version = version_in(info.text(), "redis_version:");
  return version.empty() ? version : "redis-server " + version;
}

// What is to be done about an error of the server, where that is known.
std::string advice(std::string_view error) {
  if (error.starts_with("NOPERM")) return "the user who logged in may not do this; allow it (ACL SETUSER)";
  if (error.starts_with("DENIED"))
    return "it runs in protected mode, which lets in only its own computer; name a server that lets others in";
  if (error.starts_with("ERR max number of clients")) return "raise its maxclients, or use fewer senders and receivers";
  if (error.starts_with("OOM")) return "its memory is used up; raise its maxmemory";
  if (error.starts_with("NOGROUP") || error.starts_with("UNBLOCKED"))
    return "somebody removed the stream of the run, or the server has lost it";
  // Before 6.2 it takes what it does not know in XADD for the number of an entry.
  if (error.starts_with("ERR unknown command") || error.starts_with("ERR Invalid stream ID") ||
      error.starts_with("ERR wrong number of arguments"))
    return "it is too old; use Redis 6.2 or later";
  return "see its log";
}

}  // namespace

void RedisTalk::greet() {
  const std::string& password = server().password;
  awaits_login_ = !password.empty();
  if (awaits_login_)
    say(server().user.empty() ? begin_command({"AUTH", password}) : begin_command({"AUTH", server().user, password}));
  say(begin_command({"PING"}));
}

void RedisTalk::take(ServerCall& call) {
  Inbox& inbox = call.inbox();
  while (!call.over()) {
    const RespStep step = next_resp(inbox.bytes(), kLongestFrame);
    if (step.kind == RespStep::Kind::violation) return lose_as_stranger(inbox.bytes());
    if (step.kind == RespStep::Kind::partial) return inbox.keep(step.whole);
    inbox.drop(step.used);
    if (ready())
      user_.on_token(step.token, call.stream().read_ns());
    else
      greeted(step.token);
  }
}

void RedisTalk::greeted(const RespToken& answer) {
  if (answer.kind == RespToken::Kind::error && answer.text().starts_with("LOADING"))
    return not_yet("it is still loading its data");
  if (awaits_program()) {
    // It may keep that to itself.
    if (answer.kind == RespToken::Kind::array) return refuse(answer, "INFO");
    heard_program(program_of(answer));
    return be_ready();
  }
  const bool login = std::exchange(awaits_login_, false);
  if (answer.kind != RespToken::Kind::simple || answer.text() != (login ? "OK" : "PONG"))
    return refuse(answer, login ? kLogin : "PING");
  if (login) return;
  if (!asks_program()) return be_ready();
  say(begin_command({"INFO", "server"}));
}

std::string RedisTalk::refusal(const RespToken& error, const std::string& what) const {
  // What a server says of a command that it does not know has the password in it.
  const std::string_view code = error.text().substr(0, error.text().find(' '));
  if (what == kLogin) return server_name() + " refuses " + what + ": " + shown(code) + "; " + server().login_advice();
  return server_name() + " refuses " + what + ": " + text_of(error) + "; " +
         (code == "NOAUTH" ? server().login_advice() : advice(error.text()));
}

void RedisTalk::refuse(const RespToken& token, const std::string& what) {
  if (token.kind == RespToken::Kind::error) return lose(refusal(token, what));
  lose(server_name() + " answers " + what + " with " + text_of(token) + ", which Redis does not; check " +
       std::string(kAddressSetting));
}

std::string RedisTalk::why_closed() const {
  return "it was stopped, or cut off a client that was behind (client-output-buffer-limit): see its log";
}

}  // namespace n2nq::bus
