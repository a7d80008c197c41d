// What the draft comes to: checked on another thread after each change of it, and at once before it starts. UI thread
// otherwise.
#pragma once

#include <QObject>
#include <optional>
#include <string>

#include "app/campaign/campaign_draft.h"
#include "app/campaign/campaign_reader.h"
#include "app/hosts/host_list.h"
#include "ui/campaigns/bar_texts.h"

namespace n2nq::ui {

class DraftCheck : public QObject {
  Q_OBJECT

 public:
  // Both live as long as it does; none is used as it is destroyed.
  DraftCheck(campaign::CampaignDraft& draft, campaign::CampaignReader& reader, std::string data_folder,
             QObject* parent = nullptr);

  void set_hosts(const hosts::HostList& list);
  void look();                                                               // again: the disk may have less left
  const campaign::Check* last() const { return last_ ? &*last_ : nullptr; }  // null: it has not come yet
  const DraftProspect& prospect() const { return prospect_; }
  campaign::Check now() const;  // where there is a draft; the last one may be older than the last key

 Q_SIGNALS:
  void checked();

 private:
  campaign::CampaignDraft& draft_;
  campaign::CampaignReader& reader_;
  std::string data_folder_;
  hosts::HostList hosts_;
  std::optional<campaign::Check> last_;
  DraftProspect prospect_;
};

}  // namespace n2nq::ui
