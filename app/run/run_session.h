// One run from the first start to its verdict: starts broker, senders and receivers in any order or all at once, feeds
// requests, ends by agreement, gives up with a reason, and always leaves a record and no process behind.
// UI thread; never blocks. Knows no widget: what a window needs is pulled from here, signals carry no data.
//
//   idle -> launching -> connecting -> running -> draining -> ending -> over
//
// launching: a host is not reached yet, some role was not started yet, or a process is not ready. connecting: all
// ready, services are joining. running: from BEGIN. draining: the senders have said all (or were told to stop),
// deliveries go on. ending: the broker said END, processes exit. over: the record is complete; the session does not
// start again. stop() and trouble shorten the way from any state but idle: what runs is told to stop, then terminated,
// then killed.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/figures/run_view.h"
#include "app/launch/host_link.h"
#include "app/live/live_figures.h"
#include "app/plan/run_plan.h"
#include "app/record/run_record.h"
#include "app/run/doing.h"
#include "app/run/expected_deliveries.h"
#include "app/run/limit_watch.h"
#include "app/run/log_fetch.h"
#include "app/run/run_stage.h"
#include "app/run/session_options.h"

namespace n2nq::run {

enum class State { idle, launching, connecting, running, draining, ending, over };
std::string to_text(State state);

// What a role's start and stop buttons show.
enum class RolePhase { idle, starting, waiting, running, stopping, over };
struct RoleStatus {
  RolePhase phase = RolePhase::idle;
  Doing doing = Doing::not_started;
  std::string text{};  // "waits for the queue", "8 of 10 joined", "stopping", "ended", "killed by signal 9"
  uint32_t away = 0;   // of the receivers that run
  bool operator==(const RoleStatus&) const = default;
};

// One process of the run, as the window lists them.
struct ProcessStatus {
  std::string name{};  // "queue", "senders", "receivers 1-50"
  Role role = Role::broker;
  uint32_t log = 0;  // with role broker: the number of its log, 0 the queue's, from 1 those of servers that it started
  std::string place{};  // "this computer", the name of a host
  int64_t pid = 0;
  Doing doing = Doing::starting;
  std::string state{};         // the same in words
  bool can_be_killed = false;  // by kill_server(log)
  bool leads = false;          // or another of its kind does, which can be killed as that
  bool operator==(const ProcessStatus&) const = default;
};

class RunSession : public QObject {
  Q_OBJECT

 public:
  RunSession(plan::RunPlan plan, SessionOptions options, QObject* parent = nullptr);
  ~RunSession() override;  // kills what still runs

  const plan::RunPlan& plan() const;  // filters as last requested; all else as it was at the start
  State state() const;
  RoleStatus role_status(Role role) const;
  std::vector<ProcessStatus> processes() const;
  std::vector<record::ProcessRecord> process_records() const;  // as far as is known by now
  // One line for the run bar: "waiting for the queue and the receivers", "running", "stopping: senders".
  std::string status_text() const;

  // Each role at most once; a role that was started already is left alone. The plan has no problems (problems_of).
  void start(Role role);
  void start_all();
  // The first asks all to end early and drain; the verdict is `stopped`. One more kills. In a run that ends already
  // because of trouble the first changes nothing: the verdict stays `failed`.
  void stop();
  bool stopping() const;         // asked by the user or because of trouble
  bool stopped_by_user() const;  // one more stop() kills
  // Senders: send no more, what is in flight still arrives. Receivers: they leave, and the senders stop. Broker: it
  // ends the run. Never kills what a stop() before it has asked.
  void stop(Role role);
  // One of the servers that were started for the run: its number, from 1, or bus::kLeader.
  void kill_server(const std::string& server);
  // Receivers ask with these filters from now on; before the run or in it. Only where the plan has requests on.
  void make_request(const std::vector<plan::ReceiverFilter>& filters);

  const live::LiveFigures& live() const;
  // What figures and tables are made of: what workers say, and once over, record(). For one look.
  std::unique_ptr<figures::RunView> view() const;
  figures::RunningView running() const;             // what workers say, or have said
  std::unique_ptr<figures::HeldView> hold() const;  // as it is now; not once it is over
  // All services of a role, means of all messages so far without warm-up; senders as of the moment that the receivers'
  // figures are of. Once over the rate is of the whole run too, and there are as many messages as record() has.
  live::ServiceFigures all_of(Role role) const;
  // Messages that senders have told of, and sent only after that moment; none once the run is over.
  uint64_t sent_beyond() const;
  // Since BEGIN by the bench's own clock; nothing before. Stops with the end of the run.
  std::optional<int64_t> elapsed_ns() const;
  // For deliveries, as far as it is known: by plan and by the requests as they have held, at the end by what the queue
  // said. Nothing where it cannot be told.
  std::optional<Deliveries> expected_deliveries() const;
  std::optional<uint64_t> planned_messages() const;
  // 0 to 1: how much of what the plan means to be sent was sent, and received by those who asked for it then; or how
  // much of its time is over. It stays where it was when a run ends early.
  double progress() const;
  std::optional<int64_t> remaining_ns() const;

  // Of the plan, in its order, as they were judged last.
  std::span<const LimitState> limits() const;

  // Newest last; only grows, by appending, to a bound (note_log.h).
  const std::vector<record::RunNote>& notes() const;
  void add_note(record::Severity severity, const std::string& text);
  const std::string& folder() const;  // of logs and journal
  // The log of one service (number 0: the broker's), whether it exists yet or not; empty for attached workers
  // elsewhere.
  std::string log_path(Role role, uint32_t service) const;

  // For a service on another host, while the run goes on and until its logs were fetched; else nothing.
  std::optional<FarLog> far_log(Role role, uint32_t service) const;
  // Why a service keeps no log at all; empty where it does.
  std::string why_no_log(Role role, uint32_t service) const;
  // Over: what is to be fetched from other hosts, and under which name.
  std::vector<FarFolder> far_folders() const;
  const std::string& run_name() const;
  // Over, and the files of the hosts are here: `record`, made of record(), again with the summaries of processes that
  // were cut off, and record() with it. Gives lines for the run's log.
  std::vector<std::string> take_fetched(record::RunRecord& record);
  // Why a host could not be used, where that ended the run.
  const std::optional<launch::LinkFailure>& host_failure() const;
  // The same, and those of the other hosts whose keys are not known either.
  const std::vector<launch::LinkFailure>& host_failures() const;
  // Where processes elsewhere could not reach the queue on this computer: a host to put it on instead (queue.host).
  const std::string& better_queue_host() const;

  // Complete in state over; with everything but id and master file before that.
  const record::RunRecord& record() const;

 Q_SIGNALS:
  void state_changed();  // state, a role's status, or a process
  void noted();          // notes() grew
  void finished();       // state is over; record() is complete

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace n2nq::run
