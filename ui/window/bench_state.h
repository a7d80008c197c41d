// What the window stands on: the data folder, the settings, the store, the plan, the hosts and the runs. Opening
// reports what is amiss instead of failing: a window that tells is better than none. UI thread.
#pragma once

#include <QLockFile>
#include <QSettings>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>

#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_draft.h"
#include "app/cli/metrics_server.h"
#include "app/hosts/host_book.h"
#include "app/place/data_folder.h"
#include "app/plan/permissions.h"
#include "app/plan/plan_editor.h"
#include "app/run/host_links.h"
#include "app/run/run_sequence.h"
#include "app/store/store.h"
#include "ui/window/window.h"

namespace n2nq::ui {

class BenchState {
 public:
  explicit BenchState(const WindowOptions& options);

  const place::DataFolder& folder() const { return folder_; }
  QSettings& settings() { return *settings_; }
  store::ResultStore* store() { return store_.get(); }  // null where it could not be opened
  plan::PlanEditor& editor() { return *editor_; }
  hosts::HostBook& hosts() { return *hosts_; }
  run::HostLinks& links() { return *links_; }
  run::RunSequence& sequence() { return *sequence_; }
  campaign::CampaignDesk* desk() { return desk_.get(); }  // null where there is no store
  campaign::CampaignDraft& draft() { return *draft_; }
  plan::Permissions& permissions() { return permissions_; }
  const run::SessionOptions& session_options() const { return session_options_; }
  const QStringList& troubles() const { return troubles_; }
  // Why the store could not be opened, where it is damaged: it can be moved aside. Not among the troubles.
  const std::optional<QString>& damaged_store() const { return damaged_store_; }
  bool busy() const;                                 // with a run, or a campaign
  bool first_start() const { return first_start_; }  // nothing was kept here before

 private:
  void open_folder(const WindowOptions& options);
  void open_temporary_folder();
  void look_for_other_window();
  void open_store();
  void serve_metrics(uint16_t port);

  QStringList troubles_;
  std::optional<QString> damaged_store_;
  bool first_start_ = false;
  place::DataFolder folder_;
  std::unique_ptr<QLockFile> in_use_;  // the folder, by this window
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<store::ResultStore> store_;
  std::unique_ptr<plan::PlanEditor> editor_;
  std::unique_ptr<hosts::HostBook> hosts_;
  std::unique_ptr<run::HostLinks> links_;
  plan::Permissions permissions_;
  run::SessionOptions session_options_;
  std::unique_ptr<run::RunSequence> sequence_;
  std::unique_ptr<campaign::CampaignDesk> desk_;
  std::unique_ptr<campaign::CampaignDraft> draft_;
  std::unique_ptr<cli::MetricsServer> metrics_;
};

}  // namespace n2nq::ui
