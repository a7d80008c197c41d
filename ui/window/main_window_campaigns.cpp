// The page of campaigns in the window, and that there is one run at a time.
#include "app/run/cut_off_search.h"
#include "ui/campaigns/campaign_files.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/hosts/hosts_page.h"
#include "ui/results/results_page.h"
#include "ui/run/run_page.h"
#include "ui/window/archive_taker.h"
#include "ui/window/main_window.h"

namespace n2nq::ui {

void MainWindow::add_campaigns_page() {
  const CampaignsPage::Parts parts{.desk = *state_.desk(),
                                   .draft = state_.draft(),
                                   .settings = state_.settings(),
                                   .store = state_.folder().store(),
                                   .data_folder = state_.folder().path,
                                   .plan_in_force = [this] { return state_.editor().plan(); }};
  campaigns_page_ = new CampaignsPage(parts, this);
  pages_->addWidget(campaigns_page_);
  campaigns_page_->set_hosts(state_.hosts().list());
  connect(hosts_page_, &HostsPage::list_changed, this, [this] { campaigns_page_->set_hosts(state_.hosts().list()); });
  connect(campaigns_page_, &CampaignsPage::load_plan, results_page_, &ResultsPage::load_plan);
  connect(campaigns_page_, &CampaignsPage::open_result, this, &MainWindow::show_result);
  connect(campaigns_page_, &CampaignsPage::results_changed, results_page_, &ResultsPage::reload);
  connect(&campaigns_page_->files(), &CampaignFiles::import_wanted, archives_, &ArchiveTaker::ask_for_file);
  connect(state_.desk(), &campaign::CampaignDesk::kept, results_page_, &ResultsPage::reload);
  connect(state_.desk(), &campaign::CampaignDesk::changed, this, &MainWindow::show_locks);
  connect(state_.desk(), &campaign::CampaignDesk::begun, this, &MainWindow::take_offer_back);
  connect(state_.desk(), &campaign::CampaignDesk::finished, this, [this] {
    if (closing_ != nullptr) closing_->close_bar();
    if (closing_soon_) close();
  });
  connect(search_, &run::CutOffSearch::found, campaigns_page_, &CampaignsPage::reload);
  connect(search_, &run::CutOffSearch::finished, this, [this] {
    searching_ = false;
    show_locks();
  });
  show_locks();
}

// One run at a time: what a run or a campaign keeps from being changed or started says so.
void MainWindow::show_locks() {
  const bool campaign = state_.desk() != nullptr && state_.desk()->active();
  const bool run = state_.sequence().active();
  hosts_page_->set_locked(run        ? tr("Cannot be changed during a run.")
                          : campaign ? tr("Cannot be changed while a campaign is running.")
                                     : QString());
  run_page_->set_locked(campaign ? tr("A campaign is running (Ctrl+4); stop it there, or wait until it finishes.")
                                 : QString());
  if (campaigns_page_ == nullptr) return;
  campaigns_page_->set_locked(run ? tr("A run is in progress on the Run page; stop it, or wait until it finishes.")
                              : searching_ ? tr("Recovering the runs of an earlier session; this takes a moment.")
                              : state_.store()->read_only() ? QString::fromStdString(*state_.store()->read_only())
                                                            : QString());
}

bool MainWindow::shows_campaigns() const {
  return campaigns_page_ != nullptr && pages_->currentWidget() == campaigns_page_;
}

bool MainWindow::busy() {
  return state_.sequence().active() || (state_.desk() != nullptr && state_.desk()->active());
}

}  // namespace n2nq::ui
