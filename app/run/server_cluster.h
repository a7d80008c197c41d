// The servers of a run on hosts of their own (bus.hosts), from before its queue until after all else: a process on each
// host keeps those there. This tells each who else there is, and finds the one that is to be killed. Where the queue
// starts the servers, or none is started, there is nothing of this. UI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/run_plan.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"

namespace n2nq::run {

class ServerCluster : public QObject {
  Q_OBJECT

 public:
  ServerCluster(const plan::RunPlan& plan, RunStage& stage, TakeNote note);

  void launch();
  bool started() const { return stage_.servers().started(); }
  bool ready() const;  // or there is nothing to wait for
  bool over() const { return stage_.servers().all_over(); }
  // Why they never will be ready.
  std::optional<std::string> failure() const;
  // "starting the servers on vm1, vm2"; empty: nothing is.
  std::string status_text() const;
  // What is due now: each step looks at what is there.
  void take_steps();
  // Once they are ready, in order; of all.
  std::vector<control::ServedFacts> facts() const;
  // Those that have ended, or went with whoever kept them.
  const std::vector<control::ServerGone>& gone() const { return gone_; }

  // By its number, from 1, or bus::kLeader: one after the other.
  void kill(const std::string& server);
  // The run has begun.
  void begin();
  void stop();  // and, where that takes too long, kill
  void kill_all();

 Q_SIGNALS:
  void changed();
  void server_gone(const n2nq::control::ServerGone& gone);  // its time is by now_ns() here

 private:
  void form();
  void note_ends();
  void take(control::ServerGone gone);
  void on_leader(const control::Leader& leader);
  void kill_next_leader();
  void ask_for_leader();
  void ask_again(const std::string& why);
  std::optional<std::string> trouble_of(const Worker& keeper) const;
  void leader_done();
  bool is_gone(uint32_t server) const;

  const plan::RunPlan& plan_;
  RunStage& stage_;
  TakeNote note_;
  QTimer patience_;                              // with the end
  QTimer again_;                                 // a leader is asked for
  std::map<const Worker*, int64_t> offsets_ns_;  // by how much the clock of its host is ahead of ours
  std::vector<control::ServerGone> gone_;
  std::optional<control::FormClusterCommand> cluster_;  // once all have said where they are
  bool told_all_ = false;
  bool stopping_ = false;
  bool begun_ = false;
  size_t leaders_ = 0;         // that are to be killed, the one that is asked for among them
  Worker* asked_ = nullptr;    // for it
  bool told_to_kill_ = false;  // it is known who leads, and whoever keeps it was told
  int64_t ask_until_ns_ = 0;
};

}  // namespace n2nq::run
