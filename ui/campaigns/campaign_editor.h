// The form of the draft campaign: axes or a search, repeats, order, when it stops, which hosts
// "external" stands for. Every change goes to the draft as it is typed. UI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "app/campaign/campaign_draft.h"
#include "app/campaign/campaign_reader.h"
#include "app/hosts/host_list.h"

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace n2nq::ui {
class CountField;
class PlanLineEdit;
}  // namespace n2nq::ui

namespace n2nq::ui {

class AxesEditor;
class SearchEditor;

class CampaignEditor : public QWidget {
  Q_OBJECT

 public:
  explicit CampaignEditor(campaign::CampaignDraft& draft, QWidget* parent = nullptr);
  ~CampaignEditor() override;

  void set_hosts(const hosts::HostList& list);
  void show_check(const campaign::Check& check);
  void try_start();         // though something is left to be typed
  bool only_waits() const;  // nothing is wrong but what is left to be typed

 Q_SIGNALS:
  void take_plan();  // that of the Run page is to be the campaign's
  void show_plan();  // the campaign's is to be that of the Run page

 private:
  void build_head(QVBoxLayout& column);
  void build_hosts(QVBoxLayout& column);
  void build_plan(QVBoxLayout& column);
  void build_kind(QVBoxLayout& column);
  void build_making(QVBoxLayout& column);
  void build_stop_rules(QVBoxLayout& column);
  void build_figures(QVBoxLayout& column);
  using Edit = std::function<void(campaign::CampaignForm& form, const QString& text)>;
  QComboBox* add_hosts(QHBoxLayout& row, const QString& role, const QString& name, const QString& help, Edit edit);
  PlanLineEdit* add_line(const QString& name, const QString& help, std::string campaign::CampaignForm::* member);
  CountField* add_count(const QString& name, uint32_t most, const QString& help,
                        std::string campaign::CampaignForm::* member);
  void show_form();
  void show_kind(bool searches);
  void offer_hosts();
  void choose_figures();

  campaign::CampaignDraft& draft_;
  hosts::HostList hosts_;
  PlanLineEdit* name_ = nullptr;
  PlanLineEdit* description_ = nullptr;
  QLabel* plan_ = nullptr;
  QWidget* hosts_row_ = nullptr;
  QComboBox* senders_ = nullptr;    // where those that are external run
  QComboBox* receivers_ = nullptr;  // the same
  QComboBox* queue_ = nullptr;
  QLabel* hosts_note_ = nullptr;
  QButtonGroup* kind_ = nullptr;
  AxesEditor* axes_ = nullptr;
  SearchEditor* search_ = nullptr;
  std::vector<QWidget*> of_axes_alone_;  // what a search has no use for
  QComboBox* order_ = nullptr;
  CountField* repeats_ = nullptr;
  CountField* tries_ = nullptr;
  QLabel* pause_caption_ = nullptr;
  PlanLineEdit* pause_ = nullptr;
  PlanLineEdit* every_ = nullptr;
  PlanLineEdit* limit_ = nullptr;
  QCheckBox* stop_failure_ = nullptr;
  QCheckBox* stop_overload_ = nullptr;
  QComboBox* figures_ = nullptr;
  QLabel* figure_titles_ = nullptr;
};

}  // namespace n2nq::ui
