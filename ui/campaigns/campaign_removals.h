// Deletes the selected campaign, by its button, the key or the menu of the list, and restores what was deleted. UI
// thread.
#pragma once

#include <QObject>
#include <map>
#include <string>
#include <vector>

#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_draft.h"

class QHBoxLayout;
class QPoint;
class QPushButton;

namespace n2nq::ui::theme {
class MessageBar;
class Removals;
}  // namespace n2nq::ui::theme
namespace n2nq::campaign {
class CampaignBin;
}

namespace n2nq::ui {

class CampaignList;
class CampaignListing;
class ShownCampaign;

class CampaignRemovals : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    campaign::CampaignDesk& desk;
    campaign::CampaignDraft& draft;
    CampaignList& list;
    CampaignListing& listing;
    const ShownCampaign& shown;
    theme::MessageBar& message;
    std::string store{};  // its path
  };
  // Its parts live as long as it does; none is used as it is destroyed; its button goes to the end of the row.
  CampaignRemovals(const Parts& parts, QHBoxLayout& row, QWidget* page);

  bool busy() const { return !removing_.empty(); }  // one leaves the list when it is deleted, and not before
  void show_state();
  // The latest deletion, or where one is in progress why not; false: there is none, or an edit of the draft is later.
  bool undo();
  void forget(int64_t id);  // it is back by other means

 Q_SIGNALS:
  void restored(qint64 id);
  void results_changed();

 private:
  void connect_bin();
  QString why_not() const;
  void show_menu(const QPoint& global);
  void remove_chosen();
  void on_removed(qint64 id, quint64 results);  // that went with it
  void bring_back(const std::vector<int64_t>& ids);

  Parts parts_;
  QPushButton* delete_;
  campaign::CampaignBin* bin_;
  theme::Removals* removals_;
  std::map<int64_t, QString> removing_;  // by number: the names of those that are being deleted
};

}  // namespace n2nq::ui
