#include "ui/window/campaign_watch.h"

#include <QWidget>

#include "ui/window/desktop_notice.h"

namespace n2nq::ui {

CampaignWatch::CampaignWatch(campaign::CampaignDesk& desk, QWidget* window, std::chrono::milliseconds long_while)
    : QObject(window), desk_(desk), window_(window), long_while_(long_while) {
  connect(&desk_, &campaign::CampaignDesk::changed, this, &CampaignWatch::on_changed);
}

void CampaignWatch::on_changed() {
  if (desk_.active() == active_) return;
  active_ = desk_.active();
  awake_.set_active(active_);
  if (active_)
    since_start_.start();
  else if (desk_.run() != nullptr && since_start_.elapsed() > long_while_.count() && !window_->isActiveWindow())
    notify_desktop(QString::fromStdString(desk_.run()->campaign().name),
                   QString::fromStdString(desk_.run()->end_text()));
}

}  // namespace n2nq::ui

#include "moc_campaign_watch.cpp"
