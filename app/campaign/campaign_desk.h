// The one campaign that this bench makes at a time: started, gone on with, stopped. What it would take more of the disk
// than is free is refused. UI thread; blocks as CampaignRun does.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/campaign/campaign_run.h"
#include "app/campaign/estimate.h"

namespace n2nq::campaign {

// Nothing: it cannot be told.
std::optional<uint64_t> free_bytes(const std::string& folder);
// What to do where a campaign does not fit; nothing: it does.
std::optional<std::string> too_large_for(const Estimate& estimate, const std::string& folder);

class CampaignDesk : public QObject {
  Q_OBJECT

 public:
  // The store outlives this; it lies in `data_folder`, as the files of the runs do.
  CampaignDesk(run::SessionOptions options, results::ResultStore& store, std::string data_folder,
               QObject* parent = nullptr);
  ~CampaignDesk() override;

  // Both: not while one is active.
  Result<void> start(const Campaign& campaign);
  Result<void> resume(int64_t id);
  void stop();  // see CampaignRun::stop

  bool active() const { return run_ != nullptr && run_->state() != CampaignRun::State::over; }
  const CampaignRun* run() const { return run_.get(); }  // the current or the last one; null before the first

 Q_SIGNALS:
  void changed();  // active(), or what CampaignRun says
  void kept();
  void noted(n2nq::results::Severity severity, const QString& text);
  void finished();

 private:
  Result<void> take(const std::function<Result<void>(CampaignRun&)>& begin);

  run::SessionOptions options_;
  results::ResultStore& store_;
  std::string data_folder_;
  std::unique_ptr<results::CampaignStore> campaigns_;
  std::unique_ptr<CampaignRun> run_;
};

}  // namespace n2nq::campaign
