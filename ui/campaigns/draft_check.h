// What the draft comes to: checked on another thread after each change of it, and at once before it starts. UI thread
// otherwise.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>

#include "app/campaign/campaign_draft.h"
#include "app/campaign/campaign_reader.h"
#include "app/hosts/host_list.h"
#include "app/run/server_look.h"
#include "ui/campaigns/bar_texts.h"

namespace n2nq::ui {

class DraftCheck : public QObject {
  Q_OBJECT

 public:
  // Both live as long as it does; none is used as it is destroyed.
  // `programs`: the folder of those that know which servers are installed.
  DraftCheck(campaign::CampaignDraft& draft, campaign::CampaignReader& reader, std::string data_folder,
             std::string programs, QObject* parent = nullptr);

  void set_hosts(const hosts::HostList& list);
  void look();                                                               // again: the disk may have less left
  void look_for_servers();                                                   // again, where the draft needs any
  const campaign::Check* last() const { return last_ ? &*last_ : nullptr; }  // null: it has not come yet
  const DraftProspect& prospect() const { return prospect_; }
  QString missing_servers() const;  // that the draft needs, and what installs them; empty: none is
  campaign::Check now() const;      // where there is a draft; the last one may be older than the last key

 Q_SIGNALS:
  void checked();

 private:
  campaign::CampaignDraft& draft_;
  campaign::CampaignReader& reader_;
  std::string data_folder_;
  hosts::HostList hosts_;
  std::optional<campaign::Check> last_;
  DraftProspect prospect_;
  const std::string programs_;
  std::unique_ptr<run::ServerLook> looking_;
  bool looked_ = false;
  run::InstalledServers servers_;  // as of the last look
};

}  // namespace n2nq::ui
