#include "ui/campaigns/draft_check.h"

#include <utility>

namespace n2nq::ui {

DraftCheck::DraftCheck(campaign::CampaignDraft& draft, campaign::CampaignReader& reader, std::string data_folder,
                       QObject* parent)
    : QObject(parent), draft_(draft), reader_(reader), data_folder_(std::move(data_folder)) {
  connect(&draft_, &campaign::CampaignDraft::changed, this, &DraftCheck::look);
  connect(&reader_, &campaign::CampaignReader::checked, this, [this](const campaign::Check& check) {
    last_ = check;
    prospect_ = prospect_of(check.campaign);
    Q_EMIT checked();
  });
  look();
}

void DraftCheck::set_hosts(const hosts::HostList& list) {
  hosts_ = list;
  look();
}

void DraftCheck::look() {
  if (draft_.form()) reader_.check_form(*draft_.form(), hosts_);
}

campaign::Check DraftCheck::now() const {
  return campaign::check(*draft_.form(), hosts_, data_folder_);
}

}  // namespace n2nq::ui

#include "moc_draft_check.cpp"
