// Has the path from each host with workers to where messages go examined before the run, one host after the other, each
// by the first of its workers that has joined. UI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "app/plan/run_plan.h"
#include "app/record/run_record.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"

namespace n2nq::run {

class PathLooks {
 public:
  // The record gets what was found. `next`: an examination is over, and the next host may have its turn.
  PathLooks(const plan::RunPlan& plan, const RunStage& stage, record::RunRecord& record, TakeNote note,
            std::function<void()> next);

  // Whether a worker that has joined is not to be started yet. Where it is the turn of its host, it is asked to look.
  bool holds(Worker& worker);
  // An examination has a patience of its own: it is not the time to join.
  bool looking() const { return looking_; }

 private:
  struct Look {
    const Worker* by = nullptr;
    int64_t asked_ns = 0;
    bool over = false;
  };

  bool holds(Worker& worker, Look& look);
  void ask(Worker& worker, Look& look);
  bool all_joined() const;
  std::string end_of_path() const;
  void take(const Worker& worker);

  const plan::RunPlan& plan_;
  const RunStage& stage_;
  record::RunRecord& record_;
  TakeNote note_;
  std::function<void()> next_;
  std::map<std::string, Look> looks_;  // by host
  bool looking_ = false;
};

}  // namespace n2nq::run
