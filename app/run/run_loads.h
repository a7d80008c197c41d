// Loads the network beside a run when its plan says so: has the recorder on one host listen, and that on the other fill
// a connection to it. The begin and end of each are events of the run, and the record has what arrived. What fails is a
// warning in the run's log, and the run goes on without it. UI thread.
// States of each: waiting -> asked (to listen) -> connecting -> flowing -> over; over from any of them.
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/run_plan.h"
#include "app/record/run_record.h"
#include "app/run/due_timer.h"
#include "app/run/host_recorders.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"

namespace n2nq::run {

class RunLoads : public QObject {
 public:
  using Elapsed = std::function<std::optional<int64_t>()>;  // since BEGIN

  // `links`: to the hosts of the plan; null: it names none.
  RunLoads(const plan::RunPlan& plan, HostLinks* links, const RunStage& stage, HostRecorders& recorders,
           record::RunRecord& record, TakeNote note, Elapsed elapsed);

  void begin();
  // No load begins any more; one that flows ends with its recorders.
  void end();
  // All recorders are over: what they have not told stays unknown.
  void settle();

 private:
  enum class State { waiting, asked, connecting, flowing, over };
  struct Load {
    plan::BackgroundLoad asked{};
    std::string from{};  // places
    std::string to{};
    uint64_t id = 0;
    State state = State::waiting;
    std::string word{};
    std::optional<int64_t> began_ns{};
    std::optional<control::Sunk> sunk{};
    std::optional<control::Filled> filled{};
    std::string lost{};      // a recorder of it has ended, or the link to it
    bool cut_short = false;  // by the end of the run
  };

  void begin_due();
  void begin(Load& load);
  void on_message(const std::string& place, const control::Message& message);
  void on_lost(const std::string& place);
  Load* find(uint64_t id, const std::string& place, std::string Load::* end);
  void connect_to(Load& load, uint16_t port);
  void flow(Load& load);
  void end_if_told(Load& load);
  void finish(Load& load, std::string trouble);
  // How the sending host reaches the other, without a port.
  std::string address_of(const Load& load) const;
  control::SinkCommand sink_of(const Load& load) const;

  HostLinks* links_;
  const RunStage& stage_;
  HostRecorders& recorders_;
  record::RunRecord& record_;
  TakeNote note_;
  Elapsed elapsed_;
  DueTimer timer_;
  std::vector<Load> loads_;
  bool ending_ = false;
};

}  // namespace n2nq::run
