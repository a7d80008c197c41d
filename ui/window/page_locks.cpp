#include "ui/window/page_locks.h"

#include "app/run/cut_off_search.h"
#include "ui/buses/buses_page.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/hosts/hosts_page.h"
#include "ui/run/run_page.h"
#include "ui/window/bench_state.h"

namespace n2nq::ui {

PageLocks::PageLocks(BenchState& state, const Pages& pages, run::CutOffSearch& search, QObject* parent)
    : QObject(parent), state_(state), pages_(pages) {
  connect(&state_.sequence(), &run::RunSequence::changed, this, &PageLocks::show);
  if (state_.desk() != nullptr) connect(state_.desk(), &campaign::CampaignDesk::changed, this, &PageLocks::show);
  connect(&pages_.buses, &BusesPage::links_used, this, &PageLocks::show);
  connect(&search, &run::CutOffSearch::finished, this, [this] {
    searching_ = false;
    show();
  });
  show();
}

void PageLocks::show() {
  const bool campaign = state_.desk() != nullptr && state_.desk()->active();
  const bool run = state_.sequence().active();
  pages_.hosts.set_locked(run                         ? tr("Cannot be changed during a run.")
                          : campaign                  ? tr("Cannot be changed while a campaign is running.")
                          : pages_.buses.uses_links() ? tr("Cannot be changed while the Buses page uses a host.")
                                                      : QString());
  pages_.buses.set_locked(run        ? tr("Cannot be tested during a run, which it would disturb.")
                          : campaign ? tr("Cannot be tested while a campaign is running, which it would disturb.")
                                     : QString());
  pages_.run.set_locked(campaign ? tr("A campaign is running (Ctrl+5); stop it there, or wait until it finishes.")
                                 : QString());
  if (pages_.campaigns == nullptr) return;
  pages_.campaigns->set_locked(run ? tr("A run is in progress on the Run page; stop it, or wait until it finishes.")
                               : searching_ ? tr("Recovering the runs of an earlier session; this takes a moment.")
                               : state_.store()->read_only() ? QString::fromStdString(*state_.store()->read_only())
                                                             : QString());
}

}  // namespace n2nq::ui

#include "moc_page_locks.cpp"
