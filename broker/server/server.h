// The run: who may join, when it begins and ends, and the order of work in each turn of the broker's one loop (read
// everybody, then write everybody). What goes to whom is the queue's, what a connection may say its session's.
// Thread: the loop's.
// Phases: assembling -> running -> draining (and back, if a sender joins) -> ending -> over.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "broker/base/exit_code.h"
#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "broker/net/timer.h"
#include "broker/queue/broadcaster.h"
#include "broker/queue/queue.h"
#include "broker/server/assembly.h"
#include "broker/server/broker_options.h"
#include "broker/server/clock_relay.h"
#include "broker/server/door.h"
#include "broker/server/meeting.h"
#include "broker/server/run_log.h"
#include "broker/server/session.h"
#include "broker/tls/tls.h"

namespace n2nq::server {

class Server {
 public:
  enum class Phase { assembling, running, draining, ending, over };

  Server(net::EventLoop& loop, const BrokerOptions& options, control::Token token, RunLog& log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Result<uint16_t> listen(const net::Endpoint& endpoint);
  // The options by which a worker joins over TLS.
  const char* what_tls_takes() const;
  // Of the certificate that was made for the run; empty: none was.
  std::string certificate() const { return tls_ ? tls_->fingerprint() : std::string(); }
  // Take no more from senders, deliver what is owed, end. A second call gives up what is still owed, and once the end
  // has been told to all also those who do not answer it.
  void stop(const std::string& why);
  // Called once, when nothing is left to do.
  void on_over(std::function<void(ExitCode)> callback) { on_over_ = std::move(callback); }
  // Called once each, with what people should know while the run goes on.
  void on_warning(std::function<void(const std::string&)> callback) { on_warning_ = std::move(callback); }

  Phase phase() const { return phase_; }
  const queue::Queue& queue() const { return *queue_; }
  struct Counts {
    uint64_t senders_joined = 0;
    uint64_t receivers_joined = 0;
    uint64_t senders_vanished = 0;
    uint64_t receivers_vanished = 0;
    uint64_t senders_cut_off = 0;    // from another bus; they stayed to say what they know
    uint64_t receivers_cut_off = 0;  // the same
    uint64_t refused_connections = 0;
    uint64_t late_requests = 0;  // came after END
    uint64_t senders_now = 0;
    uint64_t receivers_now = 0;
    uint64_t cut_off_now = 0;        // of them
    uint64_t writes = 0;             // write calls to receivers
    uint64_t reads = 0;              // read calls on connections
    uint64_t wakeups = 0;            // returns from epoll_wait
    uint64_t most_frame_writes = 0;  // that brought no message, between two looks at what can be read
  };
  Counts counts() const {
    Counts counts = counts_;
    counts.refused_connections = door_.refused();
    counts.wakeups = loop_.wakeups();
    return counts;
  }
  // What became of replies: taken = delivered + expired + undeliverable, once the run is over.
  struct ReplyAccounts {
    uint64_t taken = 0;  // from repliers
    uint64_t delivered = 0;
    uint64_t expired = 0;
    uint64_t undeliverable = 0;
    uint64_t unclaimed = 0;  // undeliverable, because the requester had left by its own choice: no loss
    uint64_t in_doubt = 0;   // delivered to a requester that vanished
    uint64_t surplus = 0;    // taken, and beyond the one that a replier owes to each delivery of a request
    bool whole() const { return expired == 0 && undeliverable == unclaimed && in_doubt == 0; }
  };
  // Nothing in the other modes.
  std::optional<ReplyAccounts> replies() const;
  uint64_t kept_bytes() const { return queue_->store().bytes_held() + (replies_ ? replies_->store().bytes_held() : 0); }
  uint64_t max_bytes() const { return queue_->store().bytes_max() + (replies_ ? replies_->store().bytes_max() : 0); }
  // For people: why not complete, or who stopped it; may be empty.
  const std::string& reason() const { return reason_; }
  std::optional<wire::EndReason> end() const { return end_; }  // nothing: the run did not come to one
  // Where it is known: messages of another bus that no receiver has had.
  std::optional<uint64_t> untaken() const { return counts_.receivers_vanished > 0 ? std::nullopt : meeting_.untaken(); }
  uint64_t missing() const { return counts_.receivers_vanished > 0 ? 0 : meeting_.missing().value_or(0); }
  uint64_t run_id() const { return run_id_; }

  // ---- for the sessions
  net::EventLoop& loop() { return loop_; }
  // What one write call takes, of whichever session.
  queue::Gather& gather() { return gather_; }
  // A read brought something: what it brought is accepted now.
  void note_read() {
    counts_.reads++;
    look_at_clock();
  }
  void note_write() { counts_.writes++; }
  void note_frame_write() { frame_writes_++; }
  void note_flush(Session& session) { flushing_.push_back(&session); }
  int64_t now_ms() const { return now_ms_; }
  uint32_t max_message() const { return options_.max_message; }
  bool running() const { return phase_ == Phase::running || phase_ == Phase::draining; }
  // Where a session reads to: its messages straight into the store.
  std::span<uint8_t> space(const Session& session, size_t least);
  bool may_read(Session& session);
  void note_unread(Session& session);
  // Others wait for room already: whoever has something to read now comes behind them.
  bool room_is_short() const { return room_is_short_; }
  // Large frames under way may take as much memory as messages may; beyond that their senders wait.
  bool hold_large(Session& session, size_t bytes);
  void release_large(Session& session);
  std::span<uint8_t> scratch() { return scratch_; }
  void note_closed() { any_closed_ = true; }
  // The messages that `bytes` begins with; returns how many bytes they were. None while a CLOCK has to come first.
  size_t accept_messages(Session& session, std::span<const uint8_t> bytes);
  bool brings_messages(const Session& session) const {
    return session.state == Session::State::joined && running() && session.is(wire::Role::sender) &&
           !options_.elsewhere;
  }
  bool brings_replies(const Session& session) const {
    return session.replies && running() && session.is(wire::Role::receiver) &&
           (session.state == Session::State::joined || session.state == Session::State::leaving);
  }
  void take(Session& session, wire::Type type, wire::Frame frame);
  // Nonsense or a broken rule: ERROR and an end for this connection, noted in the log.
  void refuse(Session& session, wire::ErrorCode code, const std::string& text);
  // The connection ended without BYE.
  void vanished(Session& session);

 private:
  static constexpr int64_t kTickNs = 100'000'000;
  static constexpr int64_t kHelloMs = 5000;
  static constexpr int64_t kClosingMs = 2000;
  static constexpr int64_t kReassureMs = 3000;
  static constexpr int64_t kSayCountMs = 10'000;   // at least, for senders that are called off
  static constexpr int64_t kRefusedComeMs = 1000;  // for others behind deliveries of refused messages
  static constexpr int64_t kFarewellMs = 200;      // that an ERROR may hold up the end of the run
  static constexpr int64_t kLastWordsMs = 5000;    // once stopped, for a BYE, beyond all that may hold it up
  static constexpr uint64_t kAnnounceEvery = 4096;
  // Messages first: of what else there is to do only so much between two looks at what can be read.
  static constexpr size_t kSessionsAtATime = 64;
  static constexpr size_t kFrameWritesAtATime = 8;

  void admit(Fd fd);
  void look_at_clock();
  void turn_end();
  void tick();
  void read_unread();
  void write_messages();
  void write_frames();
  void look_after_sessions();
  void warn_of_memory();
  void reap();

  void take_hello(Session& session, wire::Frame frame);
  void greet(Session& session);
  std::optional<std::string> misfit(const wire::Hello& hello) const;
  void join_receiver(Session& session);
  void join_requester(Session& session);
  void take_done(Session& session, wire::Frame frame);
  void take_bye(Session& session, wire::Frame frame);
  void take_leave(Session& session, wire::Frame frame);
  bool may_come_from_replier(const wire::Request& request) const;
  void take_request(Session& session, wire::Frame frame);
  void take_response(Session& session, wire::Frame frame);
  void take_reply(Session& session, wire::Frame frame);
  void take_clock(Session& session, wire::Frame frame);
  void take_probe(Session& session, wire::Frame frame);
  void take_address(Session& session, wire::Frame frame);
  void take_share(Session& session, wire::Frame frame);
  void take_tally(Session& session, wire::Frame frame);
  void take_error(Session& session, wire::Frame frame);

  void begin();
  void check_phase();
  void check_drain();
  wire::EndReason reason_without_receivers();
  void start_end(wire::EndReason reason);
  void end_receivers();
  void end_leaving();
  void send_end(Session& session, wire::EndReason reason);
  void call_off(Session& session, wire::EndReason reason);
  void call_off_senders(int64_t patience_ms);
  void finish_if_all_gone();
  void fail_assembly();
  void finish(ExitCode code);
  ExitCode verdict() const;
  bool replies_owed() { return replies_ && replies_->anything_owed(); }
  bool anything_owed() {
    return queue_->anything_owed() || replies_owed() || (meeting_.owes() && !heard_from_all_cut_off());
  }
  // Nothing can come to any receiver any more, and all have said how much they have had.
  bool heard_from_all_cut_off() const {
    return counts_.receivers_now == counts_.cut_off_now && meeting_.heard() >= counts_.receivers_now;
  }
  uint64_t progress() const { return queue_->progress() + (replies_ ? replies_->progress() : 0) + meeting_.had(); }

  void gone(Session& session, bool in_doubt);
  void remove_from_queue(Session& session, bool in_doubt);
  void check_timeouts(Session& session);
  void check_stall(Session& session);

  net::EventLoop& loop_;
  BrokerOptions options_;
  control::Token token_;
  RunLog& log_;
  std::unique_ptr<queue::Queue> queue_;
  // Request-reply: every requester is a receiver of the replies that name it.
  struct Requester {
    Session* session = nullptr;  // null: gone
    uint64_t sent = 0;           // once it is gone
    bool vanished = false;       // without its goodbye
  };
  std::unique_ptr<queue::Broadcaster> replies_;
  std::unordered_map<uint32_t, Requester> requesters_;
  uint64_t replies_taken_ = 0;
  uint64_t replies_surplus_ = 0;
  uint64_t replies_to_nobody_ = 0;  // never came into the queue
  uint64_t replies_unclaimed_ = 0;
  Assembly assembly_;
  net::Timer tick_;
  std::optional<tls::Server> tls_;  // nothing: connections are not encrypted
  Door door_;
  std::vector<uint8_t> scratch_;
  queue::Gather gather_;

  std::vector<std::unique_ptr<Session>> sessions_;
  std::vector<Session*> unread_;
  std::vector<Session*> unread_now_;
  bool room_is_short_ = false;  // somebody in unread_ has found none
  std::deque<Session*> flushing_;
  size_t looked_at_ = 0;       // sessions, in turn
  size_t to_look_at_ = 0;      // of them, since the last tick
  uint64_t frame_writes_ = 0;  // this turn
  std::vector<Session*> leaving_;
  ClockRelay clocks_;
  ClockRelay replier_clocks_;
  Meeting meeting_;
  std::optional<int64_t> called_off_ms_;  // senders: no receiver heard anything from another bus any more
  size_t large_held_ = 0;
  std::vector<wire::ResponseItem> responses_;
  bool any_closed_ = false;

  Phase phase_ = Phase::assembling;
  wire::EndReason end_reason_ = wire::EndReason::complete;
  std::optional<wire::EndReason> end_;
  bool stopping_ = false;
  int64_t stopped_ms_ = 0;
  bool memory_warned_ = false;
  bool assembly_changed_ = false;
  std::string reason_;
  Counts counts_;
  uint64_t active_senders_ = 0;
  uint64_t run_id_;
  int64_t now_ms_ = 0;
  int64_t started_ns_;
  std::optional<int64_t> first_join_ms_;
  std::optional<ExitCode> parting_;  // the code to end with once everybody has heard why
  int64_t moved_ms_ = 0;             // when the queue last made progress
  uint64_t moved_ = 0;
  int64_t with_receivers_ms_ = 0;  // when there last was a receiver
  wire::Begin begin_;
  std::function<void(ExitCode)> on_over_;
  std::function<void(const std::string&)> on_warning_;
};

}  // namespace n2nq::server
