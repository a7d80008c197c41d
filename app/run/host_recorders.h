// The recorders of a run: one n2nq-recorder on each of its hosts, from before BEGIN until all else has ended. They
// decide nothing: what they cannot do is a warning in the run's log, and their figures are missing, as are the sums of
// one that did not record to the end. UI thread.
// States of each: starting -> ready -> stopping -> over; over from any of them.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/control_client.h"
#include "app/launch/launcher.h"
#include "app/live/live_figures.h"
#include "app/plan/run_plan.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"
#include "app/run/session_options.h"

namespace n2nq::run {

// One of them.
class HostRecorder : public QObject {
  Q_OBJECT

 public:
  HostRecorder(std::unique_ptr<launch::WorkerProcess> process, std::string token, const SessionOptions& options,
               live::LiveFigures& live, TakeNote note);
  ~HostRecorder() override;

  std::string place() const { return process_->place(); }
  bool ready() const { return ready_ || over_; }
  // It has read all that it is to watch and said how its clock stands, or never will.
  bool settled() const { return over_ || (ready_ && answered_ && clock_pings_ == 0); }
  bool over() const { return over_; }
  bool is_there() const { return ready_ && !over_; }
  const std::optional<MachineFacts>& machine() const { return machine_; }
  void tell(const control::Command& command);
  // The run began then, by the clock here: of a host of which nobody else will say how its clock stands. It is known to
  // within half a round trip over its link.
  void begin(int64_t begun_ns);
  // From now on; sent as soon as it is ready, and only where it is another wish than before.
  void watch(const control::WatchCommand& wish);
  void sample();
  void stop();  // and, where that takes too long, kill
  void kill();

 Q_SIGNALS:
  void changed();
  void said(const std::string& place, const n2nq::control::Message& message);  // of a background load
  void lost(const std::string& place);                                         // it is over

 private:
  void on_started();
  void on_message(const control::Message& message);
  void on_finished(const launch::ProcessEnd& end);
  void on_deadline();
  void ask_clock();
  void take(const control::Pong& pong);
  void take(const control::Recorded& recorded);
  control::Recorded with_network(control::Recorded recorded);
  void give_up(const std::string& why);
  void note(const std::string& text);
  void say(const std::string& text);  // its own words

  static constexpr int kMostSayings = 20;

  std::unique_ptr<launch::WorkerProcess> process_;
  std::unique_ptr<launch::ControlClient> client_;
  std::string token_;
  SessionOptions options_;
  live::LiveFigures& live_;
  TakeNote note_;
  QTimer deadline_;
  control::WatchCommand wish_;
  std::optional<MachineFacts> machine_{};
  int clock_pings_ = 4;  // that are not answered yet; one after the other
  int64_t asked_ns_ = 0;
  int64_t round_trip_ns_ = 0;
  std::optional<int64_t> ahead_ns_{};  // its clock, of ours; nothing: it has not answered
  std::optional<int64_t> begun_ns_{};
  bool ready_ = false;
  bool answered_ = false;  // the newest wish
  bool stopping_ = false;
  bool killed_ = false;
  bool summed_up_ = false;
  bool over_ = false;
  int sayings_ = 0;
};

class HostRecorders : public QObject {
  Q_OBJECT

 public:
  HostRecorders(const plan::RunPlan& plan, const SessionOptions& options, RunStage& stage, live::LiveFigures& live,
                TakeNote note);

  void launch();
  // The run may begin: all have read what they are to watch, or the first that waits for that has waited long enough. A
  // recorder never makes a run late.
  bool settled(int64_t now_ns);
  // Tells each of the processes on its host that have said who they are: when all have, until then now and then.
  void watch(int64_t now_ns);
  // BEGIN was told by a worker, whose line says how its clock stands to the queue's.
  void begin(const Worker& worker, const control::Telemetry* line);
  // The run began then; `knows` says of which hosts a worker tells.
  void begin_elsewhere(int64_t begun_ns, const std::function<bool(const std::string& place)>& knows);
  // Of hosts that nothing else is known of.
  void add_machines(std::vector<record::MachineRecord>& machines) const;
  // Which names are of one computer.
  void compare(const std::vector<record::MachineRecord>& machines);
  void sample();
  void sample_at_end();  // of all but what is over: once
  // A process of the run is over: what it said last goes into the sums.
  void ended(const Worker& worker);
  void stop();
  void kill();
  bool over() const;
  // On that host (its place): it takes commands.
  bool is_there(const std::string& place) const;
  void tell(const std::string& place, const control::Command& command);

 Q_SIGNALS:
  void changed();                                                              // settled() or over()
  void said(const std::string& place, const n2nq::control::Message& message);  // as that of one
  void lost(const std::string& place);

 private:
  HostRecorder* find(const std::string& place) const;

  const plan::RunPlan& plan_;
  SessionOptions options_;
  RunStage& stage_;
  live::LiveFigures& live_;
  TakeNote note_;
  std::vector<std::unique_ptr<HostRecorder>> all_;
  size_t watched_ = 0;  // processes
  int64_t watched_ns_ = 0;
  int64_t waiting_since_ns_ = 0;
  bool end_sampled_ = false;
};

}  // namespace n2nq::run
