// What the list of campaigns shows: the draft, the running campaign and all that were started, and which one is
// selected. It is read from the store through the CampaignReader. UI thread.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_draft.h"
#include "app/campaign/campaign_reader.h"
#include "ui/campaigns/campaign_list.h"

namespace n2nq::ui {

class CampaignListing : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    const QWidget& page;  // the list is hidden while it is empty
    CampaignList& list;
    campaign::CampaignReader& reader;
    campaign::CampaignDesk& desk;
    campaign::CampaignDraft& draft;
  };
  // Its parts live as long as it does; none is used as it is destroyed.
  explicit CampaignListing(const Parts& parts, QObject* parent = nullptr);

  void read();  // the reader's listed() follows; not where nobody looks
  void take(const std::vector<campaign::ListedCampaign>& campaigns);
  void remove(int64_t id);  // it was deleted
  void show();

  void choose(std::optional<int64_t> id);  // nothing: the draft
  void choose_when_listed(int64_t id);     // once it is read
  const ListRow* current() const;          // null: the list is empty
  std::optional<int64_t> chosen() const;   // nothing: the draft, if any
  bool shows_draft() const;
  const campaign::ListedCampaign* chosen_one() const;  // null: it is not read yet

 private:
  const campaign::ListedCampaign* find(int64_t id) const;  // null: it is not there
  void add_run(ListRow& row) const;

  Parts parts_;
  std::vector<campaign::ListedCampaign> listed_;
  std::optional<int64_t> to_choose_;  // once it is listed
};

}  // namespace n2nq::ui
