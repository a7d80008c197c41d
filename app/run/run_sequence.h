// The runs of a plan, one after another and as often as is asked, each with its own session, and each kept as a result.
// What window and command line both drive. UI thread. An unfinished run is journalled each second (run_keeper.h).
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/hosts/host_list.h"
#include "app/plan/plan_file.h"
#include "app/run/run_session.h"

namespace n2nq::store {
class ResultStore;
}

namespace n2nq::run {

class RunKeeper;

// What stands in the way of a run: in its plan, then among the hosts that it names.
std::vector<plan::PlanProblem> problems_of(const plan::RunPlan& plan, const hosts::HostList& hosts);
struct RunProblem {
  size_t run = 0;  // from 1
  plan::PlanProblem problem{};
};
std::optional<RunProblem> first_problem(const std::vector<plan::RunPlan>& runs, const hosts::HostList& hosts);

class RunSequence : public QObject {
  Q_OBJECT

 public:
  // Results go to the store; null: they are in records(), and in their journals for the next start.
  RunSequence(SessionOptions options, store::ResultStore* store, QObject* parent = nullptr);
  ~RunSequence() override;
  const SessionOptions& options() const { return options_; }

  // All runs of the plan, from the first, and all of them again for each further repeat, with the seeds of that repeat;
  // while one waits for some of its roles, the rest of that one. The error names the run and the field.
  Result<void> start_all(const plan::PlanFile& file, uint32_t repeats = 1);
  // One role of the run that waits for it, or of a new sequence.
  Result<void> start(const plan::PlanFile& file, Role role, uint32_t repeats = 1);
  // The current run, and no further one; see RunSession::stop. Where its result is being saved, that is cut short.
  void stop();
  void stop(Role role);
  // The current run goes on to its end and is kept as it is, and no further one follows.
  void end_after_this() { stopped_ = true; }

  bool active() const;                     // from start until the last record is kept
  bool waits_for_store() const;            // for longer than usual, with the current run's result
  size_t index() const { return index_; }  // of the current run, from 0
  size_t count() const { return plans_.size(); }
  uint32_t repeats() const { return repeats_; }  // of each run of the plan
  // What the current run has otherwise than others of the sequence: "load-balancer, Senders amount 50"; empty: nothing.
  std::string special_settings() const;
  // The current or the last session; null before the first start.
  RunSession* session() const { return session_.get(); }
  // Finished runs of this sequence, kept (id set) or with a note why not.
  const std::vector<record::RunRecord>& records() const { return records_; }

 Q_SIGNALS:
  void session_changed();  // another session is current: bind to it again; the former one is gone
  void changed();          // forwarded from the session, and active()
  void noted();
  void waits(const QString& text);  // the result of the current run, for the store; the run's log has it, too
  void kept();                      // one more in records()
  void finished();                  // no run is left

 private:
  Result<void> take(const plan::PlanFile& file, uint32_t repeats);
  void begin_run(size_t index);
  void on_session_finished();
  void on_kept();
  void finish_early();

  SessionOptions options_;
  store::ResultStore* store_;
  std::vector<plan::RunPlan> plans_;
  size_t index_ = 0;
  uint32_t repeats_ = 1;
  bool active_ = false;
  bool stopped_ = false;  // by the user: no further run
  std::unique_ptr<RunSession> session_;
  std::unique_ptr<RunKeeper> keeper_;
  std::vector<record::RunRecord> records_;
};

}  // namespace n2nq::run
