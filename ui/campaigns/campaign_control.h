// The bar of the selected campaign: starts, resumes and stops it, and shows how far it is. UI thread.
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "app/campaign/campaign_desk.h"
#include "app/plan/permissions.h"

class QWidget;

namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class CampaignBar;
class CampaignEditor;
class CampaignListing;
class DraftCheck;
class ShownCampaign;
struct BarState;

class CampaignControl : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    QWidget& page;
    plan::Permissions& permissions;
    CampaignBar& bar;
    campaign::CampaignDesk& desk;
    const CampaignListing& listing;
    const DraftCheck& check;
    const ShownCampaign& shown;
    CampaignEditor& editor;
    theme::MessageBar& message;
  };
  // Its parts live as long as it does; none is used as it is destroyed.
  explicit CampaignControl(const Parts& parts, QObject* parent = nullptr);

  void set_locked(const QString& reason);  // why none can be started; empty: one can
  void show();
  bool resumes() const { return resumes_; }  // or starts: that is the next step, not the report

 private:
  BarState state();
  BarState state_of_kept() const;
  int64_t left_ns();
  QString why_not_started() const;
  void start();
  void if_allowed(const campaign::Campaign& campaign, const std::function<Result<void>()>& start);
  void start_in_vain();
  void stop();
  void complain(const QString& why);

  Parts parts_;
  QString locked_;
  bool resumes_ = false;
  std::optional<int64_t> left_ns_;  // of the runs that are left, by their schedules, as the current one began
};

}  // namespace n2nq::ui
