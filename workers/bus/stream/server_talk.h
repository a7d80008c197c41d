// One connection to the server of a bus: reaches it, which it tries for some seconds, and greets it as its kind of
// server wants. Thread: the loop's. States: idle -> reaching -> greeting -> ready -> closed; from greeting back to
// reaching where the server is not ready yet, from ready where it goes on with another, and closed from everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/net/socket.h"
#include "broker/tls/tls.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/gate.h"
#include "workers/bus/stream/inbox.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

inline constexpr std::string_view kAddressSetting = "bus.address";

// The server, or those of a cluster, as the connections of one loop see it.
struct ServerSite {
  StreamLoop& loop;
  const BusTraits& bus;
  std::string_view title;  // "Redis"
  std::vector<NamedServer> places;
  bool own = false;        // it was started for the run
  std::string user{};      // of another; empty: nobody in particular
  std::string password{};  // empty: it wants none
  std::string virtual_host{};
  std::optional<tls::Client> tls{};  // connections are encrypted
  bool tls_after_greeting = false;   // once its kind of talk says so; else from the first byte on
  bool reconnects = false;           // links of its kind can do with another connection in place of one that has ended
  std::string authorities{};         // that TLS trusts, PEM; empty: whoever the host trusts
  Gate gate{};
  int64_t last_ready_ns = 0;  // when any of them was
  bool asked = false;         // one of them asks, or has asked, what the server is
  std::string program{};      // and its version, as it says; empty: it does not

  // A connection that ends while it is used is made again, to another of them.
  bool goes_on() const { return reconnects && places.size() > 1; }
  std::string name_of(const NamedServer& place) const {
    return "the " + std::string(title) + " server at " + place.address;
  }
  // All of them, "a:9092,b:9092".
  std::string addresses() const;
  std::string name() const;
  // What to do where it refuses the login.
  std::string login_advice() const;
  // Why a certificate is not trusted, by the verdict of OpenSSL, and what to do.
  std::string distrust(long verdict) const;
};

inline constexpr std::string_view kSpeaksPlainly =
    "does not speak TLS; give a port of it that does, or set bus.tls to false";
inline constexpr std::string_view kSpeaksTls = "speaks TLS; set bus.tls to true, or give a port of it without";
inline constexpr std::string_view kWantsCertificate =
    "wants a certificate of each client, which the bench does not have; let it do without (verify_peer, "
    "tls-auth-clients, ssl.client.auth), or give a port that does";

// Where the settings of a bus say it is, and how to talk to it. The error says what of them will not do.
Result<ServerSite> server_site(StreamLoop& loop, std::string_view title, const BusOptions& options);

class ServerUser {
 public:
  virtual ~ServerUser() = default;
  virtual void on_talk_ready() = 0;
  virtual bool wants_more() { return true; }
  // All that one read completed has been handed over.
  virtual void on_talk_read() = 0;
  // All that was written is with the kernel.
  virtual void on_talk_drained() {}
  // Where the site goes on: the connection has ended, and nothing of it comes any more. True: another is made, after
  // which it is ready again, or lost.
  virtual bool on_talk_broken() { return false; }
  virtual void on_talk_moved(const std::string&) {}  // in front of that: from where to where, and why
  // The last call. `was_ready`: it had been used before.
  virtual void on_talk_lost(bool was_ready, const std::string& why) = 0;
};

// One connection. It outlives the call in which its talk closes it.
class ServerCall;

class ServerTalk {
 public:
  ServerTalk(ServerSite& server, ServerUser& user, LinkCounters& counters);
  virtual ~ServerTalk();
  ServerTalk(const ServerTalk&) = delete;
  ServerTalk& operator=(const ServerTalk&) = delete;

  // Where a service begins, of several servers.
  void begin_for(uint32_t service) { place_ = first_server_of(server_.bus, service, server_.places.size()); }
  void start();
  bool ready() const { return state_ == State::ready; }
  // The server that it is, or would be, connected to.
  std::string server_name() const { return server_.name_of(place()); }
  void write(std::span<const uint8_t> bytes);
  void write(std::string_view text) { write(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size())); }
  bool all_written() const;
  void read_on();
  int fd() const;
  // From within a call to its user: it ends for this reason.
  void lose(const std::string& why);
  // It is ready, and no longer any use: another takes its place, or it ends.
  void give_up_server(const std::string& why);
  // Closes now: what the kernel has not sent yet still goes. Nothing follows.
  void close() { drop(/*gently=*/true); }
  // Closes now, and throws that away.
  void cut_off() { drop(/*gently=*/false); }

 protected:
  // It is connected.
  virtual void greet() {}
  // Takes what is whole off what has come, and keeps the rest. Once `call` is over there may be no talk any more.
  virtual void take(ServerCall& call) = 0;
  // Why such a server closes connections, for people.
  virtual std::string why_closed() const = 0;

  ServerSite& server() { return server_; }
  const ServerSite& server() const { return server_; }
  void say(std::string_view text);  // also while it greets
  // Whether this one of the loop's connections has to ask which server it is. If that is not answered it does without.
  bool asks_program();
  bool awaits_program() const { return awaits_program_; }
  void heard_program(std::string program);
  void be_ready();
  // From greeting, as it is not ready yet.
  void not_yet(const std::string& why);
  // From greeting: TLS from here on; greet() follows again.
  void secure();
  bool encrypted() const;  // what is said now
  // What came is not what such a server says.
  void lose_as_stranger(std::span<const uint8_t> bytes);

 private:
  friend class ServerCall;
  enum class State { idle, reaching, greeting, ready, closed };
  const NamedServer& place() const { return server_.places[place_]; }
  int64_t patience_ns() const;
  void on_again();
  void reach();
  void try_again(const std::string& why);
  void leave_gate();
  void run_out_of_patience();
  // What keeps the place that it is at from being used; empty: it cannot be told yet.
  std::string silence() const;
  std::string failures() const;
  void ended(const StreamEnd& end);
  void drop(bool gently);

  ServerSite& server_;
  ServerUser& user_;
  LinkCounters& counters_;
  State state_ = State::idle;
  std::unique_ptr<ServerCall> call_;
  size_t place_ = 0;
  std::vector<std::string> failures_;  // the last one at each place
  size_t tries_ = 0;
  int64_t retry_ns_;
  int64_t ready_ns_ = 0;   // when it was
  size_t brief_ones_ = 0;  // connections before this one that ended soon after that
  std::string broken_;     // why the one before it has ended; empty: there was none
  bool awaits_program_ = false;
  bool inside_ = false;  // the gate
  uint64_t waits_ = 0;   // before it, under this number
  Alarm again_;
  Alarm patience_;
};

class ServerCall final : public StreamUser, public Mortal {
 public:
  explicit ServerCall(ServerTalk& talk);

  Result<void> connect();
  Inbox& inbox() { return inbox_; }
  Stream& stream() { return stream_; }
  bool over() const { return stream_.closed(); }

 private:
  std::span<uint8_t> stream_space() override { return inbox_.space(); }
  bool wants_stream_bytes() override;
  void on_stream_open() override;
  void on_stream_bytes(size_t n) override;
  void on_stream_drained() override;
  void on_stream_end(const StreamEnd& end) override;

  ServerTalk& talk_;
  Inbox inbox_;
  Stream stream_;
};

// That the server takes no reply of so many bytes.
std::string too_long_a_reply(const ServerTalk& talk, size_t bytes);
// What somebody else sent, fit to be shown.
std::string shown(std::string_view text, size_t most = 60);
// A version as a server says it; empty where it is none.
std::string version_of(std::string_view text);

}  // namespace n2nq::bus
