// A campaign being made: one run after another, each kept as a result with its place in the campaign, until none is
// left. UI thread; never blocks but for the store's short writes, and where it reads what is kept itself.
//
//   idle -> running <-> pausing -> over
//
// Dropped at any moment (also by kill -9), it goes on where it was when it is started again on the same store: what is
// kept is not made again, a run that was cut off is.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/campaign/ledger.h"
#include "app/campaign/points.h"
#include "app/campaign/take_up.h"
#include "app/run/run_sequence.h"
#include "app/store/campaign_store.h"

namespace n2nq::campaign {

class CampaignRun : public QObject {
  Q_OBJECT

 public:
  enum class State { idle, running, pausing, over };

  // `store` and `campaigns` are of this thread and outlive this.
  CampaignRun(run::SessionOptions options, store::ResultStore& store, store::CampaignStore& campaigns,
              QObject* parent = nullptr);
  ~CampaignRun() override;

  // A new one, or where it stopped one that is not over. The error says what makes it impossible, or that another bench
  // is at it.
  Result<void> start(const Campaign& campaign);
  // The same by its number. One that is over ends at once where its results say so too; it goes on where they have
  // runs that are open, because one was deleted or did not come along with an archive.
  Result<void> resume(int64_t id);
  // The same with what another thread has read: these two take as long as there are results.
  void begin(TakenUp taken);
  // The current run ends early, what was sent is accounted for, and the campaign can be taken up again; one more kills.
  // A run that has finished is saved first; one more cuts that short.
  void stop();

  State state() const { return state_; }
  int64_t id() const { return id_; }  // of the store; 0 before the start
  const Campaign& campaign() const { return campaign_; }
  // For a search: those that were tried, and the next one.
  const std::vector<Point>& points() const { return points_; }
  const Ledger& ledger() const { return *ledger_; }  // after the start
  const std::optional<PlannedRun>& current() const { return current_; }
  uint32_t attempt() const { return attempt_; }
  // While it waits for one of the campaign's start times.
  const std::optional<int64_t>& next_start_utc_ns() const { return next_start_; }
  // How many of these passed without a run, so far.
  uint64_t missed_starts() const;
  int64_t now_utc_ns() const { return options_.wall_now_ns(); }
  // The current or the last run's; null before the first.
  run::RunSession* session() const { return sequence_ ? sequence_->session() : nullptr; }
  // The same; null before the first.
  const run::RunSequence* sequence() const { return sequence_.get(); }
  // All that are kept, without histograms and rows; those of this start last.
  const std::vector<record::RunRecord>& records() const { return records_; }
  // Over: why, for people: "all 12 runs are made", "stopped by the user: 3 of 12 runs are made".
  const std::string& end_text() const { return end_text_; }
  bool stopped_by_user() const { return stopped_; }
  // Something local ended it: a result could not be kept, or the server of the bus is not installed on this computer.
  bool local_trouble() const { return local_trouble_; }
  // The server of the bus is not installed on the queue's host, which ended it.
  bool host_lacks_server() const { return host_lacks_server_; }
  // Why a host could not be used, where that ended it.
  const std::optional<launch::LinkFailure>& host_failure() const { return host_failure_; }
  const std::vector<launch::LinkFailure>& host_failures() const { return host_failures_; }  // see run::RunSession

 Q_SIGNALS:
  void changed();  // state, current run, its session's state
  void kept();     // one more in records()
  void noted(n2nq::record::Severity severity, const QString& text);
  void finished();  // state is over

 private:
  Result<void> begin(Result<TakenUp> taken);
  void go_on();
  void begin_run(const PlannedRun& run);
  bool in_rounds() const;
  bool waits_for_time(const PlannedRun& run) const;
  void begin_in_time(const PlannedRun& run);
  void take_begun(int64_t utc_ns);
  void on_run_changed();
  void on_run_finished();
  void end(const std::string& text, bool for_good);
  bool save_end(const std::string& text);
  std::string progress_text() const;

  run::SessionOptions options_;
  store::ResultStore& store_;
  store::CampaignStore& campaigns_;
  State state_ = State::idle;
  int64_t id_ = 0;
  std::unique_ptr<CampaignLock> lock_;
  Campaign campaign_;
  std::vector<Point> points_;
  std::optional<Ledger> ledger_;
  std::optional<PlannedRun> current_;
  uint32_t attempt_ = 0;
  std::unique_ptr<run::RunSequence> sequence_;
  std::vector<record::RunRecord> records_;
  QTimer pause_;
  std::optional<int64_t> next_start_;
  int64_t last_begun_ns_ = 0;    // of the runs so far, the last one; 0: there are none
  uint64_t missed_ = 0;          // start times between these
  std::set<uint32_t> rounds_{};  // repeats of which a run was begun, here or before
  std::optional<std::chrono::steady_clock::time_point> save_end_by_;
  run::State run_state_ = run::State::idle;
  bool run_pending_ = false;  // from the start of a run until its record is taken
  bool stopped_ = false;
  bool local_trouble_ = false;
  bool host_lacks_server_ = false;
  std::string end_text_;
  std::string ended_before_with_;  // the end text of one that was over; empty: it was not
  std::optional<launch::LinkFailure> host_failure_;
  std::vector<launch::LinkFailure> host_failures_;
};

// "7 of 42 runs: thesis 1: 100 B, 20 (2 of 3): running".
std::string progress_line(const CampaignRun& run);

}  // namespace n2nq::campaign
