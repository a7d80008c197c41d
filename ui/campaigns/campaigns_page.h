// The page of campaigns: all that were started and the draft, how far the selected one is, its
// figures, its points, and the run that is in progress. What may take long is read on another thread. UI thread.
#pragma once

#include <QPointer>
#include <QSettings>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/archive/archive_import.h"
#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_draft.h"
#include "app/campaign/campaign_reader.h"
#include "app/hosts/host_list.h"

class QFileDialog;
class QHBoxLayout;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace n2nq::ui::theme {
class ShareSplitter;
}

namespace n2nq::ui {
class ArchiveChoice;
class HandingOn;
}  // namespace n2nq::ui
namespace n2nq::ui::theme {
class MessageBar;
class Removals;
}  // namespace n2nq::ui::theme
namespace n2nq::campaign {
class CampaignBin;
}

namespace n2nq::ui {

class CampaignBar;
class CampaignEditor;
class CampaignList;
class CaseMenu;
class ShownCampaign;
struct BarState;
struct ListRow;

class CampaignsPage : public QWidget {
  Q_OBJECT

 public:
  struct Parts {
    campaign::CampaignDesk& desk;
    campaign::CampaignDraft& draft;
    QSettings& settings;
    std::string store{};  // paths
    std::string data_folder{};
  };
  // Its parts outlive the page.
  explicit CampaignsPage(const Parts& parts, QWidget* parent = nullptr);
  ~CampaignsPage() override;

  void set_hosts(const hosts::HostList& list);
  void set_plan_in_force(std::function<plan::RunPlan()> plan) { plan_in_force_ = std::move(plan); }
  void set_locked(const QString& reason);  // why none can be started; empty: one can
  void open_path(const QString& path);     // a campaign's file becomes the draft
  void reload();                           // results have changed
  void choose(qint64 campaign);            // once it is in the list
  void save_layout();

  // An archive is being taken in, and how that went.
  void say_importing(const QString& path);
  void show_imported(const QString& text, const archive::Imported& imported);
  void say_not_imported(const QString& text);
  bool imports() const { return importing_; }

 Q_SIGNALS:
  void import_wanted();
  void open_result(qint64 id);
  void results_changed();  // some were deleted, or are back
  void load_plan(const n2nq::plan::RunPlan& plan);

 protected:
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build_actions(QHBoxLayout& row);
  QWidget* build_lower();
  void connect_desk();
  void connect_reader();
  void connect_draft();
  QPushButton* add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& help);

  // What the list says.
  void list_now();
  void show_list();
  ListRow row_of(const campaign::ListedCampaign& campaign) const;
  std::optional<int64_t> chosen() const;  // nothing: the draft, if any
  bool shows_draft() const;

  void show_chosen();
  void look_at_run();
  void show_bar();
  static QString hopeless_text(const campaign::Campaign& campaign);
  BarState draft_bar() const;
  BarState run_bar() const;
  BarState kept_bar() const;
  QString time_left() const;
  void tick();

  void start();
  void start_in_vain();
  void stop();
  void begin(campaign::CampaignForm form, const QString& what);
  void open_bundled(const QString& resource);
  void from_plan();
  void edit_copy();
  void ask_for_file();
  void ask_where_to_save();
  QFileDialog* dialog(const QString& title);
  void build_handing_on(QHBoxLayout& row);
  void show_handing_on();
  QString why_not_handed_on() const;
  const campaign::ListedCampaign* listed(int64_t id) const;  // null: it is not
  const campaign::ListedCampaign* listed_chosen() const;
  void build_deleting(QHBoxLayout& row);
  void connect_deleting();
  QString why_not_deleted() const;
  void show_menu(const QPoint& global);
  void remove_chosen();
  void take_out(qint64 id, quint64 results);  // it is deleted, with so many results
  void bring_back(const std::vector<int64_t>& ids);
  void take_back(bool redo);
  void complain(const QString& text);
  void complain_of_start(const QString& why);
  QString why_not_started() const;

  campaign::CampaignDesk& desk_;
  campaign::CampaignDraft& draft_;
  QSettings& settings_;
  std::string data_folder_;
  campaign::CampaignReader* reader_;
  theme::MessageBar* message_;
  CaseMenu* cases_;
  CampaignList* list_;
  CampaignBar* bar_;
  CampaignEditor* editor_;
  QScrollArea* editor_area_;
  ShownCampaign* shown_;  // the chosen one, once it was started
  QStackedWidget* stack_;
  QWidget* nothing_;
  theme::ShareSplitter* splitter_;
  QPushButton* copy_ = nullptr;
  QPushButton* save_ = nullptr;
  QPushButton* report_ = nullptr;
  QPushButton* export_ = nullptr;
  QPushButton* import_ = nullptr;
  QPushButton* delete_ = nullptr;
  ArchiveChoice* archive_ = nullptr;
  HandingOn* handing_on_;
  campaign::CampaignBin* bin_;
  theme::Removals* removals_;
  QPointer<QFileDialog> dialog_;

  std::vector<campaign::ListedCampaign> listed_;
  std::optional<int64_t> to_choose_;     // once it is listed
  bool importing_ = false;               // and says so
  std::map<int64_t, QString> removing_;  // by number: the names of those that are being deleted
  std::optional<campaign::Check> check_;
  QString hopeless_;                        // of what is checked, see hopeless_text()
  mutable std::optional<int64_t> left_ns_;  // of the runs that are left, by their schedules, as the current one began
  hosts::HostList hosts_;
  std::function<plan::RunPlan()> plan_in_force_;
  QString locked_;
  QTimer look_soon_;
  QTimer each_half_second_;
};

}  // namespace n2nq::ui
