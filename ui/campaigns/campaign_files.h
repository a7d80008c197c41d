// Campaigns as files: opened and saved, reported on, exported and imported, by the buttons and their dialogs. UI
// thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QSettings>
#include <string>

#include "app/archive/archive_import.h"
#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_draft.h"
#include "app/plan/permissions.h"
#include "app/threads/job.h"

class QFileDialog;
class QHBoxLayout;
class QPushButton;

namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class ArchiveChoice;
class CampaignListing;
class HandingOn;
class ShownCampaign;
struct HandedOn;

class CampaignFiles : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    const campaign::CampaignDesk& desk;
    const campaign::CampaignDraft& draft;
    plan::Permissions& permissions;
    QSettings& settings;
    const CampaignListing& listing;
    ShownCampaign& shown;
    theme::MessageBar* message;
    std::string store{};  // its path
  };
  // Its parts live as long as it does; none is used as it is destroyed; its buttons go to the end of the row.
  CampaignFiles(const Parts& parts, QHBoxLayout& row, QWidget* page);

  void ask_for_file();
  void open_path(const QString& path);
  void ask_for_figures();
  void show_state();
  void show_next(bool report);  // it is the next step

  // An archive is being imported, and how that went.
  void say_importing(const QString& path);
  void show_imported(const QString& text, const archive::Imported& imported);
  void say_not_imported(const QString& text);
  bool imports() const { return importing_; }

 Q_SIGNALS:
  void opened(const n2nq::campaign::CampaignForm& form, const QString& name);
  void import_wanted();
  void campaign_imported(qint64 id);
  void redrawn();  // the chosen one has other figures
  void open_result(qint64 id);

 private:
  void build(QHBoxLayout& row);
  void connect_buttons();
  HandedOn chosen() const;
  QString why_not() const;
  QFileDialog* dialog(const QString& title);
  void write_table();
  void take_figures(int64_t id, const QString& path);
  void ask_where_to_save();
  Result<campaign::Campaign> to_save() const;
  void save(const campaign::Campaign& campaign, const QString& path);
  void complain(const QString& text);

  Parts parts_;
  QWidget* page_;
  HandingOn* handing_on_;
  QPushButton* save_ = nullptr;
  QPushButton* report_ = nullptr;
  QPushButton* export_ = nullptr;
  QPushButton* import_ = nullptr;
  ArchiveChoice* archive_ = nullptr;
  QPointer<QFileDialog> dialog_;
  bool importing_ = false;  // and says so
  threads::Job job_;        // writes other figures
};

}  // namespace n2nq::ui
