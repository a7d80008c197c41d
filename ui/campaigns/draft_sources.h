// What a draft is begun from: a case of a study, the plan in force, a file or another campaign. The draft that this
// replaces can be restored. UI thread.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <utility>

#include "app/campaign/campaign_draft.h"

class QHBoxLayout;
class QPushButton;

namespace n2nq::ui::theme {
class Invitation;
class MessageBar;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class CampaignListing;
class CaseMenu;
class ShownCampaign;

class DraftSources : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    campaign::CampaignDraft& draft;
    CampaignListing& listing;
    const ShownCampaign& shown;
    theme::MessageBar& message;
    std::function<plan::RunPlan()> plan_in_force;
  };
  // Its parts live as long as it does; none is used as it is destroyed; its buttons go to the end of the row.
  DraftSources(const Parts& parts, QHBoxLayout& row, QWidget* page);

  void begin(campaign::CampaignForm form, const QString& named) { begin_with(std::move(form), named, {}); }
  void compare(const std::optional<campaign::TwoBuses>& buses);  // nothing: those of the plan in force
  void invite(theme::Invitation& invitation);                    // with the choices of how to begin
  void take_plan();                                              // the plan in force becomes that of the draft
  void show_state();                                             // after another campaign was selected

 Q_SIGNALS:
  void file_wanted();

 private:
  void open_bundled(const QString& resource);
  void from_plan(campaign::CampaignForm (*form_of)(const plan::RunPlan& plan));
  // `note`: what is to be known of it before it starts; empty: nothing.
  void begin_with(campaign::CampaignForm form, const QString& named, const QString& note);
  void edit_copy();

  Parts parts_;
  CaseMenu* cases_;
  QPushButton* copy_;
};

}  // namespace n2nq::ui
