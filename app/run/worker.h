// One process of a run and what it has said so far: the process, the control client on its channel, and their states
// as one. UI thread.
// States: starting -> ready -> joined -> running -> ended -> over; over from any of them.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "app/launch/control_client.h"
#include "app/launch/launcher.h"
#include "app/record/run_record.h"
#include "app/run/doing.h"
#include "app/run/session_options.h"
#include "app/run/worker_arguments.h"

namespace n2nq::run {

// Of stamps that a process sent, whatever they are.
inline int64_t since(int64_t from_ns, int64_t to_ns) {
  return static_cast<int64_t>(static_cast<uint64_t>(to_ns) - static_cast<uint64_t>(from_ns));
}

class Worker : public QObject {
  Q_OBJECT

 public:
  enum class State { starting, ready, joined, running, ended, over };
  struct Identity {
    std::string name{};  // "queue", "senders", "receivers 1-50"
    Role role = Role::broker;
    Share share{};
    std::string attached_at{};  // where it listens that somebody started by hand; empty: the bench starts it
  };

  Worker(Identity identity, std::unique_ptr<launch::WorkerProcess> process, control::HelloCommand hello,
         const SessionOptions& options);
  ~Worker() override;

  const Identity& identity() const { return identity_; }
  State state() const { return state_; }
  bool over() const { return state_ == State::over; }
  Doing doing() const;             // its state, and how it ended, as far as its own summary tells
  std::string state_text() const;  // the same in words: "starting", "joined", "killed by signal 9", "lost the queue"
  int64_t pid() const;
  std::string place() const { return process_->place(); }  // as ProcessRecord::place

  const std::optional<control::Ready>& ready() const { return ready_; }
  const std::optional<control::Begin>& begin() const { return begin_; }
  // Of a keeper of servers (bus.hosts): where they are, before it is told of the others; the first of all is ready.
  const std::optional<control::Sites>& sites() const { return sites_; }
  bool first_ready() const { return first_ready_; }
  // Of a queue, or such a keeper: which of the servers that it started are gone, while others go on.
  const std::vector<control::ServerGone>& gone_servers() const { return gone_servers_; }
  // Its answer to `look`.
  const std::optional<control::Looked>& looked() const { return looked_; }
  // The last line it said; nothing if it died before.
  const control::SenderSummary* sender_summary() const { return std::get_if<control::SenderSummary>(&summary_); }
  const control::ReceiverSummary* receiver_summary() const { return std::get_if<control::ReceiverSummary>(&summary_); }
  const control::BrokerSummary* broker_summary() const { return std::get_if<control::BrokerSummary>(&summary_); }
  const control::Outcome* outcome() const;  // of whichever summary there is
  // It ended by itself, with a summary whose exit code is complete or incomplete.
  bool ended_well() const;
  std::string reason() const;  // its own words on how it ended, for people; may be empty
  // Its summary, brought home from its host after it was cut off. False: it cannot be this process'.
  bool take_fetched(const control::Message& summary);
  // When it was lost with the link to its host, which says nothing of how it ended there; 0: it was not.
  int64_t cut_off_ns() const { return cut_off_ns_; }

  // Before it has started: what its input begins with.
  void give(std::string input);
  void send(const control::Command& command);
  void stop();       // by command
  void terminate();  // SIGTERM
  void kill();
  bool stopping() const { return stopping_; }

  // Of its last line of telemetry that came over the link.
  uint64_t heard_sequence() const { return heard_sequence_; }
  bool speaks() const { return speaks_; }  // it has sent telemetry
  // It sends telemetry, or answers pings with an id, so that silence means something.
  bool responds() const { return speaks_ || answers_; }
  launch::HeardSoFar heard() const { return client_ ? client_->heard() : launch::HeardSoFar{}; }
  // Since its last line; the run says so when it is long.
  int64_t silent_ns() const;
  record::ProcessRecord record() const;

 Q_SIGNALS:
  void changed();  // state
  void telemetry(const n2nq::control::Telemetry& telemetry);
  void noted(n2nq::record::Severity severity, const QString& text);
  void cause_told(const QString& text);  // that failures of others follow from
  void server_gone(const n2nq::control::ServerGone& gone);
  void leader_told(const n2nq::control::Leader& leader);
  void answered(const n2nq::control::Pong& pong);  // to a ping with an id

 private:
  void on_started();
  void on_message(const control::Message& message);
  void on_finished(const launch::ProcessEnd& end);
  Doing shortfall() const;
  void take(const control::Ready& ready);
  void take(control::ServerGone gone);
  void take(const control::Telemetry& figures);
  void enter(State state);
  void say(record::Severity severity, const std::string& text);
  void complain(const QString& line);
  void on_nonsense(const QString& text);

  static constexpr int kMostComplaints = 100;
  static constexpr int kMostSayings = 1000;
  static constexpr int kMostNonsense = 1000;
  static constexpr size_t kLongestSaying = 2000;
  static constexpr int64_t kSayHeardNs = 2'000'000'000;

  Identity identity_;
  SessionOptions options_;
  control::HelloCommand hello_;
  std::string input_;
  std::unique_ptr<launch::WorkerProcess> process_;
  std::unique_ptr<launch::ControlClient> client_;
  QTimer ready_deadline_;
  State state_ = State::starting;
  bool stopping_ = false;
  bool killed_ = false;
  bool fetched_ = false;  // its summary came from a file
  bool speaks_ = false;
  bool answers_ = false;
  int complaints_ = 0;
  int nonsense_ = 0;  // lines
  int sayings_ = 0;
  int64_t pid_ = 0;
  int64_t heard_ns_ = 0;
  uint64_t heard_sequence_ = 0;
  int64_t said_heard_ns_ = 0;
  int64_t cut_off_ns_ = 0;
  std::vector<control::ServerGone> gone_servers_;
  std::optional<control::Sites> sites_;
  bool first_ready_ = false;
  std::optional<control::Ready> ready_;
  std::optional<control::Begin> begin_;
  std::optional<control::Looked> looked_;
  std::variant<std::monostate, control::SenderSummary, control::ReceiverSummary, control::BrokerSummary> summary_;
  std::optional<launch::ProcessEnd> process_end_;
};

}  // namespace n2nq::run
