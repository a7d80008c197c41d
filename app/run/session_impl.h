// The inside of a session, for the .cpp files that make it up: session_course.cpp conducts it, session_places.cpp finds
// where it takes place and whether its processes reach each other, session_looks.cpp looks at the ways between them,
// session_stops.cpp makes it end, session_watch.cpp notices what only time tells. UI thread.
#pragma once

#include <QTimer>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/run/address_lookup.h"
#include "app/run/expected_deliveries.h"
#include "app/run/host_setup.h"
#include "app/run/note_log.h"
#include "app/run/record_of_run.h"
#include "app/run/run_session.h"
#include "app/run/run_stage.h"
#include "app/run/session_text.h"
#include "app/run/stop_ladder.h"
#include "app/run/verdict.h"
#include "broker/base/clock.h"

namespace n2nq::run {

class RunSession::Impl : public QObject {
 public:
  using Severity = record::Severity;
  using Rung = StopLadder::Rung;
  using WorkerState = Worker::State;
  static constexpr int kTickMs = 200;
  static constexpr Role kRoles[] = {Role::broker, Role::sender, Role::receiver};

  Impl(RunSession& owner, plan::RunPlan plan, SessionOptions options);

  void start(Role role);
  void stop();
  void stop(Role role);
  void make_request(const std::vector<plan::ReceiverFilter>& filters);
  void note(Severity severity, const std::string& text);
  RunView view() const {
    return {.state = state_,
            .plan = plan_,
            .broker = stage_.group(Role::broker),
            .senders = stage_.group(Role::sender),
            .receivers = stage_.group(Role::receiver),
            .live = live_,
            .stopping = ladder_.rung() != Rung::none,
            .record = record_,
            .waiting = waiting_,
            .preparing = setup_ && !opened_ ? setup_->status_text() : std::string()};
  }
  Groups groups() const {
    return {stage_.group(Role::broker), stage_.group(Role::sender), stage_.group(Role::receiver)};
  }
  std::optional<int64_t> elapsed_ns() const {
    if (begun_ns_ == 0) return std::nullopt;
    return (ended_ns_ == 0 ? now_ns() : ended_ns_) - begun_ns_;
  }

  RunSession& owner_;
  plan::RunPlan plan_;
  SessionOptions options_;
  RunStage stage_;
  live::LiveFigures live_;
  ExpectedDeliveries expected_;
  StopLadder ladder_;
  StopLadder queue_ladder_;  // of the queue, once no fleet is left that it could deliver to
  RunFacts facts_;
  record::RunRecord record_;
  NoteLog notes_;
  State state_ = State::idle;
  std::unique_ptr<HostSetup> setup_;
  std::string better_queue_host_;

  std::vector<FarFolder> far_folders() const;
  bool judge_again(record::RunRecord& record);  // whether there is anything to judge

 private:
  record::RunNote made_note(Severity severity, const std::string& text) const;
  void prepare();
  void prepare_hosts();
  void look_up(const std::string& listen);
  void open(const Result<net::Endpoint>& listen);
  void open_stage(const std::optional<net::Endpoint>& listen);
  void fail_start(const std::string& text);
  void watch_reach(int64_t now);
  bool joined_any(const Worker& worker) const;
  std::string unreachable_text(const Worker& worker);
  void launch(Role role);
  void listen_to(WorkerGroup& group);
  void advance();
  void note_ends();
  void release_fleets();
  bool waits_for_look(Worker& worker);
  bool ready_for_looks();
  void take_look(const Worker& worker);
  void check_begin();
  void note_machines();
  void check_draining();
  void check_over();
  void finish();
  void enter(State state);
  void give_up(const std::string& reason);
  void climb(Rung rung);
  void kill_all();
  void end_queue(int64_t now);
  void force(WorkerGroup& group, Rung rung);
  void note_stop(const std::string& text);
  void put_exit_off();
  void on_tick();
  void note_traffic();
  void watch_silence();
  void send_requests();
  void send_requests_to(Worker& worker);
  void watch_hanging(int64_t now);
  int64_t patience_ns() const;
  bool any_cut_off() const;
  // How long the queue itself may keep a run still in which some receiver takes nothing.
  int64_t still_ns() const { return plan_.queue.drain_timeout_ns + plan_.queue.stall_timeout_ns; }
  static int64_t ns_of(std::chrono::milliseconds time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  }
  bool any_started() const;
  bool all_started() const;
  bool had_to_end(const std::string& name) const {
    return std::ranges::find(facts_.had_to_end, name) != facts_.had_to_end.end();
  }
  bool ending() const { return state_ >= State::ending || ladder_.rung() != Rung::none; }
  uint64_t movement() const {
    return static_cast<uint64_t>(live_.all_senders().accepted) + static_cast<uint64_t>(live_.all_receivers().count);
  }

  QTimer tick_;
  std::map<const Worker*, uint32_t> live_numbers_;
  std::optional<AddressLookup> lookup_;  // of the queue's address, where somebody has to be asked
  std::set<Role> waiting_;               // roles that are launched once the stage is open
  bool opened_ = false;
  std::set<const Worker*> ends_noted_;
  std::set<const Worker*> released_;
  // For the way from each host with workers, before the run: one after the other, each by one worker.
  struct Look {
    const Worker* by = nullptr;
    int64_t asked_ns = 0;
    bool over = false;
  };
  std::map<std::string, Look> looks_;  // by host
  bool looking_ = false;
  std::set<const Worker*> begun_;
  std::set<const Worker*> silent_;
  std::map<const Worker*, int64_t> tries_since_ns_;  // to reach the queue
  int64_t last_start_ns_ = 0;
  int64_t begun_ns_ = 0;
  int64_t ended_ns_ = 0;
  int64_t exit_deadline_ns_ = 0;
  uint64_t served_so_far_ = 0;  // messages, by receivers with a service time
  uint64_t moved_so_far_ = 0;
  int64_t last_moved_ns_ = 0;
};

}  // namespace n2nq::run
