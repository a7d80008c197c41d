// The axes of the draft campaign, and which of their values make a point together. UI thread.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/campaign/campaign_draft.h"

class QComboBox;
class QGridLayout;

namespace n2nq::ui {

class AxisRow;

class AxesEditor : public QWidget {
  Q_OBJECT

 public:
  explicit AxesEditor(campaign::CampaignDraft& draft, QWidget* parent = nullptr);
  ~AxesEditor() override;

  void show_form(const campaign::CampaignForm& form);

 private:
  void show_axes(const std::vector<campaign::AxisForm>& axes, const plan::RunPlan& base);
  void add_axis();

  campaign::CampaignDraft& draft_;
  QGridLayout* grid_;
  std::vector<std::unique_ptr<AxisRow>> rows_;
  QComboBox* combine_;
};

}  // namespace n2nq::ui
