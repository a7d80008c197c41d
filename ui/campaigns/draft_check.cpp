#include "ui/campaigns/draft_check.h"

#include <utility>

namespace n2nq::ui {

DraftCheck::DraftCheck(campaign::CampaignDraft& draft, campaign::CampaignReader& reader, std::string data_folder,
                       std::string programs, QObject* parent)
    : QObject(parent),
      draft_(draft),
      reader_(reader),
      data_folder_(std::move(data_folder)),
      programs_(std::move(programs)) {
  connect(&draft_, &campaign::CampaignDraft::changed, this, &DraftCheck::look);
  connect(&reader_, &campaign::CampaignReader::checked, this, [this](const campaign::Check& check) {
    last_ = check;
    prospect_ = prospect_of(check.campaign);
    if (!looked_) look_for_servers();
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

void DraftCheck::look_for_servers() {
  if (looking_ || !last_ || last_->buses_here.empty()) return;
  looked_ = true;
  looking_ = std::make_unique<run::ServerLook>(programs_);
  connect(looking_.get(), &run::ServerLook::over, this, [this] {
    if (const auto& found = *looking_->found()) servers_ = *found;
    looking_.release()->deleteLater();
    Q_EMIT checked();
  });
  looking_->start();
}

QString DraftCheck::missing_servers() const {
  QStringList missing;
  for (const std::string& kind : last_ ? last_->buses_here : std::vector<std::string>()) {
    const bus::BusTraits& bus = *bus::find_bus(kind);
    const run::InstalledServer* server = run::server_for(bus, servers_);
    if (server == nullptr || server->installed()) continue;
    missing += tr("%1 needs %2, which is not installed here: %3")
                   .arg(theme::qt(bus.title), theme::qt(server->program), theme::qt(server->install));
  }
  return missing.join("; ");
}

campaign::Check DraftCheck::now() const {
  return campaign::check(*draft_.form(), hosts_, data_folder_);
}

}  // namespace n2nq::ui

#include "moc_draft_check.cpp"
