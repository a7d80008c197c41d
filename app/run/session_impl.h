// The inside of a session: conducts the parts of a run, each of which does one thing. UI thread.
#pragma once

#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/run/event_watch.h"
#include "app/run/host_recorders.h"
#include "app/run/leftovers.h"
#include "app/run/limit_watch.h"
#include "app/run/note_log.h"
#include "app/run/path_looks.h"
#include "app/run/place_finder.h"
#include "app/run/record_of_run.h"
#include "app/run/run_comings.h"
#include "app/run/run_end.h"
#include "app/run/run_kills.h"
#include "app/run/run_loads.h"
#include "app/run/run_outcome.h"
#include "app/run/run_pauses.h"
#include "app/run/run_requests.h"
#include "app/run/run_session.h"
#include "app/run/run_stage.h"
#include "app/run/run_watch.h"
#include "app/run/server_cluster.h"
#include "app/run/session_text.h"
#include "app/run/warning_watch.h"
#include "broker/base/clock.h"

namespace n2nq::run {

class RunSession::Impl : public QObject {
 public:
  Impl(RunSession& owner, plan::RunPlan plan, SessionOptions options);

  void start(Role role);
  void stop();
  void stop(Role role);
  void kill_server(const std::string& server);
  void make_request(const std::vector<plan::ReceiverFilter>& filters);
  void note(record::RunNote note, int64_t ago_ns = 0);
  void note(record::Severity severity, const std::string& text) { note({.severity = severity, .text = text}); }
  std::vector<std::string> take_fetched(record::RunRecord& record);

  State state() const { return state_; }
  bool stopping() const { return end_.begun(); }
  bool stopped_by_user() const { return outcome_.stopped(); }
  const plan::RunPlan& plan() const { return plan_; }
  const RunStage& stage() const { return stage_; }
  const live::LiveFigures& live() const { return live_; }
  std::span<const LimitState> limits() const { return limits_.states(); }
  const PlaceFinder& places() const { return places_; }
  const record::RunRecord& record() const { return record_; }
  bool shows_intended() const { return latency_choice_.intended(); }
  const std::vector<record::RunNote>& notes() const { return notes_.all(); }
  std::optional<Deliveries> expected() const { return requests_.expected(); }
  std::optional<double> due() const { return requests_.due(); }
  std::vector<FarFolder> far_folders() const { return opened_ ? stage_.far_folders() : places_.folders(); }
  const std::string& better_queue_host() const;
  std::optional<int64_t> elapsed_ns() const;
  SessionParts parts() const;
  Groups groups() const;

 private:
  record::RunNote dated(record::RunNote note) const;
  TakeNote take_note();
  void listen_to(WorkerGroup& group);
  bool any_started() const;
  bool all_started() const;

  void prepare();
  void open(const std::optional<net::Endpoint>& listen);
  void fail_start(const std::string& text);
  void launch(Role role);
  void launch_waiting();
  bool lacks_certificate(Role role) const;

  void advance();
  bool take_steps();  // false where there is none any more
  void note_ends();
  void note_end(const Worker& worker);
  void release_fleets();
  void note_servers(const std::vector<control::ServedFacts>& servers);
  void note_gone(const control::ServerGone& gone);
  void release(Worker& worker);
  void on_looked();
  void check_begin();
  void begin(const control::Begin& begin);
  void note_machines();
  void check_draining();
  void check_over();
  bool ended() const { return record_.ended_utc_ns != 0; }  // but for its recorders
  void note_end_of_run();
  void enter(State state);
  void on_tick();
  std::optional<Failure> trouble(int64_t now_ns);

  void judge_limits(int64_t now_ns);
  void give_up(const Failure& failure);
  void climb(RunEnd::Rung rung);
  void kill_all();
  void note_stop(const std::string& subject = {});
  void finish();
  void note_leftovers();
  void note_figures();
  void look_for_warnings();

  RunSession& owner_;
  plan::RunPlan plan_;
  SessionOptions options_;
  RunStage stage_;
  live::LiveFigures live_;
  record::RunRecord record_;
  NoteLog notes_;
  RunRequests requests_;
  RunPauses pauses_;
  RunComings comings_;
  RunKills kills_;
  RunOutcome outcome_;
  Leftovers leftovers_;
  PlaceFinder places_;
  PathLooks looks_;
  RunWatch watch_;
  EventWatch events_;
  LimitWatch limits_;
  record::LatencyChoice latency_choice_;
  WarningWatch warnings_;
  RunEnd end_;
  ServerCluster servers_;
  HostRecorders recorders_;
  RunLoads loads_;
  State state_ = State::idle;
  StatusTexts told_{};  // since the last of advance() and on_tick()
  QTimer tick_;
  std::map<const Worker*, uint32_t> live_numbers_;
  // Roles that are launched once the stage is open, and what they are told is known.
  std::set<Role> waiting_;
  bool opened_ = false;
  bool server_noted_ = false;
  std::set<const Worker*> ends_noted_;
  std::set<const Worker*> released_;
  std::set<const Worker*> begun_;
  int64_t begun_ns_ = 0;
  int64_t ended_ns_ = 0;
  std::optional<int64_t> senders_done_ns_{};  // since the begin: all of them
  struct {
    int64_t utc_ns = 0;
    int64_t ns = 0;
  } workers_ended_{};
};

}  // namespace n2nq::run
