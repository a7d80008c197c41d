// The page of campaigns: the list, and below it the draft or the selected campaign with its bar. It composes and
// connects; what may take long is read on another thread. UI thread.
#pragma once

#include <QSettings>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_draft.h"
#include "app/campaign/campaign_reader.h"
#include "app/hosts/host_list.h"

class QHBoxLayout;
class QScrollArea;
class QStackedWidget;

namespace n2nq::ui::theme {
class Invitation;
class MessageBar;
class ShareSplitter;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class CampaignBar;
class CampaignControl;
class CampaignEditor;
class CampaignFiles;
class CampaignList;
class CampaignListing;
class CampaignRemovals;
class DraftCheck;
class DraftSources;
class ShownCampaign;
struct SlowestPlaces;

class CampaignsPage : public QWidget {
  Q_OBJECT

 public:
  struct Parts {
    campaign::CampaignDesk& desk;
    campaign::CampaignDraft& draft;
    plan::Permissions& permissions;
    QSettings& settings;
    std::string store{};  // paths
    std::string data_folder{};
    std::function<plan::RunPlan()> plan_in_force;
  };
  // Its parts outlive the page.
  explicit CampaignsPage(const Parts& parts, QWidget* parent = nullptr);
  ~CampaignsPage() override;

  void set_hosts(const hosts::HostList& list);
  void set_locked(const QString& reason);         // why none can be started; empty: one can
  void reload();                                  // results have changed
  void choose(qint64 campaign);                   // once it is in the list
  void compare(const campaign::TwoBuses& buses);  // as a draft, by the plan of the Run page
  void start_selected();                          // the draft or campaign, if it can be started
  void save_layout();

  CampaignFiles& files() { return *files_; }

 Q_SIGNALS:
  void open_result(qint64 id);
  void compare_results(const std::vector<int64_t>& ids);
  void slowest_wanted(const n2nq::ui::SlowestPlaces& places);  // of its run
  void results_changed();                                      // some were deleted, or are back
  void load_plan(const n2nq::plan::RunPlan& plan);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build(const Parts& parts);
  void build_actions(const Parts& parts, QHBoxLayout& row);
  QWidget* build_upper();
  QWidget* build_lower();
  void show_listing();
  void connect_desk();
  void on_desk_changed();
  void on_begun();
  void connect_reader();
  void connect_draft();
  void connect_actions();

  void show_chosen();
  void look_at_run();
  void show_bar();
  void tick();

  void take_back(bool redo);
  void complain(const QString& text);

  campaign::CampaignDesk& desk_;
  campaign::CampaignDraft& draft_;
  QSettings& settings_;
  campaign::CampaignReader* reader_;
  theme::MessageBar* message_;
  CampaignList* list_;
  CampaignListing* listing_;
  CampaignBar* bar_;
  CampaignEditor* editor_;
  QScrollArea* editor_area_;
  ShownCampaign* shown_;  // the chosen one, once it was started
  QStackedWidget* stack_;
  theme::Invitation* invitation_;
  QStackedWidget* all_;  // the invitation, or the campaigns
  QHBoxLayout* actions_;
  theme::ShareSplitter* splitter_;
  DraftCheck* check_;
  CampaignControl* control_;
  DraftSources* sources_ = nullptr;
  CampaignFiles* files_ = nullptr;
  CampaignRemovals* removals_ = nullptr;

  QTimer look_soon_;
  QTimer each_half_second_;
};

}  // namespace n2nq::ui
