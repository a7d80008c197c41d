// Takes archives of results into the store, one at a time, and tells where the user is looking what came of it. UI
// thread; the work is done beside it.
#pragma once

#include <QObject>

#include "app/archive/archive_import.h"
#include "app/place/data_folder.h"

namespace n2nq::ui {
class CampaignsPage;
class FileJob;
class ResultsPage;
}  // namespace n2nq::ui

namespace n2nq::ui {

class NoticeStack;
class PageBar;

class ArchiveTaker : public QObject {
  Q_OBJECT

 public:
  struct Places {
    PageBar& pages;
    NoticeStack& notices;
    ResultsPage& results;
    CampaignsPage& campaigns;
  };
  ArchiveTaker(const place::DataFolder& folder, const Places& places, QWidget* window);
  ~ArchiveTaker() override;

  static bool takes(const QString& path);  // by its name
  void take(const QString& path);
  void ask_for_file();

 Q_SIGNALS:
  void taken();

 private:
  bool concerns_campaigns() const;
  void show_trouble(const QString& text);
  void show_taken(const QString& text);

  place::DataFolder folder_;
  Places places_;
  QWidget* window_;
  FileJob* work_;
  archive::Imported imported_{};
};

}  // namespace n2nq::ui
