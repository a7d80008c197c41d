#include "workers/bus/stream/server_talk.h"

#include <openssl/x509.h>

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/join.h"
#include "broker/base/units.h"
#include "workers/bus/bus_table.h"
#include "workers/bus/stream/address.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kPatienceNs = 5'000'000'000;
constexpr int64_t kElsewhereNs = 2'000'000'000;  // of several servers, how long one has
constexpr size_t kBriefOnesAtEach = 4;           // connections that end at once, one after the other, until it ends
constexpr size_t kLongestVersion = 40;
constexpr std::string_view kSeeTls = "see its log, its versions of TLS and its ciphers";

}  // namespace

std::string shown(std::string_view text, size_t most) {
  std::string plain = "\"";
  for (const char c : text.substr(0, most)) plain += c >= ' ' && c <= '~' ? c : '.';
  return plain + (text.size() > most ? "...\"" : "\"");
}

std::string too_long_a_reply(const ServerTalk& talk, size_t bytes) {
  return talk.server_name() + " takes no reply of " + std::to_string(bytes) +
         " B; its requester waits in vain; that is not told again";
}

std::string version_of(std::string_view text) {
  const auto may_be = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
           c == '+' || c == '~' || c == '_';
  };
  return text.size() <= kLongestVersion && std::ranges::all_of(text, may_be) ? std::string(text) : std::string();
}

std::string NamedServer::host() const {
  std::string host = Address{.scheme = {}, .authority = address, .path = {}, .fingerprint = {}}.host();
  if (host.ends_with('.')) host.pop_back();  // which no certificate has
  return host;
}

Result<ServerSite> server_site(StreamLoop& loop, std::string_view title, const BusOptions& options) {
  const BusTraits& bus = *find_bus(options.kind);
  const bool own = options.own_server;
  ServerSite site{.loop = loop,
                  .bus = bus,
                  .title = title,
                  .places = options.servers,
                  .own = own,
                  .user = own ? "" : value_of(bus, options.settings, "user"),
                  .password = own ? options.token : options.password,
                  .virtual_host = value_of(bus, options.settings, "vhost"),
                  .authorities = options.authorities};
  if (!site.user.empty() && site.password.empty())
    return fail("bus.user needs a password; give bus." + std::string(kPasswordFileKey));
  const bool tls = value_of(bus, options.settings, "tls") == "true";
  if (tls && own)
    return fail("a server that is started for the run has no TLS; set bus.tls to false, or give bus.address");
  if (!tls && !options.authorities.empty())
    return fail("without bus.tls no certificate is looked at; set bus.tls to true, or remove bus.tls_ca");
  if (tls) {
    auto client = tls::Client::for_server(options.authorities);
    if (!client) return std::unexpected(client.error());
    site.tls = std::move(*client);
  }
  if (site.places.empty())
    return fail(std::string(kAddressSetting) + " is missing; give the address of a " + std::string(title) +
                " server, HOST:PORT");
  return site;
}

std::string ServerSite::addresses() const {
  return join(places, ",", &NamedServer::address);
}

std::string ServerSite::name() const {
  if (places.size() == 1) return name_of(places.front());
  return "the " + std::string(title) + " cluster at " + addresses();
}

std::string ServerSite::login_advice() const {
  if (own) return "it is the server of the run, and takes the run's token; see its log";
  if (password.empty())
    return "it wants a login; give bus.user and bus.password_file (to a server that the broker started: "
           "--bus-own-server)";
  return "it refuses the login; correct bus.user, or the password in bus.password_file";
}

std::string ServerSite::distrust(long verdict) const {
  const std::string said = std::string(" (") + ::X509_verify_cert_error_string(verdict) + ")";
  switch (verdict) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "its certificate is for another name" + said +
             "; reach it by a name that its certificate has, or give it one for this name";
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "its certificate, or one that signed it, has expired" + said + "; renew that";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "its certificate, or one that signed it, is not valid yet" + said + "; look at the clocks";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return (authorities.empty() ? "nobody whom this host trusts has signed its certificate"
                                  : "none of those in bus.tls_ca has signed its certificate") +
             said + "; give the certificate of who has in bus.tls_ca";
    default:
      return "its certificate will not do" + said + "; give it another";
  }
}

ServerCall::ServerCall(ServerTalk& talk)
    : talk_(talk), inbox_(talk.server_.loop), stream_(talk.server_.loop, *this, talk.counters_) {}

Result<void> ServerCall::connect() {
  static const std::string nobody;
  const ServerSite& server = talk_.server_;
  const tls::Client* tls = server.tls && !server.tls_after_greeting ? &*server.tls : nullptr;
  return stream_.connect(talk_.place().endpoint, tls, talk_.place().host(), nobody);
}

bool ServerCall::wants_stream_bytes() {
  return !talk_.ready() || talk_.user_.wants_more();
}

void ServerCall::on_stream_open() {
  talk_.state_ = ServerTalk::State::greeting;
  talk_.greet();
}

void ServerCall::on_stream_bytes(size_t n) {
  inbox_.add(n);
  talk_.take(*this);
  if (!over() && talk_.ready()) talk_.user_.on_talk_read();
}

void ServerCall::on_stream_drained() {
  if (talk_.ready()) talk_.user_.on_talk_drained();
}

void ServerCall::on_stream_end(const StreamEnd& end) {
  talk_.ended(end);
}

ServerTalk::ServerTalk(ServerSite& server, ServerUser& user, LinkCounters& counters)
    : server_(server),
      user_(user),
      counters_(counters),
      failures_(server.places.size()),
      retry_ns_(kFirstRetryNs),
      again_(server.loop, [this] { on_again(); }),
      patience_(server.loop, [this] { run_out_of_patience(); }) {}

ServerTalk::~ServerTalk() {
  cut_off();
}

void ServerTalk::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::reaching;
  again_.set_soon();
  patience_.set_in(patience_ns());
}

// All servers are tried within it.
int64_t ServerTalk::patience_ns() const {
  return std::max(kPatienceNs, kElsewhereNs * static_cast<int64_t>(server_.places.size() + 1));
}

// One that is silent has had its time. As long as any connection of the loop gets on, they are only many.
void ServerTalk::on_again() {
  if (call_ == nullptr) return reach();
  if (server_.loop.now() - server_.last_ready_ns < kElsewhereNs) return again_.set_in(kElsewhereNs);
  not_yet("it has answered nothing for " + format_duration(kElsewhereNs));
}

void ServerTalk::reach() {
  waits_ = server_.gate.enter(again_);
  if (waits_ != 0) return;
  inside_ = true;
  call_ = std::make_unique<ServerCall>(*this);
  if (server_.places.size() > 1) again_.set_in(kElsewhereNs);
  if (auto begun = call_->connect(); !begun) try_again(begun.error().text);
}

void ServerTalk::leave_gate() {
  if (std::exchange(inside_, false)) server_.gate.leave();
}

void ServerTalk::not_yet(const std::string& why) {
  call_->stream().reset();
  try_again(why);
}

void ServerTalk::secure() {
  state_ = State::reaching;
  call_->stream().secure(*server_.tls, place().host());
}

bool ServerTalk::encrypted() const {
  return call_ != nullptr && call_->stream().encrypted();
}

void ServerTalk::try_again(const std::string& why) {
  leave_gate();
  awaits_program_ = false;  // what it has not said it is not asked for again
  server_.loop.bury(std::move(call_));
  state_ = State::reaching;
  failures_[place_] = why;
  place_ = (place_ + 1) % server_.places.size();
  again_.set_in(retry_ns_);
  if (++tries_ % server_.places.size() == 0) retry_ns_ = std::min(retry_ns_ * 2, kLastRetryNs);
}

// As long as any connection of the loop gets on, they are only many.
void ServerTalk::run_out_of_patience() {
  if (server_.loop.now() - server_.last_ready_ns < patience_ns()) return patience_.set_in(patience_ns());
  const std::string time = format_duration(patience_ns());
  if (awaits_program_) {
    patience_.set_in(patience_ns());
    return not_yet("it does not say which server it is");
  }
  if (server_.places.size() > 1) {
    if (const std::string now = silence(); !now.empty()) failures_[place_] = now;
    return lose(failures());
  }
  if (state_ == State::greeting)
    return lose(server_name() + " takes connections and has answered nothing for " + time + "; check " +
                std::string(kAddressSetting) + ", and whether it hangs");
  if (call_ != nullptr && call_->stream().shaking())
    return lose(server_name() + " takes connections and has not answered TLS for " + time + "; it may be one that " +
                std::string(kSpeaksPlainly));
  lose(failures());
}

std::string ServerTalk::silence() const {
  if (state_ == State::greeting) return "it takes connections and has answered nothing; see whether it hangs";
  if (call_ == nullptr) return {};
  if (call_->stream().shaking()) return "it takes connections and has not answered TLS; it may have none";
  return failures_[place_].empty() ? "it has not taken the connection" : std::string();
}

std::string ServerTalk::failures() const {
  std::string why;
  for (size_t i = 0; i < failures_.size(); i++)
    if (!failures_[i].empty())
      why +=
          (why.empty() ? ": " : ", ") + (failures_.size() > 1 ? server_.places[i].address + ": " : "") + failures_[i];
  return server_.name() + " cannot be reached" + why + "; it was tried for " + format_duration(patience_ns()) +
         (!server_.own ? "; start it, or correct " + std::string(kAddressSetting)
                       : "; see the log of the queue, which started it");
}

bool ServerTalk::asks_program() {
  awaits_program_ = !std::exchange(server_.asked, true);
  return awaits_program_;
}

void ServerTalk::heard_program(std::string program) {
  awaits_program_ = false;
  server_.program = std::move(program);
}

void ServerTalk::be_ready() {
  leave_gate();
  again_.cancel();
  patience_.cancel();
  state_ = State::ready;
  ready_ns_ = server_.last_ready_ns = server_.loop.now();
  if (!broken_.empty()) user_.on_talk_moved(std::exchange(broken_, {}) + "; it goes on with " + server_name());
  user_.on_talk_ready();
}

void ServerTalk::lose_as_stranger(std::span<const uint8_t> bytes) {
  constexpr uint8_t kAlert = 21, kTlsMajor = 3;
  if (!server_.tls && bytes.size() > 1 && bytes[0] == kAlert && bytes[1] == kTlsMajor)
    return lose(server_name() + " " + std::string(kSpeaksTls));
  lose(server_name() + " does not speak as one: " + shown({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) +
       "; check " + std::string(kAddressSetting));
}

void ServerTalk::ended(const StreamEnd& end) {
  using Kind = StreamEnd::Kind;
  if (end.kind == Kind::untrusted) return lose(server_name() + " is not trusted: " + server_.distrust(end.verdict));
  if (end.kind == Kind::no_tls && server_.tls_after_greeting)
    return lose(server_name() + " goes on without TLS, which it has agreed to (" + end.text +
                "); see its log, and whether somebody is between");
  if (end.kind == Kind::no_tls) return lose(server_name() + " " + std::string(kSpeaksPlainly) + " (" + end.text + ")");
  if (end.kind == Kind::tls_refused)
    return lose(server_name() + " ends the TLS handshake: " + end.text + "; " +
                (end.wants_certificate ? "it " + std::string(kWantsCertificate) : std::string(kSeeTls)));
  if (end.kind == Kind::tls_failed) return lose(server_name() + ": " + end.text + "; " + std::string(kSeeTls));
  if (state_ != State::ready && end.wants_certificate)
    return try_again(end.text + "; it may want a certificate of each client, which the bench does not have");
  // As well as can be told.
  const bool mute = state_ == State::greeting && (end.kind == Kind::closed || end.kind == Kind::broken);
  if (mute && !server_.tls && !server_.own) return try_again(end.text + "; if it wants TLS, set bus.tls to true");
  if (state_ == State::reaching && server_.tls && !server_.tls_after_greeting && end.kind == Kind::closed)
    return try_again(end.text + "; if it has no TLS, set bus.tls to false");
  if (state_ != State::ready) return try_again(end.text);
  give_up_server(
      "the connection to " + server_name() + " has ended: " + end.text +
      (end.kind == StreamEnd::Kind::closed ? "; " + why_closed() : "; see its log, and whether it still runs"));
}

void ServerTalk::give_up_server(const std::string& why) {
  const bool brief = server_.loop.now() - ready_ns_ <= kElsewhereNs;
  brief_ones_ = brief ? brief_ones_ + 1 : 0;
  const bool in_vain = brief_ones_ > kBriefOnesAtEach * server_.places.size();
  if (!server_.goes_on() || in_vain || !user_.on_talk_broken()) return lose(why);
  broken_ = why;
  std::ranges::fill(failures_, std::string());
  // One that ends as soon as it is made is made again later each time.
  if (!brief) {
    retry_ns_ = kFirstRetryNs;
    tries_ = 0;
  }
  patience_.set_in(patience_ns());
  not_yet({});
}

void ServerTalk::lose(const std::string& why) {
  const bool was_ready = state_ == State::ready || !broken_.empty();
  const std::string before = broken_.empty() ? "" : std::exchange(broken_, {}) + "; then: ";
  cut_off();
  user_.on_talk_lost(was_ready, before + why);
}

void ServerTalk::drop(bool gently) {
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

void ServerTalk::write(std::span<const uint8_t> bytes) {
  N2NQ_ASSERT(state_ == State::ready);
  call_->stream().write(bytes);
}

void ServerTalk::say(std::string_view text) {
  call_->stream().write(text);
}

bool ServerTalk::all_written() const {
  return state_ == State::ready && call_->stream().pending() == 0;
}

void ServerTalk::read_on() {
  if (state_ == State::ready) call_->stream().read_later();
}

int ServerTalk::fd() const {
  return call_ == nullptr ? -1 : call_->stream().fd();
}

}  // namespace n2nq::bus
