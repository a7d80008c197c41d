// There is one run at a time: a page says why its part cannot be changed or started meanwhile. UI thread.
#pragma once

#include <QObject>

namespace n2nq::run {
class CutOffSearch;
}
namespace n2nq::ui {
class BusesPage;
class CampaignsPage;
class HostsPage;
class RunPage;
}  // namespace n2nq::ui

namespace n2nq::ui {

class BenchState;

class PageLocks : public QObject {
  Q_OBJECT

 public:
  struct Pages {
    RunPage& run;
    HostsPage& hosts;
    BusesPage& buses;
    CampaignsPage* campaigns;  // null where there is no store
  };
  PageLocks(BenchState& state, const Pages& pages, run::CutOffSearch& search, QObject* parent);

 private:
  void show();

  BenchState& state_;
  Pages pages_;
  bool searching_ = true;  // for what an earlier bench left
};

}  // namespace n2nq::ui
