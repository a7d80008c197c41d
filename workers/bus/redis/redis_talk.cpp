#include "workers/bus/redis/redis_talk.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/units.h"
#include "workers/bus/stream/inbox.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kPatienceNs = 5'000'000'000;
constexpr size_t kShownBytes = 60;
constexpr std::string_view kAddress = "bus.address";
constexpr size_t kLongestInfo = 64 * 1024;
constexpr size_t kLongestVersion = 40;

// What somebody else sent, fit to be shown.
std::string shown(std::string_view text) {
  std::string plain = "\"";
  for (const char c : text.substr(0, kShownBytes)) plain += c >= ' ' && c <= '~' ? c : '.';
  return plain + (text.size() > kShownBytes ? "...\"" : "\"");
}

std::string shown(const RespToken& token) {
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
    const auto may_be = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
             c == '+' || c == '~' || c == '_';
    };
    return line.size() <= kLongestVersion && std::ranges::all_of(line, may_be) ? std::string(line) : std::string();
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
  if (error.starts_with("NOAUTH") || error.starts_with("WRONGPASS"))
    return "it wants a password, which the bench cannot give; name a server without one in " + std::string(kAddress) +
           " (to a server that the broker started: --bus-own-server)";
  if (error.starts_with("NOPERM")) return "its user \"default\" may not do this; allow it (ACL SETUSER)";
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

// A connection that is made once. Whoever closes it buries it.
class RedisCall final : public StreamUser, public Mortal {
 public:
  explicit RedisCall(RedisTalk& talk)
      : talk_(talk), inbox_(talk.server_.loop), stream_(talk.server_.loop, *this, talk.counters_) {}

  Result<void> connect() { return stream_.connect(talk_.server_.endpoint, nullptr, {}, {}); }
  Stream& stream() { return stream_; }

 private:
  std::span<uint8_t> stream_space() override { return inbox_.space(); }
  bool wants_stream_bytes() override { return !talk_.ready() || talk_.user_.wants_tokens(); }

  void on_stream_open() override {
    talk_.state_ = RedisTalk::State::greeting;
    const std::string& password = talk_.server_.password;
    talk_.awaits_login_ = !password.empty();
    if (talk_.awaits_login_) stream_.write(begin_command({"AUTH", password}));
    stream_.write(begin_command({"PING"}));
  }

  void on_stream_bytes(size_t n) override {
    inbox_.add(n);
    while (true) {
      const RespStep step = next_resp(inbox_.bytes(), kLongestFrame);
      if (step.kind == RespStep::Kind::violation) {
        const auto& bytes = inbox_.bytes();
        return talk_.lose(talk_.server_.name() + " does not speak as one: " +
                          shown({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) + "; check " +
                          std::string(kAddress));
      }
      if (step.kind == RespStep::Kind::partial) {
        inbox_.keep(step.whole);
        break;
      }
      inbox_.drop(step.used);
      if (talk_.ready())
        talk_.user_.on_token(step.token, stream_.read_ns());
      else
        talk_.greeted(step.token);
      if (stream_.closed()) return;
    }
    if (talk_.ready()) talk_.user_.on_tokens_end();
  }

  void on_stream_drained() override {
    if (talk_.ready()) talk_.user_.on_talk_drained();
  }
  void on_stream_end(const StreamEnd& end) override { talk_.ended(end); }

  RedisTalk& talk_;
  Inbox inbox_;
  Stream stream_;
};

RedisTalk::RedisTalk(RedisServer& server, RedisUser& user, LinkCounters& counters)
    : server_(server),
      user_(user),
      counters_(counters),
      retry_ns_(kFirstRetryNs),
      again_(server.loop, [this] { reach(); }),
      patience_(server.loop, [this] { run_out_of_patience(); }) {}

RedisTalk::~RedisTalk() {
  cut_off();
}

void RedisTalk::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::reaching;
  again_.set_soon();
  patience_.set_in(kPatienceNs);
}

void RedisTalk::reach() {
  waits_ = server_.gate.enter(again_);
  if (waits_ != 0) return;
  inside_ = true;
  call_ = std::make_unique<RedisCall>(*this);
  if (auto begun = call_->connect(); !begun) try_again(begun.error().text);
}

void RedisTalk::leave_gate() {
  if (std::exchange(inside_, false)) server_.gate.leave();
}

void RedisTalk::try_again(const std::string& why) {
  leave_gate();
  awaits_program_ = false;  // what it has not said it is not asked for again
  server_.loop.bury(std::move(call_));
  state_ = State::reaching;
  last_failure_ = why;
  again_.set_in(retry_ns_);
  retry_ns_ = std::min(retry_ns_ * 2, kLastRetryNs);
}

// As long as any connection of the loop gets on, they are only many.
void RedisTalk::run_out_of_patience() {
  if (server_.loop.now() - server_.last_ready_ns < kPatienceNs) return patience_.set_in(kPatienceNs);
  const std::string time = format_duration(kPatienceNs);
  if (awaits_program_) {
    call_->stream().reset();
    patience_.set_in(kPatienceNs);
    return try_again("it does not say which server it is");
  }
  if (state_ == State::greeting)
    return lose(server_.name() + " takes connections and has answered nothing for " + time + "; check " +
                std::string(kAddress) + ", and whether it hangs");
  lose(server_.name() + " cannot be reached" + (last_failure_.empty() ? "" : ": " + last_failure_) +
       "; it was tried for " + time +
       (server_.password.empty() ? "; start it, or correct " + std::string(kAddress)
                                 : "; see the log of the queue, which started it"));
}

void RedisTalk::greeted(const RespToken& answer) {
  if (answer.kind == RespToken::Kind::error && answer.text().starts_with("LOADING")) {
    call_->stream().reset();
    return try_again("it is still loading its data");
  }
  if (awaits_program_) {
    // It may keep that to itself.
    if (answer.kind == RespToken::Kind::array) return refuse(answer, "INFO");
    awaits_program_ = false;
    server_.program = program_of(answer);
    return be_ready();
  }
  const bool login = std::exchange(awaits_login_, false);
  if (answer.kind != RespToken::Kind::simple || answer.text() != (login ? "OK" : "PONG"))
    return refuse(answer, login ? "AUTH" : "PING");
  if (login) return;
  if (std::exchange(server_.asked, true)) return be_ready();
  awaits_program_ = true;
  call_->stream().write(begin_command({"INFO", "server"}));
}

void RedisTalk::be_ready() {
  leave_gate();
  patience_.cancel();
  state_ = State::ready;
  server_.last_ready_ns = server_.loop.now();
  user_.on_talk_ready();
}

std::string RedisTalk::refusal(const RespToken& error, const std::string& what) const {
  return server_.name() + " refuses " + what + ": " + shown(error) + "; " + advice(error.text());
}

void RedisTalk::refuse(const RespToken& token, const std::string& what) {
  if (token.kind == RespToken::Kind::error) return lose(refusal(token, what));
  lose(server_.name() + " answers " + what + " with " + shown(token) + ", which Redis does not; check " +
       std::string(kAddress));
}

void RedisTalk::ended(const StreamEnd& end) {
  if (state_ != State::ready) return try_again(end.text);
  const bool closed = end.kind == StreamEnd::Kind::closed;
  lose("the connection to " + server_.name() + " has ended: " + end.text +
       (closed ? "; it was stopped, or cut off a client that was behind (client-output-buffer-limit): see its log"
               : "; see its log, and whether it still runs"));
}

void RedisTalk::lose(const std::string& why) {
  const bool was_ready = state_ == State::ready;
  drop(/*gently=*/false);
  user_.on_talk_lost(was_ready, why);
}

void RedisTalk::drop(bool gently) {
  if (state_ == State::closed) return;
  state_ = State::closed;
  if (std::exchange(awaits_program_, false)) server_.asked = false;
  again_.cancel();
  patience_.cancel();
  server_.gate.forget(std::exchange(waits_, 0));
  leave_gate();
  if (call_ == nullptr) return;
  if (gently)
    call_->stream().close();
  else
    call_->stream().reset();
  server_.loop.bury(std::move(call_));
}

void RedisTalk::close() {
  drop(/*gently=*/true);
}

void RedisTalk::cut_off() {
  drop(/*gently=*/false);
}

void RedisTalk::write(std::span<const uint8_t> bytes) {
  N2NQ_ASSERT(state_ == State::ready);
  call_->stream().write(bytes);
}

bool RedisTalk::all_written() const {
  return state_ == State::ready && call_->stream().pending() == 0;
}

void RedisTalk::read_on() {
  if (state_ == State::ready) call_->stream().read_later();
}

int RedisTalk::fd() const {
  return call_ == nullptr ? -1 : call_->stream().fd();
}

}  // namespace n2nq::bus
