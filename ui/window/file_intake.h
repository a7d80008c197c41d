// Takes the files that are named to the bench or dropped on its window, on a field of it as well: a plan, a campaign,
// or an archive of results. Each goes to the page that it is for. UI thread.
#pragma once

#include <QObject>

namespace n2nq::ui {
class CampaignsPage;
}

namespace n2nq::ui {

class ArchiveTaker;
class NoticeStack;
class PageBar;
class PlanControl;

class FileIntake : public QObject {
  Q_OBJECT

 public:
  struct Places {
    PageBar& pages;
    NoticeStack& notices;
    PlanControl& plan;
    ArchiveTaker* archives;    // null where there is no store
    CampaignsPage* campaigns;  // the same
  };
  FileIntake(const Places& places, QWidget* window);

  void take(const QString& path);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take_archive(const QString& path);

  Places places_;
  QWidget* window_;
};

}  // namespace n2nq::ui
