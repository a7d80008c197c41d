// The one campaign that this bench makes at a time: started, gone on with, stopped. What it would take more of the disk
// than is free is refused. What is kept of it is read on a thread of its own first. UI thread otherwise.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/campaign/campaign_run.h"
#include "app/campaign/estimate.h"
#include "app/campaign/take_up.h"
#include "app/threads/job.h"

namespace n2nq::campaign {

// What to do where a campaign does not fit; nothing: it does.
std::optional<std::string> too_large_for(const Estimate& estimate, const std::string& folder);

class CampaignDesk : public QObject {
  Q_OBJECT

 public:
  // The store outlives this; it lies in `data_folder`, as the files of the runs do.
  CampaignDesk(run::SessionOptions options, store::ResultStore& store, std::string data_folder,
               QObject* parent = nullptr);
  ~CampaignDesk() override;

  // Both: not while one is active. begun() or refused() follows.
  Result<void> start(const Campaign& campaign);
  Result<void> resume(int64_t id);
  void stop();              // see CampaignRun::stop
  void forget(int64_t id);  // the last one, where it is that one and is over: it is not in the store any more
  const std::string& programs() const { return options_.programs; }                   // their folder
  const std::optional<std::string>& read_only() const { return store_.read_only(); }  // why none can be kept, if so

  bool active() const { return reading_ || making(); }
  bool reading() const { return reading_; }  // what is kept of the one that is to be made; run() is not that one yet
  bool making() const { return !reading_ && run_ != nullptr && run_->state() != CampaignRun::State::over; }
  bool stopping() const { return reading_ ? stopped_ : making() && run_->stopped_by_user(); }
  const CampaignRun* run() const { return run_.get(); }  // the current or the last one; null before the first

 Q_SIGNALS:
  void changed();                     // active(), or what CampaignRun says
  void begun();                       // run() is the one that was asked for
  void refused(const QString& text);  // why it is not made; finished() follows
  void kept();
  void noted(n2nq::record::Severity severity, const QString& text);
  void finished();

 private:
  using TakeUp = std::function<Result<TakenUp>(store::CampaignStore&)>;

  Result<void> take(TakeUp take_up);
  void on_read(Result<TakenUp> taken);
  void refuse(const std::string& text);

  run::SessionOptions options_;
  store::ResultStore& store_;
  std::string data_folder_;
  std::unique_ptr<store::CampaignStore> campaigns_;
  std::unique_ptr<CampaignRun> run_;
  bool reading_ = false;
  bool stopped_ = false;  // while it was read
  threads::Job job_;      // before all that its work refers to goes, it is over
};

}  // namespace n2nq::campaign
